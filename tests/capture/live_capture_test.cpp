// SPDX-License-Identifier: Apache-2.0
// Captures on the loopback interface. Without the right to capture they say so and are passed over.
#include "capture/live_capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <iostream>
#include <thread>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;
using testing::AnyOf;
using testing::HasSubstr;

// A UDP port of this test alone: nobody listens, and the socket keeps others from it.
class Datagrams {
  public:
    Datagrams() : m_socket(::socket(AF_INET, SOCK_DGRAM, 0)) {
        m_address.sin_family = AF_INET;
        m_address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof m_address;
        ::bind(m_socket, reinterpret_cast<const sockaddr*>(&m_address), size);
        ::getsockname(m_socket, reinterpret_cast<sockaddr*>(&m_address), &size);
    }
    ~Datagrams() { ::close(m_socket); }
    Datagrams(const Datagrams&) = delete;
    Datagrams& operator=(const Datagrams&) = delete;

    void send(std::size_t size = 1) const {
        const std::string bytes(size, 'x');
        ::sendto(m_socket, bytes.data(), size, 0, reinterpret_cast<const sockaddr*>(&m_address), sizeof m_address);
    }
    std::string filter() const { return "udp port " + std::to_string(ntohs(m_address.sin_port)); }

  private:
    int m_socket;
    sockaddr_in m_address{};
};

LiveOptions loopback(const std::string& filter) {
    LiveOptions options;
    options.interfaces = {"lo"};
    options.filter = filter;
    return options;
}

class Loopback : public testing::Test {
  protected:
    std::unique_ptr<LiveSource> open(const LiveOptions& options) {
        auto opened = openLive(options);
        if (opened) {
            (*opened)->start();
            return std::move(*opened);
        }
        EXPECT_THAT(opened.error().what, HasSubstr("setcap cap_net_raw")); // without the right: the way to get it
        std::cerr << "PASSED OVER, this user may not capture on lo\n";
        return nullptr;
    }
    static std::vector<Packet> readToTheEnd(PacketSource& source) {
        std::vector<Packet> packets;
        for (Packet packet; source.next(packet);)
            packets.push_back(packet);
        return packets;
    }

    Datagrams port;
};

constexpr std::size_t headers = 14 + 20 + 8;

TEST(LiveCapture, anUnknownInterfaceIsNamedWithWhatToDo) {
    LiveOptions options;
    options.interfaces = {"no-such-if0"};
    const auto opened = openLive(options);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().where, "no-such-if0");
    EXPECT_THAT(opened.error().what, AnyOf(HasSubstr("brokerscope interfaces"), HasSubstr("setcap")));
}

TEST(LiveCapture, aWrongFilterIsRefusedBeforeAnythingIsCaptured) {
    const auto opened = openLive(loopback("no filter at all"));
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().what, AnyOf(HasSubstr("'no filter at all' is not understood"), HasSubstr("setcap")));
}

TEST(LiveCapture, interfacesHaveTheirAddresses) {
    const auto interfaces = listInterfaces();
    ASSERT_TRUE(interfaces);
    const auto& all = interfaces.value();
    const auto lo = std::ranges::find(all, "lo", &LiveInterface::name);
    ASSERT_NE(lo, all.end());
    EXPECT_TRUE(lo->loopback);
    EXPECT_TRUE(!lo->up || std::ranges::count(lo->addresses, "127.0.0.1") == 1);
}

TEST_F(Loopback, packetsComeAndStopEndsIt) {
    for (const bool immediate : {true, false}) {
        LiveOptions options = loopback(port.filter());
        options.immediate = immediate;
        const auto source = open(options);
        if (!source) return;
        port.send();
        Packet packet;
        ASSERT_TRUE(source->next(packet));
        EXPECT_EQ(packet.number.value, 1u);
        EXPECT_EQ(packet.originalLength, headers + 1);
        EXPECT_EQ(packet.linkType, 1);
        source->stop();
        EXPECT_TRUE(readToTheEnd(*source).empty());
        const InterfaceCounts& counts = source->info().interfaces.front().counts;
        EXPECT_EQ(counts.droppedBySystem, 0u);
        EXPECT_EQ(counts.delivered, 1u);
        EXPECT_GE(counts.received, 1u); // the kernel sees a packet of the loopback interface leave and come
    }
}

TEST_F(Loopback, waitsNoLongerThanAsked) {
    const auto source = open(loopback(port.filter()));
    if (!source) return;
    const auto before = std::chrono::steady_clock::now();
    EXPECT_FALSE(source->ready(20ms));
    EXPECT_FALSE(source->ready(150ms));
    EXPECT_GE(std::chrono::steady_clock::now() - before, 160ms);
    EXPECT_LT(std::chrono::steady_clock::now() - before, 10s);
}

TEST_F(Loopback, theSnapLengthCutsAndThePacketKnowsHowLongItWas) {
    LiveOptions options = loopback(port.filter());
    options.snapLength = 64;
    const auto source = open(options);
    if (!source) return;
    port.send(1000);
    Packet packet;
    ASSERT_TRUE(source->next(packet));
    EXPECT_EQ(packet.bytes.size(), 64u);
    EXPECT_EQ(packet.originalLength, headers + 1000);
    EXPECT_EQ(source->info().cutPackets, 1u);
}

TEST_F(Loopback, severalInterfacesAreReadTogether) {
    LiveOptions options = loopback(port.filter());
    options.interfaces = {"lo", "any"};
    const auto source = open(options);
    if (!source) return;
    port.send();
    std::vector<std::uint32_t> seen;
    for (Packet packet; seen.size() < 2 && source->next(packet);)
        seen.push_back(packet.interface);
    EXPECT_THAT(seen, testing::IsSupersetOf({0u, 1u}));
    EXPECT_EQ(source->info().interfaces[1].name, "any");
    EXPECT_NE(source->info().interfaces[0].linkType, source->info().interfaces[1].linkType);
}

TEST_F(Loopback, aFullQueueDropsAndCountsAndNothingElseIsLost) {
    LiveOptions options = loopback(port.filter());
    options.queuePackets = 10;
    const auto source = open(options);
    if (!source) return;
    constexpr std::uint64_t sent = 200;
    for (std::uint64_t i = 0; i < sent; ++i)
        port.send();
    std::this_thread::sleep_for(500ms); // the reading thread goes on though nobody takes packets out
    source->stop();
    EXPECT_EQ(readToTheEnd(*source).size(), 10u);
    const InterfaceCounts& counts = source->info().interfaces[0].counts;
    EXPECT_GE(counts.received, sent);
    EXPECT_EQ(counts.delivered, 10u);
    EXPECT_EQ(counts.droppedBySystem, sent - 10);
}

TEST_F(Loopback, theFilterCanBeChangedWhileItRuns) {
    const auto source = open(loopback(port.filter()));
    if (!source) return;
    EXPECT_THAT(source->changeFilter("nonsense here").value_or(Error{}).what, HasSubstr("not understood"));
    const Datagrams another;
    EXPECT_FALSE(source->changeFilter(another.filter()));
    Packet packet;
    bool came = false;
    for (int tries = 0; tries < 50 && !came; ++tries) { // the reading thread takes it up by and by
        another.send(77);
        came = source->ready(100ms);
    }
    ASSERT_TRUE(came);
    ASSERT_TRUE(source->next(packet));
    EXPECT_EQ(packet.originalLength, headers + 77);
}

} // namespace
} // namespace brokerscope
