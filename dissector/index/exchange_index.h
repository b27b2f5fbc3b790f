// SPDX-License-Identifier: Apache-2.0
// What a list of exchanges needs to know of each of them, in 72 bytes and some 30 more for where its bytes lie.
// Row r is exchange r + 1. Everything else is decoded again from the capture when somebody asks.
//
// Bytes:   exchange() rebuilds frames that point into the capture; they live as long as its source.
// Memory:  blocks that only grow; nothing moves. At most maxRows exchanges, the rest is counted and left out.
// Threads: one writer (requestSeen, ended, nameTopics); any number of readers, without locks. A row is published
//          when its request was read; what its answer tells is written once and then released, so a reader sees all
//          of it or nothing: take one ExchangeRow and ask that one. A row may be there before its own request (a
//          longer one that began earlier); it is not known() until then.
#pragma once

#include "dissector/analysis/wait_reason.h"
#include "dissector/exchange/exchange.h"
#include "dissector/index/append_only.h"
#include "dissector/index/extent_store.h"
#include "dissector/index/interned.h"
#include "dissector/index/string_table.h"
#include "dissector/message/skim.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace brokerscope {

// What an exchange is about. Few distinct ones come in a capture, so each is kept once.
struct Subject {
    using Topic = std::uint32_t; // see ExchangeIndex::topicName()

    std::vector<Topic> topics;     // distinct, of the request and then of the response, at most 64 each
    std::uint32_t topicCount = 0;  // all of them
    bool topicsOfResponse = false; // the request named none
    std::uint32_t partitionCount = 0;
    StringId group = 0, transactionalId = 0;
    std::int16_t acks = noAcks;

    static constexpr std::int16_t noAcks = 0x7fff;
    bool operator==(const Subject&) const = default;
};

struct Outcome {
    struct Code {
        std::int16_t code = 0;
        std::uint32_t count = 0;
        bool operator==(const Code&) const = default;
    };
    std::vector<Code> errors; // distinct non-zero codes in the order of the message
    std::int32_t throttleMs = 0;

    bool operator==(const Outcome&) const = default;
};

struct IndexedConnection {
    KafkaConnectionId id;
    ConnectionId tcp;
    Endpoint client, broker;
    StringId clientText = 0, brokerText = 0, clientAddress = 0;
    StringId softwareName = 0, softwareVersion = 0; // 0 until an ApiVersions request tells
};

class ExchangeIndex;

// One exchange as it is known at this moment. Cheap to make; valid as long as the index.
class ExchangeRow {
  public:
    ExchangeId id() const { return m_id; }
    bool known() const { return m_flags & Known; } // else nothing below means anything
    bool ended() const { return m_flags & Ended; } // nothing will change any more

    Timestamp time() const { return Timestamp{Duration{m_stored->time}}; } // its first byte
    std::uint8_t timeDigits() const { return m_flags & NineDigits ? 9 : 6; }
    ExchangeStatus status() const { return static_cast<ExchangeStatus>(m_flags >> statusShift & 7); }
    NoAnswerReason reason() const { return static_cast<NoAnswerReason>(m_flags >> reasonShift & 7); }
    WaitReason waitReason() const { return static_cast<WaitReason>(m_flags >> waitReasonShift & 3); }
    bool hasHeader() const { return m_flags & HasHeader; } // api, version, client id
    bool hasClientId() const { return m_flags & HasClientId; }
    std::int16_t apiKey() const { return m_stored->apiKey; }
    std::int16_t apiVersion() const { return m_stored->apiVersion; }
    std::int32_t correlationId() const { return m_stored->correlationId; }
    StringId clientId() const { return m_stored->clientId; }
    std::uint32_t connection() const { return m_stored->connection; } // KafkaConnectionId::value
    bool hasRequest() const { return m_flags & HasRequest; }
    bool requestWhole() const { return m_flags & RequestWhole; }
    std::uint32_t requestBytes() const { return m_stored->requestBytes; }
    bool hasResponse() const { return m_flags & HasResponse; }
    bool responseWhole() const { return m_flags & ResponseWhole; }
    std::uint32_t responseBytes() const { return hasResponse() ? m_stored->responseBytes : 0; }
    bool damaged() const { return m_flags & Damaged; }               // a gap, cut or malformed body
    bool assumedVersion() const { return m_flags & AssumedVersion; } // newer than known
    // First byte of the request to last of the answer.
    std::optional<Duration> latency() const {
        if (!(m_flags & HasLatency)) return std::nullopt;
        return timeOf(m_stored->latency);
    }
    // Its middle part; zero without an answer.
    Duration wait() const { return m_flags & HasLatency ? timeOf(m_stored->wait) : Duration{}; }
    // The part of wait() that waitReason() explains.
    Duration waitByDesign() const { return m_flags & HasLatency ? timeOf(m_stored->waitByDesign) : Duration{}; }
    bool slow(Duration above) const {
        return status() == ExchangeStatus::Paired && latency() && *latency() - waitByDesign() > above;
    }
    const Subject& subject() const;
    const Outcome& outcome() const; // empty until ended
    bool hasErrors() const { return m_flags & HasErrors; }

