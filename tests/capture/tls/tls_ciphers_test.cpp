// SPDX-License-Identifier: Apache-2.0
// Every cipher that can be opened, in conversations of OpenSSL's own client and server.
#include "tests/capture/tls/tls_layer_fixture.h"

#include <algorithm>
#include <cctype>

namespace brokerscope::test {
namespace {

struct Case {
    int version;
    const char* name; // OpenSSL's
    std::uint16_t id;
    const char* iana;
    bool encryptThenMac = true;

    friend void PrintTo(const Case& cipher, std::ostream* out) { *out << cipher.name; }
};

std::string caseName(const testing::TestParamInfo<Case>& info) {
    std::string name = std::string(info.param.iana) + (info.param.encryptThenMac ? "" : "_mac_then_encrypt") + "_" +
                       std::to_string(info.param.version - TLS1_VERSION);
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

class TlsCiphers : public TlsLayerTest, public testing::WithParamInterface<Case> {
  protected:
    static TlsRecording record() {
        TlsSettings settings;
        settings.minVersion = settings.maxVersion = GetParam().version;
        (GetParam().version == TLS1_3_VERSION ? settings.cipherSuites : settings.cipherList) = GetParam().name;
        settings.encryptThenMac = GetParam().encryptThenMac;
        return recordConversation(settings);
    }
};

TEST_P(TlsCiphers, DecryptsWhatBothSidesSent) {
    const TlsRecording recording = record();
    keys.addText(recording.keyLog);
    play(recording);
    expectAll(recording);
    EXPECT_EQ(facts().version, GetParam().version);
    EXPECT_EQ(facts().cipherSuite, GetParam().id);
    EXPECT_EQ(facts().cipherName, GetParam().iana);
    EXPECT_EQ(facts().decryption, TlsDecryption::Decrypted);
    EXPECT_EQ(facts().first.damagedRecords + facts().second.damagedRecords, 0U);
    EXPECT_EQ(facts().first.plaintextBytes, recording.sentBy(Side::First).size());
    // Both sides said good-bye, which is an alert.
    ASSERT_EQ(facts().alerts.size(), 2U);
    EXPECT_EQ(facts().alerts[0].code, 0);
    EXPECT_EQ(facts().alerts[1].from, Side::Second);
}

TEST_P(TlsCiphers, ARecordWithAMissingMiddleBecomesAHoleOfItsSize) {
    const TlsRecording recording = record();
    keys.addText(recording.keyLog);
    open();
    // The second answer is one record in one segment: its bytes 100 to 1099 are lost.
    int answers = 0;
    for (const Segment& segment : recording.segments) {
        const bool isBig = segment.from == Side::Second && segment.bytes.size() > 9000;
        if (isBig && ++answers == 1) {
            const Bytes bytes = segment.bytes;
            send(Side::Second, bytes.first(100));
            send(Side::Second, bytes.subspan(100, 1000), Hole::Lost);
            send(Side::Second, bytes.subspan(1100));
        } else {
            send(segment);
        }
    }
    close();
    ASSERT_GE(answers, 2);
    expectSame(data(Side::First), recording.sentBy(Side::First));
    std::string expected = recording.sentBy(Side::Second);
    expected.replace(300, 9300, 9300, '?');
    expectSame(stream(Side::Second).bytes, expected);
    EXPECT_EQ(facts().second.incompleteRecords, 1U);
    // TLS 1.0 chains to the record behind; where no MAC covers that, it stays closed.
    const bool chains = GetParam().version == TLS1_VERSION && GetParam().encryptThenMac;
    EXPECT_LE(facts().second.damagedRecords, chains ? 1U : 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Tls13, TlsCiphers,
    testing::Values(Case{TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", 0x1301, "TLS_AES_128_GCM_SHA256"},
                    Case{TLS1_3_VERSION, "TLS_AES_256_GCM_SHA384", 0x1302, "TLS_AES_256_GCM_SHA384"},
                    Case{TLS1_3_VERSION, "TLS_CHACHA20_POLY1305_SHA256", 0x1303, "TLS_CHACHA20_POLY1305_SHA256"},
                    Case{TLS1_3_VERSION, "TLS_AES_128_CCM_SHA256", 0x1304, "TLS_AES_128_CCM_SHA256"},
                    Case{TLS1_3_VERSION, "TLS_AES_128_CCM_8_SHA256", 0x1305, "TLS_AES_128_CCM_8_SHA256"}),
    caseName);

INSTANTIATE_TEST_SUITE_P(
    Tls12, TlsCiphers,
    testing::Values(
        Case{TLS1_2_VERSION, "AES128-GCM-SHA256", 0x009c, "TLS_RSA_WITH_AES_128_GCM_SHA256"},
        Case{TLS1_2_VERSION, "DHE-RSA-AES256-GCM-SHA384", 0x009f, "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384"},
        Case{TLS1_2_VERSION, "ECDHE-ECDSA-AES128-GCM-SHA256", 0xc02b, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"},
        Case{TLS1_2_VERSION, "ECDHE-RSA-AES256-GCM-SHA384", 0xc030, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"},
        Case{TLS1_2_VERSION, "ECDHE-RSA-CHACHA20-POLY1305", 0xcca8, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"},
        Case{TLS1_2_VERSION, "DHE-RSA-CHACHA20-POLY1305", 0xccaa, "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256"},
        Case{TLS1_2_VERSION, "AES256-CCM", 0xc09d, "TLS_RSA_WITH_AES_256_CCM"},
        Case{TLS1_2_VERSION, "ECDHE-ECDSA-AES128-CCM8", 0xc0ae, "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8"}),
    caseName);

INSTANTIATE_TEST_SUITE_P(
    CbcOfTls12, TlsCiphers,
    testing::Values(Case{TLS1_2_VERSION, "AES128-SHA", 0x002f, "TLS_RSA_WITH_AES_128_CBC_SHA"},
                    Case{TLS1_2_VERSION, "AES128-SHA", 0x002f, "TLS_RSA_WITH_AES_128_CBC_SHA", false},
                    Case{TLS1_2_VERSION, "DHE-RSA-AES256-SHA256", 0x006b, "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256"},
                    Case{TLS1_2_VERSION, "DHE-RSA-AES256-SHA256", 0x006b, "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256", false},
                    Case{TLS1_2_VERSION, "ECDHE-RSA-AES256-SHA384", 0xc028, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384"},
                    Case{TLS1_2_VERSION, "ECDHE-RSA-AES256-SHA384", 0xc028, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384",
                         false}),
    caseName);

INSTANTIATE_TEST_SUITE_P(
    OlderVersions, TlsCiphers,
    testing::Values(Case{TLS1_VERSION, "AES256-SHA", 0x0035, "TLS_RSA_WITH_AES_256_CBC_SHA"},
                    Case{TLS1_VERSION, "ECDHE-RSA-AES128-SHA", 0xc013, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", false},
                    Case{TLS1_1_VERSION, "AES256-SHA", 0x0035, "TLS_RSA_WITH_AES_256_CBC_SHA"},
                    Case{TLS1_1_VERSION, "ECDHE-RSA-AES128-SHA", 0xc013, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", false}),
    caseName);

} // namespace
} // namespace brokerscope::test
