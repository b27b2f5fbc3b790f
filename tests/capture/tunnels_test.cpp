// SPDX-License-Identifier: Apache-2.0
// Real traffic put into every kind of tunnel, tag and fragment: the streams are those of the plain capture.
#include "capture/capture_file.h"
#include "capture/stream_reader.h"
#include "tests/support/memory_source.h"
#include "tests/support/stream_recorder.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace brokerscope::test {
namespace {

using Frames = std::vector<Octets>;

struct Wrapping {
    std::string name;
    std::uint16_t linkType;
    std::function<Frames(const Octets& frame)> wrap; // of one Ethernet frame

    friend void PrintTo(const Wrapping& wrapping, std::ostream* out) { *out << wrapping.name; }
};

constexpr std::size_t kEthernetHeader = 14;

Octets ipOf(const Octets& frame) {
    return {frame.begin() + kEthernetHeader, frame.end()};
}

std::uint16_t nextId() {
    static std::uint16_t id = 0;
    return ++id;
}

Octets outer4(std::uint8_t protocol, const Octets& content) {
    return ethernet(0x0800, ipv4({.from = "192.0.2.1", .to = "192.0.2.2", .protocol = protocol}, content));
}

Octets outer6(std::uint8_t next, const Octets& content) {
    return ethernet(0x86dd, ipv6({.from = "2001:db8::1", .to = "2001:db8::2", .next = next}, content));
}

Octets vxlan(const Octets& frame) {
    return udp(4789, fromHex("08000000 00002a00") + frame);
}

Frames fragments4(std::uint8_t protocol, const Octets& content, std::size_t size) {
    const std::uint16_t id = nextId();
    Frames out;
    for (std::size_t at = 0; at < content.size(); at += size) {
        const std::size_t end = std::min(at + size, content.size());
        const auto field = static_cast<std::uint16_t>(at / 8 | (end < content.size() ? 0x2000 : 0));
        const Octets piece(content.begin() + static_cast<std::ptrdiff_t>(at),
                           content.begin() + static_cast<std::ptrdiff_t>(end));
        out.push_back(
            ethernet(0x0800, ipv4({.from = "192.0.2.1", .protocol = protocol, .id = id, .fragment = field}, piece)));
    }
    return out;
}

Frames fragments6(std::uint8_t next, const Octets& content, std::size_t size) {
    const std::uint16_t id = nextId();
    Frames out;
    for (std::size_t at = 0; at < content.size(); at += size) {
        const std::size_t end = std::min(at + size, content.size());
        const auto field = static_cast<std::uint16_t>(at | (end < content.size() ? 1 : 0));
        const Octets piece(content.begin() + static_cast<std::ptrdiff_t>(at),
                           content.begin() + static_cast<std::ptrdiff_t>(end));
        out.push_back(outer6(44, Octets{next, 0} + be16(field) + be32(id) + piece));
    }
    return out;
}

std::vector<Wrapping> wrappings() {
    const auto one = [](auto make) { return [make](const Octets& frame) { return Frames{make(frame)}; }; };
    const auto gre = [](const char* head, const Octets& content) { return outer4(47, fromHex(head) + content); };
    const auto pppoeLength = [](const Octets& ip) { return be16(static_cast<std::uint16_t>(ip.size() + 2)); };
    return {
        {"vlan", 1, one([](const Octets& f) { return ethernet(0x8100, vlan(77, 0x0800, ipOf(f))); })},
        {"qinq", 1, one([](const Octets& f) { return ethernet(0x88a8, vlan(1, 0x8100, vlan(2, 0x0800, ipOf(f)))); })},
        {"greWithIp", 1, one([=](const Octets& f) { return gre("0000 0800", ipOf(f)); })},
        {"greWithEthernet", 1, one([=](const Octets& f) { return gre("2000 6558 00000001", f); })},
        {"vxlan", 1, one([](const Octets& f) { return outer4(17, vxlan(f)); })},
        {"vxlanOverIpv6", 1, one([](const Octets& f) { return outer6(17, vxlan(f)); })},
        {"geneve", 1, one([](const Octets& f) {
             return outer4(17, udp(6081, fromHex("0240 6558 00002a00 0102800100000000") + f));
         })},
        {"ipInIp", 1, one([](const Octets& f) { return outer4(4, ipOf(f)); })},
        {"ipInIpv6", 1, one([](const Octets& f) { return outer6(4, ipOf(f)); })},
        {"mpls", 1, one([](const Octets& f) { return ethernet(0x8847, fromHex("00010040 00011140") + ipOf(f)); })},
        {"mplsWithEthernet", 1,
         one([](const Octets& f) { return ethernet(0x8847, fromHex("00011140 00000000") + f); })},
        {"erspanOne", 1, one([=](const Octets& f) { return gre("0000 88be", f); })},
        {"erspanTwo", 1, one([=](const Octets& f) { return gre("1000 88be 00000001 10640001 00000000", f); })},
        {"erspanThree", 1, one([=](const Octets& f) {
             return gre("1000 22eb 00000001 20640001 00000000 0000 0001 0000000000000000", f);
         })},
        {"pppoe", 1, one([=](const Octets& f) {
             return ethernet(0x8864, fromHex("1100 59f7") + pppoeLength(ipOf(f)) + be16(0x0021) + ipOf(f));
         })},
        {"cookedWithVlan", 113, one([](const Octets& f) {
             return fromHex("0000 0001 0006 020000000001 0000 8100") + vlan(7, 0x0800, ipOf(f));
         })},
        {"cooked2WithVlan", 276, one([](const Octets& f) {
             return fromHex("8100 0000 00000003 0001 00 06 020000000001 0000") + vlan(7, 0x0800, ipOf(f));
         })},
        {"rawIp", 101, one(ipOf)},
        {"loopback", 0, one([](const Octets& f) { return fromHex("02000000") + ipOf(f); })},
        {"vxlanInFragments", 1, [](const Octets& f) { return fragments4(17, vxlan(f), 400); }},
        {"greInIpv6Fragments", 1, [](const Octets& f) { return fragments6(47, fromHex("0000 0800") + ipOf(f), 400); }},
        {"vxlanInGreOnVlan", 1, one([=](const Octets& f) {
             return ethernet(0x8100, vlan(9, 0x0800, ipOf(gre("0000 0800", ipOf(outer4(17, vxlan(f)))))));
         })},
    };
}

// The frames of a shipped sample, without what Ethernet filled up.
const Frames& sample() {
    static const Frames frames = [] {
        const std::string file = BROKERSCOPE_SOURCE_DIR "/samples/codecs.pcap";
        auto source = openCapture(std::span(&file, 1));
        Frames out;
        if (!source) return out;
        Packet packet;
        while (source.value()->next(packet)) {
            const Bytes length = packet.bytes.subspan(kEthernetHeader + 2, 2);
            const std::size_t ip = length[0] * std::size_t{256} + length[1];
            out.emplace_back(packet.bytes.begin(),
                             packet.bytes.begin() + static_cast<std::ptrdiff_t>(kEthernetHeader + ip));
        }
        return out;
    }();
    return frames;
}

std::string storyOf(const Wrapping& wrapping, ReadReport& report) {
    MemorySource source;
    for (const Octets& frame : sample())
        for (Octets& wrapped : wrapping.wrap(frame))
            source.add(std::move(wrapped), wrapping.linkType);
    StreamRecorder recorder;
    StreamReader reader(source, recorder);
    reader.readAll();
    report = reader.report();
    return recorder.story();
}

class Tunnels : public testing::TestWithParam<Wrapping> {};

TEST_P(Tunnels, carryTheSameStreamsAsThePlainCapture) {
    ReadReport report;
    const std::string plain = storyOf({"plain", 1, [](const Octets& f) { return Frames{f}; }}, report);
    ASSERT_GT(plain.size(), 100'000u);
    EXPECT_EQ(report.tcp, sample().size());
    EXPECT_TRUE(storyOf(GetParam(), report) == plain); // too long to be printed
    EXPECT_EQ(report.tcp, sample().size());
    EXPECT_EQ(report.tcp + report.fragments, report.packets);
    EXPECT_EQ(report.unfinishedDatagrams, 0u);
}

INSTANTIATE_TEST_SUITE_P(OfEveryKind, Tunnels, testing::ValuesIn(wrappings()),
                         [](const auto& of) { return of.param.name; });

} // namespace
} // namespace brokerscope::test
