// SPDX-License-Identifier: Apache-2.0
// A flow as a ladder on a terminal, in UTF-8 or ASCII, and as the text of a Mermaid or PlantUML diagram.
#pragma once

#include "cli/options/options.h"
#include "cli/output/console.h"
#include "dissector/analysis/flow/flow.h"

#include <string>

namespace brokerscope {

// `width`: in columns; what stands beside the arrows is cut there. `start`: what times count from.
void printLadder(const Flow& flow, const Options& options, Timestamp start, std::size_t width, Console& console);
std::string mermaidText(const Flow& flow);
std::string plantUmlText(const Flow& flow);

} // namespace brokerscope
