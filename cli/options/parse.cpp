// SPDX-License-Identifier: Apache-2.0
#include "cli/options/parse.h"

#include "dissector/filter/filter_names.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>

namespace brokerscope {
namespace {

// Why a value does not fit; empty when it does.
using Complaint = std::string;

Complaint unknownWord(const OptionRow& row, std::string_view word, std::span<const std::string_view> words) {
    const auto near = nearest(word, {words.begin(), words.end()});
    if (!near.empty())
        return fmt::format("--{} knows no '{}'; did you mean {}?", row.name, word, fmt::join(near, " or "));
    return fmt::format("--{} knows no '{}'; it takes {}", row.name, word, fmt::join(words, ", "));
}

struct Setter {
    const OptionRow& row;
    Options& options;
    std::string_view value; // empty for a switch

    Complaint operator()(bool Options::*member) const {
        options.*member = true;
        return {};
    }

    Complaint operator()(std::string Options::*member) const {
        options.*member = value;
        return {};
    }

    Complaint operator()(std::vector<std::string> Options::*member) const {
        (options.*member).emplace_back(value);
        return {};
    }

    Complaint operator()(const Number& number) const {
        std::uint64_t n = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
        const bool whole = error == std::errc() && end == value.data() + value.size();
        if (whole && n >= number.least && n <= number.most) {
            number.set(options, n);
            return {};
        }
        return number.most == std::numeric_limits<std::uint64_t>::max()
                   ? fmt::format("--{} needs a whole number, not '{}'", row.name, value)
                   : fmt::format("--{} needs a number from {} to {}, not '{}'", row.name, number.least, number.most,
                                 value);
    }

    Complaint operator()(const Choice& choice) const {
        const auto found = std::ranges::find(choice.words, value);
        if (found == choice.words.end()) return unknownWord(row, value, choice.words);
        choice.set(options, static_cast<std::size_t>(found - choice.words.begin()));
        return {};
    }

    Complaint operator()(const Words& words) const {
        std::string_view rest = value;
        while (true) {
            const std::size_t comma = rest.find(',');
            const std::string_view word = rest.substr(0, comma);
            if (std::ranges::find(words.words, word) == words.words.end()) return unknownWord(row, word, words.words);
            (options.*words.member).emplace_back(word);
            if (comma == std::string_view::npos) return {};
            rest.remove_prefix(comma + 1);
        }
    }
};

// One CLI11 parser with the rows of one command.
class Parser {
  public:
    Parser(const CommandRow& command, Options& options) : m_command(command), m_options(options) {
        m_app.set_help_flag();
        m_app.allow_extras();
        for (const OptionRow* row : optionsOf(command.id))
            add(*row);
    }

    Complaint parse(std::span<const std::string> words) {
        const auto dashes = std::ranges::find(words, "--"); // behind it everything is an argument
        std::vector<std::string> reversed(words.begin(), dashes);
        std::ranges::reverse(reversed); // as CLI11 wants them
        try {
            m_app.parse(std::move(reversed));
        } catch (const CLI::ArgumentMismatch& error) {
            const std::string_view text = error.what();
            return fmt::format("{} needs a value; see {}", text.substr(0, text.find(':')), helpCommand());
        } catch (const CLI::ParseError& error) {
            return m_complaint.empty() ? fmt::format("{}; see {}", error.what(), helpCommand()) : m_complaint;
        }
        for (std::string& word : m_app.remaining()) {
            if (word.size() > 1 && word.front() == '-') return unknownOption(word);
            m_options.arguments.push_back(std::move(word));
        }
        if (dashes != words.end()) m_options.arguments.insert(m_options.arguments.end(), dashes + 1, words.end());
        return m_options.help || m_options.version || m_options.man ? Complaint() : checkCount();
    }

  private:
    void add(const OptionRow& row) {
        std::string names = fmt::format("--{}", row.name);
        if (row.letter) names += fmt::format(",-{}", row.letter);
        if (row.valueName.empty()) {
            m_app.add_flag_function(names, [this, &row](std::int64_t) { set(row, {}); });
            return;
        }
        auto take = [this, &row](const std::vector<std::string>& values) {
            for (const std::string& value : values)
                set(row, value);
        };
        m_app.add_option_function<std::vector<std::string>>(names, take)
            ->type_name(std::string(row.valueName))
            ->type_size(1)
            ->expected(1)
            ->allow_extra_args(false)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }

    void set(const OptionRow& row, std::string_view value) {
        m_complaint = std::visit(Setter{row, m_options, value}, row.target);
        if (!m_complaint.empty()) throw CLI::ValidationError(m_complaint);
    }

    Complaint unknownOption(std::string_view word) const {
        const std::string_view name = word.substr(0, word.find('='));
        std::vector<std::string> known;
        for (const OptionRow* row : optionsOf(m_command.id))
            known.emplace_back(row->name);
        const auto near = nearest(name.substr(name.find_first_not_of('-')), known);
        if (const auto others = commandsWith(name); !others.empty())
            return fmt::format("{} has no option {}; {} {} it", m_command.name, name, fmt::join(others, " and "),
                               others.size() == 1 ? "has" : "have");
        return near.empty() || !name.starts_with("--")
                   ? fmt::format("{} has no option {}; see {}", m_command.name, name, helpCommand())
                   : fmt::format("{} has no option {}; did you mean --{}?", m_command.name, name,
                                 fmt::join(near, " or --"));
    }

    static std::vector<std::string_view> commandsWith(std::string_view dashedName) {
        std::vector<std::string_view> names;
        for (const CommandRow& command : commandRows())
            for (const OptionRow* row : optionsOf(command.id))
                if (dashedName == fmt::format("--{}", row->name)) names.push_back(command.name);
        return names;
    }

    Complaint checkCount() const {
        const std::size_t count = m_options.arguments.size();
        if (count < m_command.least && m_options.interfaces.empty()) // a live capture takes the place of files
            return fmt::format("{} needs {}, for example: brokerscope {}", m_command.name, m_command.arguments,
                               m_command.example);
        if (count > m_command.most)
            return fmt::format("{} takes {} and nothing more, so '{}' is one too many", m_command.name,
                               m_command.arguments, m_options.arguments[m_command.most]);
        return {};
    }

    std::string helpCommand() const { return fmt::format("brokerscope help {}", m_command.name); }

    const CommandRow& m_command;
    Options& m_options;
    CLI::App m_app;
    Complaint m_complaint;
};

} // namespace

Result<Invocation> parse(std::span<const std::string> words) {
    Invocation invocation;
    if (words.empty())
        return Error{"no capture file given; for example: brokerscope capture.pcapng, or brokerscope --help", {}, {}};
    if (const CommandRow* command = commandNamed(words.front())) {
        invocation.command = command->id;
        invocation.commandTyped = true;
        words = words.subspan(1);
    }
    Parser parser(commandRow(invocation.command), invocation.options);
    Complaint complaint = parser.parse(words);
    if (!complaint.empty()) return Error{std::move(complaint), {}, {}};
    return invocation;
}

} // namespace brokerscope
