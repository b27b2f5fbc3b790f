// SPDX-License-Identifier: Apache-2.0
// Where a command prints: standard output with its colours and width, standard error for messages. What was typed
// (Options) becomes what holds (terminal or not, NO_COLOR, COLUMNS) here and nowhere else.
#pragma once

#include "cli/options/options.h"
#include "cli/output/messages.h"
#include "cli/output/output_file.h"
#include "cli/output/style.h"
#include "dissector/schema/protocol.h"

#include <cstddef>

namespace brokerscope {

struct Console {
    explicit Console(const Options& options); // standard output
    // Another file; messages go to standard error as ever.
    Console(const Options& options, int descriptor, std::unique_ptr<Compressor> compressor = nullptr);

    OutputFile out;
    Style style;
    Messages messages;
    std::size_t width; // of the terminal; 0 when the output is none
    // The protocol that the commands speak: the built-in one, or one with additions that lives as long as the run.
    const Protocol* protocol = &Protocol::builtin();
};

} // namespace brokerscope
