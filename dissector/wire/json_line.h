// SPDX-License-Identifier: Apache-2.0
// Builds one line of JSON: RapidJSON's writer with the few kinds of values that the commands print. Texts from the wire
// are made valid UTF-8, so the line is always valid JSON.
// Memory: the buffer is reused from line to line. Threads: one.
#pragma once

#include "capture/types/bytes.h"
#include "dissector/wire/json_writer.h"
#include "dissector/wire/time_text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace brokerscope {

class JsonLine {
  public:
    void clear();
    std::string_view text() const { return {m_buffer.GetString(), m_buffer.GetSize()}; }
    JsonWriter& writer() { return m_writer; }

    // A member of the open object each.
    void key(std::string_view name);
    void string(std::string_view name, std::string_view value);
    void plain(std::string_view name, std::string_view value); // of which nothing needs to be escaped
    void number(std::string_view name, std::int64_t value);
    void boolean(std::string_view name, bool value);
    void base64(std::string_view name, const std::optional<Bytes>& value); // or null
    void time(std::string_view name, Timestamp value, int digits);
    void milliseconds(std::string_view name, Duration value);
    template<class Body>
    void object(std::string_view name, Body body) {
        key(name);
        m_writer.StartObject();
        body();
        m_writer.EndObject();
    }
    // An array of objects: body(element) writes the members of each.
    template<class Range, class Body>
    void array(std::string_view name, const Range& range, Body body) {
        key(name);
        m_writer.StartArray();
        for (const auto& element : range) {
            m_writer.StartObject();
            body(element);
            m_writer.EndObject();
        }
        m_writer.EndArray();
    }

    void value(std::string_view text); // without a key: an element of an array, the value behind a key

  private:
    rapidjson::StringBuffer m_buffer;
    JsonWriter m_writer{m_buffer};
    IsoTime m_iso;
    std::string m_scratch;
};

} // namespace brokerscope
