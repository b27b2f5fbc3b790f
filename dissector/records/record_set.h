// SPDX-License-Identifier: Apache-2.0
// Reads the content of a `records` field: batch after batch, and of each batch, when asked, record after record.
//
//     reader.open(message, begin, end);
//     while (reader.nextBatch())        // headers only
//         while (reader.nextRecord())   // opens the batch: decompresses it as a whole, hands its records out singly
//             use(reader.batch(), reader.record());
//
// What Kafka's own reader lists is listed, and nothing else: of a damaged batch the records in front of the damage, of
// a set cut by the broker the whole batches (`trailing` counts the rest, which is nothing wrong).
//
// Bytes:   keys, values and headers are views: of the capture where an uncompressed record lies in one packet, else of
//          buffers here. They live until the next nextRecord, nextBatch or open.
// Memory:  one decompressed batch (see CodecLimits) and one record that crosses packets.
// Errors:  values; problems() collects them with places: `at` below the field ("[2].records[5]"), `offset` in the
//          chain (of a record inside a compressed batch: where the compressed bytes begin).
// Threads: one thread at a time per object. Reuse it: codec contexts and buffers stay.
#pragma once

#include "dissector/records/batch.h"
#include "dissector/records/codecs.h"
#include "dissector/records/legacy_message.h"
#include "dissector/wire/cursor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brokerscope {

struct RecordHeader {
    Bytes key; // UTF-8 by the rules, any bytes in fact
    std::optional<Bytes> value;
};

struct Record {
    // nullopt only in a damaged wrapper of magic 1, whose offsets count back from a message that is not there.
    std::optional<std::int64_t> offset;
    std::int64_t timestamp = -1; // milliseconds since 1970; -1 none
    std::optional<std::int32_t> sequence;
    std::optional<Bytes> key, value; // nullopt: null, which is not the same as empty
    std::vector<RecordHeader> headers;
};

// Key, value and headers, as they are when nothing is compressed.
std::uint64_t contentBytes(const Record& record);

class RecordSetReader {
  public:
    explicit RecordSetReader(CodecLimits limits = {});

    // The set is [begin, end) of the chain, which must outlive the reading.
    void open(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end);

    bool nextBatch();
    const Batch& batch() const { return m_batch; }
    std::uint32_t batchIndex() const { return m_batchCount - 1; }
    // Done by the first nextRecord(); before that, the base offset of a wrapper is not known.
    void openBatch();
    bool nextRecord();
    const Record& record() const { return m_record; }
    std::uint32_t recordIndex() const { return m_recordCount - 1; }

    // What the compressed records of the open batch opened to, until the next batch; empty when they are not
    // compressed.
    Bytes content() const { return isDecompressed() ? m_content : Bytes{}; }

    // Why no more records came; empty: all are there.
    const std::string& batchError() const { return m_batchError; }
    // After the last batch. Why no more batches came; empty: the set ended.
    const std::string& setError() const { return m_setError; }
    std::uint32_t trailing() const { return m_end - m_position; } // bytes behind the last batch
    const std::vector<Problem>& problems() const { return m_problems; }

    RecordSetReader(const RecordSetReader&) = delete; // parts of it point at each other
    RecordSetReader& operator=(const RecordSetReader&) = delete;

  private:
    bool readRecord();
    bool readBody(Cursor cursor, Bytes body);
    bool readHeaders(Cursor& cursor, Bytes body, std::uint32_t bodyBegin);
    bool readBytes(Cursor& cursor, Bytes body, std::uint32_t bodyBegin, std::string_view what,
                   std::optional<Bytes>& out);
    void openWrapper();
    void placeInnerSet();
    bool readMessage();
    bool takeMessage(const LegacyMessage& message);
    void decompress(std::uint32_t begin, std::uint32_t end);
    // The fail functions give false.
    bool failAtHole(std::uint32_t begin, std::uint32_t end);
    bool failRecord(std::uint32_t place, std::string text);
    bool failBatch(Problem problem);
    void note(Problem problem, std::string at);
    bool isDecompressed() const { return m_opened && m_cursor && &m_cursor->chain() == &m_decompressed; }
    std::string batchPath() const;
    std::string recordPath() const;

    const ByteChain* m_bytes = nullptr;
    std::uint32_t m_position = 0, m_end = 0;
    std::string m_setError;
    std::vector<Problem> m_problems;

    Batch m_batch;
    std::uint32_t m_batchCount = 0, m_recordCount = 0;
    std::string m_batchError;
    bool m_opened = false, m_ended = false;
    // Over the records of the open batch, in the message itself or in m_decompressed.
    std::optional<Cursor> m_cursor;
    std::uint32_t m_compressedBegin = 0;
    bool m_whole = true;                     // false: decompression gave up, so the end of the bytes says nothing
    std::optional<std::int64_t> m_innerBase; // added to the offsets of a wrapper's messages
    Record m_record;

    RecordDecompressor m_decompressor;
    Bytes m_content; // of the decompressor
    ByteChain m_decompressed;
    std::vector<std::uint8_t> m_compressed, m_body; // copies of what crosses packets
};

} // namespace brokerscope
