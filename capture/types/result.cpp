// SPDX-License-Identifier: Apache-2.0
#include "capture/types/result.h"

#include <fmt/format.h>

namespace brokerscope {

std::string toString(const Error& error) {
    std::string text = error.where.empty() ? error.what : fmt::format("{}: {}", error.where, error.what);
    if (error.offset) text += fmt::format(" (at byte {})", *error.offset);
    return text;
}

} // namespace brokerscope
