// SPDX-License-Identifier: Apache-2.0
// `export -w NAME.ndjson` and `NAME.csv`: the exchanges that -Y takes, in the form of `list`, into a file, compressed
// where the name ends in .gz or .zst behind that.
// Errors: said on standard error; the ending is Unusable. Threads: one.
#pragma once

#include "cli/output/console.h"
#include "cli/output/ending.h"

#include <optional>
#include <string_view>

namespace brokerscope {

// What the file's name asks for; nullopt: packets.
std::optional<Format> textFormatOf(std::string_view path);
Ending exportText(const Options& options, Console& console, Format format);

} // namespace brokerscope
