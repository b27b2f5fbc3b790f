// SPDX-License-Identifier: Apache-2.0
#include "dissector/filter/filter_literal.h"

#include "dissector/exchange/exchange.h"

#include <fmt/format.h>

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace brokerscope {

namespace {

struct Unit {
    std::string_view name;
    long double factor; // nanoseconds or bytes
    bool time;
};
constexpr std::array<Unit, 17> units{{
    {"ns", 1, true},
    {"us", 1e3, true},
    {"µs", 1e3, true},
    {"ms", 1e6, true},
    {"s", 1e9, true},
    {"min", 60e9, true},
    {"h", 3600e9, true},
    {"B", 1, false},
    {"kB", 1e3, false},
    {"KB", 1e3, false},
    {"MB", 1e6, false},
    {"GB", 1e9, false},
    {"KiB", 1024, false},
    {"kiB", 1024, false},
    {"MiB", 1048576, false},
    {"GiB", 1073741824, false},
    {"TiB", 1099511627776.0L, false},
}};

struct Quantity {
    long double value = 0;
    const Unit* unit = nullptr;
};

// "100", "-1", "0x1f", "2.5ms", "64KiB". nullopt: no number.
std::optional<Quantity> readQuantity(std::string_view text) {
    Quantity result;
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    if (text.empty() || !std::isdigit(static_cast<unsigned char>(text.front()))) return std::nullopt;
    const char* end = nullptr;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        std::uint64_t integer = 0;
        end = std::from_chars(text.data() + 2, text.data() + text.size(), integer, 16).ptr;
        result.value = integer;
    } else {
        std::uint64_t integer = 0;
        const auto whole = std::from_chars(text.data(), text.data() + text.size(), integer);
        result.value = integer;
        end = whole.ptr;
        if (whole.ec != std::errc{} || (end < text.data() + text.size() && *end == '.')) {
            double real = 0;
            end = std::from_chars(text.data(), text.data() + text.size(), real, std::chars_format::fixed).ptr;
            result.value = real;
        }
    }
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (!rest.empty()) {
        const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == rest; });
        if (unit == units.end()) return std::nullopt;
        result.unit = &*unit;
    }
    if (negative) result.value = -result.value;
    return result;
}

// "2026-11-29T14:55:01.5Z", "2026-11-29 14:55", "2026-11-29": UTC.
std::optional<long double> readDate(std::string_view text) {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0;
    double second = 0;
    const auto part = [&](auto& into, std::string_view before) {
        if (!text.starts_with(before) && !before.empty()) return false;
        text.remove_prefix(before.size());
        const auto read = std::from_chars(text.data(), text.data() + text.size(), into);
        if (read.ec != std::errc{}) return false;
        text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
        return true;
    };
    if (!part(year, "") || !part(month, "-") || !part(day, "-")) return std::nullopt;
    if (!text.empty() && text != "Z") {
        if (!part(hour, text.starts_with('T') ? "T" : " ") || !part(minute, ":")) return std::nullopt;
        if (text.starts_with(':') && !part(second, ":")) return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if ((!text.empty() && text != "Z") || !date.ok() || hour > 23 || minute > 59 || second >= 61) return std::nullopt;
    const auto days = std::chrono::sys_days(date).time_since_epoch().count();
    return ((days * 24.0L + hour) * 60 + minute) * 60e9L + static_cast<long double>(second) * 1e9L;
}

std::optional<Network> readNetwork(std::string_view text) {
    Network network;
    const std::size_t slash = text.find('/');
    const std::string address(text.substr(0, slash));
    network.address.v6 = address.find(':') != std::string::npos;
    if (inet_pton(network.address.v6 ? AF_INET6 : AF_INET, address.c_str(), network.address.bytes.data()) != 1)
        return std::nullopt;
    const int most = network.address.v6 ? 128 : 32;
    network.prefix = most;
    if (slash != std::string_view::npos) {
        const std::string_view bits = text.substr(slash + 1);
        const auto read = std::from_chars(bits.data(), bits.data() + bits.size(), network.prefix);
        if (read.ec != std::errc{} || read.ptr != bits.data() + bits.size() || network.prefix < 0 ||
            network.prefix > most)
            return std::nullopt;
    }
    return network;
}

FilterError errorAt(const FilterToken& token, std::string message, std::vector<std::string> suggestions = {}) {
    return {std::move(message), token.begin, token.end, std::move(suggestions)};
}

std::variant<FilterLiteral, FilterError> readNamedNumber(const FilterToken& token, const FilterNameRow& name,
                                                         const Protocol& protocol, FilterLiteral literal) {
    const bool isApi = name.type == FilterType::Api;
    std::vector<std::string> names;
    if (isApi) {
        if (const Api* api = protocol.apiByName(token.text)) {
            literal.number = api->key;
            return literal;
        }
        for (const Api* api : protocol.apis())
            names.push_back(api->name);
    } else {
        for (const ErrorCode& error : protocol.errors()) {
            if (std::equal(error.name.begin(), error.name.end(), token.text.begin(), token.text.end(),
                           [](char a, char b) { return a == std::toupper(static_cast<unsigned char>(b)); })) {
                literal.number = error.code;
                return literal;
            }
            names.push_back(error.name);
        }
    }
    return errorAt(token, fmt::format("There is no {} \"{}\"", isApi ? "API" : "error", token.text),
                   nearest(token.text, names));
}

} // namespace

