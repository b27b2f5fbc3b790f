// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/avro_container.h"

#include "dissector/wire/cursor.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace brokerscope {

namespace {

constexpr std::array<std::uint8_t, 4> magic{'O', 'b', 'j', 1};

// Avro's bytes and strings: a zig-zag length and as many bytes.
std::optional<Bytes> readSized(Cursor& cursor, Bytes bytes) {
    const std::int64_t length = cursor.readVarlong();
    if (!cursor.ok() || length < 0 || length > cursor.remaining()) return std::nullopt;
    const Bytes content = bytes.subspan(cursor.position(), static_cast<std::size_t>(length));
    cursor.skip(static_cast<std::uint32_t>(length));
    return content;
}

bool is(Bytes bytes, std::string_view text) {
    return std::equal(bytes.begin(), bytes.end(), text.begin(), text.end());
}

} // namespace

std::optional<AvroContainer> avroContainer(Bytes bytes) {
    if (bytes.size() < magic.size() || !std::equal(magic.begin(), magic.end(), bytes.begin())) return std::nullopt;
    AvroContainer found;
    const ByteChain chain = ByteChain::of(bytes);
    Cursor cursor(chain, magic.size(), chain.size());
    // Blocks of entries; the last one is empty. A negative count stands in front of the block's size.
    for (std::int64_t left = 0;;) {
        if (left == 0) left = cursor.readVarlong();
        if (left < 0) cursor.readVarlong();
        if (!cursor.ok() || left == 0) return found;
        left = left < 0 ? -(left + 1) : left - 1; // this entry is being read
        const auto key = readSized(cursor, bytes);
        const auto value = key ? readSized(cursor, bytes) : std::nullopt;
        if (!value) return found;
        if (is(*key, "avro.schema")) found.schema = *value;
        if (is(*key, "avro.codec")) found.codec = *value;
    }
}

} // namespace brokerscope
