// SPDX-License-Identifier: Apache-2.0
// `topics`: who writes and reads each topic, how much, and how far the readers are behind; with --details each
// partition and each client.
#include "cli/commands/analysis_sink.h"
#include "cli/commands/commands.h"
#include "cli/output/quantity_text.h"
#include "cli/output/report.h"
#include "cli/output/sections.h"
#include "cli/output/text_width.h"
#include "dissector/analysis/topic_inventory.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brokerscope {
namespace {

std::vector<ReportColumn> topicColumns() {
    return {{"topic", {"Topic", false, 10, 0, 1}},
            {"partitions", {"Parts", true}},
            {"producedRecords", {"Written", true}},
            {"producedBytes", {"Bytes", true, 0, 4}},
            {"producedRate", {"per s", true, 0, 5}},
            {"consumedRecords", {"Read", true}},
            {"consumedBytes", {"Bytes", true, 0, 4}},
            {"consumedRate", {"per s", true, 0, 5}},
            {"replicatedBytes", {"Replicated", true, 0, 6}},
            {"lag", {"Lag", true}},
            {"errors", {"Errors", true, 0, 1}},
            {"producers", {"Written by", false, 16, 0, 2}},
            {"consumers", {"Read by", false, 16, 0, 2}},
            {"partitioner", {"Partitioner", false, 0, 3}}};
}

std::vector<ReportColumn> partitionColumns() {
    return {{"topic", {"Topic", false, 10}},
            {"partition", {"Part", true}},
            {"leader", {"Leader", true}},
            {"leaderEpoch", {"Epoch", true, 0, 2}},
            {"replicas", {"Replicas"}},
            {"isr", {"ISR"}},
            {"producedRecords", {"Written", true}},
            {"consumedRecords", {"Read", true}},
            {"logStartOffset", {"Start", true, 0, 1}},
            {"highWatermark", {"High", true}},
            {"lag", {"Lag", true}},
            {"positions", {"Positions (lag)", false, 16, 0, 1, 0, true}},
            {"committed", {"Committed (lag)", false, 16, 0, 1, 0, true}}};
}

std::vector<ReportColumn> clientColumns() {
    return {{"topic", {"Topic", false, 10}},
            {"use", {"Use"}},
            {"clientId", {"Client id", false, 10}},
            {"software", {"Software", false, 10}},
            {"records", {"Records", true}},
            {"batches", {"Batches", true}},
            {"bytes", {"Bytes", true}},
            {"partitioner", {"Partitioner", false, 0, 1}}};
}

std::vector<ReportColumn> positionColumns() {
    return {{"topic", {}, true},    {"partition", {}, true}, {"group", {}, true}, {"clientId", {}, true},
            {"software", {}, true}, {"offset", {}, true},    {"lag", {}, true}};
}

ReportValue number(std::optional<std::int64_t> value) {
    return value ? ReportValue{*value} : ReportValue{};
}

ReportValue lagValue(std::optional<std::int64_t> lag) {
    return lag ? ReportValue{static_cast<std::uint64_t>(*lag), *lag == 0 ? Role::Good : Role::Warning} : ReportValue{};
}

std::vector<std::string> nodeTexts(const std::vector<std::int32_t>& nodes) {
    std::vector<std::string> texts;
    for (const std::int32_t node : nodes)
        texts.push_back(fmt::format("{}", node));
    return texts;
}

class TopicPrinter {
  public:
    TopicPrinter(const Options& options, Console& console, const CaptureSession& session,
                 const TopicInventory& inventory)
        : m_options(options), m_console(console), m_session(session), m_cluster(inventory.cluster()),
          m_topics(inventory.topics()), m_leftOut(inventory.leftOut()) {
        // Topics that are only known from Metadata come behind those that something went on in; for people, who may be
        // shown hundreds of them, they are counted where there are others.
        const bool all = options.format != Format::Table || options.details || m_topics.empty();
        for (const auto& [name, partitions] : m_cluster.topics) {
            if (!options.filter.empty() || name.empty() || m_topics.contains(name)) continue;
            if (all)
                m_topics.try_emplace(name);
            else
                ++m_onlyNamed;
        }
    }

