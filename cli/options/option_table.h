// SPDX-License-Identifier: Apache-2.0
// The one table of commands and the one table of options. The parser, help, the man page and the shell completions read
// these rows and nothing else; an option is added by adding its row (and its member in Options).
// Memory: static constant data. Threads: any.
#pragma once

#include "cli/options/options.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace brokerscope {

enum class CommandId : std::uint8_t {
    Summary,
    List,
    Show,
    Records,
    Stats,
    Connections,
    Topics,
    Groups,
    Transactions,
    Cluster,
    Check,
    Join,
    Flow,
    Export,
    Capture,
    Interfaces,
    Decode,
    Completions,
    Help
};

// A set of commands, one bit each.
using CommandSet = std::uint32_t;
constexpr CommandSet in(CommandId command) {
    return CommandSet{1} << static_cast<unsigned>(command);
}

// What a shell should offer for a value.
enum class Complete : std::uint8_t { Nothing, File, Choices, Command };

// The heading under which help lists an option.
enum class OptionGroup : std::uint8_t { Input, Live, Selection, Output, Decoding, General };

// One of several words; `set` takes the index of the word.
struct Choice {
    std::span<const std::string_view> words;
    void (*set)(Options&, std::size_t);
};

// A number within bounds; `set` is called with a value inside them.
struct Number {
    std::uint64_t least, most;
    void (*set)(Options&, std::uint64_t);
};

// Some of several words, separated by commas; may be given several times.
struct Words {
    std::vector<std::string> Options::*member;
    std::span<const std::string_view> words;
};

// std::vector: may be given several times.
using Target =
    std::variant<bool Options::*, std::string Options::*, std::vector<std::string> Options::*, Number, Choice, Words>;

struct OptionRow {
    std::string_view name;      // "keylog": typed as --keylog
    char letter;                // 'q': typed as -q; 0 when there is none
    std::string_view valueName; // "FILE"; empty for a switch
    OptionGroup group;
    Complete complete;
    CommandSet commands;
    std::string_view text; // what it does; begins with a small letter, no full stop
    Target target;
};

struct CommandRow {
    CommandId id;
    std::string_view name;
    std::string_view arguments;              // "FILE..."
    std::string_view text;                   // one line for the list of commands
    std::string_view details;                // what help COMMAND adds; paragraphs separated by an empty line
    std::size_t least, most;                 // how many arguments there may be
    Complete complete;                       // of the arguments
    std::span<const std::string_view> words; // for Complete::Choices
    std::string_view example;                // without "brokerscope "
};

std::span<const CommandRow> commandRows();
std::span<const OptionRow> optionRows();
std::string_view heading(OptionGroup group);

const CommandRow& commandRow(CommandId id);
const CommandRow* commandNamed(std::string_view name);
std::vector<const OptionRow*> optionsOf(CommandId id);           // in the order of the table
std::span<const std::string_view> shellNames();                  // in the order of Shell
std::span<const std::string_view> wordsOf(const OptionRow& row); // empty unless it takes words of a list

} // namespace brokerscope
