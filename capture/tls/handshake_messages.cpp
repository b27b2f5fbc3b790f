// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/handshake_messages.h"

#include "capture/tls/byte_reader.h"

#include <algorithm>

namespace brokerscope {

namespace {

constexpr std::size_t maxListed = 16;
constexpr std::size_t maxCertificates = 8;

enum Extension : std::uint16_t {
    ServerNameExtension = 0,
    AlpnExtension = 16,
    EncryptThenMacExtension = 22,
    SessionTicketExtension = 35,
    PreSharedKeyExtension = 41,
    EarlyDataExtension = 42,
    SupportedVersionsExtension = 43,
};

// The random of a HelloRetryRequest (RFC 8446, 4.1.3): the SHA-256 of "HelloRetryRequest".
constexpr std::array<std::uint8_t, 32> helloRetryRandom = {
    0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
    0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c};

std::string textOf(Bytes bytes) {
    return {bytes.begin(), bytes.end()};
}

// Values like 0x0a0a, 0x1a1a that clients put in to keep servers tolerant (RFC 8701).
bool isGrease(std::uint16_t value) {
    return (value & 0x0f0f) == 0x0a0a && (value >> 8) == (value & 0xff);
}

// Calls `handle(type, data)` for each extension of a block; a missing block has none.
template<class Handle>
void forEachExtension(ByteReader& reader, Handle handle) {
    if (reader.atEnd()) return;
    ByteReader extensions(reader.vector16());
    while (!extensions.atEnd()) {
        const std::uint16_t type = extensions.u16();
        const Bytes data = extensions.vector16();
        if (extensions.ok()) handle(type, data);
    }
}

std::vector<std::string> protocolNames(Bytes data) {
    std::vector<std::string> names;
    ByteReader list(ByteReader(data).vector16());
    while (!list.atEnd() && names.size() < maxListed) {
        const Bytes name = list.vector8();
        if (list.ok()) names.push_back(textOf(name));
    }
    return names;
}

std::string chosenProtocol(Bytes data) {
    const auto names = protocolNames(data);
    return names.empty() ? std::string{} : names.front();
}

std::string hostName(Bytes data) {
    ByteReader list(ByteReader(data).vector16());
    while (!list.atEnd()) {
        const std::uint8_t type = list.u8();
        const Bytes name = list.vector16();
        if (list.ok() && type == 0) return textOf(name.first(std::min<std::size_t>(name.size(), 255)));
    }
    return {};
}

std::vector<std::uint16_t> offeredVersions(Bytes data) {
    std::vector<std::uint16_t> versions;
    ByteReader list(ByteReader(data).vector8());
    while (!list.atEnd() && versions.size() < maxListed) {
        const std::uint16_t version = list.u16();
        if (list.ok() && !isGrease(version)) versions.push_back(version);
    }
    return versions;
}

template<std::size_t size>
void copyInto(std::array<std::uint8_t, size>& target, Bytes bytes) {
    std::ranges::copy(bytes.first(std::min(bytes.size(), size)), target.begin());
}

} // namespace

std::optional<ClientHello> parseClientHello(Bytes body) {
    ByteReader reader(body);
    ClientHello hello;
    hello.legacyVersion = reader.u16();
    copyInto(hello.random, reader.take(32));
    hello.sessionId = reader.vector8();
    reader.vector16(); // cipher suites
    reader.vector8();  // compression methods
    if (!reader.ok()) return std::nullopt;
    forEachExtension(reader, [&](std::uint16_t type, Bytes data) {
        switch (type) {
        case ServerNameExtension:
            hello.serverName = hostName(data);
            break;
        case AlpnExtension:
            hello.protocols = protocolNames(data);
            break;
        case SessionTicketExtension:
            hello.ticket = data;
            break;
        case EarlyDataExtension:
            hello.earlyData = true;
            break;
        case SupportedVersionsExtension:
            hello.versions = offeredVersions(data);
            break;
        default:
            break;
        }
    });
    if (hello.versions.empty()) hello.versions.push_back(hello.legacyVersion);
    return hello;
}

std::optional<ServerHello> parseServerHello(Bytes body) {
    ByteReader reader(body);
    ServerHello hello;
    hello.version = reader.u16();
    copyInto(hello.random, reader.take(32));
    hello.sessionId = reader.vector8();
    hello.cipherSuite = reader.u16();
    hello.compression = reader.u8();
    if (!reader.ok()) return std::nullopt;
    hello.helloRetryRequest = hello.random == helloRetryRandom;
    forEachExtension(reader, [&](std::uint16_t type, Bytes data) {
        switch (type) {
        case AlpnExtension:
            hello.protocol = chosenProtocol(data);
            break;
        case EncryptThenMacExtension:
            hello.encryptThenMac = true;
            break;
        case PreSharedKeyExtension:
            hello.preSharedKey = true;
            break;
        case SupportedVersionsExtension:
            if (data.size() == 2) hello.version = ByteReader(data).u16();
            break;
        default:
            break;
        }
    });
    return hello;
}

std::optional<EncryptedExtensions> parseEncryptedExtensions(Bytes body) {
    ByteReader reader(body);
    EncryptedExtensions found;
    forEachExtension(reader, [&](std::uint16_t type, Bytes data) {
        if (type == AlpnExtension) found.protocol = chosenProtocol(data);
        if (type == EarlyDataExtension) found.earlyData = true;
    });
    if (!reader.ok()) return std::nullopt;
    return found;
}

std::vector<Bytes> parseCertificateList(Bytes body, std::uint16_t version) {
    ByteReader reader(body);
    if (version == tls::version13) reader.vector8(); // request context
    ByteReader list(reader.vector24());
    std::vector<Bytes> certificates;
    while (!list.atEnd() && certificates.size() < maxCertificates) {
        const Bytes certificate = list.vector24();
        if (version == tls::version13) list.vector16(); // extensions
        if (list.ok() && !certificate.empty()) certificates.push_back(certificate);
    }
    return certificates;
}

Bytes parseSessionTicket(Bytes body) {
    ByteReader reader(body);
    reader.take(4); // lifetime
    return reader.vector16();
}

} // namespace brokerscope
