// SPDX-License-Identifier: Apache-2.0
// From argv to a command and its Options, by the rows of option_table.h. CLI11 splits the words; what they mean stands
// in the table. Opens no file and prints nothing: whoever calls it shows the Error and its exit status.
#pragma once

#include "capture/types/result.h"
#include "cli/options/option_table.h"

#include <span>
#include <string>

namespace brokerscope {

struct Invocation {
    CommandId command = CommandId::Summary;
    bool commandTyped = false; // false: `brokerscope FILE`, which means summary
    Options options;
};

// `words` without the program's own name.
Result<Invocation> parse(std::span<const std::string> words);

} // namespace brokerscope
