// SPDX-License-Identifier: Apache-2.0
#include "cli/input/live_input.h"

#include "capture/live_capture.h"

#include <fmt/format.h>

#include <grp.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <optional>
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

// The device is open: what is left to do needs no root. False: root was to be given up and could not be.
bool giveUpRoot() {
    if (geteuid() != 0) return true;
    const auto user = numberFrom("SUDO_UID"), group = numberFrom("SUDO_GID");
    if (!user || !group) return true; // root by its own right
    return setgroups(0, nullptr) == 0 && setgid(*group) == 0 && setuid(*user) == 0;
}

} // namespace

Result<std::unique_ptr<PacketSource>> openLiveInput(const Options& options) {
    LiveOptions live;
    live.interfaces = options.interfaces;
    if (!options.captureFilter.empty()) live.filter = options.captureFilter;
    if (options.snapLength) live.snapLength = static_cast<int>(*options.snapLength);
    live.promiscuous = options.promiscuous;
    if (options.kernelBuffer) live.kernelBufferBytes = static_cast<int>(*options.kernelBuffer);
    auto source = openLive(live);
    if (source && !giveUpRoot()) return Error{"root could not be given up after the interface was opened", "", {}};
    return source;
}

std::uint64_t drops(const PacketSource& source) {
    std::uint64_t total = 0;
    for (const CaptureInterface& interface : source.info().interfaces)
        total += interface.counts.droppedBySystem.value_or(0) + interface.counts.droppedByInterface.value_or(0);
    return total;
}

std::string dropsText(const PacketSource& source) {
    const std::uint64_t dropped = drops(source);
    return dropped == 0 ? "none lost" : fmt::format("{} dropped on the way", dropped);
}

} // namespace brokerscope
