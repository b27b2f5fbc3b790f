// SPDX-License-Identifier: Apache-2.0
// `groups`: the members, rebalances, assignments and commits of each group in the order of time.
#include "cli/commands/analysis_sink.h"
#include "cli/commands/commands.h"
#include "cli/commands/member_text.h"
#include "cli/commands/partition_text.h"
#include "cli/output/quantity_text.h"
#include "cli/output/report.h"
#include "cli/output/sections.h"
#include "cli/output/text_width.h"
#include "dissector/analysis/group_timeline.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

std::vector<ReportColumn> memberColumns() {
    return {{"group", {"Group", false, 8}},
            {"member", {"Member", false, 12, 0, 1}},
            {"clientId", {"Client id", false, 8, 0, 1}},
            {"instanceId", {"Instance", false, 8, 2, 1}},
            {"address", {"Address", false, 0, 3}},
            {"software", {"Software", false, 8, 1, 1}},
            {"firstTime", {"From", true}},
            {"lastTime", {"To", true}},
            {"gone", {"Gone"}}};
}

std::vector<ReportColumn> eventColumns() {
    return {{"group", {"Group", false, 8}},
            {"time", {"Time", true}},
            {"exchange", {"No", true, 0, 2}},
            {"event", {"Event"}},
            {"generation", {"Gen", true}},
            {"member", {"Member", false, 10}},
            {"tookMs", {}, true},
            {"times", {}, true},
            {"text", {"What", false, 24, 0, 1, 0, true}},
            {"partitions", {}, true},
            {"acquired", {}, true},
            {"accepted", {}, true},
            {"released", {}, true},
            {"rejected", {}, true},
            {"renewed", {}, true},
            {"error", {}, true},
            {"errorCode", {}, true}};
}

std::vector<ReportColumn> groupColumns() {
    return {{"group", {"Group"}},          {"kind", {"Kind"}},
            {"protocolType", {"Type"}},    {"assignor", {"Assignor"}},
            {"coordinator", {"Broker"}},   {"generation", {"Gen"}},
            {"members", {"Members"}},      {"rebalances", {"Rebalances"}},
            {"rebalancingMs", {"Length"}}, {"commits", {"Commits"}},
            {"failures", {"Failures"}},    {"leftOut", {"Left out"}}};
}

// Table columns without the ones that stand in the heading or are empty anyway.
template<class Columns>
Columns without(Columns columns, std::initializer_list<std::string_view> names) {
    std::erase_if(columns,
                  [&](const ReportColumn& column) { return std::ranges::find(names, column.name) != names.end(); });
    return columns;
}

class GroupPrinter {
  public:
    GroupPrinter(const Options& options, Console& console, const CaptureSession& session, const GroupTimeline& timeline)
        : m_options(options), m_console(console), m_session(session), m_timeline(timeline) {}

    void print() {
        if (m_options.format == Format::Table) return forPeople();
        Report groups(m_options, m_console, groupColumns(), m_session.firstPacket());
        Report members(m_options, m_console, memberColumns(), m_session.firstPacket());
        Report events(m_options, m_console, eventColumns(), m_session.firstPacket());
        const bool json = m_options.format == Format::Ndjson;
        for (const auto& [id, group] : m_timeline.groups) {
            if (json) {
                groups.add(groupValues(id, group), "group");
                for (const auto& [member, known] : group.members)
                    members.add(memberValues(id, member, known), "member");
            }
            for (const GroupEvent& event : group.events)
                events.add(eventValues(id, event), "event");
        }
        if (!json) events.finish();
    }

  private:
    static std::vector<ReportValue> groupValues(const std::string& id, const Group& group) {
        return {{id},
                {std::string(name(group.kind))},
                optionalText(group.protocolType),
                optionalText(group.assignor),
                group.coordinator ? ReportValue{toString(*group.coordinator)} : ReportValue{},
                group.generation ? ReportValue{std::int64_t{*group.generation}} : ReportValue{},
                {std::uint64_t{group.members.size()}},
                {group.rebalances},
                {group.rebalancing},
                {group.commits},
                {group.failures},
                {group.leftOut}};
    }

    std::vector<ReportValue> memberValues(const std::string& id, const std::string& member,
                                          const GroupMember& known) const {
        const int digits = m_session.timeDigits();
        return {{id},
                {m_options.format == Format::Table ? memberText(member) : member, Role::Name},
                optionalText(known.clientId),
                optionalText(known.instanceId),
                {toString(known.address)},
                optionalText(known.software),
                {ReportTime{known.first, digits}},
                {ReportTime{known.last, digits}},
                {known.gone}};
    }

