// SPDX-License-Identifier: Apache-2.0
// Compares JSON values for tests and names the first place where they differ.
#pragma once

#include <rapidjson/document.h>

#include <string>

namespace brokerscope {

// "path: expected .. got .."; empty when both are equal. The order of members does not matter, integers must be equal
// to the last digit.
std::string firstDifference(const rapidjson::Value& expected, const rapidjson::Value& got,
                            const std::string& path = {});

} // namespace brokerscope
