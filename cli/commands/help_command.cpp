// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/commands.h"
#include "cli/options/completions.h"
#include "cli/options/help.h"
#include "cli/output/text_width.h"
#include "dissector/analysis/findings/finding.h"
#include "dissector/filter/filter_names.h"

#include <fmt/format.h>

namespace brokerscope {
namespace {

Ending unknown(Console& console, std::string_view what, std::string_view word,
               std::span<const std::string_view> known) {
    const auto near = nearest(word, {known.begin(), known.end()});
    console.messages.error(
        near.empty() ? fmt::format("{} '{}' is not known; there are {}", what, word, fmt::join(known, ", "))
                     : fmt::format("{} '{}' is not known; did you mean {}?", what, word, fmt::join(near, " or ")));
    return Ending::Unusable;
}

// The names of the display filter, from the table that its compiler uses.
std::string filterHelp() {
    std::string text = "The display filter (-Y) has Wireshark's grammar:\n\n"
                       "  name                     it is there             api == Fetch and error\n"
                       "  == != < <= > >=          compare                 latency > 100ms\n"
                       "  contains, matches        text, regular expression (RE2, case does not matter)\n"
                       "  in {A, B, LOW..HIGH}     one of these            port in {9092, 9094..9097}\n"
                       "  and && or || not ! ( )   put together            error and not retriable\n\n"
                       "A name may stand for several values, as the topics of a Fetch: a test holds when it holds\n"
                       "for one of them. Units: ns us ms s min h, B kB MB GB KiB MiB GiB; without one, times are\n"
                       "milliseconds (time: seconds).\n\nNames, with an example each:\n";
    for (const FilterNameRow& row : filterNames()) {
        const std::string name = row.name.back() == '.' ? std::string(row.name) + "PATH" : std::string(row.name);
        text += fmt::format("\n  {:<17} {}\n  {:<17}   -Y '{}'\n", name, row.help, "", row.example);
    }
    return text;
}

// The kinds of findings, from the table that the rules use.
std::string findingsHelp() {
    std::string text =
        "What check looks for. The level is the usual one: a single case of what also happens in healthy\n"
        "clusters is only a note.\n";
    for (const FindingKind& kind : findingKinds()) {
        text += fmt::format("\n  {}  ({}, {})\n", kind.name, name(kind.severity), name(kind.aspect));
        for (const std::string_view line : {kind.title, kind.why, kind.advice})
            text += "      " + wrapText(line, 80 - 6, 6) + '\n';
    }
    return text;
}

} // namespace

Ending runHelp(const Options& options, Console& console) {
    if (options.man) {
        console.out.write(manualPage(BROKERSCOPE_VERSION));
        return Ending::Done;
    }
    if (options.arguments.empty()) {
        console.out.write(overviewHelp(BROKERSCOPE_VERSION));
        return Ending::Done;
    }
    if (options.arguments.front() == "filter") {
        console.out.write(filterHelp());
        return Ending::Done;
    }
    if (options.arguments.front() == "findings") {
        console.out.write(findingsHelp());
        return Ending::Done;
    }
    if (const CommandRow* command = commandNamed(options.arguments.front())) {
        console.out.write(commandHelp(command->id));
        return Ending::Done;
    }
    std::vector<std::string_view> names{"filter", "findings"};
    for (const CommandRow& row : commandRows())
        names.push_back(row.name);
    return unknown(console, "the command", options.arguments.front(), names);
}

Ending runCompletions(const Options& options, Console& console) {
    const std::string& name = options.arguments.front();
    const auto shells = shellNames();
    for (std::size_t i = 0; i < shells.size(); ++i) {
        if (shells[i] != name) continue;
        console.out.write(completions(static_cast<Shell>(i)));
        return Ending::Done;
    }
    return unknown(console, "the shell", name, shells);
}

} // namespace brokerscope
