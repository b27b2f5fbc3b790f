// SPDX-License-Identifier: Apache-2.0
// One value of a filter's name, as its subjects make it and its tests compare it.
// Bytes: texts and addresses are not owned; a value lives no longer than the visit it is made for.
#pragma once

#include "capture/types/endpoint.h"
#include "dissector/filter/filter_names.h"
#include "dissector/schema/protocol.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace brokerscope {

// A value may have a number and a text at once (an error's code and name).
struct FilterValue {
    std::optional<long double> number; // durations in nanoseconds, times in nanoseconds since 1970; exact for 64 bits
    std::optional<std::string_view> text;
    const Address* address = nullptr;

    // Made in place, a million times for one filter: whole optionals are not copied.
    static FilterValue ofNumber(long double number) {
        FilterValue value;
        value.number.emplace(number);
        return value;
    }
    static FilterValue ofText(std::string_view text) {
        FilterValue value;
        value.text.emplace(text);
        return value;
    }
    // The text stands for the address, with its port.
    static FilterValue ofEndpoint(std::string_view text, const Address& address) {
        FilterValue value;
        value.text.emplace(text);
        value.address = &address;
        return value;
    }
    static FilterValue ofApi(const Protocol& protocol, std::int16_t key) {
        FilterValue value;
        value.number.emplace(key);
        if (const Api* api = protocol.api(key)) value.text.emplace(api->name);
        return value;
    }
    // `field`: Error and ErrorCode, or Retriable.
    static FilterValue ofError(const Protocol& protocol, FilterField field, std::int16_t code) {
        const ErrorCode* error = protocol.error(code);
        if (field == FilterField::Retriable) return ofNumber(error && error->retriable ? 1 : 0);
        FilterValue value;
        value.number.emplace(code);
        if (error) value.text.emplace(error->name);
        return value;
    }
};

} // namespace brokerscope
