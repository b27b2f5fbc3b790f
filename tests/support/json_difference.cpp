// SPDX-License-Identifier: Apache-2.0
#include "tests/support/json_difference.h"

#include "tests/support/vectors.h"

#include <algorithm>

namespace brokerscope {

namespace {

std::string differenceOfObjects(const rapidjson::Value& expected, const rapidjson::Value& got,
                                const std::string& path) {
    for (const auto& member : expected.GetObject()) {
        const std::string below = path + "." + member.name.GetString();
        const auto other = got.FindMember(member.name);
        if (other == got.MemberEnd()) return below + ": missing";
        if (std::string found = firstDifference(member.value, other->value, below); !found.empty()) return found;
    }
    for (const auto& member : got.GetObject())
        if (!expected.HasMember(member.name)) return path + "." + member.name.GetString() + ": not expected";
    return expected.MemberCount() == got.MemberCount() ? std::string() : path + ": a member stands there twice";
}

} // namespace

std::string firstDifference(const rapidjson::Value& expected, const rapidjson::Value& got, const std::string& path) {
    if (expected.IsObject() && got.IsObject()) return differenceOfObjects(expected, got, path);
    if (expected.IsArray() && got.IsArray()) {
        for (rapidjson::SizeType i = 0; i < std::min(expected.Size(), got.Size()); ++i) {
            const std::string below = path + "[" + std::to_string(i) + "]";
            if (std::string found = firstDifference(expected[i], got[i], below); !found.empty()) return found;
        }
        return expected.Size() == got.Size() ? std::string() : path + ": of another length";
    }
    if (expected == got) return {};
    return path + ": expected " + textOf(expected).substr(0, 200) + " got " + textOf(got).substr(0, 200);
}

} // namespace brokerscope
