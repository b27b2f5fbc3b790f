// SPDX-License-Identifier: Apache-2.0
// The key logs that a command was told of: --keylog, and the file that $SSLKEYLOGFILE names.
#pragma once

#include "capture/tls/key_log.h"
#include "cli/options/options.h"
#include "cli/output/console.h"

namespace brokerscope {

// False: one that was asked for cannot be read, which was said. The one of the environment may come later.
bool openKeyLogs(const Options& options, Console& console, KeyLog& keys);
bool keyLogsNamed(const Options& options);

} // namespace brokerscope