    void print() {
        const bool table = m_options.format == Format::Table, json = m_options.format == Format::Ndjson;
        topics();
        if (json || (table && m_options.details)) partitions();
        if (json || (table && m_options.details)) clients();
        if (json) positions();
        if (m_onlyNamed != 0)
            printLine(m_console,
                      fmt::format("and {} that only Metadata names (--details)", countOf(m_onlyNamed, "topic")));
        if (table && m_leftOut != 0)
            printLine(m_console, fmt::format("{} could not be kept.", countOf(m_leftOut, "more entry")));
    }

  private:
    using Entry = std::map<std::string, TopicUse>::value_type;

    // Those with most records first, then by name.
    std::vector<const Entry*> ranked() const {
        std::vector<const Entry*> entries;
        for (const Entry& entry : m_topics)
            entries.push_back(&entry);
        const auto weight = [](const Entry* entry) {
            const TopicUse& use = entry->second;
            return use.produced.records + use.consumed.records;
        };
        std::ranges::stable_sort(entries, [&](const Entry* a, const Entry* b) { return weight(a) > weight(b); });
        return entries;
    }

    void topics() {
        const double seconds = std::chrono::duration<double>(m_session.lastPacket() - m_session.firstPacket()).count();
        const auto rate = [&](std::uint64_t count) {
            return seconds > 0 ? ReportValue{static_cast<double>(count) / seconds} : ReportValue{};
        };
        Report report(m_options, m_console, topicColumns(), m_session.firstPacket());
        for (const Entry* entry : ranked()) {
            const auto& [name, use] = *entry;
            report.add({{name, Role::Name},
                        {partitionCount(name, use)},
                        {use.produced.records},
                        {use.produced.bytes},
                        rate(use.produced.records),
                        {use.consumed.records},
                        {use.consumed.bytes},
                        rate(use.consumed.records),
                        {use.replicated.bytes},
                        lagValue(use.lag()),
                        {use.errors, use.errors == 0 ? Role::Dim : Role::Error},
                        {clientTexts(use.producers)},
                        {clientTexts(use.consumers)},
                        use.verdicts().empty() ? ReportValue{} : ReportValue{use.verdicts()}},
                       "topic");
        }
        report.finish();
    }

    std::uint64_t partitionCount(const std::string& name, const TopicUse& use) const {
        const auto known = m_cluster.topics.find(name);
        return std::max(use.partitions.size(), known == m_cluster.topics.end() ? 0 : known->second.size());
    }

    // For people the software, which is what many clients share; for programs everybody by client id too.
    std::vector<std::string> clientTexts(const std::map<TopicClient, RecordFlow>& clients) const {
        std::vector<std::string> texts;
        for (const auto& [client, flow] : clients) {
            const std::string who = client.clientId.empty() ? "(no client id)" : client.clientId;
            const bool people = m_options.format == Format::Table;
            texts.push_back(people || client.software.empty() ? who : fmt::format("{} ({})", who, client.software));
        }
        return texts;
    }

    void partitions() {
        section("Partitions");
        Report report(m_options, m_console, partitionColumns(), m_session.firstPacket());
        for (const Entry* entry : ranked()) {
            std::set<std::int32_t> numbers;
            for (const auto& [number, use] : entry->second.partitions)
                numbers.insert(number);
            const auto known = m_cluster.topics.find(entry->first);
            if (known != m_cluster.topics.end())
                for (const auto& [number, state] : known->second)
                    numbers.insert(number);
            for (const std::int32_t number : numbers)
                report.add(partitionValues(entry->first, entry->second, number), "partition");
        }
        report.finish();
    }

