// SPDX-License-Identifier: Apache-2.0
// `connections`: one line a connection, Kafka or not.
#include "cli/commands/analysis_sink.h"
#include "cli/commands/commands.h"
#include "cli/commands/summary_tls.h"
#include "cli/output/quantity_text.h"
#include "cli/output/report.h"
#include "cli/output/sections.h"
#include "cli/output/text_width.h"
#include "dissector/analysis/connection_inventory.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

class ConnectionsSink final : public AnalysisSink {
  public:
    ConnectionsSink(const Options& options, Console& console, CaptureSession& session, ConnectionInventory& inventory)
        : AnalysisSink(options, console, session, [&inventory](const ExchangeFacts& facts) { inventory.add(facts); }),
          m_session(session), m_inventory(inventory) {}

    void foreignConnection(const Connection& connection, std::string_view protocol) override {
        m_inventory.addForeign(connection, protocol);
    }
    void tlsSeen(const Connection& connection, KafkaConnectionId, const TlsFacts& facts) override {
        m_inventory.addTls(connection, facts);
    }
    void connectionEnded(const Connection& connection, KafkaConnectionId id) override {
        m_inventory.addEnd(connection, id, m_session.facts(connection.id));
    }

  private:
    const CaptureSession& m_session;
    ConnectionInventory& m_inventory;
};

std::vector<ReportColumn> columns() {
    return {
        {"connection", {"No", true}},
        {"start", {"Time", true, 0, 9}},
        {"seconds", {"Seconds", true, 0, 10}},
        {"client", {"Client", false, 15, 0, 2}},
        {"clientIds", {"Client id", false, 10, 0, 3}},
        {"software", {"Software", false, 16, 3, 4}},
        {"broker", {"Broker", false, 15, 0, 1}},
        {"protocol", {"Protocol"}},
        {"tls", {"TLS", false, 0, 5}},
        {"sasl", {"SASL", false, 0, 6}},
        {"exchanges", {"Exchanges", true}},
        {"errors", {"Errors", true}},
        {"unanswered", {"No answer", true, 0, 7}},
        {"clientBytes", {"Sent", true, 0, 4}},
        {"brokerBytes", {"Received", true, 0, 4}},
        {"roundTripMs", {"Round trip", true, 0, 8}},
        {"retransmitted", {"Again", true, 0, 2}},
        {"lostBytes", {"Lost", true, 0, 1}},
        {"zeroWindows", {"Zero win", true, 0, 11}},
        {"resets", {"Resets", true, 0, 12}},
        {"apis", {"APIs", false, 12, 13, 5}},
        {"offered", {}, true},
    };
}

std::vector<ReportColumn> clientColumns() {
    return {{"clientId", {"Client id", false, 10, 0, 2}},
            {"software", {"Software", false, 16, 0, 1}},
            {"connections", {"Connections", true}},
            {"apis", {"API versions (of those offered)", false, 24, 0, 3, 0, true}}};
}

class ConnectionsPrinter {
  public:
    ConnectionsPrinter(const Options& options, Console& console, const CaptureSession& session)
        : m_options(options), m_console(console), m_session(session), m_onlyUsed(!options.filter.empty()),
          m_report(options, console, columns(), session.firstPacket()) {}

    void print(const ConnectionInventory& inventory) {
        m_allKafka =
            std::ranges::all_of(inventory.connections(), [](const auto& entry) { return bool(entry.second.id); });
        for (const auto& [id, seen] : inventory.connections()) {
            if (m_report.full()) break;
            if (!m_onlyUsed || seen.exchanges != 0) m_report.add(row(seen, inventory));
        }
        m_report.finish();
        if (m_options.format == Format::Table && m_options.details) clients(inventory);
        if (inventory.leftOut() != 0)
            m_console.messages.note(fmt::format("more than {} connections: the rest was left out",
                                                grouped(ConnectionInventory::maxConnections)));
    }

  private:
    static ReportValue amount(std::uint64_t count, Role role = Role::Plain) {
        return {count, count == 0 ? Role::Dim : role};
    }
    static ReportValue text(const std::string& text, Role role = Role::Plain) {
        return text.empty() ? ReportValue{} : ReportValue{text, role};
    }

    struct Client {
        std::uint64_t connections = 0;
        std::map<std::pair<std::int16_t, std::int16_t>, std::optional<ConnectionInventory::VersionRange>> apis;
    };

