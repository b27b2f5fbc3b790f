// SPDX-License-Identifier: Apache-2.0
#include "capture/types/endpoint.h"

#include <fmt/format.h>

#include <arpa/inet.h>

namespace brokerscope {

std::string toString(const Address& address) {
    char text[INET6_ADDRSTRLEN] = "";
    inet_ntop(address.v6 ? AF_INET6 : AF_INET, address.bytes.data(), text, sizeof text);
    return text;
}

std::string toString(const Endpoint& endpoint) {
    const std::string address = toString(endpoint.address);
    return endpoint.address.v6 ? fmt::format("[{}]:{}", address, endpoint.port)
                               : fmt::format("{}:{}", address, endpoint.port);
}

} // namespace brokerscope
