// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/value_guess.h"

#include "dissector/payloads/avro_container.h"
#include "dissector/payloads/bounded_text.h"
#include "dissector/payloads/json_text.h"
#include "dissector/payloads/protobuf_text.h"
#include "dissector/wire/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace brokerscope {

namespace {

constexpr std::size_t framingSize = 5;                               // of Confluent's: a zero and the schema id
constexpr std::array<std::uint8_t, 4> nullCodec{'n', 'u', 'l', 'l'}; // when the head names none
constexpr std::uint64_t highestUsualSchemaId = 100'000'000;

std::uint64_t bigEndian(Bytes bytes) {
    std::uint64_t value = 0;
    for (const std::uint8_t byte : bytes)
        value = value << 8 | byte;
    return value;
}

std::int64_t signedInteger(Bytes bytes) {
    const auto unused = static_cast<int>(64 - 8 * bytes.size());
    return static_cast<std::int64_t>(bigEndian(bytes) << unused) >> unused;
}

std::uint64_t schemaId(Bytes bytes) {
    return bigEndian(bytes.subspan(1, framingSize - 1));
}

bool hasFraming(Bytes bytes) {
    return bytes.size() >= framingSize && bytes[0] == 0;
}

bool looksLikeSchemaRegistry(Bytes bytes) {
    return hasFraming(bytes) && bytes.size() > framingSize && schemaId(bytes) > 0 &&
           schemaId(bytes) <= highestUsualSchemaId;
}

// Eight bytes may be many things. They are a number first when its highest byte is no more than a sign, as in counts
// and times.
bool looksLikeInteger(Bytes bytes) {
    return (bytes.size() == 8 && (bytes[0] == 0 || bytes[0] == 0xff)) || bytes.size() == 4 || bytes.size() == 2;
}

class Guesser {
  public:
    Guesser(Bytes bytes, const GuessOptions& options) : m_bytes(bytes), m_options(options) {}

    GuessedValue guess() {
        const bool found = m_bytes.size() > m_options.maxInput ? frontAsText() : recognised();
        if (!found) asHex();
        return std::move(m_value);
    }

    GuessedValue force() {
        if (m_options.format == ValueFormat::Text) {
            asText(m_bytes);
            m_value.fits = validUtf8Prefix(m_bytes) == m_bytes.size();
        } else if (m_bytes.size() > m_options.maxInput || !forced()) {
            asHex();
            m_value.fits = m_options.format == ValueFormat::Hex;
        }
        return std::move(m_value);
    }

  private:
    bool recognised() {
        if (m_bytes.empty()) return asText(m_bytes);
        if (asContainer() || asJson()) return true;
        if (looksLikeText(m_bytes)) return asText(m_bytes);
        if (looksLikeInteger(m_bytes)) return asInteger(m_bytes.size());
        if (looksLikeSchemaRegistry(m_bytes)) return asSchemaRegistry();
        if (looksLikeProtobuf(m_bytes)) return asProtobuf();
        return asInteger(8);
    }

    bool forced() {
        switch (m_options.format) {
        case ValueFormat::Json:
            return asJson();
        case ValueFormat::Int16:
            return asInteger(2);
        case ValueFormat::Int32:
            return asInteger(4);
        case ValueFormat::Int64:
            return asInteger(8);
        case ValueFormat::Float32:
            return asReal<float>(std::uint32_t{});
        case ValueFormat::Float64:
            return asReal<double>(std::uint64_t{});
        case ValueFormat::SchemaRegistry:
            return hasFraming(m_bytes) && asSchemaRegistry();
        case ValueFormat::Protobuf:
            return isProtobuf(m_bytes) && asProtobuf();
        case ValueFormat::AvroContainer:
            return asContainer();
        case ValueFormat::Auto:
        case ValueFormat::Text:
        case ValueFormat::Hex:
            break;
        }
        return false;
    }

    std::size_t maxPretty() const { return m_options.pretty ? m_options.maxPretty : 0; }

    bool set(ValueFormat format, std::string line, std::string pretty = {}) {
        m_value.format = format;
        m_value.line = std::move(line);
        cutText(m_value.line, m_options.maxLine);
        m_value.pretty = std::move(pretty);
        return true;
    }

    bool asText(Bytes text) {
        std::string line, pretty;
        appendLine(text, line, m_options.maxLine);
        const bool hasLines = std::find(text.begin(), text.end(), '\n') != text.end();
        if (m_options.pretty && (hasLines || text.size() > m_options.maxLine)) {
            appendUtf8(text.first(std::min(text.size(), m_options.maxPretty + 1)), pretty);
            cutText(pretty, m_options.maxPretty);
        }
        return set(ValueFormat::Text, std::move(line), std::move(pretty));
    }

