// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/java_text.h"

#include <utility>

namespace brokerscope {
namespace {

constexpr std::uint32_t replacement = 0xfffd;

// Joins surrogates and writes UTF-8.
class Utf8Writer {
  public:
    void add(std::uint32_t unit) {
        const bool high = unit >= 0xd800 && unit < 0xdc00, low = unit >= 0xdc00 && unit < 0xe000;
        if (low && m_high) {
            write(0x10000 + ((m_high - 0xd800) << 10 | (unit - 0xdc00)));
            m_high = 0;
            return;
        }
        flush();
        if (high)
            m_high = unit;
        else
            write(low ? replacement : unit);
    }
    std::vector<std::uint8_t> take() {
        flush();
        return std::move(m_out);
    }

  private:
    void flush() {
        if (m_high) write(replacement);
        m_high = 0;
    }
    void write(std::uint32_t point) {
        const auto put = [&](std::uint32_t byte) { m_out.push_back(static_cast<std::uint8_t>(byte)); };
        const auto follow = [&](int shift) { put(0x80 | (point >> shift & 0x3f)); };
        if (point < 0x80) return put(point);
        if (point < 0x800) {
            put(0xc0 | point >> 6);
        } else if (point < 0x10000) {
            put(0xe0 | point >> 12);
            follow(6);
        } else {
            put(0xf0 | point >> 18);
            follow(12);
            follow(6);
        }
        follow(0);
    }

    std::vector<std::uint8_t> m_out;
    std::uint32_t m_high = 0; // a surrogate that waits for its other half
};

} // namespace

std::vector<std::uint8_t> utf8OfJava(Bytes bytes) {
    Utf8Writer out;
    for (std::size_t i = 0; i < bytes.size();) {
        const std::uint32_t first = bytes[i];
        const std::size_t size = first < 0x80 ? 1 : (first & 0xe0) == 0xc0 ? 2 : (first & 0xf0) == 0xe0 ? 3 : 0;
        const auto follows = [&](std::size_t at) { return at < bytes.size() && (bytes[at] & 0xc0) == 0x80; };
        const bool whole = size == 1 || (size >= 2 && follows(i + 1) && (size == 2 || follows(i + 2)));
        if (!whole) {
            out.add(replacement);
            ++i;
            continue;
        }
        std::uint32_t unit = size == 1 ? first : size == 2 ? first & 0x1f : first & 0x0f;
        for (std::size_t k = 1; k < size; ++k)
            unit = unit << 6 | (bytes[i + k] & 0x3f);
        out.add(unit);
        i += size;
    }
    return out.take();
}

std::vector<std::uint8_t> utf8OfUtf16(Bytes bytes) {
    Utf8Writer out;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
        out.add(std::uint32_t{bytes[i]} << 8 | bytes[i + 1]);
    return out.take();
}

} // namespace brokerscope
