// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/protobuf_text.h"

#include "dissector/payloads/bounded_text.h"
#include "dissector/wire/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace brokerscope {

namespace {

constexpr int mostLevels = 16;
constexpr std::uint64_t highestField = (1u << 29) - 1;
constexpr std::uint64_t highestUsualField = 1000;
constexpr std::size_t mostOfOne = 200; // bytes of text for one string or bytes field on a line

enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Sized = 2, Fixed32 = 5 };

struct Field {
    std::uint64_t number = 0;
    WireType type = WireType::Varint;
    std::uint64_t value = 0; // of a number
    Bytes content;           // of Sized
};

// The fields of one message, front to back.
class FieldReader {
  public:
    explicit FieldReader(Bytes bytes) : m_bytes(bytes), m_chain(ByteChain::of(bytes)), m_cursor(m_chain) {}

    bool atEnd() const { return m_cursor.ok() && m_cursor.remaining() == 0; }

    bool next(Field& field) {
        const std::uint64_t tag = m_cursor.readUvarlong();
        field.number = tag >> 3;
        field.type = static_cast<WireType>(tag & 7);
        field.content = {};
        if (!m_cursor.ok() || field.number == 0 || field.number > highestField) return false;
        switch (field.type) {
        case WireType::Varint:
            field.value = m_cursor.readUvarlong();
            break;
        case WireType::Fixed64:
            field.value = littleEndian(8);
            break;
        case WireType::Fixed32:
            field.value = littleEndian(4);
            break;
        case WireType::Sized: {
            const std::uint64_t length = m_cursor.readUvarlong();
            if (!m_cursor.ok() || length > m_cursor.remaining()) return false;
            field.content = m_bytes.subspan(m_cursor.position(), length);
            m_cursor.skip(static_cast<std::uint32_t>(length));
            break;
        }
        default:
            return false;
        }
        return m_cursor.ok();
    }

  private:
    std::uint64_t littleEndian(int size) {
        std::uint64_t value = 0;
        for (int i = 0; i < size; ++i)
            value |= std::uint64_t{m_cursor.readU8()} << 8 * i;
        return value;
    }

    Bytes m_bytes;
    ByteChain m_chain;
    Cursor m_cursor;
};

bool isMessage(Bytes bytes, std::uint64_t highest) {
    FieldReader reader(bytes);
    Field field;
    while (!reader.atEnd())
        if (!reader.next(field) || field.number > highest) return false;
    return !bytes.empty();
}

// A number of fixed size may be an integer or floating point: the latter where it is one that people use.
template<class Float, class Bits>
std::string fixedText(Bits bits, int width) {
    const auto real = std::bit_cast<Float>(bits);
    const double size = std::fabs(static_cast<double>(real));
    if (bits != 0 && size > 1e-9 && size < 1e15) return fmt::format("{}f{}", real, width);
    return fmt::format("{}i{}", bits, width);
}

class Printer {
  public:
    Printer(bool pretty, std::size_t most) : m_pretty(pretty), m_most(most) {}

    void message(Bytes bytes, int level) {
        FieldReader reader(bytes);
        Field field;
        for (bool first = true; !isFull() && !reader.atEnd() && reader.next(field); first = false) {
            if (m_pretty)
                m_out.append(2 * static_cast<std::size_t>(level), ' ');
            else if (!first)
                m_out += ", ";
            fmt::format_to(std::back_inserter(m_out), "{}: ", field.number);
            value(field, level);
            if (m_pretty) m_out += '\n';
        }
    }

    std::string take() {
        cutText(m_out, m_most);
        return std::move(m_out);
    }

  private:
    bool isFull() const { return m_out.size() > m_most; }

    void value(const Field& field, int level) {
        switch (field.type) {
        case WireType::Varint:
            m_out += fmt::format("{}", static_cast<std::int64_t>(field.value));
            break;
        case WireType::Fixed64:
            m_out += fixedText<double>(field.value, 64);
            break;
        case WireType::Fixed32:
            m_out += fixedText<float>(static_cast<std::uint32_t>(field.value), 32);
            break;
        case WireType::Sized:
            sized(field.content, level);
            break;
        }
    }

    void sized(Bytes content, int level) {
        const std::size_t most = m_pretty ? m_most : mostOfOne;
        if (content.empty() || looksLikeText(content)) {
            m_out += '"';
            appendLine(content, m_out, most);
            m_out += '"';
        } else if (level < mostLevels && looksLikeProtobuf(content)) {
            m_out += m_pretty ? "{\n" : "{";
            message(content, level + 1);
            if (m_pretty) m_out.append(2 * static_cast<std::size_t>(level), ' ');
            m_out += '}';
        } else {
            m_out += "0x";
            appendHex(content, m_out, most);
        }
    }

    bool m_pretty;
    std::size_t m_most;
    std::string m_out;
};

std::string show(Bytes bytes, bool pretty, std::size_t most) {
    Printer printer(pretty, most);
    printer.message(bytes, 0);
    return printer.take();
}

} // namespace

bool isProtobuf(Bytes bytes) {
    return isMessage(bytes, highestField);
}

bool looksLikeProtobuf(Bytes bytes) {
    return isMessage(bytes, highestUsualField);
}

std::string protobufLine(Bytes bytes, std::size_t most) {
    return show(bytes, false, most);
}

std::string protobufPretty(Bytes bytes, std::size_t most) {
    return show(bytes, true, most);
}

} // namespace brokerscope
