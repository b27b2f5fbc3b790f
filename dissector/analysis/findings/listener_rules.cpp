// SPDX-License-Identifier: Apache-2.0
// Whether clients can use the addresses that brokers name, and what else speaks to brokers' ports.
#include "dissector/analysis/findings/finding_rule.h"

#include <fmt/format.h>

#include <arpa/inet.h>

#include <set>

namespace brokerscope {
namespace {

using enum FindingId;

// None for names: only a resolver knows what they mean.
std::optional<Address> literalAddress(const std::string& host) {
    Address address;
    if (::inet_pton(AF_INET, host.c_str(), address.bytes.data()) == 1) return address;
    address.v6 = true;
    if (::inet_pton(AF_INET6, host.c_str(), address.bytes.data()) == 1) return address;
    return std::nullopt;
}

bool isLoopback(const Address& address) {
    constexpr std::uint8_t network = 127;
    Address v6Loopback{{}, true};
    v6Loopback.bytes[15] = 1;
    return address.v6 ? address == v6Loopback : address.bytes[0] == network;
}

class AdvertisedListenerRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        const Exchange& exchange = seen.exchange();
        Client* client = m_clients[exchange.client.address];
        if (!client) return;
        if (client->name.empty()) client->name = seen.client();
        if (client->used.size() < mostPlaces) client->used.insert(exchange.broker);
        if (!seen.is(apikey::Metadata) || !exchange.response) return;
        client->answers.add(exchange);
        client->asked = exchange.broker;
        for (const FieldView& broker : seen.response()["brokers"].entries())
            note(*client, exchange, broker["host"].text(), static_cast<std::uint16_t>(broker["port"].number(0)));
    }

    void connection(const SeenConnection& seen, FindingReport&) override {
        if (seen.kafka || !seen.facts || seen.facts->from(Side::Second).bytes != 0) return;
        if (Client* client = m_clients.find(seen.connection.first.address))
            if (client->failed.size() < mostPlaces) client->failed.insert(seen.connection.second);
    }

    void finish(FindingReport& report) override {
        for (auto& [address, client] : m_clients) {
            if (client.answers.count == 0) continue;
            if (!client.loopbackNamed.empty()) {
                report.add(AdvertisedListener, client.name,
                           fmt::format("Metadata from {} names {}, which for this client is itself",
                                       toString(client.asked), client.loopbackNamed),
                           client.answers);
                continue;
            }
            if (client.named.empty() || client.namesByName) continue;
            judge(report, client);
        }
    }

  private:
    static constexpr std::size_t mostPlaces = 256;
    struct Client {
        std::string name, loopbackNamed;
        Occurrences answers;
        Endpoint asked;
        std::set<Endpoint> named, used, failed;
        bool namesByName = false;
    };

    static void note(Client& client, const Exchange& exchange, const std::string& host, std::uint16_t port) {
        const auto address = host == "localhost" ? literalAddress("127.0.0.1") : literalAddress(host);
        if (!address) {
            client.namesByName = true;
            return;
        }
        if (isLoopback(*address) && !isLoopback(exchange.broker.address) &&
            exchange.broker.address != exchange.client.address)
            client.loopbackNamed = fmt::format("{}:{}", host, port);
        if (client.named.size() < mostPlaces) client.named.insert({*address, port});
    }

    // The client got no Kafka out of any of the named places, though it tried one or had no other choice.
    static void judge(FindingReport& report, const Client& client) {
        FewTexts named, failed;
        for (const Endpoint& place : client.named) {
            if (client.used.contains(place)) return;
            named.add(toString(place));
            if (client.failed.contains(place)) failed.add(toString(place));
        }
        const bool tried = !failed.empty();
        report.add(AdvertisedListener, client.name,
                   fmt::format("Metadata from {} names {}; the client {}", toString(client.asked), named.joined(),
                               tried ? "could not connect to " + failed.joined() : "connected to none of them"),
                   client.answers, tried ? std::nullopt : std::optional(Severity::Note));
    }

    Slots<Address, Client> m_clients;
};

class ForeignRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        if (m_brokers.size() < mostBrokers) m_brokers.insert(seen.exchange().broker);
    }
    void foreign(const Connection& connection, std::string_view protocol, FindingReport&) override {
        if (protocol == "TLS") return; // the TLS rules tell more
        Foreign* foreign = m_foreign[{connection.second, std::string(protocol)}];
        if (!foreign) return;
        ++foreign->occurrences.count;
        foreign->occurrences.at(connection.start);
        foreign->clients.add(toString(connection.first.address));
    }
    void finish(FindingReport& report) override {
        for (auto& [key, foreign] : m_foreign) {
            constexpr std::uint16_t usualPort = 9092;
            if (!m_brokers.contains(key.first) && key.first.port != usualPort) continue;
            report.add(NotKafka, toString(key.first),
                       fmt::format("{} of {} from {}", counted(foreign.occurrences.count, "connection"),
                                   key.second.empty() ? "bytes that are no protocol known here" : key.second,
                                   foreign.clients.joined()),
                       foreign.occurrences);
        }
    }

  private:
    static constexpr std::size_t mostBrokers = 4096;
    struct Foreign {
        Occurrences occurrences;
        FewTexts clients;
    };
    std::set<Endpoint> m_brokers;
    Slots<std::pair<Endpoint, std::string>, Foreign> m_foreign;
};

} // namespace

void addListenerRules(FindingRules& rules) {
    rules.push_back(std::make_unique<AdvertisedListenerRule>());
    rules.push_back(std::make_unique<ForeignRule>());
}

} // namespace brokerscope
