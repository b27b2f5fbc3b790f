// SPDX-License-Identifier: Apache-2.0
// Real captures through the whole of capture/, compared with what another program decrypted from them: the table
// tests/data/tls/plaintext.tsv was made with tshark by plaintext_by_tshark.py.
#include "capture/capture_file.h"
#include "capture/stream_reader.h"
#include "capture/tls/tls_layer.h"
#include "tests/capture/tls/facts_recorder.h"
#include "tests/support/stream_recorder.h"

#include <gmock/gmock.h>

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace brokerscope::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Field;

const std::string root = BROKERSCOPE_SOURCE_DIR;

// (sender, receiver) -> (bytes, SHA-256)
using Plaintext = std::map<std::pair<std::string, std::string>, std::pair<std::size_t, std::string>>;

std::string sha256(const std::string& bytes) {
    std::array<std::uint8_t, EVP_MAX_MD_SIZE> hash{};
    unsigned size = 0;
    EVP_Digest(bytes.data(), bytes.size(), hash.data(), &size, EVP_sha256(), nullptr);
    std::string text;
    char digits[3];
    for (unsigned i = 0; i < size; ++i) {
        std::snprintf(digits, sizeof digits, "%02x", hash[i]);
        text += digits;
    }
    return text;
}

Plaintext byTshark(const std::string& capture) {
    Plaintext table;
    std::ifstream file(root + "/tests/data/tls/plaintext.tsv");
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::string name, from, to, hash;
        std::size_t size = 0;
        fields >> name >> from >> to >> size >> hash;
        if (name == capture) table[{from, to}] = {size, hash};
    }
    return table;
}

struct Reading {
    StreamRecorder streams;
    FactsRecorder facts;

    Reading(const std::string& path, bool useSecrets) {
        auto source = openCapture(std::vector<std::string>{path});
        EXPECT_TRUE(source) << path;
        if (!source) return;
        KeyLog keys;
        TlsLayer layer(streams, keys, &facts);
        if (useSecrets) keys.followText((*source)->info().keyLog);
        StreamReader reader(**source, layer);
        reader.readAll();
        // Copied while the bytes are there.
        for (std::size_t i = 0; i < streams.size(); ++i) {
            const RecordedConnection& one = streams.at(i);
            for (const Side side : {Side::First, Side::Second}) {
                EXPECT_EQ(one.from(side).lost() + one.from(side).cut(), 0U);
                const std::string& bytes = one.from(side).bytes;
                const Connection& ends = one.connection;
                plaintext[{toString(ends.end(side)), toString(ends.end(other(side)))}] = {bytes.size(), sha256(bytes)};
            }
        }
    }

    std::vector<TlsFacts> allFacts() const {
        std::vector<TlsFacts> all;
        for (const auto& [id, told] : facts.told)
            all.push_back(told.facts.value());
        return all;
    }

    Plaintext plaintext;
};

struct Capture {
    const char* name;
    const char* path;
    std::size_t streams; // with application data

    friend void PrintTo(const Capture& capture, std::ostream* out) { *out << capture.name; }
};

class TlsCaptures : public testing::TestWithParam<Capture> {};

TEST_P(TlsCaptures, AreDecryptedAsAnotherProgramDecryptsThem) {
    const Plaintext expected = byTshark(GetParam().name);
    const Reading reading(root + "/" + GetParam().path, true);
    EXPECT_EQ(reading.plaintext, expected);
    EXPECT_EQ(std::ranges::count_if(expected, [](const auto& row) { return row.second.first > 0; }),
              GetParam().streams);
    EXPECT_THAT(reading.allFacts(), Each(Field(&TlsFacts::decryption, TlsDecryption::Decrypted)));
}

TEST_P(TlsCaptures, ShowNothingOfTheirContentWithoutKeys) {
    const Reading reading(root + "/" + GetParam().path, false);
    for (const auto& [ends, found] : reading.plaintext)
        EXPECT_EQ(found.first, 0U) << ends.first;
    for (const TlsFacts& facts : reading.allFacts()) {
        EXPECT_EQ(facts.decryption, TlsDecryption::NoKeys);
        EXPECT_FALSE(facts.cipherName.empty());
        EXPECT_GT(facts.second.protectedBytes, 0U);
    }
}

TEST(TlsCapturesFacts, ResumedSessionsOfAGoClientAreNoted) {
    const Reading reading(root + "/tests/data/captures/tls-go-resumption/capture-dsb.pcapng.zst", true);
    std::map<TlsResumption, int> counts;
    std::map<std::uint16_t, int> versions;
    for (const TlsFacts& facts : reading.allFacts()) {
        ++counts[facts.resumption];
        ++versions[facts.version];
        EXPECT_EQ(facts.serverCertificates.empty(), facts.resumption == TlsResumption::Psk);
    }
    EXPECT_THAT(counts, ElementsAre(std::pair(TlsResumption::None, 37), std::pair(TlsResumption::Psk, 2)));
    EXPECT_THAT(versions, ElementsAre(std::pair(0x0303, 25), std::pair(0x0304, 14)));
}

TEST(TlsCapturesFacts, FailedConnectionsTellWhy) {
    const Reading reading(root + "/tests/data/captures/tls-failures/capture-dsb.pcapng.zst", true);
    const std::vector<TlsFacts> all = reading.allFacts();
    ASSERT_EQ(all.size(), 9U);
    // A client that does not trust the CA.
    for (const TlsFacts& facts : {all[0], all[1]}) {
        ASSERT_EQ(facts.alerts.size(), 1U);
        EXPECT_EQ(facts.alerts[0].from, facts.client);
        EXPECT_EQ(facts.alerts[0].code, 46);
        ASSERT_EQ(facts.serverCertificates.size(), 2U);
        EXPECT_EQ(facts.serverCertificates[0].subject, "CN=broker.lab.test");
        EXPECT_EQ(facts.serverCertificates[0].issuer, "CN=Lab Test CA");
    }
    EXPECT_EQ(all[0].alerts[0].packet, PacketNumber{35});
    // A plaintext client on the TLS port, TLS clients on the plaintext port.
    EXPECT_EQ(all[2].mismatch, TlsMismatch::PlaintextToTls);
    EXPECT_EQ(all[2].alerts.at(0).code, 80);
    for (std::size_t i = 3; i < all.size(); ++i)
        EXPECT_EQ(all[i].mismatch, TlsMismatch::TlsToPlaintext);
}

INSTANTIATE_TEST_SUITE_P(
    Samples, TlsCaptures,
    testing::Values(Capture{"tls13", "samples/tls13-with-secrets.pcapng", 30},
                    Capture{"tls12", "tests/data/captures/tls12/capture-dsb.pcapng.zst", 46},
                    Capture{"tls-go-resumption", "tests/data/captures/tls-go-resumption/capture-dsb.pcapng.zst", 78},
                    Capture{"sasl-ssl", "tests/data/captures/sasl-ssl/capture-dsb.pcapng.zst", 14}),
    [](const auto& capture) {
        std::string name = capture.param.name;
        std::ranges::replace(name, '-', '_');
        return name;
    });

} // namespace
} // namespace brokerscope::test
