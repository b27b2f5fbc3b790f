// SPDX-License-Identifier: Apache-2.0
// JSON objects and arrays, read and written anew: on one line, and indented. Numbers keep all their digits.
// Bounds: 1000 levels; of text that is longer than its limit the front is written.
#pragma once

#include "capture/types/bytes.h"

#include <optional>
#include <string>

namespace brokerscope {

struct JsonText {
    std::string line, pretty;
};

// nullopt: not one whole JSON object or array. A limit of 0: not wanted.
std::optional<JsonText> jsonText(Bytes bytes, std::size_t maxLine, std::size_t maxPretty);

} // namespace brokerscope
