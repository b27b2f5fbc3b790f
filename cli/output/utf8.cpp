// SPDX-License-Identifier: Apache-2.0
#include "cli/output/utf8.h"

#include "dissector/wire/utf8.h"

namespace brokerscope {

Utf8Character firstCharacter(std::string_view text) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    const std::uint8_t lead = bytes[0];
    if (lead < 0x80) return {lead, 1, true};
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (text.size() < length || validUtf8Prefix({bytes, length}) != length) return {lead, 1, false};
    char32_t code = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i)
        code = code << 6 | (bytes[i] & 0x3fU);
    return {code, length, true};
}

} // namespace brokerscope
