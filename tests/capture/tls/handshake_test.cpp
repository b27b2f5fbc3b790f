// SPDX-License-Identifier: Apache-2.0
// The small parts of the handshake, each by itself.
#include "capture/tls/certificates.h"
#include "capture/tls/cipher_suites.h"
#include "capture/tls/handshake_assembler.h"
#include "capture/tls/handshake_messages.h"
#include "capture/tls/key_schedule.h"
#include "capture/tls/session_cache.h"
#include "capture/types/tls_facts.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace brokerscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Octets = std::vector<std::uint8_t>;

Octets fromHex(std::string_view text) {
    Octets bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        bytes.push_back(static_cast<std::uint8_t>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
    return bytes;
}

Octets operator+(Octets left, const Octets& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

Octets text(std::string_view characters) {
    return {characters.begin(), characters.end()};
}

// Bytes behind their size in `width` bytes.
Octets sized(int width, const Octets& bytes) {
    Octets size;
    for (int i = width - 1; i >= 0; --i)
        size.push_back(static_cast<std::uint8_t>(bytes.size() >> (8 * i)));
    return size + bytes;
}

Octets extension(std::uint16_t type, const Octets& data) {
    return Octets{static_cast<std::uint8_t>(type >> 8), static_cast<std::uint8_t>(type)} + sized(2, data);
}

Octets message(std::uint8_t type, const Octets& body) {
    return Octets{type} + sized(3, body);
}

// ---- hellos

Octets clientHello(const Octets& extensions) {
    return Octets{3, 3} + Octets(32, 0x11) + sized(1, Octets(4, 0x22)) + sized(2, {0x13, 0x01}) + sized(1, {0}) +
           sized(2, extensions);
}

TEST(HandshakeMessages, AClientHelloTellsWhatItOffers) {
    const Octets body = clientHello(extension(0, sized(2, Octets{0} + sized(2, text("broker.example")))) +
                                    extension(16, sized(2, sized(1, text("a")) + sized(1, text("bc")))) +
                                    extension(35, text("ticket")) + extension(42, {}) +
                                    extension(43, sized(1, {0x3a, 0x3a, 3, 4, 3, 3})) + extension(9999, {1, 2, 3}));
    const auto hello = parseClientHello(body);
    ASSERT_TRUE(hello);
    EXPECT_EQ(hello->random[31], 0x11);
    EXPECT_EQ(hello->sessionId.size(), 4U);
    EXPECT_EQ(hello->serverName, "broker.example");
    EXPECT_THAT(hello->protocols, ElementsAre("a", "bc"));
    EXPECT_EQ(hello->ticket.size(), 6U);
    EXPECT_TRUE(hello->earlyData);
    EXPECT_THAT(hello->versions, ElementsAre(0x0304, 0x0303)); // without the GREASE value
}

TEST(HandshakeMessages, AClientHelloWithoutExtensionsOffersItsLegacyVersion) {
    const Octets body = Octets{3, 1} + Octets(32, 1) + sized(1, {}) + sized(2, {0, 47}) + sized(1, {0});
    const auto hello = parseClientHello(body);
    ASSERT_TRUE(hello);
    EXPECT_THAT(hello->versions, ElementsAre(0x0301));
    EXPECT_TRUE(hello->serverName.empty());
}

TEST(HandshakeMessages, ACutHelloIsNoneAndCutExtensionsArePassedOver) {
    const Octets body = clientHello(extension(16, sized(2, sized(1, text("abc")))));
    for (std::size_t size = 0; size < 44; ++size)
        EXPECT_FALSE(parseClientHello(Bytes(body).first(size))) << size;
    const auto hello = parseClientHello(Bytes(body).first(body.size() - 1));
    ASSERT_TRUE(hello);
    EXPECT_THAT(hello->protocols, IsEmpty());
}

TEST(HandshakeMessages, ListsFromTheWireAreCapped) {
    Octets names, versions;
    for (int i = 0; i < 100; ++i) {
        names = names + sized(1, text("p"));
        versions = versions + Octets{3, 3};
    }
    const auto hello = parseClientHello(clientHello(extension(16, sized(2, names)) + extension(43, sized(1, versions)) +
                                                    extension(0, sized(2, Octets{0} + sized(2, Octets(5000, 'x'))))));
    ASSERT_TRUE(hello);
    EXPECT_EQ(hello->protocols.size(), 16U);
    EXPECT_EQ(hello->versions.size(), 16U);
    EXPECT_EQ(hello->serverName.size(), 255U);
}

TEST(HandshakeMessages, AServerHelloTellsWhatItChose) {
    const Octets body = Octets{3, 3} + Octets(32, 7) + sized(1, Octets(2, 8)) + Octets{0x13, 0x02, 0} +
                        sized(2, extension(43, {3, 4}) + extension(41, {0, 0}) + extension(22, {}) +
                                     extension(16, sized(2, sized(1, text("kept")))));
    const auto hello = parseServerHello(body);
    ASSERT_TRUE(hello);
    EXPECT_EQ(hello->version, 0x0304);
    EXPECT_EQ(hello->cipherSuite, 0x1302);
    EXPECT_TRUE(hello->preSharedKey);
    EXPECT_TRUE(hello->encryptThenMac);
    EXPECT_EQ(hello->protocol, "kept");
    EXPECT_FALSE(hello->helloRetryRequest);
    EXPECT_FALSE(parseServerHello(Bytes(body).first(38)));
}

TEST(HandshakeMessages, CertificateListsAreReadInBothForms) {
    const Octets old = sized(3, sized(3, text("one")) + sized(3, text("two")));
    EXPECT_EQ(parseCertificateList(old, 0x0303).size(), 2U);
    const Octets tls13 =
        sized(1, {}) + sized(3, sized(3, text("one")) + sized(2, {0, 0}) + sized(3, text("two")) + sized(2, {}));
    EXPECT_EQ(parseCertificateList(tls13, 0x0304).size(), 2U);
    EXPECT_EQ(parseCertificateList(Bytes(old).first(old.size() - 1), 0x0303).size(), 0U);
}

TEST(HandshakeMessages, ATicketStandsBehindItsLifetime) {
    const Octets body = Octets{0, 0, 1, 0} + sized(2, text("ticket"));
    EXPECT_EQ(parseSessionTicket(body).size(), 6U);
    EXPECT_TRUE(parseSessionTicket(Bytes(body).first(8)).empty());
}

// ---- putting messages together

struct Assembled {
    HandshakeAssembler assembler;
    std::vector<std::string> messages;

    void add(const Octets& content, bool startsRecord = true) {
        assembler.add(content, startsRecord, [this](std::uint8_t type, Bytes body) {
            messages.push_back(std::to_string(type) + ":" + std::string(body.begin(), body.end()));
        });
    }
};

TEST(HandshakeAssembler, TakesSeveralMessagesInOneRecordAndOneOverSeveral) {
    Assembled one;
    one.add(message(1, text("abc")) + message(14, {}) + message(11, text("long message")));
    EXPECT_THAT(one.messages, ElementsAre("1:abc", "14:", "11:long message"));
    const Octets whole = message(11, text("over several records"));
    Assembled other;
    for (const std::uint8_t byte : whole)
        other.add({byte});
    EXPECT_THAT(other.messages, ElementsAre("11:over several records"));
}

TEST(HandshakeAssembler, AMessageWithMissingBytesIsPassedOverAndTheNextIsRead) {
    Assembled one;
    const Octets damaged = message(11, text("0123456789"));
    one.add(Octets(damaged.begin(), damaged.begin() + 8));
    one.assembler.addMissing(3);
    one.add(Octets(damaged.begin() + 11, damaged.end()) + message(14, text("next")), false);
    EXPECT_THAT(one.messages, ElementsAre("14:next"));
}

TEST(HandshakeAssembler, AfterALostHeaderTheNextRecordThatStartsWithAMessageIsRead) {
    Assembled one;
    one.add(message(2, text("hello")));
    one.assembler.addMissing(100);
    one.add(message(11, text("within a record")), false);
    one.add({0xff, 0xff, 0xff, 0xff, 1, 2, 3});
    one.add(message(14, text("next")));
    EXPECT_THAT(one.messages, ElementsAre("2:hello", "14:next"));
}

TEST(HandshakeAssembler, AMessageThatIsTooLongIsPassedOver) {
    Assembled one;
    one.add(message(11, Octets(HandshakeAssembler::maxMessage + 1, 'x')) + message(14, text("next")));
    EXPECT_THAT(one.messages, ElementsAre("14:next"));
}

// ---- keys

TEST(KeySchedule, KeysOfTls13FollowFromTheTrafficSecret) {
    // The handshake keys of the server in the example of RFC 8448, section 3.
    const Octets secret = fromHex("b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38");
    Octets key(16), iv(12);
    ASSERT_TRUE(expandLabel(Digest::Sha256, secret, "key", key));
    ASSERT_TRUE(expandLabel(Digest::Sha256, secret, "iv", iv));
    EXPECT_EQ(key, fromHex("3fce516009c21727d0f2e4e86ee403bc"));
    EXPECT_EQ(iv, fromHex("5d313eb2671276ee13000b30"));
}

TEST(CipherSuites, AreNamedOrShownAsNumbers) {
    EXPECT_EQ(cipherSuiteName(0x1301), "TLS_AES_128_GCM_SHA256");
    EXPECT_EQ(cipherSuiteName(0xc030), "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");
    EXPECT_EQ(cipherSuiteName(0x7777), "0x7777");
    EXPECT_EQ(findCipherSuite(0x000a)->cipher, BulkCipher::Unsupported);
    EXPECT_EQ(findCipherSuite(0x002f)->prfDigest(), Digest::Sha256);
}

TEST(SessionCacheTest, RemembersMasterSecretsByAnyNameUpToItsBound) {
    SessionCache cache(2);
    Secret secret(48);
    for (std::uint8_t i = 1; i <= 3; ++i) {
        secret.writable()[0] = i;
        cache.remember(Octets(300, i), secret);
    }
    cache.remember({}, secret);
    EXPECT_FALSE(cache.find(Octets(300, 1)));
    EXPECT_EQ(cache.find(Octets(300, 2))->bytes()[0], 2);
    EXPECT_EQ(cache.find(Octets(300, 3))->bytes()[0], 3);
    EXPECT_FALSE(cache.find({}));
}

TEST(Certificates, BytesThatAreNoCertificateAreNone) {
    EXPECT_FALSE(readCertificate({}));
    EXPECT_FALSE(readCertificate(Octets(100, 0x30)));
    EXPECT_FALSE(readCertificate(text("-----BEGIN CERTIFICATE-----")));
}

// ---- words

TEST(TlsFactsText, AlertsAndVersionsHaveNamesAndMeanings) {
    EXPECT_EQ(tlsVersionName(0x0304), "TLS 1.3");
    EXPECT_EQ(tlsVersionName(0x0300), "SSL 3.0");
    EXPECT_EQ(tlsVersionName(0x7f1c), "TLS 0x7f1c");
    EXPECT_EQ(tlsAlertName(48), "unknown_ca");
    EXPECT_EQ(tlsAlertName(70), "protocol_version");
    EXPECT_EQ(tlsAlertName(200), "");
    EXPECT_FALSE(tlsAlertMeaning(200).empty());
    for (int code = 0; code < 256; ++code)
        EXPECT_FALSE(tlsAlertMeaning(static_cast<std::uint8_t>(code)).ends_with("."));
    EXPECT_FALSE(tlsDecryptionText(TlsDecryption::LostBytes).empty());
    EXPECT_FALSE(tlsMismatchText(TlsMismatch::TlsToPlaintext).empty());
    EXPECT_TRUE(tlsMismatchText(TlsMismatch::None).empty());
}

} // namespace
} // namespace brokerscope
