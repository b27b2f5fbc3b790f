// SPDX-License-Identifier: Apache-2.0
// What a capture shows about the TLS of one connection, with or without keys: what was negotiated, who the
// certificates name, which alerts were sent, whether the content could be decrypted and, if not, why.
//
// A plain value. Bounds: lists and texts that come from the wire are capped (the caps stand beside them), so a value
// stays below some tens of kilobytes whatever was sent.
#pragma once

#include "capture/types/ids.h"
#include "capture/types/stream.h"
#include "capture/types/time.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

enum class TlsResumption : std::uint8_t {
    None,
    SessionId, // up to TLS 1.2: the server knew the session's id
    Ticket,    // up to TLS 1.2: the client showed a ticket
    Psk,       // TLS 1.3: a pre-shared key, as a rule from a ticket
};

enum class TlsDecryption : std::uint8_t {
    NotNeeded,         // no protected record was captured
    Decrypted,         // records were opened; TlsDirection says how many were not
    NoKeys,            // no secret is known for this connection's client random (or session id)
    WrongKeys,         // secrets are known, but no record opens with them
    UnsupportedCipher, // the cipher suite or the compression is not among those that can be opened
    HandshakeMissed,   // the capture started after the handshake, so the keys cannot be chosen
    LostBytes,         // bytes of the handshake are missing in the capture
};

// Plaintext and TLS that met on one connection.
enum class TlsMismatch : std::uint8_t {
    None,
    PlaintextToTls, // one side sent bytes that are not TLS, the other answered with a TLS alert
    TlsToPlaintext, // one side sent a TLS hello, the other answered without TLS or hung up without a word
};

struct TlsAlert {
    Side from = Side::First;
    std::uint8_t level = 0;           // 1 warning, 2 fatal; 0 when the alert could not be decrypted
    std::optional<std::uint8_t> code; // none when the alert could not be decrypted
    PacketNumber packet;
    Timestamp time;
};

struct TlsCertificate {
    std::string subject, issuer; // distinguished names as RFC 2253 writes them; up to 1 KiB
    Timestamp notBefore, notAfter;
    std::vector<std::string> names; // subject alternative names: host names and addresses; up to 32
};

// What one side sent.
struct TlsDirection {
    std::uint64_t records = 0;           // TLS records of any kind
    std::uint64_t protectedRecords = 0;  // those of them that were encrypted
    std::uint64_t protectedBytes = 0;    // their bytes on the wire, record headers included
    std::uint64_t plaintextBytes = 0;    // application data that was decrypted
    std::uint64_t incompleteRecords = 0; // bytes are missing in the capture
    std::uint64_t damagedRecords = 0;    // whole, but the keys do not open them: not what was sent
    std::uint64_t earlyDataRecords = 0;  // sent as TLS 1.3 early data (0-RTT), opened or not
    std::uint64_t keyUpdates = 0;        // TLS 1.3 KeyUpdate messages
    std::uint64_t unreadableBytes = 0;   // bytes between records that belong to none
    PacketNumber firstProtected, lastProtected;
    Timestamp firstProtectedTime, lastProtectedTime; // meaningful when protectedRecords is not 0
};

struct TlsFacts {
    std::optional<Side> client;                  // who sent the ClientHello, when one was seen
    std::array<std::uint8_t, 32> clientRandom{}; // what key logs are sorted by; meaningful when `client` is set
    PacketNumber clientHello, serverHello;       // the packets that completed them
    Timestamp clientHelloTime, serverHelloTime;  // of the first ClientHello and the last ServerHello
    std::uint16_t version = 0;                   // negotiated; 0 when not seen. 0x0303 is TLS 1.2, 0x0304 is TLS 1.3
    std::vector<std::uint16_t> offeredVersions;  // by the client; up to 16
    std::uint16_t cipherSuite = 0;               // meaningful when `version` is not 0
    std::string cipherName;                      // its IANA name, or its number in hex when it has none here
    std::string serverName;                      // SNI; up to 255 bytes
    std::vector<std::string> offeredProtocols;   // ALPN of the client; up to 16
    std::string protocol;                        // ALPN that the server chose
    TlsResumption resumption = TlsResumption::None;
    bool helloRetried = false;                      // TLS 1.3 HelloRetryRequest
    bool earlyDataOffered = false;                  // TLS 1.3 0-RTT
    bool earlyDataAccepted = false;                 // known after decryption only
    std::uint32_t renegotiations = 0;               // handshakes after the first, known after decryption only
    std::vector<TlsCertificate> serverCertificates; // leaf first; up to 8; in TLS 1.3 after decryption only
    std::vector<TlsCertificate> clientCertificates;
    std::vector<TlsAlert> alerts; // the first 16
    TlsMismatch mismatch = TlsMismatch::None;
    TlsDecryption decryption = TlsDecryption::NotNeeded;
    TlsDirection first, second; // by Side

    TlsDirection& direction(Side side) { return side == Side::First ? first : second; }
    const TlsDirection& direction(Side side) const { return side == Side::First ? first : second; }
};

// Told about every connection on which TLS was seen. Called from the thread that feeds the TLS layer.
class TlsFactsSink {
  public:
    virtual ~TlsFactsSink() = default;

    // After every step of a handshake, every alert and every change of `decryption` (counters alone do not call), and
    // once more just before the connection's connectionClosed(), then with `final` set.
    virtual void tlsFacts(ConnectionId connection, const TlsFacts& facts, bool final) = 0;
};

std::string tlsVersionName(std::uint16_t version);        // "TLS 1.3", "SSL 3.0"; numbers without a name in hex
std::string_view tlsAlertName(std::uint8_t code);         // RFC 8446's name, "unknown_ca"; empty when there is none
std::string_view tlsAlertMeaning(std::uint8_t code);      // one sentence for people, without the final full stop
std::string_view tlsDecryptionText(TlsDecryption reason); // why there is (no) plaintext, for people
std::string_view tlsMismatchText(TlsMismatch mismatch);   // empty for None

} // namespace brokerscope