    std::vector<ReportValue> eventValues(const std::string& id, const GroupEvent& event) const {
        const bool people = m_options.format == Format::Table;
        const ErrorCode* error = event.error ? Protocol::builtin().error(event.error) : nullptr;
        return {{id},
                {ReportTime{event.time, m_session.timeDigits()}},
                {static_cast<std::int64_t>(event.exchange.value), Role::Dim},
                {std::string(name(event.kind)), roleOf(event.kind)},
                event.generation ? ReportValue{std::int64_t{*event.generation}} : ReportValue{},
                people ? ReportValue{memberText(event.member), Role::Name} : optionalText(event.member),
                event.kind == GroupEventKind::Rebalance ? ReportValue{event.took} : ReportValue{},
                {event.times},
                people ? ReportValue{whatText(event)} : optionalText(event.text),
                optionalText(event.kind == GroupEventKind::Committed
                                 ? fmt::format("{}", fmt::join(offsetTexts(event), " "))
                                 : partitionsText(event.partitions)),
                amount(event.records.acquired),
                amount(event.records.accepted),
                amount(event.records.released),
                amount(event.records.rejected),
                amount(event.records.renewed),
                event.error ? ReportValue{error ? error->name : fmt::format("{}", event.error)} : ReportValue{},
                event.error ? ReportValue{std::int64_t{event.error}} : ReportValue{}};
    }

    static ReportValue amount(std::uint64_t count) { return count == 0 ? ReportValue{} : ReportValue{count}; }

    static ReportValue optionalText(const std::string& text) {
        return text.empty() ? ReportValue{} : ReportValue{text};
    }

    static Role roleOf(GroupEventKind kind) {
        switch (kind) {
        case GroupEventKind::Failed:
            return Role::Error;
        case GroupEventKind::Lost:
            return Role::Warning;
        case GroupEventKind::Rebalance:
            return Role::Heading;
        case GroupEventKind::Committed:
        case GroupEventKind::Acknowledged:
        case GroupEventKind::MustRejoin:
            return Role::Dim;
        default:
            return Role::Plain;
        }
    }

    static bool isFolded(const GroupEvent& event) {
        return event.kind == GroupEventKind::Committed || event.kind == GroupEventKind::Acknowledged;
    }

    // The commits of a member in a generation as one event, where the last of them stands; so its acknowledgements.
    static std::vector<GroupEvent> withCommitsTogether(const std::vector<GroupEvent>& events) {
        using Committer = std::pair<std::string, std::optional<std::int32_t>>;
        std::map<Committer, std::size_t> last;
        std::map<Committer, GroupEvent> sums;
        for (std::size_t i = 0; i < events.size(); ++i) {
            const GroupEvent& event = events[i];
            if (!isFolded(event)) continue;
            const Committer committer{event.member, event.generation};
            last[committer] = i;
            const auto [sum, isFirst] = sums.try_emplace(committer, event);
            if (!isFirst) sum->second = together(std::move(sum->second), event);
        }
        std::vector<GroupEvent> result;
        for (std::size_t i = 0; i < events.size(); ++i) {
            const Committer committer{events[i].member, events[i].generation};
            if (!isFolded(events[i]))
                result.push_back(events[i]);
            else if (last.at(committer) == i)
                result.push_back(std::move(sums.at(committer)));
        }
        return result;
    }

    // "orders-0@15", "orders-1@20"
    static std::vector<std::string> offsetTexts(const GroupEvent& event) {
        std::vector<std::string> texts;
        std::size_t at = 0;
        for (const AssignedPartitions& topic : event.partitions)
            for (const std::int32_t partition : topic.partitions) {
                const std::int64_t offset = at < event.offsets.size() ? event.offsets[at] : -1;
                texts.push_back(fmt::format("{}-{}@{}", topic.topic, partition, offset));
                ++at;
            }
        return texts;
    }

