// SPDX-License-Identifier: Apache-2.0
// Transactions and idempotent producers: which producer wrote what in which transaction, how it ended and how long it
// was open, who was fenced, and whether the sequence numbers of each partition go on without gaps.
//
// A transaction begins with the first thing that is done in it (AddPartitionsToTxn, or with newer brokers the first
// Produce or TxnOffsetCommit) and ends with EndTxn, or with the marker or the fencing that ended it.
// Memory:  at most maxTransactions transactions, maxEvents events and maxProducers producers of maxPartitions
//          partitions in all; what is beyond is counted in leftOut.
// Threads: one.
#pragma once

#include "dissector/analysis/exchange_bodies.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/topic_names.h"
#include "dissector/records/record_set.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace brokerscope {

enum class TransactionEnd : std::uint8_t { Open, Committed, Aborted, Fenced };
std::string_view name(TransactionEnd end); // as in ndjson

struct Producer {
    std::int64_t id = -1;
    std::int16_t epoch = -1;
    auto operator<=>(const Producer&) const = default;
};

struct Transaction {
    std::string transactionalId; // empty: not told (the capture begins later)
    Producer producer;
    std::string clientId;
    Timestamp begin, end; // while open: of what was done last
    ExchangeId first, last;
    TransactionEnd result = TransactionEnd::Open;
    std::string why; // of an end that was not the producer's wish
    std::set<std::pair<std::string, std::int32_t>> partitions;
    std::uint64_t batches = 0, records = 0, bytes = 0;
    std::set<std::string> groups; // whose offsets are committed in it
};

enum class TransactionEventKind : std::uint8_t {
    Init,          // InitProducerId
    AddPartitions, // AddPartitionsToTxn
    AddOffsets,    // AddOffsetsToTxn
    CommitOffsets, // TxnOffsetCommit
    Produce,       // counted, one event a transaction and row of requests
    Commit,        // EndTxn
    Abort,         // EndTxn
    WriteMarkers,  // WriteTxnMarkers, between brokers
    Marker,        // a control record that a consumer fetched
    Failed,
};
std::string_view name(TransactionEventKind kind); // as in ndjson

struct TransactionEvent {
    TransactionEventKind kind = TransactionEventKind::Init;
    Timestamp time;
    ExchangeId exchange;
    std::string transactionalId;
    Producer producer;
    std::vector<std::string> partitions; // "orders-0"; of CommitOffsets "orders-0@15"
    std::string group;                   // AddOffsets, CommitOffsets
    std::optional<bool> committed;       // markers
    std::optional<std::int64_t> offset;  // Marker
    std::optional<Producer> next;        // Commit, Abort: that goes on, where the broker gave another one
    std::string api;                     // Failed
    std::int16_t error = 0;              // Failed
    std::uint64_t times = 1, records = 0;
};

// The batches of one producer to one partition.
struct SequenceState {
    std::uint64_t batches = 0, records = 0;
    std::uint64_t duplicates = 0; // sent again with sequence numbers that were there before
    std::uint64_t gaps = 0;       // began behind the next number
    std::int32_t next = -1;       // expected
    ExchangeId firstGap, firstDuplicate;
};

struct TransactionTimeline {
    struct Writer {
        std::string transactionalId, clientId, software;
        std::map<std::pair<std::string, std::int32_t>, SequenceState> partitions;
    };
    std::vector<Transaction> transactions; // by begin
    std::vector<TransactionEvent> events;  // by time
    std::map<Producer, Writer> producers;  // idempotent ones
    std::uint64_t leftOut = 0;
};

class TransactionCollector {
  public:
    static constexpr std::size_t maxTransactions = 20'000, maxEvents = 50'000, maxProducers = 10'000,
                                 maxPartitions = 100'000, maxMarkers = 100'000;

    explicit TransactionCollector(const Protocol& protocol);

    void add(const ExchangeFacts& facts);
    TransactionTimeline timeline() const;

  private:
    struct Batches {
        std::string topic;
        std::int32_t partition = -1;
        Producer producer;
        std::uint64_t batches = 0, records = 0, bytes = 0;
    };

    void init();
    void addPartitions();
    void addPartitionsOf(const FieldView& request, std::string_view prefix, const FieldView& answer);
    void addOffsets();
    void commitOffsets();
    void endTransaction();
    bool endedByMarkers(const Producer& producer, TransactionEnd result);
    void writeMarkers();
    void produce();
    void checkSequence(const Batches& batch, std::int32_t baseSequence, std::int32_t count);
    void fetch();
    void marker(const std::string& topic, std::int32_t partition);

    Transaction* open(const Producer& producer, const std::string& transactionalId);
    void close(Transaction& transaction, TransactionEnd result, Timestamp time, std::string why);
    void closeOpen(std::int64_t producerId, TransactionEnd result, std::string why);
    bool failed(const Producer& producer, const std::string& transactionalId, std::int64_t error);
    std::int64_t firstError() const;
    TransactionEvent* tell(TransactionEventKind kind, const Producer& producer, const std::string& transactionalId,
                           std::vector<std::string> partitions = {});
    std::string topicName(const std::string& topic, const std::optional<TopicId>& id) const;
    TransactionTimeline::Writer* writer(const Producer& producer);
    const std::string& idOf(std::int64_t producerId) const;

    TopicNames m_names;
    ExchangeBodies m_bodies;
    RecordSetReader m_records;
    const ExchangeFacts* m_facts = nullptr; // at work
    TransactionTimeline m_timeline;
    std::map<std::int64_t, std::size_t> m_open;                              // producer id to its open transaction
    std::map<std::int64_t, std::size_t> m_lastEvents;                        // producer id to its last event
    std::map<std::int64_t, std::string> m_ids;                               // producer id to transactional id
    std::set<std::tuple<std::string, std::int32_t, std::int64_t>> m_markers; // seen: topic, partition, offset
    std::size_t m_partitions = 0;
};

} // namespace brokerscope
