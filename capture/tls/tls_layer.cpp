// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/tls_layer.h"

#include <utility>

namespace brokerscope {

using Verdict = TlsDetector::Verdict;

TlsLayer::TlsLayer(StreamSink& next, KeyLog& keys, TlsFactsSink* facts, std::string folder)
    : m_store(std::move(folder)), m_next(&next), m_services{keys, m_store, next, facts, {}, 0} {}

void TlsLayer::connectionOpened(const Connection& connection) {
    m_connections.insert_or_assign(connection.id, State(connection.id, connection.handshakeSeen));
    m_next->connectionOpened(connection);
}

void TlsLayer::bytes(ConnectionId connection, Side from, const Slice& slice) {
    const auto found = m_connections.find(connection);
    if (found == m_connections.end() || slice.length == 0) return;
    State& state = found->second;
    Stream& stream = state.stream(from);
    stream.silent = false;
    if (stream.verdict == Verdict::Plain && !stream.detector.sawStart() && TlsDetector::isWholeRecord(slice))
        becomeTls(state, from, true);
    if (stream.verdict == Verdict::Undecided && slice.hole != Hole::None) loseStart(state, from);
    switch (stream.verdict) {
    case Verdict::Undecided:
        detect(state, from, slice);
        break;
    case Verdict::Tls:
        stream.reader->feed(slice);
        break;
    case Verdict::Plain:
        m_next->bytes(connection, from, slice);
        break;
    }
}

void TlsLayer::loseStart(State& state, Side side) {
    TlsDetector& detector = state.stream(side).detector;
    detector.lostStart();
    if (detector.holdsBytes()) becomePlain(state, side);
}

void TlsLayer::detect(State& state, Side from, const Slice& slice) {
    if (slice.hole != Hole::None) {
        m_next->bytes(state.id, from, slice);
        return;
    }
    switch (state.stream(from).detector.add(slice)) {
    case Verdict::Undecided:
        break;
    case Verdict::Tls:
        becomeTls(state, from, true);
        break;
    case Verdict::Plain:
        becomePlain(state, from);
        break;
    }
}

void TlsLayer::becomeTls(State& state, Side side, bool atBorder) {
    Stream& stream = state.stream(side);
    Stream& opposite = state.stream(other(side));
    if (!state.session) state.session = std::make_unique<TlsSession>(state.id, !state.handshakeSeen, m_services);
    stream.verdict = Verdict::Tls;
    stream.reader = std::make_unique<TlsRecordReader>(side, *state.session);
    if (!atBorder) stream.reader->beginInside();
    for (const Slice& held : stream.detector.take())
        stream.reader->feed(held);
    if (opposite.verdict != Verdict::Plain) return;
    if (opposite.detector.sawStart())
        state.session->mismatched(TlsMismatch::PlaintextToTls);
    else
        becomeTls(state, other(side), false); // it began in the middle of a record, which looks like anything
}

void TlsLayer::becomePlain(State& state, Side side) {
    Stream& stream = state.stream(side);
    const bool oppositeIsTls = state.stream(other(side)).verdict == Verdict::Tls;
    if (oppositeIsTls && !stream.detector.sawStart()) {
        becomeTls(state, side, false);
        return;
    }
    stream.verdict = Verdict::Plain;
    if (oppositeIsTls) state.session->mismatched(TlsMismatch::TlsToPlaintext);
    for (const Slice& held : stream.detector.take())
        m_next->bytes(state.id, side, held);
}

void TlsLayer::streamEnded(ConnectionId connection, Side from, StreamEnd how, PacketNumber packet, Timestamp time) {
    const auto found = m_connections.find(connection);
    if (found != m_connections.end()) {
        State& state = found->second;
        Stream& stream = state.stream(from);
        if (stream.detector.holdsBytes()) becomePlain(state, from);
        if (state.session) {
            const bool hungUp = how == StreamEnd::Fin || how == StreamEnd::Reset;
            const bool answersHello = state.session->facts().client == other(from) && !state.stream(other(from)).ended;
            if (hungUp && stream.silent && answersHello) state.session->mismatched(TlsMismatch::TlsToPlaintext);
            Slice last;
            last.packet = packet;
            last.time = time;
            state.session->ended(from, last);
        }
        stream.ended = true;
    }
    m_next->streamEnded(connection, from, how, packet, time);
}

void TlsLayer::connectionClosed(ConnectionId connection) {
    const auto found = m_connections.find(connection);
    if (found != m_connections.end()) {
        if (found->second.session) found->second.session->close();
        m_connections.erase(found);
    }
    m_next->connectionClosed(connection);
}

void TlsLayer::retry() {
    if (m_services.heldBytes == 0) return;
    m_services.keys.refresh();
    for (auto& [id, state] : m_connections)
        if (state.session) state.session->retry();
}

const TlsFacts* TlsLayer::facts(ConnectionId connection) const {
    const auto found = m_connections.find(connection);
    if (found == m_connections.end() || !found->second.session) return nullptr;
    return &found->second.session->facts();
}

} // namespace brokerscope
