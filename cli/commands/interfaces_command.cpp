// SPDX-License-Identifier: Apache-2.0
// `interfaces`: where a live capture could be taken.
#include "capture/live_capture.h"
#include "cli/commands/commands.h"

#include <fmt/format.h>

#include <fstream>

namespace brokerscope {
namespace {

// Bytes since the interface came up, a hint at where the traffic is; empty where the system does not tell.
std::string trafficSoFar(const std::string& interface) {
    std::uint64_t total = 0;
    for (const char* direction : {"rx_bytes", "tx_bytes"}) {
        std::ifstream file(fmt::format("/sys/class/net/{}/statistics/{}", interface, direction));
        std::uint64_t bytes = 0;
        if (!(file >> bytes)) return {};
        total += bytes;
    }
    return total < 10'000'000 ? fmt::format("{} kB", total / 1000) : fmt::format("{} MB", total / 1'000'000);
}

} // namespace

Ending runInterfaces(const Options&, Console& console) {
    const auto interfaces = listInterfaces();
    if (!interfaces) {
        console.messages.error(interfaces.error());
        return Ending::Unusable;
    }
    for (const LiveInterface& interface : interfaces.value()) {
        std::string about = fmt::format("{}", fmt::join(interface.addresses, " "));
        if (about.empty()) about = interface.description;
        if (!interface.up) about += about.empty() ? "down" : ", down";
        console.out.write(fmt::format("{:<16} {:>10}  {}\n", interface.name, trafficSoFar(interface.name), about));
    }
    return Ending::Done;
}

} // namespace brokerscope
