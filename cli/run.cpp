// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include "cli/commands/commands.h"
#include "cli/options/help.h"
#include "cli/options/parse.h"
#include "dissector/filter/filter_names.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace brokerscope {
namespace {

Ending runCommand(const Invocation& invocation, Console& console) {
    const Options& options = invocation.options;
    switch (invocation.command) {
    case CommandId::Summary:
        return runSummary(options, console);
    case CommandId::List:
        return runList(options, console);
    case CommandId::Show:
        return runShow(options, console);
    case CommandId::Records:
        return runRecords(options, console);
    case CommandId::Check:
        return runCheck(options, console);
    case CommandId::Join:
        return runJoin(options, console);
    case CommandId::Flow:
        return runFlow(options, console);
    case CommandId::Export:
        return runExport(options, console);
    case CommandId::Stats:
        return runStats(options, console);
    case CommandId::Connections:
        return runConnections(options, console);
    case CommandId::Topics:
        return runTopics(options, console);
    case CommandId::Groups:
        return runGroups(options, console);
    case CommandId::Transactions:
        return runTransactions(options, console);
    case CommandId::Cluster:
        return runCluster(options, console);
    case CommandId::Capture:
        return runCapture(options, console);
    case CommandId::Interfaces:
        return runInterfaces(options, console);
    case CommandId::Decode:
        return runDecode(options, console);
    case CommandId::Completions:
        return runCompletions(options, console);
    case CommandId::Help:
        return runHelp(options, console);
    }
    return Ending::Unusable;
}

// `brokerscope lsit cap.pcap` takes "lsit" for a file; a word that is no file but almost a command gets a hint.
std::string mistypedCommand(const Invocation& invocation) {
    if (invocation.commandTyped || invocation.options.arguments.empty()) return {};
    const std::string& word = invocation.options.arguments.front();
    if (word == "-" || ::access(word.c_str(), F_OK) == 0) return {};
    std::vector<std::string> names;
    for (const CommandRow& row : commandRows())
        names.emplace_back(row.name);
    const auto near = nearest(word, names);
    return near.empty()
               ? std::string()
               : fmt::format("'{}' is neither a command nor a file; did you mean {}?", word, fmt::join(near, " or "));
}

// The built-in protocol with what a file adds to it.
Result<std::unique_ptr<Protocol>> protocolWith(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file || !text)
        return Error{fmt::format("the schema {} cannot be read: {}", path, std::strerror(errno)), {}, {}};
    return Protocol::withAdditions(text.str(), path);
}

// Data that could not be written (a full disk) is a failure, a reader that went away is not.
Ending finish(Ending outcome, Console& console) {
    console.out.flush();
    if (console.out.error() == 0) return outcome;
    console.messages.error(fmt::format("standard output cannot be written: {}", std::strerror(console.out.error())));
    return Ending::Unusable;
}

} // namespace

int run(std::span<const std::string> words) {
    const Result<Invocation> parsed = parse(words);
    if (!parsed) {
        Console(Options()).messages.error(parsed.error());
        return exitStatus(Ending::Unusable);
    }
    const Invocation& invocation = parsed.value();
    const Options& options = invocation.options;
    Console console(options);
    if (options.version) {
        console.out.write(fmt::format("brokerscope {}\n", BROKERSCOPE_VERSION));
        return exitStatus(finish(Ending::Done, console));
    }
    if (options.help) {
        console.out.write(invocation.commandTyped ? commandHelp(invocation.command)
                                                  : overviewHelp(BROKERSCOPE_VERSION));
        return exitStatus(finish(Ending::Done, console));
    }
    if (const std::string mistake = mistypedCommand(invocation); !mistake.empty()) {
        console.messages.error(mistake);
        return exitStatus(Ending::Unusable);
    }
    std::unique_ptr<Protocol> extended;
    if (!options.schema.empty()) {
        Result<std::unique_ptr<Protocol>> read = protocolWith(options.schema);
        if (!read) {
            console.messages.error(read.error().what);
            return exitStatus(Ending::Unusable);
        }
        extended = std::move(read.value());
        console.protocol = extended.get();
    }
    return exitStatus(finish(runCommand(invocation, console), console));
}

} // namespace brokerscope
