// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/tls_session.h"

#include "capture/tls/key_schedule.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace brokerscope {

namespace {

constexpr std::size_t maxAlerts = 16;

Slice placeOf(const TlsRecord& record) {
    Slice place;
    place.timeDigits = record.timeDigits;
    place.packet = record.packet;
    place.time = record.time;
    return place;
}

SecretLabel labelFor(StreamDecryptor::Stage stage, bool client) {
    switch (stage) {
    case StreamDecryptor::Stage::Early:
        return SecretLabel::ClientEarly;
    case StreamDecryptor::Stage::Handshake:
        return client ? SecretLabel::ClientHandshake : SecretLabel::ServerHandshake;
    case StreamDecryptor::Stage::Application:
        break;
    }
    return client ? SecretLabel::ClientTraffic : SecretLabel::ServerTraffic;
}

} // namespace

TlsSession::TlsSession(ConnectionId connection, bool handshakeMissed, TlsServices& services)
    : m_connection(connection), m_services(services), m_held(services.heldBytes), m_handshakeMissed(handshakeMissed) {}

void TlsSession::record(Side from, const TlsRecord& record) {
    const bool isSealed = isProtected(from, record);
    count(from, record, isSealed);
    if (isSealed)
        protectedRecord(from, record);
    else
        clearRecord(from, record);
    releaseHeld();
    announce();
}

// TLS 1.3 tells by the outer type; before it, everything behind a ChangeCipherSpec is protected.
bool TlsSession::isProtected(Side from, const TlsRecord& record) const {
    if (record.type == tls::applicationData) return true;
    const bool noHello = !m_handshake.hasClientHello() && !m_handshake.hasServerHello();
    if (m_handshakeMissed && noHello && m_facts.direction(from).protectedRecords > 0) return true;
    return direction(from).cipherChanged && !m_handshake.isTls13();
}

void TlsSession::count(Side from, const TlsRecord& record, bool isProtected) {
    TlsDirection& counts = m_facts.direction(from);
    ++counts.records;
    counts.unreadableBytes += record.skippedHere;
    if (!record.missing.empty()) ++counts.incompleteRecords;
    if (!isProtected) return;
    if (counts.protectedRecords++ == 0) {
        counts.firstProtected = record.packet;
        counts.firstProtectedTime = record.time;
        m_changed = true;
    }
    counts.protectedBytes += tls::recordHeaderSize + record.payload.size();
    counts.lastProtected = record.packet;
    counts.lastProtectedTime = record.time;
}

// Whether no key log could help.
bool TlsSession::hopeless() const {
    if (m_gaveUp) return true;
    if (m_handshakeMissed && !m_handshake.hasClientHello()) return true;
    return m_handshake.hasServerHello() && !m_handshake.suite();
}

void TlsSession::protectedRecord(Side from, const TlsRecord& record) {
    if (m_held.empty() && !hopeless() && ready(from)) {
        openRecord(from, record);
    } else if (hopeless() || !m_held.add(from, record)) {
        giveUp();
        unreadable(from, record);
    } else {
        judge();
    }
}

void TlsSession::releaseHeld() {
    while (!m_held.empty() && ready(m_held.front().from)) {
        const HeldRecords::Held held = m_held.takeFront();
        openRecord(held.from, held.record);
    }
}

void TlsSession::retry() {
    releaseHeld();
    announce();
}

void TlsSession::giveUp() {
    m_gaveUp = true;
    while (!m_held.empty()) {
        const HeldRecords::Held held = m_held.takeFront();
        unreadable(held.from, held.record);
    }
    judge();
}

// Of a record that stays closed only its type tells something, and only before TLS 1.3.
void TlsSession::unreadable(Side from, const TlsRecord& record) {
    if (record.type == tls::alert) addAlert({from, 0, std::nullopt, record.packet, record.time});
}

bool TlsSession::ready(Side from) {
    Direction& side = direction(from);
    const bool started = m_tls13Started || (side.cipherChanged && !side.needsCipher);
    if (!started) {
        if (!m_handshake.hasClientHello() || !m_handshake.hasServerHello() || !m_handshake.suite()) return false;
        if (m_handshake.isTls13())
            startTls13();
        else if (!side.needsCipher || !findTls12Cipher(from))
            return false;
    }
    const bool found = side.decryptor.ready();
    m_keysFound = m_keysFound || found;
    return found;
}

