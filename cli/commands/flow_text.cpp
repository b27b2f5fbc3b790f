// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/flow_text.h"

#include "cli/output/text_width.h"
#include "cli/output/time_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

using Kind = FlowEvent::Kind;

// One character each, by what it is for.
struct Signs {
    std::string_view lane, line, cross, fromRight, fromLeft, toRight, toLeft, lost;
};
constexpr Signs utf8{"│", "─", "┼", "├", "┤", "▶", "◀", "✕"};
constexpr Signs ascii{"|", "-", "+", "|", "|", ">", "<", "x"};

bool isAnswer(const FlowEvent& event) {
    return event.kind == Kind::Answer || event.kind == Kind::ErrorAnswer;
}

Role roleOf(Kind kind) {
    switch (kind) {
    case Kind::ErrorAnswer:
        return Role::Error;
    case Kind::RequestWithoutAnswer:
        return Role::Warning;
    case Kind::Answer:
        return Role::Dim;
    case Kind::Request:
        break;
    }
    return Role::Plain;
}

class Ladder {
  public:
    Ladder(const Flow& flow, const Options& options, Timestamp start, std::size_t width, Console& console)
        : m_flow(flow), m_signs(options.ascii ? ascii : utf8),
          m_times(options.time.value_or(TimeFormat::Relative), start), m_width(width), m_console(console) {
        for (const FlowEvent& event : flow.events)
            m_exchangeWidth = std::max(m_exchangeWidth, fmt::format("{}", event.exchange.value).size());
        if (!flow.events.empty()) {
            std::string sample;
            TimePrinter(options.time.value_or(TimeFormat::Relative), start)
                .append(sample, flow.events.back().time, flow.events.back().timeDigits);
            m_timeWidth = std::max(m_timeWidth, sample.size());
        }
        const std::size_t left = m_timeWidth + m_exchangeWidth + 4;
        const std::size_t lanes = flow.lanes.size();
        const std::size_t forText = std::max<std::size_t>(26, width / 2);
        const std::size_t room = width > left + forText ? width - left - forText : 0;
        m_pitch = lanes == 0 ? most : std::clamp(room / lanes, least, most);
    }

    void print() {
        legend();
        head();
        for (const FlowEvent& event : m_flow.events)
            row(event);
    }

  private:
    static constexpr std::size_t least = 3, most = 12; // columns from lane to lane

    void line(const std::string& text) {
        m_console.out.buffer() += text;
        m_console.out.endLine();
    }

    void legend() {
        for (const FlowLane& lane : m_flow.lanes)
            line(fmt::format("  {} {}", m_console.style(Role::Heading, fmt::format("{:<3}", lane.tag)),
                             elided(printable(lane.name), m_width > 6 ? m_width - 6 : m_width)));
        line({});
    }

    void head() {
        std::string text = fmt::format("{:>{}}  {:>{}}  ", "time", m_timeWidth, "#", m_exchangeWidth);
        for (const FlowLane& lane : m_flow.lanes)
            text += fmt::format("{:<{}}", elided(lane.tag, m_pitch), m_pitch);
        while (text.back() == ' ')
            text.pop_back();
        line(m_console.style(Role::Dim, text));
    }

    void row(const FlowEvent& event) {
        std::string time;
        m_times.append(time, event.time, event.timeDigits);
        std::string text = m_console.style(Role::Dim, fmt::format("{:>{}}", time, m_timeWidth));
        const std::string number = isAnswer(event) ? std::string() : fmt::format("{}", event.exchange.value);
        text += fmt::format("  {:>{}}  ", number, m_exchangeWidth);
        text += arrow(event);
        const std::size_t used = m_timeWidth + m_exchangeWidth + 4 + m_pitch * m_flow.lanes.size();
        const std::size_t room = m_width > used ? m_width - used : 0;
        text += m_console.style(roleOf(event.kind), elided(printable(event.text), std::max<std::size_t>(room, 12)));
        line(text);
    }

    // All lanes, with the arrow over those in between.
    std::string arrow(const FlowEvent& event) const {
        const std::size_t left = std::min(event.from, event.to), right = std::max(event.from, event.to);
        const bool toRight = event.to > event.from;
        std::string text;
        for (std::size_t i = 0; i < m_flow.lanes.size(); ++i) {
            const bool inside = i >= left && i < right;
            if (i == left)
                text += toRight ? m_signs.fromRight : m_signs.toLeft;
            else if (i == right)
                text += !toRight                                   ? m_signs.fromLeft
                        : event.kind == Kind::RequestWithoutAnswer ? m_signs.lost
                                                                   : m_signs.toRight;
            else
                text += inside ? m_signs.cross : m_signs.lane;
            for (std::size_t k = 1; k < m_pitch; ++k)
                text += inside ? m_signs.line : std::string_view(" ");
        }
        return text;
    }

    const Flow& m_flow;
    Signs m_signs;
    TimePrinter m_times;
    std::size_t m_width, m_timeWidth = 8, m_exchangeWidth = 3, m_pitch = most;
    Console& m_console;
};

// One line, without what ends a line or starts something else in the diagram languages.
std::string oneLine(const std::string& text) {
    std::string clean;
    for (const char c : printable(text))
        clean += c == ';' || c == '#' || c == '\n' || c == '"' ? ' ' : c;
    return clean;
}

std::string numbered(const FlowEvent& event) {
    return isAnswer(event) ? oneLine(event.text) : fmt::format("{}. {}", event.exchange.value, oneLine(event.text));
}

} // namespace

void printLadder(const Flow& flow, const Options& options, Timestamp start, std::size_t width, Console& console) {
    Ladder(flow, options, start, width, console).print();
}

std::string mermaidText(const Flow& flow) {
    std::string text = "sequenceDiagram\n";
    for (const FlowLane& lane : flow.lanes)
        text += fmt::format("    participant {} as {}\n", lane.tag, oneLine(lane.name));
    for (const FlowEvent& event : flow.events) {
        const std::string_view sign = event.kind == Kind::Request       ? "->>"
                                      : event.kind == Kind::Answer      ? "-->>"
                                      : event.kind == Kind::ErrorAnswer ? "--x"
                                                                        : "-x";
        text += fmt::format("    {}{}{}: {}\n", flow.lanes[event.from].tag, sign, flow.lanes[event.to].tag,
                            numbered(event));
    }
    return text;
}

std::string plantUmlText(const Flow& flow) {
    std::string text = "@startuml\n";
    for (const FlowLane& lane : flow.lanes)
        text += fmt::format("participant \"{}\" as {}\n", oneLine(lane.name), lane.tag);
    for (const FlowEvent& event : flow.events) {
        const std::string_view sign = event.kind == Kind::Request       ? "->"
                                      : event.kind == Kind::Answer      ? "-->"
                                      : event.kind == Kind::ErrorAnswer ? "-[#red]->"
                                                                        : "->x";
        text +=
            fmt::format("{} {} {} : {}\n", flow.lanes[event.from].tag, sign, flow.lanes[event.to].tag, numbered(event));
    }
    return text + "@enduml\n";
}

} // namespace brokerscope