    // Of a value too long to be looked at as a whole.
    bool frontAsText() {
        const Bytes front = m_bytes.first(m_options.maxInput);
        const std::size_t valid = validUtf8Prefix(front); // the last character may be cut
        if (front.size() - valid > 3 || !looksLikeText(front.first(valid))) return false;
        return asText(m_bytes);
    }

    bool asJson() {
        auto text = jsonText(m_bytes, m_options.maxLine, maxPretty());
        return text && set(ValueFormat::Json, std::move(text->line), std::move(text->pretty));
    }

    bool asInteger(std::size_t size) {
        constexpr ValueFormat formats[] = {ValueFormat::Int16, ValueFormat::Int32, ValueFormat::Int64};
        if (m_bytes.size() != size) return false;
        return set(formats[size / 4], fmt::format("{}", signedInteger(m_bytes)));
    }

    template<class Float, class Raw>
    bool asReal(Raw raw) {
        if (m_bytes.size() != sizeof(Float)) return false;
        raw = static_cast<Raw>(bigEndian(m_bytes));
        return set(sizeof(Float) == 4 ? ValueFormat::Float32 : ValueFormat::Float64,
                   fmt::format("{}", std::bit_cast<Float>(raw)));
    }

    bool asSchemaRegistry() {
        const Bytes payload = m_bytes.subspan(framingSize);
        std::string line = fmt::format("schema {}: ", schemaId(m_bytes));
        std::string pretty = fmt::format("schema {}\n", schemaId(m_bytes));
        if (const auto json = jsonText(payload, m_options.maxLine, maxPretty())) {
            line += json->line;
            pretty += json->pretty;
        } else {
            appendHex(payload, line, m_options.maxLine);
            pretty += hexDump(payload, maxPretty());
        }
        return set(ValueFormat::SchemaRegistry, std::move(line), m_options.pretty ? std::move(pretty) : std::string());
    }

    bool asProtobuf() {
        return set(ValueFormat::Protobuf, protobufLine(m_bytes, m_options.maxLine),
                   m_options.pretty ? protobufPretty(m_bytes, m_options.maxPretty) : std::string());
    }

    bool asContainer() {
        const auto container = avroContainer(m_bytes);
        if (!container) return false;
        std::string line = "Avro container, codec ";
        appendLine(container->codec.empty() ? nullCodec : container->codec, line, m_options.maxLine);
        const auto schema = jsonText(container->schema, m_options.maxLine, maxPretty());
        if (schema) line += ", schema " + schema->line;
        return set(ValueFormat::AvroContainer, std::move(line), schema ? schema->pretty : std::string());
    }

    void asHex() {
        std::string line;
        appendHex(m_bytes, line, m_options.maxLine);
        set(ValueFormat::Hex, std::move(line),
            m_options.pretty ? hexDump(m_bytes, m_options.maxPretty) : std::string());
    }

    Bytes m_bytes;
    const GuessOptions& m_options;
    GuessedValue m_value;
};

} // namespace

const std::array<ValueFormatRow, 12>& valueFormats() {
    static constexpr std::array<ValueFormatRow, 12> rows{{
        {ValueFormat::Auto, "auto", "guess from the bytes"},
        {ValueFormat::Json, "json", "JSON"},
        {ValueFormat::Text, "text", "UTF-8 text"},
        {ValueFormat::Int16, "short", "a number of 2 bytes, as ShortSerializer writes it"},
        {ValueFormat::Int32, "int", "a number of 4 bytes, as IntegerSerializer writes it"},
        {ValueFormat::Int64, "long", "a number of 8 bytes, as LongSerializer writes it"},
        {ValueFormat::Float32, "float", "floating point of 4 bytes, as FloatSerializer writes it"},
        {ValueFormat::Float64, "double", "floating point of 8 bytes, as DoubleSerializer writes it"},
        {ValueFormat::SchemaRegistry, "confluent", "a zero, a schema id and what that schema describes"},
        {ValueFormat::Protobuf, "protobuf", "protobuf without its schema: field numbers and values"},
        {ValueFormat::AvroContainer, "avro", "an Avro object container file"},
        {ValueFormat::Hex, "hex", "the bytes"},
    }};
    return rows;
}

std::optional<ValueFormat> valueFormatOf(std::string_view name) {
    for (const ValueFormatRow& row : valueFormats())
        if (row.name == name) return row.format;
    return std::nullopt;
}

GuessedValue guessValue(Bytes bytes, const GuessOptions& options) {
    Guesser guesser(bytes, options);
    return options.format == ValueFormat::Auto ? guesser.guess() : guesser.force();
}

} // namespace brokerscope
