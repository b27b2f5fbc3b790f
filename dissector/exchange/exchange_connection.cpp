// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/exchange_connection.h"

#include "dissector/message/skim.h"
#include "dissector/wire/cursor.h"

#include <algorithm>

namespace brokerscope {

namespace {

constexpr std::int16_t produceKey = 0;
constexpr std::int16_t saslHandshakeKey = 17;
constexpr std::int16_t apiVersionsKey = 18;
constexpr std::int16_t unsupportedVersion = 35;
constexpr std::uint32_t largestToken = 1u << 20; // brokers take 512 KiB (sasl.server.max.receive.size)
constexpr std::size_t mostEarly = 1024;
constexpr std::uint64_t decideOften = 64u << 10; // until so many bytes detection runs with every slice

std::size_t index(Side side) {
    return static_cast<std::size_t>(side);
}

std::optional<std::int32_t> correlationIdOf(const ByteChain& frame, std::uint32_t offset = 0) {
    Cursor cursor(frame, offset + 4, frame.size());
    const std::int32_t id = cursor.readI32();
    return cursor.ok() ? std::optional(id) : std::nullopt;
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
    if (m_opening[0].size() + std::uint64_t{m_opening[1].size()} >= m_decideAgainAt) decide(false);
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
    const std::uint64_t seen = m_opening[0].size() + std::uint64_t{m_opening[1].size()};
    m_decideAgainAt = seen < decideOften ? 0 : seen + seen / 4;
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
    while (!m_early.empty() && m_early.front().begin < time) {
        orphan(std::move(m_early.front()));
        m_early.erase(m_early.begin());
    }
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
    Open open;
    open.exchange = newExchange();
    open.exchange.id = ExchangeId{++m_context.exchanges};
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
    if (!isClient(side)) m_lostFromBroker += count;
    m_context.sink.bytesPassedOver(m_id, side, count, hole);
}

SearchResult ExchangeConnection::findFrame(Side side, const ByteChain& bytes, bool ended) {
    return isClient(side) ? findRequest(m_context.protocol, bytes, 0, ended) : findResponse(bytes, ended);
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

// ---- requests

void ExchangeConnection::requestEnded(Frame&& frame) {
    Open& open = m_open.back();
    Exchange& exchange = open.exchange;
    open.whole = frame.complete;
    RequestGuess guess = guessRequest(m_context.protocol, frame.bytes, 0);
    const bool plausible = guess.kind >= RequestGuess::Kind::Possible;
    if (m_tokens && !plausible) {
        exchange.status = ExchangeStatus::SaslToken;
    } else if (plausible || frame.bytes.size() >= 12) {
        m_tokens = m_tokens && !plausible;
        exchange.header = std::move(guess.header);
        exchange.correlationId = exchange.header->correlationId;
        exchange.responseVersion = exchange.header->apiVersion;
        m_lastRequestId = exchange.correlationId;
        if (guess.known) noteUse(m_uses, exchange.header->apiKey, exchange.header->apiVersion);
    }
    exchange.request = std::move(frame);
    if (!open.whole) return; // ends with the connection
    learn(exchange);
    m_context.sink.requestSeen(exchange);
    if (expectsNoAnswer(exchange)) {
        exchange.status = ExchangeStatus::NoResponseExpected;
        Exchange ended = std::move(exchange);
        m_open.pop_back();
        m_context.sink.exchangeEnded(std::move(ended));
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
    m_context.sink.exchangeEnded(std::move(exchange));
}

// ---- responses

void ExchangeConnection::responseEnded(Frame&& frame) {
    // The one frame that the client's stream has under way may be a request that is answered before its end.
    const OpenIterator open = openRequestFor(frame);
    if (open != m_open.end()) return pair(open, std::move(frame));
    const auto id = correlationIdOf(frame.bytes);
    if (id && frame.complete && mayPrecedeItsRequest(*id) && m_early.size() < mostEarly) {
        m_early.push_back(std::move(frame));
        return;
    }
    orphan(std::move(frame));
}

ExchangeConnection::OpenIterator ExchangeConnection::openRequestFor(const Frame& frame) {
    const auto isToken = [](const Open& open) { return open.exchange.status == ExchangeStatus::SaslToken; };
    if (!m_open.empty() && isToken(m_open.front())) return m_open.begin();
    const auto id = correlationIdOf(frame.bytes);
    if (!id) return m_open.end();
    const auto matches = [&](const Open& open) {
        return open.exchange.header && open.exchange.header->correlationId == *id;
    };
    const OpenIterator oldest = std::find_if(m_open.begin(), m_open.end(), matches);
    if (oldest == m_open.end() || std::find_if(oldest + 1, m_open.end(), matches) == m_open.end()) return oldest;
    for (OpenIterator open = oldest; open != m_open.end(); ++open) // the id was used again: which one fits?
        if (matches(*open) && fits(m_context.protocol, frame.bytes, responseContext(open->exchange, frame.bytes)))
            return open;
    return oldest;
}

// ApiVersions of an unknown version is answered in the layout of version 0 (KIP-511).
MessageContext ExchangeConnection::responseContext(const Exchange& exchange, const ByteChain& frame) const {
    MessageContext context = exchange.responseContext();
    if (exchange.header && exchange.header->apiKey == apiVersionsKey) {
        Cursor cursor(frame, 8, frame.size());
        if (cursor.readI16() == unsupportedVersion) context.apiVersion = 0;
    }
    return context;
}

void ExchangeConnection::pair(OpenIterator open, Frame&& frame) {
    Exchange exchange = std::move(open->exchange);
    for (OpenIterator earlier = m_open.begin(); earlier != open; ++earlier)
        earlier->passed = true;
    const bool requestWhole = open->whole;
    m_open.erase(open);
    exchange.responseVersion = responseContext(exchange, frame.bytes).apiVersion;
    const bool answered = frame.complete && requestWhole;
    exchange.response = std::move(frame);
    if (exchange.status != ExchangeStatus::SaslToken) {
        exchange.status = answered ? ExchangeStatus::Paired : ExchangeStatus::Unanswered;
        if (!answered) {
            exchange.reason = reasonAtEnd({});
            if (exchange.reason == NoAnswerReason::CaptureEnded) exchange.status = ExchangeStatus::Open;
        }
        if (exchange.request && exchange.response->begin < exchange.request->begin)
            exchange.problems.push_back({ProblemKind::Clock, "response", 0,
                                         "the answer was captured before its request; the times are left out"});
    }
    m_context.sink.exchangeEnded(std::move(exchange));
}

void ExchangeConnection::orphan(Frame&& frame) {
    Exchange exchange = newExchange();
    exchange.id = ExchangeId{++m_context.exchanges};
    exchange.status = ExchangeStatus::OrphanResponse;
    exchange.correlationId = correlationIdOf(frame.bytes).value_or(0);
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
    m_context.sink.exchangeEnded(std::move(exchange));
}

// Capture threads and interfaces may swap packets, and requests may wait behind lost bytes: an id ahead of those seen
// is worth waiting for. And while the place in the client's stream is lost, the request may be there and only not be
// found yet.
bool ExchangeConnection::mayPrecedeItsRequest(std::int32_t correlationId) const {
    constexpr std::int64_t ahead = 4096;
    if (!m_lastRequestId || m_readers[index(m_client)]->searching()) return true;
    const std::int64_t distance = std::int64_t{correlationId} - *m_lastRequestId;
    return distance > 0 && distance <= ahead;
}

void ExchangeConnection::releaseEarlyResponses() {
    if (m_early.empty()) return;
    std::vector<Frame> early = std::move(m_early);
    m_early.clear();
    for (Frame& frame : early) {
        const OpenIterator open = openRequestFor(frame);
        const bool fitting =
            open != m_open.end() && fits(m_context.protocol, frame.bytes, responseContext(open->exchange, frame.bytes));
        if (fitting)
            pair(open, std::move(frame));
        else if (const auto id = correlationIdOf(frame.bytes); open == m_open.end() && id && mayPrecedeItsRequest(*id))
            m_early.push_back(std::move(frame));
        else
            orphan(std::move(frame));
    }
}

// ---- finding the next response in a stream whose place was lost

// Consumed exactly by the layout of the request with its id; or decoded without damage (some brokers leave bytes over)
// and followed by another open answer.
bool ExchangeConnection::confirmResponse(const ByteChain& bytes, std::uint32_t offset, std::uint32_t size,
                                         const Exchange& exchange) const {
    const ByteChain frame = bytes.part(offset, size);
    Skim skim;
    skimMessage(m_context.protocol, frame, responseContext(exchange, frame), skim);
    const bool whole = !frame.hasHoles();
    if (whole && skim.whole && skim.problems.empty()) return true;
    const bool damaged = std::any_of(skim.problems.begin(), skim.problems.end(), [](const Problem& problem) {
        return problem.kind == ProblemKind::Malformed || problem.kind == ProblemKind::Limit;
    });
    constexpr std::uint32_t telling = 32; // shorter ones look like anything
    if (damaged || size < telling) return false;
    const std::uint32_t next = offset + size;
    const auto nextId = correlationIdOf(bytes, next);
    return frameSizeAt(bytes, next) && nextId && isOpen(*nextId);
}

bool ExchangeConnection::isOpen(std::int32_t correlationId) const {
    return std::any_of(m_open.begin(), m_open.end(), [&](const Open& open) {
        return open.exchange.header && open.exchange.header->correlationId == correlationId;
    });
}

SearchResult ExchangeConnection::findResponse(const ByteChain& bytes, bool ended) const {
    constexpr std::uint32_t header = 8;
    for (std::uint32_t at = 0; at + header <= bytes.size(); ++at) {
        if (const Hole hole = bytes.holeIn(at, 1); hole != Hole::None) {
            const ByteChain::Piece& piece = bytes.pieces()[bytes.pieceAt(at)];
            at = piece.offset + piece.slice.length - 1;
            continue;
        }
        const auto size = frameSizeAt(bytes, at);
        if (!size || *size < header) continue;
        const auto id = correlationIdOf(bytes, at);
        if (!id) continue;
        const auto open = std::find_if(m_open.begin(), m_open.end(), [&](const Open& candidate) {
            return candidate.exchange.header && candidate.exchange.header->correlationId == *id;
        });
        if (open == m_open.end()) continue;
        if (*size > bytes.size() - at) continue;
        if (confirmResponse(bytes, at, *size, open->exchange)) return {true, at};
    }
    // The request of what stands here may still be looked for itself: nothing is given up before the end.
    return {false, ended ? bytes.size() : 0};
}

} // namespace brokerscope