    // One row for each group and consumer of a partition, for programs.
    void positions() {
        Report report(m_options, m_console, positionColumns(), m_session.firstPacket());
        for (const Entry* entry : ranked())
            for (const auto& [number, use] : entry->second.partitions) {
                const auto add = [&](ReportValue group, ReportValue clientId, ReportValue software, std::int64_t at) {
                    report.add({{entry->first},
                                this->number(number),
                                std::move(group),
                                std::move(clientId),
                                std::move(software),
                                {at},
                                brokerscope::number(use.lagOf(at))},
                               "position");
                };
                for (const auto& [group, offset] : use.committed)
                    add({group}, {}, {}, offset);
                for (const auto& [client, position] : use.positions)
                    add({}, {client.clientId}, client.software.empty() ? ReportValue{} : ReportValue{client.software},
                        position);
            }
        report.finish();
    }

    std::vector<ReportValue> partitionValues(const std::string& topic, const TopicUse& all, std::int32_t number) const {
        static const PartitionUse unused;
        const auto found = all.partitions.find(number);
        const PartitionUse& use = found == all.partitions.end() ? unused : found->second;
        const PartitionState* state = nullptr;
        if (const auto known = m_cluster.topics.find(topic); known != m_cluster.topics.end())
            if (const auto at = known->second.find(number); at != known->second.end()) state = &at->second;
        const auto lagText = [&](std::int64_t position) {
            const auto lag = use.lagOf(position);
            return lag ? fmt::format("{} ({})", position, *lag) : fmt::format("{}", position);
        };
        std::vector<std::string> positions, committed;
        for (const auto& [client, position] : use.positions)
            if (m_options.format != Format::Table || !use.committing.contains(client))
                positions.push_back(fmt::format("{} {}", client.clientId, lagText(position)));
        for (const auto& [group, offset] : use.committed)
            committed.push_back(fmt::format("{} {}", group, lagText(offset)));
        return {{topic, Role::Name},
                this->number(number),
                state ? this->number(state->leader) : ReportValue{},
                state && state->leaderEpoch >= 0 ? this->number(state->leaderEpoch) : ReportValue{},
                state ? ReportValue{nodeTexts(state->replicas)} : ReportValue{},
                state ? ReportValue{nodeTexts(state->isr),
                                    state->isr.size() < state->replicas.size() ? Role::Warning : Role::Plain}
                      : ReportValue{},
                {use.produced.records},
                {use.consumed.records},
                brokerscope::number(use.logStart),
                brokerscope::number(use.highWatermark),
                lagValue(use.lag()),
                {std::move(positions)},
                {std::move(committed)}};
    }

    static ReportValue number(std::int32_t value) { return {std::int64_t{value}}; }

    void clients() {
        section("Clients");
        Report report(m_options, m_console, clientColumns(), m_session.firstPacket());
        for (const Entry* entry : ranked())
            for (const auto& [use, map] :
                 {std::pair{"writes", &entry->second.producers}, {"reads", &entry->second.consumers}})
                for (const auto& [client, flow] : *map)
                    report.add({{entry->first, Role::Name},
                                {std::string(use)},
                                {client.clientId},
                                client.software.empty() ? ReportValue{} : ReportValue{client.software},
                                {flow.records},
                                {flow.batches},
                                {flow.bytes},
                                partitionerOf(entry->second, client, use)},
                               "client");
        report.finish();
    }

    static ReportValue partitionerOf(const TopicUse& topic, const TopicClient& client, std::string_view use) {
        const auto found = topic.partitioners.find(client);
        if (use != "writes" || found == topic.partitioners.end() || found->second.verdict().empty()) return {};
        return {std::string(found->second.verdict())};
    }

    void section(std::string_view title) {
        if (m_options.format == Format::Table) printSection(m_console, title);
    }

    const Options& m_options;
    Console& m_console;
    const CaptureSession& m_session;
    const Cluster& m_cluster;
    std::map<std::string, TopicUse> m_topics;
    std::uint64_t m_leftOut;
    std::size_t m_onlyNamed = 0;
};

} // namespace

Ending runTopics(const Options& options, Console& console) {
    CaptureSession session(options, console);
    TopicInventory inventory(*console.protocol);
    AnalysisSink sink(options, console, session, [&](const ExchangeFacts& facts) { inventory.add(facts); });
    return sink.run([&] { TopicPrinter(options, console, session, inventory).print(); });
}

} // namespace brokerscope
