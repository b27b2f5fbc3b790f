// SPDX-License-Identifier: Apache-2.0
#include "cli/output/progress_line.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

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
    if (!isTime()) return;
    print(total == 0 ? fmt::format("{} read", sizeWords(done))
                     : fmt::format("{} of {} read ({:.0f} %)", sizeWords(done), sizeWords(total),
                                   100.0 * static_cast<double>(done) / static_cast<double>(total)));
}

void ProgressLine::update(const std::function<std::string()>& text) {
    if (isTime()) print(text());
}

bool ProgressLine::isTime() {
    if (!m_active) return false;
    const auto now = Clock::now();
    if (now < m_next) return false;
    m_next = now + every;
    return true;
}

void ProgressLine::print(std::string_view text) {
    m_shown = true;
    writeAll(m_descriptor, m_terminal ? fmt::format("{}{}", wipe, text) : fmt::format("{}\n", text));
}

} // namespace brokerscope
