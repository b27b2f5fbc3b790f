// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/trace_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace brokerscope {
namespace {

bool isHex(std::string_view text, std::size_t size) {
    return text.size() == size && std::ranges::all_of(text, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
           });
}

bool isTraceId(std::string_view text) {
    return isHex(text, 32) || isHex(text, 16);
}

std::vector<std::string_view> partsOf(std::string_view text) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t dash = std::min(text.find('-'), text.size());
        parts.push_back(text.substr(0, dash));
        if (dash == text.size()) return parts;
        text.remove_prefix(dash + 1);
    }
}

// version-trace-span-flags
std::string traceparent(const std::vector<std::string_view>& parts) {
    if (parts.size() < 4 || !isHex(parts[0], 2) || !isHex(parts[1], 32) || !isHex(parts[2], 16) || !isHex(parts[3], 2))
        return {};
    const bool sampled = (parts[3][1] - '0') & 1; // the last bit, also of a..f
    return fmt::format("trace {} span {} {}", parts[1], parts[2], sampled ? "sampled" : "not sampled");
}

// trace-span[-sampled[-parent]]
std::string b3(const std::vector<std::string_view>& parts) {
    if (parts.size() < 2 || !isTraceId(parts[0]) || !isHex(parts[1], 16)) return {};
    std::string text = fmt::format("trace {} span {}", parts[0], parts[1]);
    if (parts.size() > 2) text += parts[2] == "1" || parts[2] == "d" ? " sampled" : " not sampled";
    if (parts.size() > 3) text += fmt::format(" parent {}", parts[3]);
    return text;
}

} // namespace

std::string traceText(std::string_view key, std::string_view value) {
    std::string name(key);
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (name == "traceparent") return traceparent(partsOf(value));
    if (name == "b3") return b3(partsOf(value));
    if (name == "x-b3-traceid" && isTraceId(value)) return fmt::format("trace {}", value);
    if (name == "x-b3-spanid" && isHex(value, 16)) return fmt::format("span {}", value);
    if (name == "x-b3-parentspanid" && isHex(value, 16)) return fmt::format("parent {}", value);
    return {};
}

} // namespace brokerscope
