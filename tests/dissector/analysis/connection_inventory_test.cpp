// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/connection_inventory.h"

#include "tests/support/capture_reading.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

class Collecting : public ExchangeSink {
  public:
    explicit Collecting(ConnectionInventory& inventory) : m_inventory(inventory), m_facts(Protocol::builtin()) {}

    void exchangeEnded(Exchange&& exchange) override { m_inventory.add(m_facts.read(exchange)); }
    void foreignConnection(const Connection& connection, std::string_view protocol) override {
        m_inventory.addForeign(connection, protocol);
    }
    void connectionEnded(const Connection& connection, KafkaConnectionId id) override {
        m_inventory.addEnd(connection, id, nullptr);
    }

  private:
    ConnectionInventory& m_inventory;
    ExchangeFactsReader m_facts;
};

TEST(ConnectionInventory, tellsWhoTalksToWhomWithWhat) {
    ConnectionInventory inventory(Protocol::builtin());
    Collecting sink(inventory);
    test::readCapture("samples/sasl.pcap", sink);
    std::uint64_t exchanges = 0, withErrors = 0;
    std::set<std::string> mechanisms, software;
    for (const auto& [id, seen] : inventory.connections()) {
        EXPECT_EQ(seen.protocol, "Kafka");
        EXPECT_EQ(seen.broker.port, 9094);
        EXPECT_NE(seen.id.value, 0u);
        exchanges += seen.exchanges;
        withErrors += seen.withErrors;
        mechanisms.insert(seen.saslMechanism);
        software.insert(seen.softwareName);
    }
    EXPECT_GT(exchanges, 50u);
    EXPECT_GT(withErrors, 0u);
    EXPECT_TRUE(mechanisms.contains("SCRAM-SHA-256"));
    EXPECT_TRUE(software.contains("apache-kafka-java"));
    EXPECT_EQ(inventory.leftOut(), 0u);
}

TEST(ConnectionInventory, tellsWhichVersionsTheBrokersOffered) {
    ConnectionInventory inventory(Protocol::builtin());
    Collecting sink(inventory);
    test::readCapture("samples/first-steps.pcap", sink);
    for (const auto& [id, seen] : inventory.connections())
        for (const auto& [key, version] : seen.apis) {
            const auto offered = inventory.offered(seen.broker, key);
            ASSERT_TRUE(offered) << key;
            EXPECT_LE(offered->least, version);
            EXPECT_GE(offered->most, version);
        }
    EXPECT_FALSE(inventory.offered({}, 0));
}

TEST(ConnectionInventory, namesWhatIsNotKafka) {
    ConnectionInventory inventory(Protocol::builtin());
    Connection connection;
    connection.id = ConnectionId{4};
    connection.first.port = 40000;
    connection.second.port = 9092;
    inventory.addForeign(connection, "HTTP");
    TlsFacts tls;
    tls.serverName = "kafka.example";
    inventory.addTls(connection, tls);
    ConnectionFacts facts;
    facts.from(Side::First).bytes = 120;
    inventory.addEnd(connection, {}, &facts);
    ASSERT_EQ(inventory.connections().size(), 1u);
    const SeenConnection& seen = inventory.connections().begin()->second;
    EXPECT_EQ(seen.protocol, "HTTP");
    EXPECT_FALSE(seen.id);
    EXPECT_EQ(seen.broker.port, 9092);
    EXPECT_EQ(seen.tls->serverName, "kafka.example");
    EXPECT_EQ(seen.tcp->from(seen.clientSide).bytes, 120u);
}

TEST(ConnectionInventory, aConnectionWithoutAWordIsNone) {
    ConnectionInventory inventory(Protocol::builtin());
    inventory.addEnd({}, {}, nullptr);
    EXPECT_TRUE(inventory.connections().empty());
}

} // namespace
} // namespace brokerscope