    // Clients by id and software, with the versions that they settled on.
    void clients(const ConnectionInventory& inventory) {
        std::map<std::pair<std::string, std::string>, Client> clients;
        for (const auto& [id, seen] : inventory.connections()) {
            if (seen.exchanges == 0) continue;
            const std::string who = seen.clientIds.empty() ? std::string() : *seen.clientIds.begin();
            Client& client = clients[{who, softwareOf(seen)}];
            ++client.connections;
            for (const auto& api : seen.apis)
                if (auto& offer = client.apis[api]; !offer) offer = inventory.offered(seen.broker, api.first);
        }
        if (clients.empty()) return;
        printSection(m_console, "Clients");
        Report report(m_options, m_console, clientColumns(), m_session.firstPacket());
        for (const auto& [who, client] : clients) {
            std::vector<std::string> apis;
            for (const auto& [api, offer] : client.apis)
                apis.push_back(versionText(api, offer));
            report.add({{who.first, Role::Name}, text(who.second), {client.connections}, {apis}});
        }
        report.finish();
    }

    std::string versionText(std::pair<std::int16_t, std::int16_t> api,
                            const std::optional<ConnectionInventory::VersionRange>& offer) const {
        const std::string used = fmt::format("{} v{}", m_console.protocol->api(api.first)->name, api.second);
        return offer ? fmt::format("{} ({}-{})", used, offer->least, offer->most) : used;
    }

    static std::string softwareOf(const SeenConnection& seen) {
        std::string software = seen.softwareName;
        if (!seen.softwareVersion.empty()) software += " " + seen.softwareVersion;
        return software;
    }

    std::vector<ReportValue> row(const SeenConnection& seen, const ConnectionInventory& inventory) const {
        const Side client = seen.clientSide;
        const StreamFacts none;
        const StreamFacts& sent = seen.tcp ? seen.tcp->from(client) : none;
        const StreamFacts& received = seen.tcp ? seen.tcp->from(other(client)) : none;
        const auto trip = seen.tcp ? seen.tcp->roundTrip() : std::nullopt;
        const double seconds =
            seen.tcp ? std::chrono::duration<double>(seen.tcp->lastTime - seen.tcp->firstTime).count() : 0;
        return {seen.id ? ReportValue{static_cast<std::int64_t>(seen.id.value)} : ReportValue{},
                {ReportTime{seen.start, m_session.timeDigits()}},
                {seconds},
                {toString(seen.client)},
                {std::vector<std::string>(seen.clientIds.begin(), seen.clientIds.end()), Role::Name},
                text(softwareOf(seen)),
                {toString(seen.broker)},
                protocolOf(seen),
                text(tlsText(seen)),
                text(seen.saslMechanism),
                amount(seen.exchanges),
                amount(seen.withErrors, Role::Error),
                amount(seen.unanswered, Role::Warning),
                amount(sent.bytes),
                amount(received.bytes),
                trip ? ReportValue{*trip} : ReportValue{},
                amount(sent.retransmittedSegments + received.retransmittedSegments, Role::Warning),
                amount(sent.lostBytes + received.lostBytes, Role::Warning),
                amount(sent.zeroWindows + received.zeroWindows, Role::Warning),
                amount(std::uint64_t{sent.resets} + received.resets, Role::Warning),
                {apis(seen)},
                offered(seen, inventory)};
    }

    // People are spared a column that says Kafka and nothing else.
    ReportValue protocolOf(const SeenConnection& seen) const {
        if (m_allKafka && m_options.format == Format::Table) return {};
        return text(seen.protocol.empty() ? "unknown" : seen.protocol, seen.id ? Role::Plain : Role::Warning);
    }

    static std::string tlsText(const SeenConnection& seen) {
        if (!seen.tls) return {};
        if (seen.tls->version == 0) return "no answer to the hello";
        return fmt::format("{} {}", tlsVersionName(seen.tls->version), seen.tls->cipherName);
    }

    std::vector<std::string> apis(const SeenConnection& seen) const {
        std::vector<std::string> result;
        for (const auto& [key, version] : seen.apis)
            result.push_back(fmt::format("{} v{}", m_console.protocol->api(key)->name, version));
        return result;
    }

    // "Fetch 4-18": what the broker has of the apis that are used here.
    ReportValue offered(const SeenConnection& seen, const ConnectionInventory& inventory) const {
        std::vector<std::string> result;
        for (const auto& [key, version] : seen.apis)
            if (const auto offer = inventory.offered(seen.broker, key))
                result.push_back(
                    fmt::format("{} {}-{}", m_console.protocol->api(key)->name, offer->least, offer->most));
        return result.empty() ? ReportValue{} : ReportValue{std::move(result)};
    }

    const Options& m_options;
    Console& m_console;
    const CaptureSession& m_session;
    bool m_allKafka = false;
    bool m_onlyUsed; // with -Y: connections without a fitting exchange are left out
    Report m_report;
};

} // namespace

Ending runConnections(const Options& options, Console& console) {
    CaptureSession session(options, console);
    ConnectionInventory inventory(*console.protocol);
    ConnectionsSink sink(options, console, session, inventory);
    return sink.run([&] { ConnectionsPrinter(options, console, session).print(inventory); });
}

} // namespace brokerscope
