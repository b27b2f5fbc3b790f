// SPDX-License-Identifier: Apache-2.0
// The field tree of a message as text, to read and to learn from: names, values as people read them, what a field means
// (dimmed, where there is room, once a message), and with hex the bytes of every field with their offset in front.
//
//     0008  00 00 00 08              CorrelationId        8
//
// Record sets are opened: batches with their header, and a line for each record; with hex every field of every record.
// Below a record of an internal topic stand the fields of its key and value. The offsets of compressed records count in
// the bytes that came out. Secrets are masked, their bytes too.
// Memory: the message and one decompressed batch. Threads: one.
#pragma once

#include "cli/output/output_file.h"
#include "cli/output/style.h"
#include "dissector/analysis/capture_names.h"
#include "dissector/message/decoder.h"
#include "dissector/message/value_text.h"
#include "dissector/payloads/payload_opener.h"
#include "dissector/payloads/value_guess.h"
#include "dissector/records/record_set.h"
#include "dissector/records/record_tree.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

struct TreeLook {
    bool hex = false;
    bool notes = false; // also where there is no room beside the field: below it
    bool showSecrets = false;
    std::size_t width = 0;                  // of the terminal; 0: no limit
    std::optional<ValueFormat> valueFormat; // of keys and values; then JSON stands below the record in lines
};

class TreePrinter {
  public:
    // `names` may be null: ids stay ids.
    TreePrinter(const Protocol& protocol, const TreeLook& look, const CaptureNames* names, const Style& style,
                OutputFile& out);

    void print(const ByteChain& bytes, const DecodedMessage& message);
    // A record set of a topic (empty: unknown) that is no part of a message. Its problems are printed, and given back.
    std::vector<Problem> printRecords(const ByteChain& bytes, std::string_view topic);
    void printProblems(const std::vector<Problem>& problems);

  private:
    struct Line {
        std::size_t depth = 0;
        std::string name;
        Role nameRole = Role::Plain;
        std::string value;
        Role valueRole = Role::Plain;
        std::string note;
        std::uint32_t offset = 0, length = 0; // of the bytes that belong to this line
        bool masked = false;
    };

    void measure(const FieldTree& tree);
    void printNode(NodeIndex node, std::size_t depth);
    void printChildren(NodeIndex node, std::size_t depth);
    Line describe(NodeIndex node, std::size_t depth);
    void printSet(std::uint32_t begin, std::uint32_t end, std::size_t depth, std::vector<Problem>& problems);
    void printBatch(const RecordDocument& set, std::size_t index, NodeIndex node, std::size_t depth);
    void printCompressed(const RecordDocument& set, std::size_t index, std::size_t depth);
    void printRecordLines(std::size_t depth);
    void printPretty(const std::optional<Bytes>& value, std::size_t depth);
    void printTelemetry(NodeIndex node, std::size_t depth);
    void printPayload(std::string_view name, const RecordPayload& payload, std::size_t depth);

    void write(const Line& line);
    void writeNoteBelow(const Line& line);
    void writeMoreHex(const Line& line);
    std::string hexBlock(const Line& line, std::uint32_t begin);
    std::size_t hexWidth() const { return m_look.hex ? 6 + 3 * m_hexBytes + 1 : 0; }

    const Protocol& m_protocol;
    TreeLook m_look;
    Style m_style;
    OutputFile& m_out;
    TextOptions m_texts;
    std::size_t m_hexBytes; // a line
    std::size_t m_nameWidth = 0;

    // What is being printed: the message, or for a while a tree of records.
    const ByteChain* m_bytes = nullptr;
    const DecodedMessage* m_message = nullptr;
    std::string m_topic;                  // of the records that are being printed
    std::set<const SchemaField*> m_noted; // whose note was printed
    const CaptureNames* m_names;
    PayloadOpener m_opener;
    RecordPayloads m_payloads;
    RecordTrees m_trees;
    RecordSetReader m_set;
    std::vector<std::uint8_t> m_scratch;
};

} // namespace brokerscope
