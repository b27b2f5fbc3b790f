// SPDX-License-Identifier: Apache-2.0
// The summary as one JSON object: nothing is cut, names are those of `list --format ndjson` where there are such.
#include "cli/commands/summary_screen.h"
#include "cli/commands/summary_tls.h"
#include "dissector/schema/protocol.h"
#include "dissector/wire/json_line.h"

namespace brokerscope {
namespace {

class SummaryWriter {
  public:
    SummaryWriter(const Protocol& protocol, const TrafficSummary& summary, const CaptureFrame& frame)
        : m_protocol(protocol), m_summary(summary), m_frame(frame) {}

    std::string_view write() {
        m_json.writer().StartObject();
        capture();
        counts();
        apis();
        brokers();
        clients();
        topics();
        errors();
        damage();
        writeTlsSummary(m_summary.tls, m_json);
        foreign();
        m_json.writer().EndObject();
        return m_json.text();
    }

  private:
    void capture() {
        strings("files", m_frame.files);
        number("packets", m_frame.info.packets);
        number("capturedBytes", m_frame.info.capturedBytes);
        number("cutPackets", m_frame.info.cutPackets);
        number("droppedPackets", m_frame.info.dropped());
        if (m_frame.info.packets == 0) return;
        m_json.time("firstPacketTime", m_frame.first, m_frame.timeDigits);
        m_json.time("lastPacketTime", m_frame.last, m_frame.timeDigits);
    }

    void counts() {
        number("exchanges", m_summary.exchanges);
        number("connections", m_summary.kafkaConnections);
        number("exchangesWithErrors", m_summary.withErrors);
        number("damagedExchanges", m_summary.damaged);
        m_json.object("byStatus", [&] {
            for (std::size_t i = 0; i < m_summary.byStatus.size(); ++i)
                number(name(static_cast<ExchangeStatus>(i)), m_summary.byStatus[i]);
        });
    }

    void apis() {
        m_json.array("apis", m_summary.apis, [&](const auto& entry) {
            const auto& [apiKey, row] = entry;
            api(apiKey);
            m_json.key("versions");
            m_json.writer().StartArray();
            for (const std::int16_t version : row.versions)
                m_json.writer().Int(version);
            m_json.writer().EndArray();
            number("exchanges", row.exchanges);
            number("withErrors", row.withErrors);
            number("unanswered", row.unanswered);
            number("waitedByDesign", row.waitedByDesign);
            number("requestBytes", row.requestBytes);
            number("responseBytes", row.responseBytes);
            latency(row.latency);
        });
    }

    void brokers() {
        m_json.array("brokers", m_summary.brokers, [&](const auto& entry) {
            m_json.string("address", toString(entry.first));
            number("exchanges", entry.second.exchanges);
            number("withErrors", entry.second.errors);
            number("bytes", entry.second.bytes);
            latency(entry.second.latency);
        });
    }

    void clients() {
        m_json.array("clients", m_summary.clients, [&](const auto& entry) {
            m_json.string("clientId", entry.first.clientId);
            m_json.string("softwareName", entry.first.softwareName);
            m_json.string("softwareVersion", entry.first.softwareVersion);
            number("exchanges", entry.second.exchanges);
            addresses("addresses", entry.second.addresses);
        });
    }

    void topics() {
        m_json.array("topics", m_summary.topics, [&](const auto& entry) {
            m_json.string("name", entry.first);
            number("produces", entry.second.produces);
            number("fetches", entry.second.fetches);
            number("others", entry.second.others);
        });
    }

    void errors() {
        m_json.array("errors", m_summary.errors, [&](const auto& entry) {
            m_json.number("code", entry.first);
            if (const ErrorCode* error = m_protocol.error(entry.first)) {
                m_json.string("name", error->name);
                m_json.boolean("retriable", error->retriable);
            }
            number("exchanges", entry.second.exchanges);
            number("firstExchange", entry.second.first.value);
        });
    }

    void damage() {
        m_json.object("problems", [&] {
            for (const auto& [kind, count] : m_summary.problems)
                number(row(kind).name, count);
        });
        number("lostBytes", m_summary.lostBytes);
        number("garbageBytes", m_summary.garbageBytes);
    }

    void foreign() {
        m_json.array("notKafka", m_summary.foreign, [&](const auto& entry) {
            m_json.string("protocol", entry.first);
            number("connections", entry.second.connections);
            addresses("servers", entry.second.servers);
        });
    }

    void api(std::int16_t apiKey) {
        m_json.number("apiKey", apiKey);
        if (const Api* known = m_protocol.api(apiKey)) m_json.string("api", known->name);
    }

    void latency(const LatencyHistogram& histogram) {
        if (histogram.count() == 0) return;
        m_json.object("latencyMs", [&] {
            m_json.milliseconds("min", histogram.least());
            for (const auto& [label, share] : {std::pair{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}})
                m_json.milliseconds(label, histogram.percentile(share));
            m_json.milliseconds("max", histogram.most());
            m_json.milliseconds("mean", histogram.mean());
        });
    }

    template<class Set>
    void addresses(std::string_view name, const Set& set) {
        std::vector<std::string> texts;
        for (const auto& address : set)
            texts.push_back(toString(address));
        strings(name, texts);
    }

    void strings(std::string_view name, const std::vector<std::string>& values) {
        m_json.key(name);
        m_json.writer().StartArray();
        for (const std::string& value : values)
            m_json.value(value);
        m_json.writer().EndArray();
    }

    void number(std::string_view name, std::uint64_t value) { m_json.number(name, static_cast<std::int64_t>(value)); }

    const Protocol& m_protocol;
    const TrafficSummary& m_summary;
    const CaptureFrame& m_frame;
    JsonLine m_json;
};

} // namespace

void printSummaryJson(const Protocol& protocol, const TrafficSummary& summary, const CaptureFrame& frame,
                      OutputFile& out) {
    out.buffer() += SummaryWriter(protocol, summary, frame).write();
    out.endLine();
}

} // namespace brokerscope
