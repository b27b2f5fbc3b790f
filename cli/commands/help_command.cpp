// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/commands.h"
#include "cli/options/completions.h"
#include "cli/options/help.h"
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
    if (const CommandRow* command = commandNamed(options.arguments.front())) {
        console.out.write(commandHelp(command->id));
        return Ending::Done;
    }
    std::vector<std::string_view> names;
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
