// SPDX-License-Identifier: Apache-2.0
// The commands: each prints its data to console.out, what went wrong to console.messages, and says how it ended.
#pragma once

#include "cli/options/options.h"
#include "cli/output/console.h"
#include "cli/output/ending.h"

namespace brokerscope {

Ending runSummary(const Options& options, Console& console);
Ending runList(const Options& options, Console& console);
Ending runShow(const Options& options, Console& console);
Ending runRecords(const Options& options, Console& console);
Ending runCheck(const Options& options, Console& console);
Ending runJoin(const Options& options, Console& console);
Ending runFlow(const Options& options, Console& console);
Ending runExport(const Options& options, Console& console);
Ending runStats(const Options& options, Console& console);
Ending runConnections(const Options& options, Console& console);
Ending runTopics(const Options& options, Console& console);
Ending runGroups(const Options& options, Console& console);
Ending runTransactions(const Options& options, Console& console);
Ending runCluster(const Options& options, Console& console);
Ending runCapture(const Options& options, Console& console);
Ending runInterfaces(const Options& options, Console& console);
Ending runDecode(const Options& options, Console& console);
Ending runCompletions(const Options& options, Console& console);
Ending runHelp(const Options& options, Console& console);

} // namespace brokerscope
