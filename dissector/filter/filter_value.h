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

    static FilterValue ofNumber(long double number) { return {.number = number, .text = {}}; }
    static FilterValue ofText(std::string_view text) { return {.number = {}, .text = text}; }
    // The text stands for the address, with its port.
    static FilterValue ofEndpoint(std::string_view text, const Address& address) {
        return {.number = {}, .text = text, .address = &address};
    }
    static FilterValue ofApi(const Protocol& protocol, std::int16_t key) {
        const Api* api = protocol.api(key);
        return {.number = key, .text = api ? std::optional<std::string_view>(api->name) : std::nullopt};
    }
    // `field`: Error and ErrorCode, or Retriable.
    static FilterValue ofError(const Protocol& protocol, FilterField field, std::int16_t code) {
        const ErrorCode* error = protocol.error(code);
        if (field == FilterField::Retriable) return ofNumber(error && error->retriable ? 1 : 0);
        return {.number = code, .text = error ? std::optional<std::string_view>(error->name) : std::nullopt};
    }
};

} // namespace brokerscope
