// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/record_text.h"

#include "dissector/schema/protocol.h"
#include "dissector/wire/base64.h"
#include "dissector/wire/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

std::string bytesForPrograms(const std::optional<Bytes>& bytes) {
    if (!bytes) return {};
    if (isPlainText(*bytes)) return std::string(asText(*bytes));
    std::string text = "base64:";
    appendBase64(*bytes, text);
    return text;
}

std::string_view asText(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool isPlainText(Bytes bytes) {
    if (validUtf8Prefix(bytes) != bytes.size()) return false;
    return std::ranges::none_of(bytes, [](std::uint8_t byte) {
        return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f;
    });
}

// The key of a control record is version int16 and type int16.
std::string controlType(const Batch& batch, const Record& record) {
    const auto& key = record.key;
    if (!batch.isControl || !key || key->size() < 4) return {};
    const int type = (*key)[2] << 8 | (*key)[3];
    const std::string_view name = Protocol::builtin().enumName("ControlRecordType", type);
    return name.empty() ? fmt::format("control record {}", type) : std::string(name);
}

} // namespace brokerscope