  private:
    friend class ExchangeIndex;
    enum Flag : std::uint32_t {
        Known = 1,
        Ended = 2,
        NineDigits = 4,
        HasHeader = 8,
        HasClientId = 16,
        HasRequest = 32,
        RequestWhole = 64,
        HasResponse = 128,
        ResponseWhole = 256,
        Damaged = 512,
        AssumedVersion = 1024,
        HasErrors = 2048,
        HasLatency = 4096,
    };
    static constexpr unsigned statusShift = 16, reasonShift = 19, waitReasonShift = 22;

    struct Stored {
        std::int64_t time = 0;
        std::array<std::uint8_t, 6> requestExtents{}, responseExtents{}; // ExtentStore::Ref
        std::array<std::uint8_t, 6> latency{};                           // nanoseconds, up to 78 hours
        std::array<std::uint8_t, 5> wait{}, waitByDesign{};              // nanoseconds, up to 18 minutes
        std::int16_t apiKey = -1, apiVersion = 0;
        std::uint32_t connection = 0;
        std::int32_t correlationId = 0;
        std::uint32_t requestBytes = 0, responseBytes = 0;
        StringId clientId = 0;
        std::atomic<std::uint32_t> subject{0}; // grows once by what the response names
        std::uint32_t outcome = 0;
        std::atomic<std::uint32_t> flags{0}; // released last
    };

    // Numbers lie with their lowest byte first.
    template<std::size_t N>
    static std::uint64_t unpacked(const std::array<std::uint8_t, N>& bytes) {
        std::uint64_t value = 0;
        for (std::size_t i = N; i-- > 0;)
            value = value << 8 | bytes[i];
        return value;
    }
    template<std::size_t N>
    static Duration timeOf(const std::array<std::uint8_t, N>& bytes) {
        return Duration{static_cast<std::int64_t>(unpacked(bytes))};
    }

    ExchangeRow(const ExchangeIndex& index, const Stored* stored, std::uint32_t flags, ExchangeId id)
        : m_index(&index), m_stored(stored), m_flags(flags), m_id(id) {}

    const ExchangeIndex* m_index;
    const Stored* m_stored;
    std::uint32_t m_flags;
    ExchangeId m_id;
};

class ExchangeIndex {
  public:
    static constexpr std::uint32_t maxRows = 40'000'000;

    struct Counts {
        std::uint32_t exchanges = 0, errors = 0, unanswered = 0, damaged = 0, slow = 0;
    };

    explicit ExchangeIndex(Duration slowAbove = std::chrono::milliseconds{100});
    ~ExchangeIndex();
    ExchangeIndex(const ExchangeIndex&) = delete;
    ExchangeIndex& operator=(const ExchangeIndex&) = delete;

