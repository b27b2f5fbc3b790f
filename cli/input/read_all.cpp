// SPDX-License-Identifier: Apache-2.0
#include "cli/input/read_all.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace brokerscope {

Result<std::string> readAll(int descriptor) {
    std::string text;
    std::string part(64 * 1024, '\0');
    while (true) {
        const ssize_t count = ::read(descriptor, part.data(), part.size());
        if (count == 0) return text;
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return Error{fmt::format("cannot be read: {}", std::strerror(errno)), "standard input", {}};
        text.append(part, 0, static_cast<std::size_t>(count));
        if (text.size() > mostPasted)
            return Error{
                fmt::format("is more than the {} MiB that decode takes", mostPasted >> 20), "standard input", {}};
    }
}

} // namespace brokerscope
