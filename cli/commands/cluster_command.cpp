// SPDX-License-Identifier: Apache-2.0
// `cluster`: the brokers as Metadata names them, what changed while the capture ran (leaders, ISR), and the elections
// of the KRaft quorum.
#include "cli/commands/analysis_sink.h"
#include "cli/commands/commands.h"
#include "cli/output/quantity_text.h"
#include "cli/output/report.h"
#include "cli/output/sections.h"
#include "cli/output/text_width.h"
#include "dissector/analysis/cluster_map.h"

#include <fmt/format.h>

#include <set>

namespace brokerscope {
namespace {

std::vector<ReportColumn> brokerColumns() {
    return {{"broker", {"Broker", true}}, {"host", {"Host", false, 10}}, {"port", {"Port", true}}, {"rack", {"Rack"}},
            {"leads", {"Leads", true}},   {"holds", {"Holds", true}},    {"fenced", {"Fenced"}}};
}

std::vector<ReportColumn> changeColumns() {
    return {{"time", {"Time", true}},
            {"exchange", {"No", true, 0, 1}},
            {"change", {"Change"}},
            {"topic", {"Topic", false, 10}},
            {"partition", {"Part", true}},
            {"epoch", {"Epoch", true}},
            {"text", {"What", false, 30, 0, 1, 0, true}}};
}

class ClusterPrinter {
  public:
    ClusterPrinter(const Options& options, Console& console, const CaptureSession& session, const Cluster& cluster)
        : m_options(options), m_console(console), m_session(session), m_cluster(cluster) {}

    void print() {
        const bool table = m_options.format == Format::Table;
        if (table) heading();
        if (m_options.format != Format::Csv) brokers();
        if (table && !m_cluster.changes.empty()) m_console.out.endLine();
        changes();
        if (table && m_cluster.leftOut != 0)
            printLine(m_console, fmt::format("{} could not be kept.", countOf(m_cluster.leftOut, "more entry")));
    }

  private:
    void heading() {
        const std::string id = m_cluster.clusterId.empty() ? "Cluster" : fmt::format("Cluster {}", m_cluster.clusterId);
        std::size_t partitions = 0;
        for (const auto& [topic, states] : m_cluster.topics)
            partitions += states.size();
        std::string text = m_console.style(Role::Heading, printable(id));
        text += fmt::format(": {}, {}, {}", countOf(m_cluster.brokers.size(), "broker"),
                            countOf(m_cluster.topics.size(), "topic"), countOf(partitions, "partition"));
        printLine(m_console, text);
        if (m_cluster.quorumLeader)
            printLine(m_console,
                      fmt::format("KRaft: node {} leads in epoch {}; {}, {} asked for", *m_cluster.quorumLeader,
                                  *m_cluster.quorumEpoch, countOf(m_cluster.elections, "election"),
                                  countOf(m_cluster.votes, "vote")));
    }

    void brokers() {
        std::map<std::int32_t, std::uint64_t> leads, holds;
        for (const auto& [topic, states] : m_cluster.topics)
            for (const auto& [number, state] : states) {
                ++leads[state.leader];
                for (const std::int32_t node : state.replicas)
                    ++holds[node];
            }
        Report report(m_options, m_console, brokerColumns(), m_session.firstPacket());
        for (const auto& [id, broker] : m_cluster.brokers)
            report.add({{std::int64_t{id}},
                        {broker.host, Role::Name},
                        {std::int64_t{broker.port}},
                        broker.rack.empty() ? ReportValue{} : ReportValue{broker.rack},
                        {leads[id]},
                        {holds[id]},
                        {broker.fenced, broker.fenced ? Role::Warning : Role::Dim}},
                       "broker");
        report.finish();
    }

    void changes() {
        Report report(m_options, m_console, changeColumns(), m_session.firstPacket());
        for (const ClusterChange& change : m_cluster.changes)
            report.add({{ReportTime{change.time, m_session.timeDigits()}},
                        {static_cast<std::int64_t>(change.exchange.value), Role::Dim},
                        {std::string(name(change.kind))},
                        change.topic.empty() ? ReportValue{} : ReportValue{change.topic, Role::Name},
                        change.partition ? ReportValue{std::int64_t{*change.partition}} : ReportValue{},
                        change.epoch ? ReportValue{std::int64_t{*change.epoch}} : ReportValue{},
                        {change.text}},
                       "change");
        report.finish();
    }

    const Options& m_options;
    Console& m_console;
    const CaptureSession& m_session;
    const Cluster& m_cluster;
};

} // namespace

Ending runCluster(const Options& options, Console& console) {
    CaptureSession session(options, console);
    ClusterMap map(*console.protocol);
    AnalysisSink sink(options, console, session, [&](const ExchangeFacts& facts) { map.add(facts); });
    return sink.run([&] { ClusterPrinter(options, console, session, map.cluster()).print(); });
}

} // namespace brokerscope
