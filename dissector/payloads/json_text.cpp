// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/json_text.h"

#include "dissector/payloads/bounded_text.h"

#include <rapidjson/memorystream.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>

#include <algorithm>
#include <string_view>

namespace brokerscope {

namespace {

constexpr std::size_t mostLevels = 1000;

// The one control character that JSON may have as it is.
std::string withoutDelete(std::string text) {
    constexpr char del = 0x7f;
    if (text.find(del) == std::string::npos) return text;
    std::string escaped;
    for (const char c : text)
        if (c == del)
            escaped += "\\u007f";
        else
            escaped += c;
    return escaped;
}

// Hands what the reader finds to two writers, to each until it has written enough.
class Rewriter {
  public:
    Rewriter(std::size_t maxLine, std::size_t maxPretty)
        : m_maxLine(maxLine), m_maxPretty(maxPretty), m_line(m_lineBuffer), m_pretty(m_prettyBuffer) {
        m_pretty.SetIndent(' ', 2);
    }

    using Size = rapidjson::SizeType;
    bool Null() {
        return both([](auto& to) { to.Null(); });
    }
    bool Bool(bool value) {
        return both([&](auto& to) { to.Bool(value); });
    }
    bool RawNumber(const char* text, Size length, bool) {
        return both([&](auto& to) { to.RawValue(text, length, rapidjson::kNumberType); });
    }
    bool String(const char* text, Size length, bool) {
        return both([&](auto& to) { to.String(text, length); });
    }
    bool Key(const char* text, Size length, bool) {
        return both([&](auto& to) { to.Key(text, length); });
    }
    bool StartObject() {
        return ++m_level <= mostLevels && both([](auto& to) { to.StartObject(); });
    }
    bool EndObject(Size) {
        --m_level;
        return both([](auto& to) { to.EndObject(); });
    }
    bool StartArray() {
        return ++m_level <= mostLevels && both([](auto& to) { to.StartArray(); });
    }
    bool EndArray(Size) {
        --m_level;
        return both([](auto& to) { to.EndArray(); });
    }
    // Numbers come as text only.
    bool Int(int) { return false; }
    bool Uint(unsigned) { return false; }
    bool Int64(std::int64_t) { return false; }
    bool Uint64(std::uint64_t) { return false; }
    bool Double(double) { return false; }

    JsonText text() const {
        JsonText result{withoutDelete({m_lineBuffer.GetString(), m_lineBuffer.GetSize()}),
                        withoutDelete({m_prettyBuffer.GetString(), m_prettyBuffer.GetSize()})};
        cutText(result.line, m_maxLine);
        cutText(result.pretty, m_maxPretty);
        return result;
    }

  private:
    template<class Write>
    bool both(Write write) {
        if (m_lineBuffer.GetSize() <= m_maxLine && m_maxLine > 0) write(m_line);
        if (m_prettyBuffer.GetSize() <= m_maxPretty && m_maxPretty > 0) write(m_pretty);
        return true;
    }

    std::size_t m_maxLine, m_maxPretty;
    std::size_t m_level = 0;
    rapidjson::StringBuffer m_lineBuffer, m_prettyBuffer;
    rapidjson::Writer<rapidjson::StringBuffer> m_line;
    rapidjson::PrettyWriter<rapidjson::StringBuffer> m_pretty;
};

} // namespace

std::optional<JsonText> jsonText(Bytes bytes, std::size_t maxLine, std::size_t maxPretty) {
    constexpr std::string_view space = " \t\r\n";
    const auto first = std::find_if(bytes.begin(), bytes.end(), [&](std::uint8_t byte) {
        return space.find(static_cast<char>(byte)) == std::string_view::npos;
    });
    if (first == bytes.end() || (*first != '{' && *first != '[')) return std::nullopt;
    constexpr unsigned flags =
        rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag | rapidjson::kParseNumbersAsStringsFlag;
    rapidjson::MemoryStream stream(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    rapidjson::Reader reader;
    Rewriter rewriter(maxLine, maxPretty);
    if (reader.Parse<flags>(stream, rewriter).IsError()) return std::nullopt;
    return rewriter.text();
}

} // namespace brokerscope
