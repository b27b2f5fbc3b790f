// SPDX-License-Identifier: Apache-2.0
// Completion scripts for bash, zsh and fish, made from the rows of option_table.h: commands, options, the words an
// option takes, files where files are wanted.
#pragma once

#include "cli/options/options.h"

#include <string>

namespace brokerscope {

std::string completions(Shell shell);

} // namespace brokerscope
