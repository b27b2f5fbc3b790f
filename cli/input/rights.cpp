// SPDX-License-Identifier: Apache-2.0
#include "cli/input/rights.h"

#include <fmt/format.h>

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace brokerscope {

namespace {

std::optional<unsigned> numberFrom(const char* variable) {
    const char* text = std::getenv(variable);
    if (!text) return std::nullopt;
    unsigned number = 0;
    const std::string_view digits(text);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return read.ec == std::errc{} && number != 0 ? std::optional(number) : std::nullopt;
}

Error failed(std::string_view what) {
    return {
        fmt::format("{} could not be given up after the interface was opened: {}", what, std::strerror(errno)), {}, {}};
}

bool becomeUserAgain() {
    if (geteuid() != 0) return true;
    const auto user = numberFrom("SUDO_UID"), group = numberFrom("SUDO_GID");
    if (!user || !group) return true; // root by its own right
    return setgroups(0, nullptr) == 0 && setgid(*group) == 0 && setuid(*user) == 0;
}

// Only what it has now can be kept.
bool dropCapabilities(std::uint32_t keep) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2] = {};
    if (syscall(SYS_capget, &header, sets) != 0) return false;
    sets[0].permitted &= keep;
    sets[0].effective = sets[0].permitted;
    sets[0].inheritable = 0;
    sets[1] = {};
    return syscall(SYS_capset, &header, sets) == 0;
}

} // namespace

std::optional<Error> giveUpRights() {
    if (!becomeUserAgain()) return failed("root");
    const std::uint32_t keep = geteuid() == 0 ? std::uint32_t{1} << CAP_DAC_OVERRIDE : 0;
    if (!dropCapabilities(keep) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("the right to capture");
    return std::nullopt;
}

} // namespace brokerscope
