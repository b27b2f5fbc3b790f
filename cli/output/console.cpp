// SPDX-License-Identifier: Apache-2.0
#include "cli/output/console.h"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace brokerscope {
namespace {

// COLUMNS, where a person (or a test) set it, counts for files and pipes too.
std::size_t widthOf(const OutputFile& out) {
    if (const char* set = std::getenv("COLUMNS")) {
        const std::string_view text = set;
        std::size_t columns = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
        if (error == std::errc() && end == text.data() + text.size() && columns >= 20) return columns;
    }
    winsize size{};
    if (!out.isTerminal()) return 0;
    if (::ioctl(out.descriptor(), TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
    return 80;
}

} // namespace

Console::Console(const Options& options) : Console(options, STDOUT_FILENO) {}

Console::Console(const Options& options, int descriptor, std::unique_ptr<Compressor> compressor)
    : out(descriptor, std::move(compressor)), style(Style::choose(options.color, out.isTerminal())),
      messages(STDERR_FILENO, Style::choose(options.color, ::isatty(STDERR_FILENO) != 0), options.quiet),
      width(widthOf(out)) {}

} // namespace brokerscope
