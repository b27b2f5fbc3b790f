// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/number_text.h"

#include "dissector/message/units.h"

#include <fmt/format.h>

#include <limits>

namespace brokerscope {

namespace {

ValueText plain(std::int64_t value) {
    return {std::to_string(value), Tone::Plain};
}

ValueText size(std::int64_t value) {
    if (value < 0) return plain(value);
    const std::string words = sizeWords(static_cast<std::uint64_t>(value));
    return {value < 1024 ? words : fmt::format("{} ({})", value, words), Tone::Plain};
}

ValueText duration(std::int64_t milliseconds) {
    if (milliseconds == -1) return {"-1", Tone::Dim};
    if (milliseconds < 1000) return {fmt::format("{} ms", milliseconds), Tone::Plain};
    return {fmt::format("{} ms ({})", milliseconds, durationWords(milliseconds)), Tone::Plain};
}

ValueText time(std::int64_t milliseconds) {
    if (milliseconds == -1) return {"-1 none", Tone::Dim};
    if (milliseconds == std::numeric_limits<std::int64_t>::max())
        return {fmt::format("{} never", milliseconds), Tone::Dim};
    const std::string date = dateText(milliseconds);
    return {date.empty() ? std::to_string(milliseconds) : fmt::format("{}  {}", milliseconds, date), Tone::Plain};
}

ValueText bits(const Protocol& protocol, const std::string& enumeration, std::int64_t value) {
    if (value == std::numeric_limits<std::int32_t>::min()) return {fmt::format("{} not asked for", value), Tone::Dim};
    std::string names;
    for (int bit = 0; bit < 32; ++bit) {
        if (!(value >> bit & 1)) continue;
        const std::string_view name = protocol.enumName(enumeration, bit);
        if (!names.empty()) names += ", ";
        names += name.empty() ? fmt::format("bit {}", bit) : std::string(name);
    }
    return names.empty() ? ValueText{std::to_string(value), Tone::Plain}
                         : ValueText{fmt::format("{} {}", value, names), Tone::Plain};
}

ValueText apiName(const Protocol& protocol, std::int64_t value) {
    const Api* api = value >= 0 && value <= 32767 ? protocol.api(static_cast<std::int16_t>(value)) : nullptr;
    return {api ? fmt::format("{} {}", value, api->name) : fmt::format("{} (no such API)", value), Tone::Plain};
}

} // namespace

ValueText errorText(const Protocol& protocol, std::int64_t code) {
    const ErrorCode* error =
        code >= -32768 && code <= 32767 ? protocol.error(static_cast<std::int16_t>(code)) : nullptr;
    if (!error) return {fmt::format("{} (unknown error code)", code), Tone::Error};
    if (code == 0) return {fmt::format("{} {}", code, error->name), Tone::Dim};
    return {fmt::format("{} {}{}", code, error->name, error->retriable ? " ↻" : ""), Tone::Error};
}

ValueText numberText(const Protocol& protocol, const PlanField& field, std::int64_t value) {
    const std::string& enumeration = field.schema->enumName;
    if (field.semantic == Semantic::BitField) return bits(protocol, enumeration, value);
    if (!enumeration.empty()) {
        const std::string_view name = protocol.enumName(enumeration, value);
        if (!name.empty()) return {fmt::format("{} {}", value, name), Tone::Plain};
    }
    switch (field.semantic) {
    case Semantic::Error:
        return errorText(protocol, value);
    case Semantic::Enum:
        return {fmt::format("{} (no such {})", value, enumeration), Tone::Plain};
    case Semantic::Milliseconds:
    case Semantic::ThrottleTime:
    case Semantic::MaxWait:
        return duration(value);
    case Semantic::Time:
        return time(value);
    case Semantic::Size:
    case Semantic::MinBytes:
        return size(value);
    case Semantic::ApiKey:
        return apiName(protocol, value);
    case Semantic::NodeId:
    case Semantic::ProducerId:
    case Semantic::Offset:
    case Semantic::Epoch:
        if (value == std::numeric_limits<std::int64_t>::max())
            return {fmt::format("{} (the largest)", value), Tone::Dim};
        return value == -1 ? ValueText{"-1 none", Tone::Dim} : plain(value);
    default:
        return plain(value);
    }
}

} // namespace brokerscope
