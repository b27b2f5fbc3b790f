// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <csignal>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // a reader that goes away is told by write(2) instead
    const std::vector<std::string> words(argv + (argc > 0), argv + argc);
    return brokerscope::run(words);
}
