// SPDX-License-Identifier: Apache-2.0
#include "cli/output/quantity_text.h"

#include "dissector/message/units.h"

#include <fmt/format.h>

namespace brokerscope {

std::string countOf(std::uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

} // namespace brokerscope
