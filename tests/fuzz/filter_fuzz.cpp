// SPDX-License-Identifier: Apache-2.0
// Any text as a display filter. The laws: an error points into the text, and what compiles once compiles from its own
// text again.
#include "dissector/filter/filter.h"
#include "dissector/schema/protocol.h"
#include "tests/fuzz/fuzz_target.h"

#include <string_view>

using namespace brokerscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto result = Filter::compile(text, Protocol::builtin());
    if (const auto* error = std::get_if<FilterError>(&result)) {
        require(!error->message.empty() && error->begin <= error->end && error->end <= size);
        require(!describe(*error, text).empty());
    } else {
        const auto& filter = std::get<Filter>(result);
        require(std::holds_alternative<Filter>(Filter::compile(filter.text(), Protocol::builtin())));
    }
    return 0;
}