void TlsSession::startTls13() {
    m_tls13Started = true;
    for (const Side side : {Side::First, Side::Second}) {
        const bool client = m_facts.client == side;
        const bool early = client && m_facts.earlyDataOffered && !m_facts.helloRetried;
        direction(side).decryptor.useSecrets(
            *m_handshake.suite(), early,
            [&keys = m_services.keys, random = m_handshake.clientRandom(), client](StreamDecryptor::Stage stage) {
                return keys.find(labelFor(stage, client), random);
            });
    }
}

std::optional<Secret> TlsSession::masterSecret() {
    auto master = m_services.keys.find(SecretLabel::Master, m_handshake.clientRandom());
    if (!master) master = m_services.keys.findSession(m_handshake.sessionId());
    if (!master && m_handshake.resumed()) {
        master = m_services.sessions.find(m_handshake.ticketShown());
        if (!master) master = m_services.sessions.find(m_handshake.sessionId());
    }
    if (!master) return std::nullopt;
    m_services.sessions.remember(m_handshake.sessionId(), *master);
    m_services.sessions.remember(m_handshake.ticketIssued(), *master);
    return master;
}

bool TlsSession::findTls12Cipher(Side from) {
    const auto master = masterSecret();
    if (!master) return false;
    const CipherSuite& suite = *m_handshake.suite();
    const KeyBlockLayout layout = keyBlockLayout(suite, m_facts.version);
    std::array<std::uint8_t, 256> space{};
    const auto block = std::span(space).first(std::min(layout.total(), space.size()));
    if (!deriveKeyBlock(m_facts.version, suite.prfDigest(), *master, m_handshake.clientRandom(),
                        m_handshake.serverRandom(), block))
        return false;
    const DirectionKeys keys = m_facts.client == from ? layout.client(block) : layout.server(block);
    auto cipher = makeTls12Cipher(suite, m_facts.version, m_handshake.encryptThenMac(), keys);
    if (!cipher) return false;
    direction(from).decryptor.useCipher(std::move(cipher));
    direction(from).needsCipher = false;
    return true;
}

void TlsSession::openRecord(Side from, const TlsRecord& record) {
    Direction& side = direction(from);
    TlsDirection& counts = m_facts.direction(from);
    if (record.skipped > 0) lost(from, Hole::Lost);
    if (!record.missing.empty()) {
        lost(from, record.hole);
        side.decryptor.passIncomplete(record);
        judge();
        return;
    }
    const StreamDecryptor::Opened opened = side.decryptor.open(record);
    counts.keyUpdates += side.decryptor.takeMissedKeyUpdates();
    switch (opened.outcome) {
    case StreamDecryptor::Outcome::Opened:
        if (side.decryptor.stage() == StreamDecryptor::Stage::Early && opened.type == tls::applicationData) {
            ++counts.earlyDataRecords;
            side.earlyBytes += opened.content.size();
        } else {
            content(from, opened.type, opened.content, record);
        }
        break;
    case StreamDecryptor::Outcome::EarlyData:
        ++counts.earlyDataRecords;
        break;
    case StreamDecryptor::Outcome::Closed:
        break;
    case StreamDecryptor::Outcome::Damaged:
        ++counts.damagedRecords;
        lost(from, Hole::Lost);
        break;
    }
    judge();
}

// Something of this side's stream is not there: a handshake message in work cannot be completed.
void TlsSession::lost(Side from, Hole why) {
    direction(from).hole = why;
    direction(from).handshake.addUnknownLoss();
}

void TlsSession::clearRecord(Side from, const TlsRecord& record) {
    if (record.skipped > 0) direction(from).handshake.addUnknownLoss();
    if (record.missing.empty()) {
        content(from, record.type, record.payload, record);
        return;
    }
    if (record.type != tls::handshake) return;
    // The messages before and behind the missing bytes can be read.
    std::uint32_t done = 0;
    const HandshakePlace place{from, record.packet, record.time};
    const auto handler = [&](std::uint8_t type, Bytes body) { handshakeMessage(place, type, body); };
    HandshakeAssembler& assembler = direction(from).handshake;
    for (const MissingRange& range : record.missing) {
        if (range.offset > done) assembler.add(record.payload.subspan(done, range.offset - done), done == 0, handler);
        assembler.addMissing(range.length);
        done = range.offset + range.length;
    }
    if (done < record.payload.size()) assembler.add(record.payload.subspan(done), false, handler);
}

