// SPDX-License-Identifier: Apache-2.0
// Two TLS programs in one process: OpenSSL's own client and server, joined by memory. What they say to each other is
// recorded as segments, what they wrote as the truth that decryption must find, and their secrets as a key log.
#pragma once

#include "capture/types/stream.h"

#include <openssl/ssl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace brokerscope::test {

struct Segment {
    Side from = Side::First; // the client is First
    std::vector<std::uint8_t> bytes;
};

struct TlsRecording {
    std::vector<Segment> segments;   // in the order of the wire
    std::array<std::string, 2> sent; // application data, by Side
    std::string keyLog;

    std::string& sentBy(Side side) { return sent[static_cast<std::size_t>(side)]; }
    const std::string& sentBy(Side side) const { return sent[static_cast<std::size_t>(side)]; }
};

struct TlsSettings {
    int minVersion = TLS1_3_VERSION, maxVersion = TLS1_3_VERSION;
    std::string cipherList;   // up to TLS 1.2; empty: all
    std::string cipherSuites; // TLS 1.3; empty: OpenSSL's own
    bool encryptThenMac = true;
    bool tickets = true;
    bool clientAuthenticates = false;
    bool clientTrustsServer = true;
    bool earlyData = false;   // the server accepts it
    std::string clientGroups; // of the key exchange; empty: OpenSSL's own
    std::string serverGroups;
    std::vector<std::string> protocols; // ALPN, offered and accepted
    std::size_t padding = 0;            // TLS 1.3: records are padded to a multiple of it
};

class TlsPeers {
  public:
    explicit TlsPeers(TlsSettings settings = {});

    // A new connection of the same two programs; the session is resumed when there is one. The recording starts anew,
    // but for the key log.
    void connect();
    // Whether the handshake went through. What both sides said is in the recording either way.
    bool shakeHands();
    void write(Side from, const std::string& data);
    bool writeEarly(const std::string& data); // before shakeHands()
    void updateKeys(Side from);               // and has the other side update its own
    bool renegotiate();
    void close(Side from);
    bool resumed() const { return SSL_session_reused(m_client.get()) == 1; }

    TlsRecording& recording() { return m_recording; }

    // Some length of text that differs everywhere.
    static std::string text(std::size_t size, unsigned seed = 1);

  private:
    struct Free {
        void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
        void operator()(SSL* ssl) const { SSL_free(ssl); }
        void operator()(SSL_SESSION* session) const { SSL_SESSION_free(session); }
    };

    void configure(SSL_CTX* context);
    void configureServer();
    void configureClient();
    void moveFrom(Side side);
    void readAll(Side side);
    SSL* ssl(Side side) const { return side == Side::First ? m_client.get() : m_server.get(); }

    TlsSettings m_settings;
    TlsRecording m_recording;
    std::unique_ptr<SSL_CTX, Free> m_clientContext, m_serverContext;
    std::unique_ptr<SSL, Free> m_client, m_server;
    std::unique_ptr<SSL_SESSION, Free> m_session;
};

// A full handshake, then requests and answers of several sizes, then close_notify from both sides.
TlsRecording recordConversation(const TlsSettings& settings, std::size_t rounds = 4);

} // namespace brokerscope::test
