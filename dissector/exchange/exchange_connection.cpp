// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/exchange_connection.h"

#include "dissector/exchange/fit.h"
#include "dissector/exchange/response_search.h"
#include "dissector/message/skim.h"

#include <algorithm>

namespace brokerscope {

namespace {

constexpr std::int16_t produceKey = 0;
constexpr std::int16_t saslHandshakeKey = 17;
constexpr std::int16_t apiVersionsKey = 18;
constexpr std::uint32_t largestToken = 1u << 20; // brokers take 512 KiB (sasl.server.max.receive.size)
constexpr std::size_t mostEarly = 1024;
constexpr Duration mostSkew = std::chrono::seconds(1); // between the clocks of two interfaces
// Detection looks at all bytes so far, with every slice at first; then only as often as keeps the sum of what it has
// looked at in proportion to what came.
constexpr std::uint64_t judgedFreely = 64u << 10, judgedPerByte = 4;

std::size_t index(Side side) {
    return static_cast<std::size_t>(side);
}

} // namespace

ExchangeConnection::ExchangeConnection(ExchangeContext& context, const Connection& connection)
    : m_context(context), m_connection(connection) {}

ExchangeConnection::~ExchangeConnection() = default;

// ---- detection

void ExchangeConnection::bytes(Side from, const Slice& slice) {
    if (m_state == State::Foreign) return;
    if (m_state == State::Kafka) return m_readers[index(from)]->push(slice);
    m_waiting.emplace_back(from, slice);
    m_opening[index(from)].append(slice);
    const std::uint64_t seen = m_opening[0].size() + std::uint64_t{m_opening[1].size()};
    if (m_judgedBytes + seen <= judgedFreely + judgedPerByte * seen) {
        m_judgedBytes += seen;
        decide(false);
    }
}

void ExchangeConnection::decide(bool ended) {
    // Nobody said anything: neither Kafka nor something else. (What TLS keeps closed does not come as bytes.)
    if (m_opening[0].empty() && m_opening[1].empty() && !m_tls) return;
    for (const std::uint16_t port : m_context.forcedPorts) {
        if (m_connection.second.port == port) return becomeKafka(Side::First);
        if (m_connection.first.port == port) return becomeKafka(Side::Second);
    }
    const Verdict verdict = detectKafka(m_context.protocol, m_opening[0], m_opening[1], m_connection.handshakeSeen,
                                        ended, m_context.brokers.contains(m_connection.second));
    if (verdict.kind == Verdict::Kind::Kafka) return becomeKafka(verdict.client);
    if (verdict.kind == Verdict::Kind::Foreign) return becomeForeign(verdict.protocol);
}

void ExchangeConnection::becomeForeign(std::string_view protocol) {
    m_state = State::Foreign;
    m_waiting = {};
    m_opening[0] = m_opening[1] = ByteChain{};
    m_context.sink.foreignConnection(m_connection, protocol.empty() && m_tls ? "TLS" : protocol);
}

void ExchangeConnection::becomeKafka(Side client) {
    m_state = State::Kafka;
    m_client = client;
    m_id = KafkaConnectionId{++m_context.kafkaConnections};
    m_peer = std::make_shared<PeerInfo>();
    m_requestsLost = !m_connection.handshakeSeen;
    if (m_context.brokers.size() < ExchangeContext::mostBrokers)
        m_context.brokers.insert(m_connection.end(other(client)));
    for (const Side side : {Side::First, Side::Second})
        m_readers[index(side)] =
            std::make_unique<FrameReader>(side, static_cast<FrameReader::Handler&>(*this), m_connection.handshakeSeen);
    const auto waiting = std::move(m_waiting);
    m_waiting = {};
    m_opening[0] = m_opening[1] = ByteChain{};
    for (const auto& [side, slice] : waiting)
        m_readers[index(side)]->push(slice);
}

void ExchangeConnection::streamEnded(Side from, StreamEnd how) {
    if (m_ends[index(from)]) return;
    m_ends[index(from)] = how;
    if (m_state == State::Undecided && m_ends[0] && m_ends[1]) decide(true);
}

void ExchangeConnection::tlsFacts(const TlsFacts& facts) {
    if (m_tls)
        *m_tls = facts;
    else
        m_tls = std::make_unique<TlsFacts>(facts);
}

void ExchangeConnection::close() {
    if (m_state == State::Undecided) decide(true);
    if (m_state == State::Kafka) {
        m_readers[index(m_client)]->end();
        m_readers[index(other(m_client))]->end();
        while (!m_open.empty()) {
            const NoAnswerReason reason = reasonAtEnd(m_open.front());
            endOldest(reason == NoAnswerReason::CaptureEnded ? ExchangeStatus::Open : ExchangeStatus::Unanswered,
                      reason);
        }
        for (Frame& frame : m_early)
            orphan(std::move(frame));
        m_early.clear();
    }
    if (m_tls) m_context.sink.tlsSeen(m_connection, m_id, *m_tls);
    m_context.sink.connectionEnded(m_connection, m_id);
}

NoAnswerReason ExchangeConnection::reasonAtEnd(const Open& open) const {
    if (open.passed) return NoAnswerReason::LaterAnswered;
    if (m_lostFromBroker) return NoAnswerReason::LostBytes;
    for (const auto& end : m_ends)
        if (end == StreamEnd::Reset) return NoAnswerReason::ConnectionReset;
    for (const auto& end : m_ends)
        if (end == StreamEnd::Fin || end == StreamEnd::Replaced) return NoAnswerReason::ConnectionClosed;
    return NoAnswerReason::CaptureEnded;
}

void ExchangeConnection::giveUpBefore(Timestamp time) {
    if (m_state == State::Undecided && !m_waiting.empty() && m_waiting.front().second.time < time)
        becomeForeign(knownProtocol(m_waiting.front().second.bytes()));
    while (!m_open.empty() && m_open.front().whole && m_open.front().exchange.request->begin < time)
        endOldest(ExchangeStatus::Unanswered, NoAnswerReason::None);
    giveUpEarlyBefore(time);
}

PacketNumber ExchangeConnection::oldestPacket() const {
    PacketNumber oldest;
    const auto consider = [&oldest](PacketNumber packet) {
        if (packet && (!oldest || packet < oldest)) oldest = packet;
    };
    if (!m_waiting.empty()) consider(m_waiting.front().second.packet);
    for (const auto& reader : m_readers)
        if (reader) consider(reader->oldestPacket());
    if (!m_early.empty()) consider(m_early.front().bytes.pieces().front().slice.packet);
    if (!m_open.empty() && m_open.front().exchange.request && !m_open.front().exchange.request->bytes.empty())
        consider(m_open.front().exchange.request->bytes.pieces().front().slice.packet);
    return oldest;
}

// ---- frames

void ExchangeConnection::frameStarted(Side side, Timestamp begin) {
    if (!isClient(side)) return;
    // An answer in front of its request is a matter of clocks, but not where requests are missing.
    giveUpEarlyBefore(m_requestsLost ? begin : begin - mostSkew);
    Open open;
    open.notBefore = m_requestsLost && !m_context.clocksDiffer ? begin : begin - mostSkew;
    m_requestsLost = false;
    open.exchange = newExchange();
    open.exchange.id = ExchangeId{++m_context.exchanges};
    open.lostBefore = m_lostFromBroker;
    m_open.push_back(std::move(open));
    m_context.sink.exchangeStarted(m_open.back().exchange.id, begin);
}

void ExchangeConnection::frameEnded(Side side, Frame&& frame) {
    if (isClient(side))
        requestEnded(std::move(frame));
    else
        responseEnded(std::move(frame));
}

bool ExchangeConnection::lengthPossible(Side side, std::uint32_t frameBytes) {
    if (m_tokens && frameBytes <= largestToken) return true;
    // The smallest request is ControlledShutdown v0's header, the smallest response a correlation id.
    return frameBytes >= (isClient(side) ? 12u : 8u) && (!isClient(side) || frameBytes <= largestPlausibleFrame);
}

void ExchangeConnection::passedOver(Side side, std::uint64_t count, Hole hole) {
    if (isClient(side))
        m_requestsLost = true;
    else
        m_lostFromBroker += count;
    m_context.sink.bytesPassedOver(m_id, side, count, hole);
}

SearchResult ExchangeConnection::findFrame(Side side, const ByteChain& bytes, bool ended) {
    if (isClient(side)) return findRequest(m_context.protocol, bytes, 0, ended, m_lastId);
    OpenRequests open;
    for (const Open& each : m_open)
        if (each.exchange.header)
            open.emplace(each.exchange.correlationId, OpenRequest{&each.exchange, each.notBefore});
    return findResponse(m_context.protocol, bytes, open, ended);
}

Exchange ExchangeConnection::newExchange() const {
    Exchange exchange;
    exchange.connection = m_id;
    exchange.tcpConnection = m_connection.id;
    exchange.client = m_connection.end(m_client);
    exchange.broker = m_connection.end(other(m_client));
    exchange.peer = m_peer;
    return exchange;
}

void ExchangeConnection::end(Exchange&& exchange) {
    m_timing.finish(exchange);
    m_context.sink.exchangeEnded(std::move(exchange));
}

// ---- requests

void ExchangeConnection::requestEnded(Frame&& frame) {
    Open& open = m_open.back();
    Exchange& exchange = open.exchange;
    open.whole = frame.complete;
    RequestGuess guess = guessRequest(m_context.protocol, frame.bytes, 0);
    const bool plausible = guess.kind >= RequestGuess::Kind::Possible;
    const bool opening = m_uses.empty() && m_connection.handshakeSeen;
    if (opening && !plausible && opensWithToken(frame.bytes)) m_tokens = true;
    if (m_tokens && !plausible) {
        exchange.status = ExchangeStatus::SaslToken;
    } else if (plausible || frame.bytes.size() >= 12) {
        m_tokens = m_tokens && !plausible;
        exchange.header = std::move(guess.header);
        exchange.correlationId = exchange.header->correlationId;
        exchange.responseVersion = exchange.header->apiVersion;
        if (guess.known) {
            m_lastId = exchange.correlationId;
            noteUse(m_uses, exchange.header->apiKey, exchange.header->apiVersion);
        }
    }
    exchange.request = std::move(frame);
    if (!open.whole) return; // ends with the connection
    learn(exchange);
    m_context.sink.requestSeen(exchange);
    if (expectsNoAnswer(exchange)) {
        exchange.status = ExchangeStatus::NoResponseExpected;
        Exchange ended = std::move(exchange);
        m_open.pop_back();
        end(std::move(ended));
    }
    releaseEarlyResponses();
    searchResponsesAgain();
    if (m_open.size() > mostOpen) endOldest(ExchangeStatus::Unanswered, NoAnswerReason::LaterAnswered);
}

// What a new request may explain in the other stream. A search costs a pass over what is held there: ever less often.
void ExchangeConnection::searchResponsesAgain() {
    constexpr std::uint32_t rarest = 64;
    FrameReader& reader = *m_readers[index(other(m_client))];
    if (!reader.searching())
        m_searchEvery = 1;
    else if (++m_unsearchedRequests >= m_searchEvery) {
        m_unsearchedRequests = 0;
        m_searchEvery = std::min(m_searchEvery * 2, rarest);
        reader.searchAgain();
    }
}

// What later messages of this connection are read by.
void ExchangeConnection::learn(Exchange& exchange) {
    if (!exchange.header) return;
    const std::int16_t key = exchange.header->apiKey;
    if (key != apiVersionsKey && key != saslHandshakeKey) return;
    Skim skim;
    skimMessage(m_context.protocol, exchange.request->bytes, exchange.requestContext(), skim);
    if (!skim.softwareName.empty() && skim.softwareName != m_peer->softwareName) {
        // Exchanges already handed out keep what was known then; readers may be on other threads.
        m_peer = std::make_shared<PeerInfo>(*m_peer);
        m_peer->softwareName = skim.softwareName;
        m_peer->softwareVersion = skim.softwareVersion;
    }
    if (key == saslHandshakeKey) {
        m_peer = std::make_shared<PeerInfo>(*m_peer);
        m_peer->saslMechanism = skim.mechanism;
        m_tokens = exchange.header->apiVersion == 0;
    }
    exchange.peer = m_peer;
}

bool ExchangeConnection::expectsNoAnswer(const Exchange& exchange) const {
    if (!exchange.header || exchange.header->apiKey != produceKey) return false;
    return skimAcks(m_context.protocol, exchange.request->bytes, exchange.requestContext()) == std::int16_t{0};
}

void ExchangeConnection::endOldest(ExchangeStatus status, NoAnswerReason reason) {
    Exchange exchange = std::move(m_open.front().exchange);
    m_open.pop_front();
    if (exchange.status != ExchangeStatus::SaslToken) exchange.status = status;
    exchange.reason = reason;
    end(std::move(exchange));
}

// ---- responses

void ExchangeConnection::responseEnded(Frame&& frame) {
    // The one frame that the client's stream has under way may be a request that is answered before its end.
    const OpenIterator open = openRequestFor(frame);
    if (open != m_open.end()) return pair(open, std::move(frame));
    if (frame.complete && frame.bytes.size() >= 8 && m_early.size() < mostEarly)
        m_early.push_back(std::move(frame));
    else
        orphan(std::move(frame));
}

ExchangeConnection::OpenIterator ExchangeConnection::openRequestFor(const Frame& frame) {
    const auto isToken = [](const Open& open) { return open.exchange.status == ExchangeStatus::SaslToken; };
    const auto lostSince = [this](const Open& open) { return open.lostBefore < m_lostFromBroker; };
    // Answers to tokens are known by their order alone, which lost bytes break.
    if (!m_open.empty() && isToken(m_open.front()) && !lostSince(m_open.front())) return m_open.begin();
    const auto id = correlationIdAt(frame.bytes, 0);
    if (!id) return m_open.end();
    std::vector<OpenIterator> candidates;
    for (OpenIterator open = m_open.begin(); open != m_open.end(); ++open)
        if (open->has(*id)) candidates.push_back(open);
    if (candidates.empty()) return m_open.end();
    const bool doubtful = lostSince(*candidates.front()) || candidates.front()->passed;
    if (candidates.size() == 1 && !doubtful) return candidates.front();
    // The id was used again, or will be. Brokers answer in order; but the answer to the older one may be among lost
    // bytes.
    if (doubtful) std::ranges::reverse(candidates);
    std::stable_partition(candidates.begin(), candidates.end(), [](OpenIterator open) { return !open->passed; });
    for (const Fit wanted : {Fit::Exact, Fit::Nearly, Fit::SoFar})
        for (const OpenIterator& open : candidates)
            if (fitOf(m_context.protocol, frame.bytes, answerContext(open->exchange, frame.bytes)) == wanted)
                return open;
    return doubtful ? m_open.end() : candidates.front();
}

void ExchangeConnection::pair(OpenIterator open, Frame&& frame) {
    Exchange exchange = std::move(open->exchange);
    for (OpenIterator earlier = m_open.begin(); earlier != open; ++earlier)
        earlier->passed = true;
    const bool requestWhole = open->whole;
    m_open.erase(open);
    exchange.responseVersion = answerContext(exchange, frame.bytes).apiVersion;
    const bool answered = frame.complete && requestWhole;
    exchange.response = std::move(frame);
    if (exchange.status != ExchangeStatus::SaslToken) {
        exchange.status = answered ? ExchangeStatus::Paired : ExchangeStatus::Unanswered;
        if (!answered) {
            exchange.reason = reasonAtEnd({});
            if (exchange.reason == NoAnswerReason::CaptureEnded) exchange.status = ExchangeStatus::Open;
        }
        if (exchange.request && exchange.response->begin < exchange.request->begin) {
            m_context.clocksDiffer = true;
            exchange.problems.push_back({ProblemKind::Clock, "response", 0,
                                         "the answer was captured before its request; the times are left out"});
        }
    }
    end(std::move(exchange));
}

void ExchangeConnection::orphan(Frame&& frame) {
    Exchange exchange = newExchange();
    exchange.id = ExchangeId{++m_context.exchanges};
    exchange.status = ExchangeStatus::OrphanResponse;
    exchange.correlationId = correlationIdAt(frame.bytes, 0).value_or(0);
    if (const auto inferred = inferResponse(m_context.protocol, frame.bytes, m_uses)) {
        exchange.status = ExchangeStatus::Inferred;
        exchange.header.emplace();
        exchange.header->apiKey = inferred->apiKey;
        exchange.header->apiVersion = exchange.responseVersion = inferred->version;
        exchange.header->correlationId = exchange.correlationId;
        exchange.confidence = inferred->confidence;
    }
    m_context.sink.exchangeStarted(exchange.id, frame.begin);
    exchange.response = std::move(frame);
    end(std::move(exchange));
}

// Capture threads and interfaces may swap packets, and requests may wait behind lost bytes: an answer without a request
// is kept until the client's stream has come to what was sent later.
void ExchangeConnection::releaseEarlyResponses() {
    if (m_early.empty()) return;
    std::vector<Frame> early = std::move(m_early);
    m_early.clear();
    for (Frame& frame : early) {
        const OpenIterator open = openRequestFor(frame);
        if (open == m_open.end())
            m_early.push_back(std::move(frame));
        else if (fitOf(m_context.protocol, frame.bytes, answerContext(open->exchange, frame.bytes)) != Fit::No)
            pair(open, std::move(frame));
        else
            orphan(std::move(frame));
    }
}

void ExchangeConnection::giveUpEarlyBefore(Timestamp time) {
    const auto late = std::ranges::find_if(m_early, [time](const Frame& frame) { return frame.begin >= time; });
    std::vector<Frame> early(std::make_move_iterator(m_early.begin()), std::make_move_iterator(late));
    m_early.erase(m_early.begin(), late);
    for (Frame& frame : early)
        orphan(std::move(frame));
}

} // namespace brokerscope
