// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/json_line.h"

#include "dissector/wire/base64.h"

#include <fmt/format.h>

namespace brokerscope {

void JsonLine::clear() {
    m_buffer.Clear();
    m_writer.Reset(m_buffer);
}

void JsonLine::key(std::string_view name) {
    m_writer.plainKey(name);
}

void JsonLine::value(std::string_view text) {
    m_writer.writeText({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

void JsonLine::string(std::string_view name, std::string_view text) {
    key(name);
    value(text);
}

void JsonLine::plain(std::string_view name, std::string_view text) {
    key(name);
    m_writer.plainText(text);
}

void JsonLine::number(std::string_view name, std::int64_t number) {
    key(name);
    const fmt::format_int digits(number);
    m_writer.plainNumber({digits.data(), digits.size()});
}

void JsonLine::boolean(std::string_view name, bool value) {
    key(name);
    m_writer.Bool(value);
}

void JsonLine::base64(std::string_view name, const std::optional<Bytes>& bytes) {
    key(name);
    if (!bytes) {
        m_writer.Null();
        return;
    }
    m_scratch.clear();
    appendBase64(*bytes, m_scratch);
    m_writer.text(m_scratch);
}

void JsonLine::time(std::string_view name, Timestamp time, int digits) {
    m_scratch.clear();
    m_iso.append(m_scratch, time, digits);
    plain(name, m_scratch);
}

// As decimal text: the parts of a latency add up to the whole to the last digit, which binary fractions would not.
void JsonLine::milliseconds(std::string_view name, Duration duration) {
    m_scratch.clear();
    appendMilliseconds(m_scratch, duration);
    key(name);
    m_writer.plainNumber(m_scratch);
}

} // namespace brokerscope
