// SPDX-License-Identifier: Apache-2.0
#include "cli/output/progress_line.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unistd.h>

namespace brokerscope {
namespace {

constexpr auto firstAfter = std::chrono::seconds(1);
constexpr auto every = std::chrono::milliseconds(100);
constexpr std::string_view wipe = "\r\033[K";

void writeAll(int descriptor, std::string_view text) {
    // A progress line that cannot be written is no loss.
    [[maybe_unused]] const ssize_t written = ::write(descriptor, text.data(), text.size());
}

} // namespace

ProgressLine::ProgressLine(int descriptor, When when, bool quiet)
    : m_descriptor(descriptor), m_terminal(::isatty(descriptor) != 0), m_next(Clock::now() + firstAfter) {
    m_active = when == When::Always || (when == When::Auto && m_terminal && !quiet);
}

ProgressLine::~ProgressLine() {
    if (m_shown && m_terminal) writeAll(m_descriptor, wipe);
}

void ProgressLine::update(std::uint64_t done, std::uint64_t total) {
    if (!m_active) return;
    const auto now = Clock::now();
    if (now < m_next) return;
    m_next = now + every;
    print(done, total);
}

void ProgressLine::print(std::uint64_t done, std::uint64_t total) {
    m_shown = true;
    std::string text = m_terminal ? std::string(wipe) : std::string();
    text += total == 0 ? fmt::format("{} read", sizeWords(done))
                       : fmt::format("{} of {} read ({:.0f} %)", sizeWords(done), sizeWords(total),
                                     100.0 * static_cast<double>(done) / static_cast<double>(total));
    if (!m_terminal) text += '\n';
    writeAll(m_descriptor, text);
}

} // namespace brokerscope
