// SPDX-License-Identifier: Apache-2.0
#include "cli/input/key_logs.h"

#include <cstdlib>

namespace brokerscope {

namespace {

const char* namedByEnvironment() {
    const char* named = std::getenv("SSLKEYLOGFILE");
    return named && *named ? named : nullptr;
}

} // namespace

bool openKeyLogs(const Options& options, Console& console, KeyLog& keys) {
    for (const std::string& path : options.keyLogs) {
        if (const auto added = keys.addFile(path); !added) {
            console.messages.error(added.error());
            return false;
        }
    }
    if (const char* named = namedByEnvironment())
        if (const auto added = keys.addFile(named, KeyLog::Missing::MayAppear); !added)
            console.messages.note(toString(added.error()));
    return true;
}

bool keyLogsNamed(const Options& options) {
    return !options.keyLogs.empty() || namedByEnvironment();
}

} // namespace brokerscope
