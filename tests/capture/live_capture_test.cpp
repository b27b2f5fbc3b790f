// SPDX-License-Identifier: Apache-2.0
#include "capture/live_capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

namespace brokerscope {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

LiveOptions loopback(const std::string& filter) {
    LiveOptions options;
    options.interfaces = {"lo"};
    options.filter = filter;
    return options;
}

// A datagram to a port of this machine; nobody listens there.
void sendDatagram(std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::sendto(socket, "x", 1, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    ::close(socket);
}

TEST(LiveCapture, anUnknownInterfaceIsNamedWithWhatToDo) {
    LiveOptions options;
    options.interfaces = {"no-such-if0"};
    const auto opened = openLive(options);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().where, "no-such-if0");
    EXPECT_THAT(opened.error().what, AnyOf(HasSubstr("brokerscope interfaces"), HasSubstr("setcap")));
}

TEST(LiveCapture, packetsComeAndStopEndsIt) {
    constexpr std::uint16_t port = 47113;
    auto opened = openLive(loopback("udp port 47113"));
    if (!opened) { // without the right: the way to get it is told
        EXPECT_THAT(opened.error().what, HasSubstr("setcap cap_net_raw"));
        return;
    }
    PacketSource& source = **opened;
    sendDatagram(port);
    Packet packet;
    ASSERT_TRUE(source.next(packet));
    EXPECT_EQ(packet.number.value, 1u);
    EXPECT_EQ(packet.originalLength, 14u + 20 + 8 + 1);
    EXPECT_EQ(packet.linkType, 1);
    source.stop();
    while (source.next(packet)) {
    }
    EXPECT_EQ(source.info().interfaces.front().counts.droppedBySystem, 0u);
}

TEST(LiveCapture, aWrongFilterIsRefusedBeforeAnythingIsCaptured) {
    const auto opened = openLive(loopback("no filter at all"));
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().what, AnyOf(HasSubstr("'no filter at all' is not understood"), HasSubstr("setcap")));
}

TEST(LiveCapture, interfacesHaveTheirAddresses) {
    const auto interfaces = listInterfaces();
    ASSERT_TRUE(interfaces);
    for (const LiveInterface& interface : interfaces.value())
        EXPECT_FALSE(interface.name.empty());
}

} // namespace
} // namespace brokerscope
