// SPDX-License-Identifier: Apache-2.0
// What the handshake messages of one connection have said so far: the facts for people, and what choosing the keys
// needs. Takes messages of both sides in any order between the sides.
#pragma once

#include "capture/tls/cipher_suites.h"
#include "capture/tls/handshake_messages.h"
#include "capture/types/tls_facts.h"

#include <array>
#include <cstdint>
#include <vector>

namespace brokerscope {

struct HandshakePlace {
    Side from = Side::First;
    PacketNumber packet; // the packet that completed the message
    Timestamp time;
};

class HandshakeState {
  public:
    explicit HandshakeState(TlsFacts& facts) : m_facts(&facts) {}

    // True when the facts changed.
    bool message(const HandshakePlace& place, std::uint8_t type, Bytes body);

    bool hasClientHello() const { return m_clientHelloSeen; }
    bool hasServerHello() const { return m_serverHelloSeen; }
    bool isTls13() const { return m_serverHelloSeen && m_facts->version >= tls::version13; }
    // Null when records cannot be opened: the suite is unknown, the session is compressed, or it is SSL 3.0.
    const CipherSuite* suite() const { return m_suite; }

    const ClientRandom& clientRandom() const { return m_clientRandom; }
    const std::array<std::uint8_t, 32>& serverRandom() const { return m_serverRandom; }
    bool encryptThenMac() const { return m_encryptThenMac; }
    bool resumed() const { return m_resumed; }
    Bytes sessionId() const { return m_sessionId; }       // that the server named
    Bytes ticketShown() const { return m_ticketShown; }   // by the client
    Bytes ticketIssued() const { return m_ticketIssued; } // by the server, TLS 1.2

  private:
    bool onClientHello(const HandshakePlace& place, Bytes body);
    bool onServerHello(const HandshakePlace& place, Bytes body);
    bool onCertificate(const HandshakePlace& place, Bytes body);
    TlsResumption resumption() const;

    TlsFacts* m_facts;
    bool m_clientHelloSeen = false, m_serverHelloSeen = false;
    ClientRandom m_clientRandom{};
    std::array<std::uint8_t, 32> m_serverRandom{};
    const CipherSuite* m_suite = nullptr;
    bool m_encryptThenMac = false, m_resumed = false;
    std::vector<std::uint8_t> m_clientSessionId, m_sessionId, m_ticketShown, m_ticketIssued;
};

} // namespace brokerscope
