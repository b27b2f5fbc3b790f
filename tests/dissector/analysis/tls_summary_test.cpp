// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/tls_summary.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

Connection connectionTo(std::uint16_t port) {
    Connection connection;
    connection.first.port = 40000;
    connection.second.port = port;
    return connection;
}

TlsFacts factsOf(const std::string& cipher, TlsDecryption decryption) {
    TlsFacts facts;
    facts.client = Side::First;
    facts.version = 0x0304;
    facts.cipherName = cipher;
    facts.decryption = decryption;
    facts.second.protectedBytes = 100;
    return facts;
}

TEST(TlsSummary, countsConnectionsByCipherAndWhetherTheyWereRead) {
    TlsSummary summary;
    summary.add(connectionTo(9095), factsOf("A", TlsDecryption::Decrypted));
    summary.add(connectionTo(9096), factsOf("A", TlsDecryption::Decrypted));
    TlsFacts resumed = factsOf("A", TlsDecryption::NoKeys);
    resumed.resumption = TlsResumption::Psk;
    summary.add(connectionTo(9095), resumed);
    EXPECT_EQ(summary.connections, 3u);
    ASSERT_EQ(summary.sessions.size(), 2u);
    const auto& open = summary.sessions.at({0x0304, "A", TlsDecryption::Decrypted});
    EXPECT_EQ(open.connections, 2u);
    EXPECT_EQ(open.protectedBytes, 200u);
    EXPECT_EQ(open.servers.size(), 2u);
    EXPECT_EQ(summary.sessions.at({0x0304, "A", TlsDecryption::NoKeys}).resumed, 1u);
}

TEST(TlsSummary, keepsNamesThatWereAskedForAndHowLongThingsTook) {
    using namespace std::chrono_literals;
    TlsSummary summary;
    TlsFacts facts = factsOf("A", TlsDecryption::NoKeys);
    facts.serverName = "broker.example";
    facts.protocol = "kafka";
    facts.clientHello = PacketNumber{4};
    facts.serverHello = PacketNumber{6};
    facts.clientHelloTime = Timestamp(10ms);
    facts.serverHelloTime = Timestamp(13ms);
    facts.first.protectedRecords = facts.second.protectedRecords = 2;
    facts.first.firstProtectedTime = Timestamp(20ms);
    facts.first.lastProtectedTime = Timestamp(300ms);
    facts.second.firstProtectedTime = Timestamp(19ms);
    facts.second.lastProtectedTime = Timestamp(219ms);
    summary.add(connectionTo(9095), facts);
    facts.serverHello = {}; // not captured
    facts.first.protectedRecords = 0;
    summary.add(connectionTo(9095), facts);
    const auto& use = summary.names.at({"broker.example", "kafka"});
    EXPECT_EQ(use.connections, 2u);
    EXPECT_EQ(use.longestHello, 3ms);
    EXPECT_EQ(use.longestProtected, 281ms);
}

TEST(TlsSummary, keepsTheServersOwnCertificate) {
    TlsSummary summary;
    TlsFacts facts = factsOf("A", TlsDecryption::Decrypted);
    facts.serverCertificates = {{"CN=broker", "CN=ca", {}, Timestamp(std::chrono::hours(1)), {}},
                                {"CN=ca", "CN=ca", {}, {}, {}}};
    summary.add(connectionTo(9095), facts);
    ASSERT_EQ(summary.certificates.size(), 1u);
    EXPECT_EQ(summary.certificates.begin()->first.subject, "CN=broker");
}

TEST(TlsSummary, countsAlertsOnceAConnectionAndLeavesRegularEndsOut) {
    TlsSummary summary;
    TlsFacts facts = factsOf("A", TlsDecryption::Decrypted);
    facts.alerts = {{Side::First, 1, 0, {}, {}},
                    {Side::First, 2, 48, {}, {}},
                    {Side::First, 2, 48, {}, {}},
                    {Side::Second, 2, 48, {}, {}},
                    {Side::Second, 0, std::nullopt, {}, {}}};
    summary.add(connectionTo(9095), facts);
    ASSERT_EQ(summary.alerts.size(), 2u);
    EXPECT_EQ(summary.alerts.at({48, true}).connections, 1u);
    EXPECT_EQ(summary.alerts.at({48, false}).connections, 1u);
}

TEST(TlsSummary, aMismatchIsNoSession) {
    TlsSummary summary;
    TlsFacts facts;
    facts.mismatch = TlsMismatch::TlsToPlaintext;
    facts.client = Side::Second; // the server is the other end then
    summary.add(connectionTo(9092), facts);
    EXPECT_TRUE(summary.sessions.empty());
    EXPECT_EQ(summary.mismatches.at(TlsMismatch::TlsToPlaintext).servers.begin()->port, 40000);
}

TEST(TlsSummary, boundsItsRows) {
    TlsSummary summary;
    for (std::size_t i = 0; i < TlsSummary::maxRows + 10; ++i)
        summary.add(connectionTo(static_cast<std::uint16_t>(i)), factsOf(std::to_string(i), TlsDecryption::NoKeys));
    EXPECT_EQ(summary.sessions.size(), TlsSummary::maxRows);
    EXPECT_EQ(summary.leftOut, 10u);
}

} // namespace
} // namespace brokerscope
