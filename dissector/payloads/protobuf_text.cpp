// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/protobuf_text.h"

#include "dissector/payloads/bounded_text.h"
#include "dissector/payloads/protobuf_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace brokerscope {

namespace {

constexpr int mostLevels = 16;
constexpr std::uint64_t highestUsualField = 1000;
constexpr std::size_t mostOfOne = 200; // bytes of text for one string or bytes field on a line

bool isMessage(Bytes bytes, std::uint64_t highest) {
    ProtobufReader reader(bytes);
    ProtobufField field;
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
        ProtobufReader reader(bytes);
        ProtobufField field;
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

    void value(const ProtobufField& field, int level) {
        switch (field.type) {
        case ProtobufField::Type::Varint:
            m_out += fmt::format("{}", static_cast<std::int64_t>(field.value));
            break;
        case ProtobufField::Type::Fixed64:
            m_out += fixedText<double>(field.value, 64);
            break;
        case ProtobufField::Type::Fixed32:
            m_out += fixedText<float>(static_cast<std::uint32_t>(field.value), 32);
            break;
        case ProtobufField::Type::Sized:
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
    return isMessage(bytes, ProtobufReader::highestField);
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
