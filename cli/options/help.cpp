// SPDX-License-Identifier: Apache-2.0
#include "cli/options/help.h"

#include "cli/output/text_width.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brokerscope {
namespace {

constexpr std::size_t pageWidth = 80;
constexpr std::size_t optionColumn = 26; // where the text of an option begins

constexpr std::string_view tagline = "see the Apache Kafka protocol in a packet capture";
constexpr std::string_view inputNote =
    "FILE is a pcap or pcapng capture, plain or compressed with gzip or zstd; several files are read as one capture, "
    "and - is standard input.";

constexpr auto exitRows = std::to_array<std::pair<int, std::string_view>>({
    {0, "done"},
    {1, "check found something"},
    {2, "wrong usage, or nothing could be read"},
    {3, "the input was damaged or cut: what could be read was processed, and a line on standard error says what was "
        "lost"},
});

constexpr auto groups = {OptionGroup::Input,    OptionGroup::Live,   OptionGroup::Selection,
                         OptionGroup::Decoding, OptionGroup::Output, OptionGroup::General};

// "-q, --quiet" or "    --port N"
std::string spelling(const OptionRow& row) {
    std::string text = row.letter ? fmt::format("-{}, --{}", row.letter, row.name) : fmt::format("    --{}", row.name);
    if (!row.valueName.empty()) text += fmt::format(" {}", row.valueName);
    return text;
}

std::string describe(const OptionRow& row) {
    const auto words = wordsOf(row);
    return words.empty() ? std::string(row.text) : fmt::format("{} ({})", row.text, fmt::join(words, ", "));
}

std::string optionLines(const OptionRow& row) {
    std::string line = fmt::format("  {}", spelling(row));
    if (line.size() + 2 > optionColumn)
        line += '\n' + std::string(optionColumn, ' ');
    else
        line.resize(optionColumn, ' ');
    return line + wrapText(describe(row), pageWidth - optionColumn, optionColumn) + '\n';
}

std::string usage(const CommandRow& command) {
    return fmt::format("brokerscope {} {} [OPTIONS]", command.name, command.arguments);
}

// In roff a dash is a hyphen unless it is escaped, and a line must not begin with a dot.
std::string roff(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '-' || c == '\\') result += '\\';
        if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
        result += c;
    }
    return result;
}

std::string roffOption(const OptionRow& row) {
    std::string head = row.letter ? fmt::format("\\fB\\-{}\\fR, ", row.letter) : std::string();
    head += fmt::format("\\fB\\-\\-{}\\fR", roff(row.name));
    if (!row.valueName.empty()) head += fmt::format(" \\fI{}\\fR", roff(row.valueName));
    return fmt::format(".TP\n{}\n{}\n", head, roff(describe(row)));
}

} // namespace

std::string overviewHelp(std::string_view version) {
    std::string text = fmt::format("brokerscope {}: {}\n\n", version, tagline);
    text += "Usage: brokerscope FILE...                what is in the capture\n"
            "       brokerscope COMMAND [ARGUMENTS] [OPTIONS]\n\nCommands:\n";
    for (const CommandRow& row : commandRows())
        text += fmt::format("  {:<12} {}\n", row.name, wrapText(row.text, pageWidth - 15, 15));
    text += fmt::format("\n{}\n\nExit status:\n", wrapText(inputNote, pageWidth, 0));
    for (const auto& [status, meaning] : exitRows)
        text += fmt::format("  {}  {}\n", status, wrapText(meaning, pageWidth - 5, 5));
    text += "\nOptions and examples of a command: brokerscope help COMMAND\n"
            "The names of -Y/--filter: brokerscope help filter\n"
            "What check looks for: brokerscope help findings\n";
    return text;
}

std::string commandHelp(CommandId id) {
    const CommandRow& command = commandRow(id);
    std::string text = fmt::format("{}\n\n{}\n", usage(command), wrapText(command.text, pageWidth, 0));
    if (!command.details.empty()) text += fmt::format("\n{}\n", wrapText(command.details, pageWidth, 0));
    if (command.complete == Complete::File) text += fmt::format("\n{}\n", wrapText(inputNote, pageWidth, 0));
    const auto options = optionsOf(id);
    for (const OptionGroup group : groups) {
        if (std::ranges::none_of(options, [&](const OptionRow* row) { return row->group == group; })) continue;
        text += fmt::format("\n{}:\n", heading(group));
        for (const OptionRow* row : options)
            if (row->group == group) text += optionLines(*row);
    }
    text += fmt::format("\nExample:\n  brokerscope {}\n", command.example);
    return text;
}

std::string manualPage(std::string_view version) {
    std::string text = fmt::format(".TH BROKERSCOPE 1 \"\" \"brokerscope {}\" \"User Commands\"\n"
                                   ".SH NAME\nbrokerscope \\- {}\n.SH SYNOPSIS\n.B brokerscope\n.I FILE...\n",
                                   version, roff(tagline));
    for (const CommandRow& row : commandRows())
        text += fmt::format(".br\n.B brokerscope {}\n.I {}\n", row.name, roff(row.arguments));
    text += fmt::format(".SH DESCRIPTION\n{}\n.SH COMMANDS\n", roff(inputNote));
    for (const CommandRow& row : commandRows()) {
        text += fmt::format(".SS {} {}\n{}.\n", row.name, roff(row.arguments), roff(row.text));
        if (!row.details.empty()) text += fmt::format(".PP\n{}\n", roff(row.details));
        for (const OptionRow* option : optionsOf(row.id))
            text += roffOption(*option);
        text += fmt::format(".PP\nExample:\n.PP\n.EX\nbrokerscope {}\n.EE\n", roff(row.example));
    }
    text += ".SH EXIT STATUS\n";
    for (const auto& [status, meaning] : exitRows)
        text += fmt::format(".TP\n.B {}\n{}\n", status, roff(meaning));
    text += ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nwhen set, no colour is used unless \\-\\-color always asks for it\n";
    return text;
}

} // namespace brokerscope
