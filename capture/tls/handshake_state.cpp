// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/handshake_state.h"

#include "capture/tls/certificates.h"

#include <algorithm>

namespace brokerscope {

namespace {

const CipherSuite* usableSuite(const ServerHello& hello) {
    const CipherSuite* suite = findCipherSuite(hello.cipherSuite);
    if (!suite || suite->cipher == BulkCipher::Unsupported || hello.compression != 0 || hello.version < 0x0301)
        return nullptr;
    const bool suiteOfTls13 = suite->id >> 8 == 0x13; // and those are of no use before it
    return suiteOfTls13 == (hello.version >= tls::version13) ? suite : nullptr;
}

} // namespace

bool HandshakeState::message(const HandshakePlace& place, std::uint8_t type, Bytes body) {
    switch (type) {
    case tls::clientHello:
        return onClientHello(place, body);
    case tls::serverHello:
        return onServerHello(place, body);
    case tls::certificate:
        return onCertificate(place, body);
    case tls::encryptedExtensions: {
        const auto extensions = parseEncryptedExtensions(body);
        if (!extensions) return false;
        m_facts->protocol = extensions->protocol;
        m_facts->earlyDataAccepted = extensions->earlyData;
        return true;
    }
    case tls::newSessionTicket:
        if (!isTls13()) {
            const Bytes ticket = parseSessionTicket(body);
            m_ticketIssued.assign(ticket.begin(), ticket.end());
        }
        return false;
    default:
        return false;
    }
}

bool HandshakeState::onClientHello(const HandshakePlace& place, Bytes body) {
    const auto hello = parseClientHello(body);
    if (!hello) return false;
    if (m_serverHelloSeen) {
        ++m_facts->renegotiations;
        m_serverHelloSeen = false;
    } else if (!m_clientHelloSeen) {
        m_facts->clientHelloTime = place.time;
        m_facts->clientHello = place.packet;
    }
    m_clientHelloSeen = true;
    m_clientRandom = hello->random;
    m_clientSessionId.assign(hello->sessionId.begin(), hello->sessionId.end());
    m_ticketShown.assign(hello->ticket.begin(), hello->ticket.end());
    m_ticketIssued.clear();

    m_facts->client = place.from;
    m_facts->clientRandom = hello->random;
    m_facts->offeredVersions = hello->versions;
    m_facts->serverName = hello->serverName;
    m_facts->offeredProtocols = hello->protocols;
    m_facts->earlyDataOffered = m_facts->earlyDataOffered || hello->earlyData;
    return true;
}

bool HandshakeState::onServerHello(const HandshakePlace& place, Bytes body) {
    const auto hello = parseServerHello(body);
    if (!hello) return false;
    m_facts->version = hello->version;
    m_facts->cipherSuite = hello->cipherSuite;
    m_facts->cipherName = cipherSuiteName(hello->cipherSuite);
    m_facts->serverHello = place.packet;
    m_facts->serverHelloTime = place.time;
    if (hello->helloRetryRequest) {
        m_facts->helloRetried = true;
        return true;
    }
    m_serverHelloSeen = true;
    m_serverRandom = hello->random;
    m_sessionId.assign(hello->sessionId.begin(), hello->sessionId.end());
    m_suite = usableSuite(*hello);
    m_encryptThenMac = hello->encryptThenMac;

    if (!hello->protocol.empty()) m_facts->protocol = hello->protocol;
    // Before TLS 1.3 a server resumes by repeating the id that the client showed.
    m_resumed = hello->version >= tls::version13
                    ? hello->preSharedKey
                    : !m_sessionId.empty() && m_clientHelloSeen && m_sessionId == m_clientSessionId;
    m_facts->resumption = resumption();
    return true;
}

TlsResumption HandshakeState::resumption() const {
    if (!m_resumed) return TlsResumption::None;
    if (isTls13()) return TlsResumption::Psk;
    return m_ticketShown.empty() ? TlsResumption::SessionId : TlsResumption::Ticket;
}

bool HandshakeState::onCertificate(const HandshakePlace& place, Bytes body) {
    std::vector<TlsCertificate> certificates;
    for (const Bytes der : parseCertificateList(body, m_facts->version))
        if (auto certificate = readCertificate(der)) certificates.push_back(std::move(*certificate));
    const bool fromClient = m_facts->client == place.from;
    (fromClient ? m_facts->clientCertificates : m_facts->serverCertificates) = std::move(certificates);
    return true;
}

} // namespace brokerscope
