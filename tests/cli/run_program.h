// SPDX-License-Identifier: Apache-2.0
// Runs the built brokerscope as a person would and keeps what it printed.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace brokerscope {

struct ProgramRun {
    int status = -1; // exit status; -1: it ended by a signal or hung
    std::string output, errors;
};

struct RunSettings {
    std::string input; // for standard input
    std::vector<std::pair<std::string, std::string>>
        environment;            // beside TERM=dumb; nothing else is inherited but PATH
    bool withoutRights = false; // root gives up its rights first
};

// The directory is the root of the sources. A run of more than 60 s is ended.
ProgramRun runProgram(const std::vector<std::string>& words, const RunSettings& settings = {});

} // namespace brokerscope