    // For the writer. `ended` also takes exchanges whose request was never announced (cut or orphaned ones), and wants
    // the request's skim for those and where needsRequest() says so.
    void requestSeen(const Exchange& exchange, const Skim& request);
    void ended(const Exchange& exchange, const Skim& request, const Skim& response);
    bool needsRequest(const Exchange& exchange) const;
    // Asks for the name of each topic id that has none yet; an empty answer leaves it so.
    void nameTopics(const std::function<std::string_view(const std::array<std::uint8_t, 16>&)>& nameOf);
    std::size_t memoryBytes() const;

    // For everybody.
    std::uint32_t size() const { return m_size.load(std::memory_order_acquire); }
    std::uint32_t leftOut() const { return m_leftOut.load(std::memory_order_relaxed); }
    // Asked a million times by a filter or a sort, so here.
    ExchangeRow row(std::uint32_t at) const {
        const Stored* stored = &m_chunks[at >> chunkBits].load(std::memory_order_acquire)[at & (chunkRows - 1)];
        return {*this, stored, stored->flags.load(std::memory_order_acquire), ExchangeId{at + 1}};
    }
    Counts counts() const;
    Duration slowAbove() const { return m_slowAbove; }
    std::string_view text(StringId id) const { return m_strings.text(id); }
    const StringTable& strings() const { return m_strings; }
    const IndexedConnection& connection(std::uint32_t id) const { return m_connections[id]->facts; }
    // The software name and version of a connection, once it has told them.
    std::pair<StringId, StringId> software(std::uint32_t connection) const;
    // A topic's name; empty for an id that the capture has not named (yet). Its id, when that is how it was written.
    std::string_view topicName(Subject::Topic topic) const;
    std::optional<std::array<std::uint8_t, 16>> topicId(Subject::Topic topic) const;
    // The name of a topic id, whatever exchange it stands in; walks over the ids of the capture.
    std::string topicName(const std::array<std::uint8_t, 16>& id) const;
    // The whole exchange, as the assembler handed it over (PeerInfo apart).
    Exchange exchange(std::uint32_t row) const;

  private:
    friend class ExchangeRow;
    using Stored = ExchangeRow::Stored;
    static constexpr unsigned chunkBits = 14;
    static constexpr std::uint32_t chunkRows = 1U << chunkBits;
    struct ConnectionSlot {
        IndexedConnection facts;
        std::atomic<StringId> softwareName{0}, softwareVersion{0};
    };
    struct TopicId {
        std::array<std::uint8_t, 16> id{};
        std::unique_ptr<std::atomic<StringId>> name;
    };

    Stored* slot(const Exchange& exchange);
    static std::uint32_t troubles(const Skim& skim);
    std::uint32_t writeRequest(Stored& stored, const Exchange& exchange, const Skim& request);
    void writeConnection(const Exchange& exchange);
    Subject subjectOf(const Skim& skim, bool ofResponse);
    Subject::Topic topicOf(const std::array<std::uint8_t, 16>& id);
    std::uint32_t mergedSubject(std::uint32_t before, const Skim& response);
    std::uint32_t outcomeOf(const Skim& response);
    void count(const ExchangeRow& row);

    static constexpr Subject::Topic byId = 0x80000000; // the rest is an index into m_topicIds

    Duration m_slowAbove;
    std::unique_ptr<std::atomic<Stored*>[]> m_chunks;
    std::atomic<std::uint32_t> m_size{0}, m_leftOut{0};
    std::atomic<std::uint32_t> m_known{0}, m_errors{0}, m_unanswered{0}, m_damaged{0}, m_slow{0};
    StringTable m_strings;
    ExtentStore m_extents;
    Interned<Subject> m_subjects;
    Interned<Outcome> m_outcomes;
    AppendOnly<std::unique_ptr<ConnectionSlot>> m_connections; // by id; slot 0 is nobody's
    AppendOnly<TopicId> m_topicIds;
    std::unordered_map<std::string, std::uint32_t> m_topicIdIndex; // the writer's, by the 16 bytes
    std::size_t m_chunkCount = 0;
};

} // namespace brokerscope
