// SPDX-License-Identifier: Apache-2.0
// The handshake messages that matter here, parsed into values: RFC 5246 and RFC 8446, section 4, and their extensions.
//
// Bytes:  texts and lists are copied and capped; `Bytes` members are views of the message.
// Errors: a parser returns nullopt when the message does not hold what its lengths promise. Extensions that do not
// parse
//         are passed over.
#pragma once

#include "capture/tls/secret.h"
#include "capture/types/bytes.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brokerscope {

namespace tls {

// Handshake message types.
constexpr std::uint8_t helloRequest = 0;
constexpr std::uint8_t clientHello = 1;
constexpr std::uint8_t serverHello = 2;
constexpr std::uint8_t newSessionTicket = 4;
constexpr std::uint8_t endOfEarlyData = 5;
constexpr std::uint8_t encryptedExtensions = 8;
constexpr std::uint8_t certificate = 11;
constexpr std::uint8_t finished = 20;
constexpr std::uint8_t keyUpdate = 24;

constexpr std::uint16_t version12 = 0x0303;
constexpr std::uint16_t version13 = 0x0304;

} // namespace tls

struct ClientHello {
    std::uint16_t legacyVersion = 0;
    ClientRandom random{};
    Bytes sessionId;
    std::vector<std::uint16_t> versions; // supported_versions, else legacyVersion alone; without GREASE, up to 16
    std::string serverName;
    std::vector<std::string> protocols; // ALPN, up to 16
    Bytes ticket;                       // of TLS 1.2; empty when none is shown
    bool earlyData = false;
};

struct ServerHello {
    std::uint16_t version = 0; // supported_versions if there, else the legacy field
    std::array<std::uint8_t, 32> random{};
    Bytes sessionId;
    std::uint16_t cipherSuite = 0;
    std::uint8_t compression = 0;
    std::string protocol; // ALPN, before TLS 1.3
    bool encryptThenMac = false;
    bool preSharedKey = false;
    bool helloRetryRequest = false;
};

struct EncryptedExtensions {
    std::string protocol; // ALPN
    bool earlyData = false;
};

std::optional<ClientHello> parseClientHello(Bytes body);
std::optional<ServerHello> parseServerHello(Bytes body);
std::optional<EncryptedExtensions> parseEncryptedExtensions(Bytes body);
// The DER certificates of a Certificate message, leaf first, up to 8; what is damaged is left out.
std::vector<Bytes> parseCertificateList(Bytes body, std::uint16_t version);
// The ticket of a NewSessionTicket message of TLS 1.2.
Bytes parseSessionTicket(Bytes body);

} // namespace brokerscope
