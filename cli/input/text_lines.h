// SPDX-License-Identifier: Apache-2.0
// The lines of a text file, also of one compressed with gzip or zstd, and of standard input ("-").
// Memory: a compressed file is unpacked to a temporary file as it is read; a line may be 64 MiB long, longer ones are
//         cut. Errors: what cannot be opened is an Error; what cannot be read to its end, too, after the last line.
#pragma once

#include "capture/types/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace brokerscope {

std::optional<Error> readLines(const std::string& path, const std::function<void(std::string_view)>& line);

} // namespace brokerscope
