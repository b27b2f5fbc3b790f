// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/check_screen.h"

#include "cli/output/quantity_text.h"
#include "cli/output/text_width.h"
#include "cli/output/time_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brokerscope {
namespace {

constexpr std::size_t mostOfAKind = 4; // subjects shown of one kind
constexpr std::array<std::pair<Aspect, std::string_view>, 3> sections{
    {{Aspect::Fails, "Why it fails"}, {Aspect::Slow, "Why it is slow"}, {Aspect::Risk, "What may hurt later"}}};

Role roleOf(Severity severity) {
    return severity == Severity::Error ? Role::Error : severity == Severity::Warning ? Role::Warning : Role::Dim;
}

class Screen {
  public:
    Screen(const CheckFrame& frame, Console& console)
        : m_frame(frame), m_console(console),
          m_width(console.width != 0 ? std::clamp<std::size_t>(console.width, 40, 120) : 100) {}

    void print(const std::vector<Finding>& findings) {
        head(findings);
        for (const auto& [aspect, title] : sections) {
            std::vector<const Finding*> here;
            for (const Finding& finding : findings)
                if (finding.kind->aspect == aspect) here.push_back(&finding);
            if (here.empty()) continue;
            line();
            line(m_console.style(Role::Heading, title));
            while (!here.empty())
                printKind(here);
        }
    }

  private:
    void line(const std::string& text = {}) {
        m_console.out.buffer() += text;
        m_console.out.endLine();
    }

    void head(const std::vector<Finding>& findings) {
        std::vector<std::string> parts;
        for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
            const auto count = static_cast<std::uint64_t>(std::ranges::count(findings, severity, &Finding::severity));
            if (count != 0) parts.push_back(countOf(count, name(severity)));
        }
        std::string text = m_console.style(Role::Heading, printable(m_frame.files));
        text += fmt::format(": {} in {}, {}",
                            parts.empty() ? fmt::format("nothing of level {}", name(m_frame.level))
                                          : fmt::format("{}", fmt::join(parts, ", ")),
                            countOf(m_frame.exchanges, "exchange"), durationText(m_frame.last - m_frame.first));
        line(text);
        if (m_frame.below != 0)
            line(m_console.style(Role::Dim,
                                 fmt::format("{} below this level: --level note shows {}",
                                             countOf(m_frame.below, "finding"), m_frame.below == 1 ? "it" : "them")));
    }

    // The first kind of the list with all of its findings, which leave the list.
    void printKind(std::vector<const Finding*>& findings) {
        const FindingKind* const kind = findings.front()->kind;
        const Severity severity = findings.front()->severity; // sorted: the gravest
        line();
        std::string title = "  " + m_console.style(roleOf(severity), fmt::format("{:<8}", name(severity)));
        title += m_console.style(Role::Name, kind->title) + m_console.style(Role::Dim, fmt::format("  {}", kind->name));
        line(title);
        std::size_t shown = 0, more = 0;
        for (const Finding* finding : findings) {
            if (finding->kind != kind) continue;
            if (shown++ < mostOfAKind)
                printFinding(*finding, severity);
            else
                ++more;
        }
        if (more != 0) text("- ", fmt::format("and {} more of this kind: --format ndjson lists all", more), Role::Dim);
        text("Why: ", std::string(kind->why), Role::Plain);
        text("Do:  ", std::string(kind->advice), Role::Plain);
        std::erase_if(findings, [kind](const Finding* finding) { return finding->kind == kind; });
    }

    void printFinding(const Finding& finding, Severity ofKind) {
        std::string sentence = printable(finding.subject) + ": " + printable(finding.seen);
        if (finding.severity != ofKind) sentence += fmt::format(" ({})", name(finding.severity));
        if (!finding.exchanges.empty()) {
            constexpr std::size_t few = 4;
            std::vector<std::uint64_t> ids;
            for (const ExchangeId id : finding.exchanges)
                if (ids.size() < few) ids.push_back(id.value);
            sentence += fmt::format("; exchange{} {}{}", ids.size() == 1 ? "" : "s", fmt::join(ids, ", "),
                                    finding.count > ids.size() && ids.size() == few ? ", …" : "");
        }
        if (finding.first > m_frame.first)
            sentence += fmt::format("; from {} on", durationText(finding.first - m_frame.first));
        text("- ", sentence, Role::Plain);
    }

    void text(std::string_view lead, const std::string& sentence, Role role) {
        constexpr std::size_t margin = 10;
        const std::size_t indent = margin + lead.size();
        std::string out(margin, ' ');
        out += m_console.style(Role::Dim, lead);
        out += m_console.style(role, wrapText(sentence, m_width - indent, indent));
        line(out);
    }

    const CheckFrame& m_frame;
    Console& m_console;
    std::size_t m_width;
};

} // namespace

void printFindingsScreen(const std::vector<Finding>& findings, const CheckFrame& frame, Console& console) {
    Screen(frame, console).print(findings);
}

} // namespace brokerscope
