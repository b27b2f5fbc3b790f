// SPDX-License-Identifier: Apache-2.0
// One TCP connection on its way from slices to exchanges: found to be Kafka (or not), cut into frames, paired.
//
//      Undecided -- detectKafka: a request that holds together --> Kafka
//      Undecided -- detectKafka: cannot be ---------------------> Foreign (its bytes are no longer kept)
//
// Pairing: brokers answer in order, proxies may not. An answer pairs with the oldest open request of its id that it
// fits; earlier open requests become suspect, and are called unanswered only when no answer can come any more.
// SASL: behind SaslHandshake v0 raw tokens travel without a Kafka header until a request stands there again (KIP-43).
// Memory: while undecided the slices seen (bounded by the detector); later the open exchanges, at most `mostOpen`.
#pragma once

#include "dissector/exchange/exchange.h"
#include "dissector/exchange/exchange_timing.h"
#include "dissector/exchange/frame_reader.h"
#include "dissector/exchange/inference.h"
#include "dissector/exchange/kafka_detector.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace brokerscope {

// What all connections of one capture share.
struct ExchangeContext {
    const Protocol& protocol;
    ExchangeSink& sink;
    std::vector<std::uint16_t> forcedPorts; // a broker listens there, whatever the bytes look like
    std::uint64_t exchanges = 0;            // ids given out
    std::uint64_t kafkaConnections = 0;
    bool clocksDiffer = false;       // an answer was captured before its request
    std::set<Endpoint> brokers = {}; // endpoints that were found to be brokers; at most mostBrokers
    static constexpr std::size_t mostBrokers = 4096;
};

class ExchangeConnection : private FrameReader::Handler {
  public:
    static constexpr std::size_t mostOpen = 10'000; // open requests; beyond that the oldest is unanswered

    ExchangeConnection(ExchangeContext& context, const Connection& connection);
    ~ExchangeConnection() override;

    void bytes(Side from, const Slice& slice);
    void streamEnded(Side from, StreamEnd how);
    void tlsFacts(const TlsFacts& facts);
    TimingTracker& timing() { return m_timing; } // for what TCP tells
    void close();                                // ends what is open; call once, last
    void giveUpBefore(Timestamp time);           // see ExchangeAssembler
    PacketNumber oldestPacket() const;

  private:
    struct Open {
        Exchange exchange;
        bool whole = false;           // the request's frame was read to its end
        bool passed = false;          // a later request was answered
        std::uint64_t lostBefore = 0; // bytes lost from the broker when it began
        Timestamp notBefore;          // see OpenRequest

        bool has(std::int32_t correlationId) const {
            return exchange.header && exchange.header->correlationId == correlationId;
        }
    };
    using OpenIterator = std::deque<Open>::iterator;

    // detection
    void decide(bool ended);
    void becomeKafka(Side client);
    void becomeForeign(std::string_view protocol);

    // FrameReader::Handler
    void frameStarted(Side side, Timestamp begin) override;
    void frameEnded(Side side, Frame&& frame) override;
    SearchResult findFrame(Side side, const ByteChain& bytes, bool ended) override;
    bool lengthPossible(Side side, std::uint32_t frameBytes) override;
    void passedOver(Side side, std::uint64_t count, Hole hole) override;

    // requests
    void requestEnded(Frame&& frame);
    void searchResponsesAgain();
    void learn(Exchange& exchange);
    bool expectsNoAnswer(const Exchange& exchange) const;
    void endOldest(ExchangeStatus status, NoAnswerReason reason);

    // responses
    void responseEnded(Frame&& frame);
    OpenIterator openRequestFor(const Frame& frame);
    void pair(OpenIterator open, Frame&& frame);
    void orphan(Frame&& frame);
    void releaseEarlyResponses();
    void giveUpEarlyBefore(Timestamp time);

    void end(Exchange&& exchange);
    Exchange newExchange() const;
    bool isClient(Side side) const { return side == m_client; }
    NoAnswerReason reasonAtEnd(const Open& open) const;

    ExchangeContext& m_context;
    Connection m_connection;
    enum class State : std::uint8_t { Undecided, Kafka, Foreign } m_state = State::Undecided;
    std::vector<std::pair<Side, Slice>> m_waiting; // undecided: everything so far, in order
    ByteChain m_opening[2];                        // undecided: the same by side
    std::uint64_t m_judgedBytes = 0;               // undecided: what detection has looked at so far, all times summed

    Side m_client = Side::First;
    KafkaConnectionId m_id;
    std::unique_ptr<FrameReader> m_readers[2];
    std::shared_ptr<PeerInfo> m_peer;
    std::deque<Open> m_open;
    std::vector<Frame> m_early; // answers whose request may still come, in the order of their streams
    std::vector<ApiUse> m_uses;
    std::uint32_t m_searchEvery = 1, m_unsearchedRequests = 0; // see searchResponsesAgain
    bool m_tokens = false;                                     // SaslHandshake v0 was seen: raw tokens may follow
    std::optional<std::int32_t> m_lastId;                      // of the last request of a known api
    bool m_requestsLost = false;                               // bytes are missing in front of the next request
    std::uint64_t m_lostFromBroker = 0;
    std::optional<StreamEnd> m_ends[2];
    TimingTracker m_timing;
    std::unique_ptr<TlsFacts> m_tls; // the latest; none without TLS
};

} // namespace brokerscope
