// SPDX-License-Identifier: Apache-2.0
// What was typed about a live capture, as a packet source.
#pragma once

#include "capture/packet_source.h"
#include "cli/options/options.h"

#include <memory>
#include <string>

namespace brokerscope {

// Opens the interfaces; afterwards a root that sudo made is the user who called it again.
Result<std::unique_ptr<PacketSource>> openLiveInput(const Options& options);

std::uint64_t drops(const PacketSource& source);
std::string dropsText(const PacketSource& source); // "none dropped", "12 dropped by the kernel or here"

} // namespace brokerscope
