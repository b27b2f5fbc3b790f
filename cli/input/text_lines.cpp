// SPDX-License-Identifier: Apache-2.0
#include "cli/input/text_lines.h"

#include "capture/files/open_input.h"

#include <cstring>

namespace brokerscope {

std::optional<Error> readLines(const std::string& path, const std::function<void(std::string_view)>& line) {
    constexpr std::uint64_t step = 64 << 10, longest = 64 << 20;
    auto opened = openInput(path, {});
    if (!opened) return opened.error();
    InputBytes& input = *opened.value().input;
    std::uint64_t begin = 0, searched = 0;
    bool ended = false;
    while (!ended) {
        ended = input.need(searched + step, waitForever) != Have::Yes;
        const std::uint64_t end = input.available();
        for (;;) {
            const void* found = end > searched ? std::memchr(input.at(searched), '\n', end - searched) : nullptr;
            if (!found) break;
            const auto* mark = static_cast<const std::uint8_t*>(found);
            const std::uint64_t at = static_cast<std::uint64_t>(mark - input.at(0));
            line({reinterpret_cast<const char*>(input.at(begin)), at - begin});
            begin = searched = at + 1;
        }
        searched = end;
        if (searched - begin > longest) begin = searched;
        input.releaseBefore(input.at(begin));
    }
    if (begin < searched) line({reinterpret_cast<const char*>(input.at(begin)), searched - begin});
    return input.failure();
}

} // namespace brokerscope
