// SPDX-License-Identifier: Apache-2.0
#include "capture/types/endpoint.h"

#include <fmt/format.h>

#include <arpa/inet.h>

namespace brokerscope {

std::string toString(const Address& address) {
    if (!address.v6) { // by hand: lists print two of these a line
        std::string text;
        for (int i = 0; i < 4; ++i) {
            if (i) text += '.';
            const fmt::format_int part(address.bytes[static_cast<std::size_t>(i)]);
            text.append(part.data(), part.size());
        }
        return text;
    }
    char text[INET6_ADDRSTRLEN] = "";
    inet_ntop(AF_INET6, address.bytes.data(), text, sizeof text);
    return text;
}

std::string toString(const Endpoint& endpoint) {
    std::string text = toString(endpoint.address);
    if (endpoint.address.v6) text = fmt::format("[{}]", text);
    const fmt::format_int port(endpoint.port);
    text += ':';
    text.append(port.data(), port.size());
    return text;
}

} // namespace brokerscope
