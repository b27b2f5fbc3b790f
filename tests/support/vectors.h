// SPDX-License-Identifier: Apache-2.0
// Reads the conformance vectors: files of one JSON object a line, kept zstd-compressed in tests/data/vectors.
// A file that is missing or damaged throws std::runtime_error, which fails the test that asked.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

// `file` as in "records.jsonl". 64-bit numbers stay exact.
std::vector<rapidjson::Document> readVectors(std::string_view file);

std::vector<std::uint8_t> bytesOfHex(std::string_view hex);

std::string textOf(const rapidjson::Value& value); // as JSON, for messages

} // namespace brokerscope