    // "20 records acquired, 18 accepted, 2 released"
    static std::string recordsText(const ShareRecords& records) {
        std::string text;
        const auto tell = [&](std::uint64_t count, std::string_view what) {
            if (count == 0) return;
            const std::string amount = text.empty() ? countOf(count, "record") : ", " + grouped(count);
            text += fmt::format("{} {}", amount, what);
        };
        tell(records.acquired, "acquired");
        tell(records.accepted, "accepted");
        tell(records.released, "released");
        tell(records.rejected, "rejected");
        tell(records.renewed, "renewed");
        return text;
    }

    // One sentence for the table, with everything that has a column of its own elsewhere.
    static std::string whatText(const GroupEvent& event) {
        const std::string offsets = partitionsForPeople(offsetTexts(event));
        switch (event.kind) {
        case GroupEventKind::Rebalance:
            return fmt::format("took {}: {}", durationText(event.took), withShortIds(event.text));
        case GroupEventKind::Assigned: {
            const std::string partitions = partitionsText(event.partitions);
            return partitions.empty() ? "nothing" : partitions;
        }
        case GroupEventKind::Committed:
            return event.times == 1 ? offsets : fmt::format("{} times, at last {}", grouped(event.times), offsets);
        case GroupEventKind::Failed: {
            const ErrorCode* error = Protocol::builtin().error(event.error);
            return fmt::format("{}: {} {}", event.text, event.error, error ? error->name : "");
        }
        case GroupEventKind::Lost:
            return "not in this generation any more, and did not leave";
        case GroupEventKind::Acknowledged:
            return recordsText(event.records);
        case GroupEventKind::MustRejoin:
            return event.times == 1 ? std::string() : fmt::format("told {} times", grouped(event.times));
        default:
            return event.text;
        }
    }

    void forPeople() {
        bool first = true;
        for (const auto& [id, group] : m_timeline.groups) {
            if (!first) m_console.out.endLine();
            first = false;
            heading(id, group);
            Report members(m_options, m_console, without(memberColumns(), {"group"}), m_session.firstPacket(), 2);
            for (const auto& [member, known] : group.members) {
                auto values = memberValues(id, member, known);
                values.erase(values.begin());
                members.add(values);
            }
            members.finish();
            m_console.out.endLine();
            Report events(m_options, m_console, without(eventColumns(), {"group"}), m_session.firstPacket(), 2);
            for (const GroupEvent& event : m_options.details ? group.events : withCommitsTogether(group.events)) {
                auto values = eventValues(id, event);
                values.erase(values.begin());
                events.add(values);
            }
            events.finish();
            if (group.leftOut != 0) printLine(m_console, fmt::format("  and {}", countOf(group.leftOut, "more event")));
        }
        if (m_timeline.leftOut != 0) printLine(m_console, "More groups than can be kept; the rest is left out.");
    }

    void heading(const std::string& id, const Group& group) {
        std::string kind(name(group.kind));
        if (!group.protocolType.empty() && group.protocolType != kind) kind += fmt::format(" ({})", group.protocolType);
        if (!group.assignor.empty()) kind += fmt::format(", {}", group.assignor);
        printLine(m_console,
                  fmt::format("{}: {}", m_console.style(Role::Heading, fmt::format("Group {}", printable(id))),
                              printable(kind)));
        std::string counts =
            fmt::format("{}, {}", countOf(group.members.size(), "member"), countOf(group.rebalances, "rebalance"));
        if (group.rebalances != 0) counts += fmt::format(" ({} in all)", durationText(group.rebalancing));
        counts += fmt::format(", {}", countOf(group.commits, "commit"));
        if (group.failures != 0) counts += fmt::format(", {}", countOf(group.failures, "failure"));
        if (group.coordinator) counts += fmt::format("; coordinator {}", toString(*group.coordinator));
        const std::size_t width = m_console.width ? m_console.width - 2 : counts.size();
        printLine(m_console, "  " + wrapText(counts, width, 2));
    }

    const Options& m_options;
    Console& m_console;
    const CaptureSession& m_session;
    const GroupTimeline& m_timeline;
};

} // namespace

Ending runGroups(const Options& options, Console& console) {
    CaptureSession session(options, console);
    GroupCollector collector(*console.protocol);
    AnalysisSink sink(options, console, session, [&](const ExchangeFacts& facts) { collector.add(facts); });
    return sink.run([&] {
        const GroupTimeline timeline = collector.timeline();
        GroupPrinter(options, console, session, timeline).print();
        if (timeline.groups.empty() && options.format == Format::Table)
            console.messages.note("no group shows in this capture");
    });
}

} // namespace brokerscope