bool Network::contains(const Address& other) const {
    if (other.v6 != address.v6) return false;
    for (int bit = 0; bit < prefix; bit += 8) {
        const auto at = static_cast<std::size_t>(bit / 8);
        const int left = prefix - bit;
        const auto mask = static_cast<std::uint8_t>(left >= 8 ? 0xff : 0xff << (8 - left));
        if ((other.bytes[at] & mask) != (address.bytes[at] & mask)) return false;
    }
    return true;
}

std::variant<FilterLiteral, FilterError> readLiteral(const FilterToken& token, const FilterNameRow& name,
                                                     const Protocol& protocol) {
    FilterLiteral literal;
    literal.text = token.text;
    const auto quantity = token.kind == FilterToken::Kind::Word ? readQuantity(token.text) : std::nullopt;
    if (quantity) literal.number = quantity->value * (quantity->unit ? quantity->unit->factor : 1);
    const bool timeUnit = quantity && quantity->unit && quantity->unit->time;
    const bool sizeUnit = quantity && quantity->unit && !quantity->unit->time;
    switch (name.type) {
    case FilterType::Number:
        if (!quantity || timeUnit) return errorAt(token, fmt::format("{} is a number", name.name));
        return literal;
    case FilterType::Size:
        if (!quantity || timeUnit) return errorAt(token, fmt::format("{} is a size, as in 64KiB", name.name));
        return literal;
    case FilterType::Duration:
        if (!quantity || sizeUnit) return errorAt(token, fmt::format("{} is a length of time, as in 100ms", name.name));
        if (!timeUnit) literal.number = *literal.number * 1e6L; // milliseconds, as everywhere in the output
        return literal;
    case FilterType::Time:
        if (quantity && !sizeUnit) {
            if (!timeUnit) literal.number = *literal.number * 1e9L;
        } else {
            literal.number = readDate(token.text);
            literal.absoluteTime = true;
        }
        if (!literal.number)
            return errorAt(
                token,
                "time is compared with seconds since the capture's begin or a date like \"2026-11-29 14:55:01\"");
        return literal;
    case FilterType::Api:
    case FilterType::ErrorName:
        return quantity ? std::variant<FilterLiteral, FilterError>(literal)
                        : readNamedNumber(token, name, protocol, literal);
    case FilterType::Endpoint:
        literal.number.reset();
        literal.network = readNetwork(token.text);
        return literal;
    case FilterType::Flag:
        if (token.text != "true" && token.text != "false")
            return errorAt(token, fmt::format("{} is true or false", name.name));
        literal.number = token.text == "true" ? 1 : 0;
        return literal;
    case FilterType::Any:
        if (timeUnit) literal.number = *literal.number / 1e6L; // Kafka's fields count milliseconds
        if (token.text == "true" || token.text == "false") literal.number = token.text == "true" ? 1 : 0;
        return literal;
    case FilterType::Text: {
        if (name.field != FilterField::Status) return literal;
        std::vector<std::string> names;
        for (int i = 0; i <= static_cast<int>(ExchangeStatus::SaslToken); ++i)
            names.emplace_back(brokerscope::name(static_cast<ExchangeStatus>(i)));
        if (std::find(names.begin(), names.end(), token.text) == names.end())
            return errorAt(token, fmt::format("There is no status \"{}\"", token.text),
                           nearest(token.text, names, names.size()));
        return literal;
    }
    }
    return literal;
}

} // namespace brokerscope