void TlsSession::content(Side from, std::uint8_t type, Bytes content, const TlsRecord& record) {
    switch (type) {
    case tls::changeCipherSpec:
        changeCipher(from);
        break;
    case tls::alert:
        if (content.size() == 2)
            addAlert({from, content[0], content[1], record.packet, record.time});
        else
            unreadable(from, record); // encrypted, though nothing of it was seen
        break;
    case tls::handshake: {
        const HandshakePlace place{from, record.packet, record.time};
        direction(from).handshake.add(
            content, true, [&](std::uint8_t messageType, Bytes body) { handshakeMessage(place, messageType, body); });
        break;
    }
    case tls::applicationData:
        applicationData(from, content, record);
        break;
    default:
        break; // heartbeats and the like
    }
}

void TlsSession::handshakeMessage(const HandshakePlace& place, std::uint8_t type, Bytes body) {
    StreamDecryptor& decryptor = direction(place.from).decryptor;
    if (m_handshake.message(place, type, body)) m_changed = true;
    if (!m_handshake.isTls13()) return;
    switch (type) {
    case tls::finished:
    case tls::endOfEarlyData:
        decryptor.endStage();
        break;
    case tls::keyUpdate:
        decryptor.updateKeys();
        ++m_facts.direction(place.from).keyUpdates;
        break;
    default:
        break;
    }
}

void TlsSession::addAlert(const TlsAlert& alert) {
    if (m_facts.alerts.size() >= maxAlerts) return;
    m_facts.alerts.push_back(alert);
    m_changed = true;
}

// In TLS 1.3 it is there for old middle boxes and means nothing, also between HelloRetryRequest and ServerHello.
void TlsSession::changeCipher(Side from) {
    if (m_facts.version >= tls::version13) return;
    Direction& side = direction(from);
    side.cipherChanged = true;
    side.needsCipher = true;
    side.decryptor.useCipher(nullptr);
}

void TlsSession::applicationData(Side from, Bytes content, const TlsRecord& record) {
    Direction& side = direction(from);
    Slice slice = placeOf(record);
    std::uint64_t lost = side.decryptor.takeLostPlaintext();
    if (m_facts.earlyDataAccepted) lost += std::exchange(side.earlyBytes, 0);
    handOnHole(from, lost, slice);
    if (content.empty()) return;
    m_facts.direction(from).plaintextBytes += content.size();
    slice.data = m_services.store.append(content, record.packet);
    slice.length = static_cast<std::uint32_t>(content.size());
    if (!slice.data) slice.hole = Hole::Lost;
    m_services.next.bytes(m_connection, from, slice);
}

void TlsSession::handOnHole(Side from, std::uint64_t length, const Slice& place) {
    if (length == 0) return;
    Slice hole = place;
    hole.hole = std::exchange(direction(from).hole, Hole::Lost);
    hole.length =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(length, std::numeric_limits<std::uint32_t>::max()));
    m_services.next.bytes(m_connection, from, hole);
}

void TlsSession::ended(Side from, const Slice& last) {
    if (!m_held.empty()) {
        m_services.keys.refresh();
        releaseHeld();
        if (!m_held.empty()) giveUp();
    }
    handOnHole(from, direction(from).decryptor.takeLostPlaintext(true), last);
    announce();
}

void TlsSession::close() {
    if (!m_held.empty()) giveUp();
    judge();
    announce(true);
}

void TlsSession::mismatched(TlsMismatch mismatch) {
    m_facts.mismatch = mismatch;
    m_changed = true;
    announce();
}

void TlsSession::judge() {
    const auto reason = [&] {
        if (m_first.decryptor.openedAny() || m_second.decryptor.openedAny()) return TlsDecryption::Decrypted;
        if (m_facts.first.protectedRecords + m_facts.second.protectedRecords == 0) return TlsDecryption::NotNeeded;
        if (!m_handshake.hasClientHello() || !m_handshake.hasServerHello())
            return m_handshakeMissed ? TlsDecryption::HandshakeMissed : TlsDecryption::LostBytes;
        if (!m_handshake.suite()) return TlsDecryption::UnsupportedCipher;
        if (!m_keysFound) return TlsDecryption::NoKeys;
        return m_facts.first.damagedRecords + m_facts.second.damagedRecords > 0 ? TlsDecryption::WrongKeys
                                                                                : TlsDecryption::LostBytes;
    }();
    if (reason == m_facts.decryption) return;
    m_facts.decryption = reason;
    m_changed = true;
}

void TlsSession::announce(bool final) {
    const bool changed = std::exchange(m_changed, false);
    if (m_services.facts && (changed || final)) m_services.facts->tlsFacts(m_connection, m_facts, final);
}

} // namespace brokerscope
