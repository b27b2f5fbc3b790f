// SPDX-License-Identifier: Apache-2.0
#include "cli/options/completions.h"

#include "cli/options/option_table.h"

#include <fmt/format.h>

namespace brokerscope {
namespace {

std::vector<std::string_view> commandNames() {
    std::vector<std::string_view> names;
    for (const CommandRow& row : commandRows())
        names.push_back(row.name);
    return names;
}

std::vector<std::string> spellings(CommandId id) {
    std::vector<std::string> result;
    for (const OptionRow* row : optionsOf(id)) {
        result.push_back(fmt::format("--{}", row->name));
        if (row->letter) result.push_back(fmt::format("-{}", row->letter));
    }
    return result;
}

std::vector<std::string_view> argumentWords(const CommandRow& row) {
    if (row.complete == Complete::Command) return commandNames();
    return {row.words.begin(), row.words.end()};
}

// Inside single quotes, for sh and zsh; fish has the same need with another escape.
std::string quoted(std::string_view text, std::string_view quote) {
    std::string result;
    for (const char c : text) {
        if (c == '\'')
            result += quote;
        else
            result += c;
    }
    return result;
}

// One case for each option with words, then one for each command.
std::string bash() {
    std::string text = "# bash completion for brokerscope: source it, or put it where bash-completion looks\n"
                       "_brokerscope() {\n"
                       "    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
                       "    local command=summary candidate\n"
                       "    COMPREPLY=()\n";
    text += fmt::format("    for candidate in {}; do\n"
                        "        [ \"${{COMP_WORDS[1]}}\" = \"$candidate\" ] && [ \"$COMP_CWORD\" -gt 1 ] && "
                        "command=\"$candidate\"\n    done\n",
                        fmt::join(commandNames(), " "));
    text += "    case \"$command $before\" in\n";
    for (const CommandRow& command : commandRows())
        for (const OptionRow* row : optionsOf(command.id))
            if (row->complete == Complete::Choices)
                text += fmt::format("        '{} --{}') COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                                    command.name, row->name, fmt::join(wordsOf(*row), " "));
    text += "    esac\n    case \"$command\" in\n";
    for (const CommandRow& row : commandRows())
        text += fmt::format("        {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n", row.name,
                            fmt::join(spellings(row.id), " "));
    text += "    esac\n    case \"$word\" in -*) return ;; esac\n    COMPREPLY=()\n"
            "    case \"$command\" in\n";
    for (const CommandRow& row : commandRows())
        if (const auto words = argumentWords(row); !words.empty())
            text += fmt::format("        {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n", row.name,
                                fmt::join(words, " "));
    text += fmt::format("        *) COMPREPLY=($(compgen -f -- \"$word\"))\n"
                        "           [ \"$COMP_CWORD\" -eq 1 ] && COMPREPLY+=($(compgen -W '{}' -- \"$word\")) ;;\n",
                        fmt::join(commandNames(), " "));
    text += "    esac\n}\ncomplete -o filenames -F _brokerscope brokerscope\n";
    return text;
}

std::string zshOption(const OptionRow& row) {
    std::string text(row.text);
    for (std::size_t at = 0; (at = text.find_first_of(":[]", at)) != std::string::npos; at += 2)
        text.insert(at, 1, '\\');
    std::string tail;
    if (!row.valueName.empty()) {
        tail = fmt::format(":{}:", row.valueName);
        if (row.complete == Complete::Choices) tail += fmt::format("({})", fmt::join(wordsOf(row), " "));
        if (row.complete == Complete::File) tail += "_files";
    }
    std::string lines = fmt::format("            '*--{}[{}]{}'", row.name, quoted(text, "'\\''"), tail);
    if (row.letter) lines += fmt::format(" \\\n            '*-{}[{}]{}'", row.letter, quoted(text, "'\\''"), tail);
    return lines;
}

std::string zsh() {
    std::string text = "#compdef brokerscope\n_brokerscope() {\n    local command=summary\n    local -a commands\n"
                       "    commands=(\n";
    for (const CommandRow& row : commandRows())
        text += fmt::format("        '{}:{}'\n", row.name, quoted(row.text, "'\\''"));
    text += fmt::format("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n    fi\n"
                        "    case \"$words[2]\" in\n        {}) (( CURRENT > 2 )) && {{ command=\"$words[2]\"; "
                        "shift words; (( CURRENT-- )); }} ;;\n    esac\n    case \"$command\" in\n",
                        fmt::join(commandNames(), "|"));
    for (const CommandRow& row : commandRows()) {
        text += fmt::format("        {}) _arguments -s", row.name);
        for (const OptionRow* option : optionsOf(row.id))
            text.append(" \\\n").append(zshOption(*option));
        if (const auto words = argumentWords(row); !words.empty())
            text += fmt::format(" \\\n            '*:{}:({})'", row.arguments.find('[') == 0 ? "word" : row.arguments,
                                fmt::join(words, " "));
        else if (row.complete == Complete::File)
            text += " \\\n            '*:file:_files'";
        text += " ;;\n";
    }
    // Found in $fpath it is the function itself, sourced it registers it.
    text += "    esac\n}\nif [ \"$funcstack[1]\" = _brokerscope ]; then\n    _brokerscope \"$@\"\nelse\n"
            "    compdef _brokerscope brokerscope\nfi\n";
    return text;
}

std::string fish() {
    std::string text = "# fish completion for brokerscope\n";
    const auto names = fmt::format("{}", fmt::join(commandNames(), " "));
    for (const CommandRow& row : commandRows())
        text += fmt::format("complete -c brokerscope -n '__fish_use_subcommand' -a {} -d '{}'\n", row.name,
                            quoted(row.text, "\\'"));
    for (const CommandRow& row : commandRows()) {
        // Options of the summary are there without its name too.
        const std::string when = row.id == CommandId::Summary ? fmt::format("not __fish_seen_subcommand_from {}",
                                                                            names.substr(names.find(' ') + 1))
                                                              : fmt::format("__fish_seen_subcommand_from {}", row.name);
        for (const OptionRow* option : optionsOf(row.id)) {
            text += fmt::format("complete -c brokerscope -n '{}' -l {}", when, option->name);
            if (option->letter) text += fmt::format(" -s {}", option->letter);
            if (!option->valueName.empty()) text += option->complete == Complete::File ? " -r" : " -x";
            if (option->complete == Complete::Choices)
                text += fmt::format(" -a '{}'", fmt::join(wordsOf(*option), " "));
            text += fmt::format(" -d '{}'\n", quoted(option->text, "\\'"));
        }
        if (const auto words = argumentWords(row); !words.empty())
            text += fmt::format("complete -c brokerscope -f -n '{}' -a '{}'\n", when, fmt::join(words, " "));
    }
    return text;
}

} // namespace

std::string completions(Shell shell) {
    switch (shell) {
    case Shell::Bash:
        return bash();
    case Shell::Zsh:
        return zsh();
    case Shell::Fish:
        return fish();
    }
    return {};
}

} // namespace brokerscope
