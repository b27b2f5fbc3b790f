// SPDX-License-Identifier: Apache-2.0
// The JSON writer of the whole program: RapidJSON's, into memory.
// Text goes out as it is: who writes text from the wire sees to it that it is valid UTF-8 (writeText).
#pragma once

#include "capture/types/bytes.h"
#include "dissector/wire/base64.h"
#include "dissector/wire/utf8.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

namespace brokerscope {

class JsonWriter : public rapidjson::Writer<rapidjson::StringBuffer> {
  public:
    using Writer::Writer;

    // A key of which nothing needs to be escaped, like the names of fields.
    void plainKey(std::string_view name, std::string_view suffix = {}) {
        Prefix(rapidjson::kStringType);
        char* to = os_->Push(name.size() + suffix.size() + 2);
        *to++ = '"';
        std::memcpy(to, name.data(), name.size());
        to += name.size();
        if (!suffix.empty()) std::memcpy(to, suffix.data(), suffix.size());
        to[suffix.size()] = '"';
    }
    // The same for values: texts without quotes, backslashes and control characters, and numbers that are text already.
    void plainText(std::string_view value) {
        Prefix(rapidjson::kStringType);
        char* to = os_->Push(value.size() + 2);
        *to++ = '"';
        std::memcpy(to, value.data(), value.size());
        to[value.size()] = '"';
    }
    void plainNumber(std::string_view digits) {
        Prefix(rapidjson::kNumberType);
        std::memcpy(os_->Push(digits.size()), digits.data(), digits.size());
    }
    void text(std::string_view value) { String(value.data(), static_cast<rapidjson::SizeType>(value.size())); }
    // Bytes that should be UTF-8; what is none becomes U+FFFD.
    void writeText(Bytes bytes) {
        if (validUtf8Prefix(bytes) == bytes.size())
            return text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        std::string replaced;
        appendUtf8(bytes, replaced);
        text(replaced);
    }
    // Bytes as base64, of any size, without a copy in between.
    void base64(Bytes bytes) {
        Prefix(rapidjson::kStringType);
        const std::size_t length = base64Length(bytes.size());
        char* to = os_->Push(length + 2);
        to[0] = to[length + 1] = '"';
        writeBase64(bytes, to + 1);
    }
    // JSON has no word for what is no number: Kafka writes these as texts.
    void number(double value) {
        if (std::isfinite(value))
            Double(value);
        else
            text(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
    }
};

} // namespace brokerscope
