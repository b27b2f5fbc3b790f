// SPDX-License-Identifier: Apache-2.0
// The plainest of HTTP clients, for tests of --metrics-listen.
#pragma once

#include <cstdint>
#include <string>

namespace brokerscope {

// A port of 127.0.0.1 that nobody listens on just now.
std::uint16_t freePort();
// The whole answer with its head; empty: nobody listens there.
std::string httpGet(std::uint16_t port, const std::string& path);

} // namespace brokerscope
