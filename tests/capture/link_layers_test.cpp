// SPDX-License-Identifier: Apache-2.0
#include "capture/link_layers.h"

#include "tests/support/packets.h"

#include <gtest/gtest.h>

#include <random>

namespace brokerscope::test {
namespace {

const Octets kData = octets("GET");

struct Decoded {
    PacketKind kind;
    DecodedPacket packet;
    std::string payload() const { return {packet.segment.payload.begin(), packet.segment.payload.end()}; }
};

Decoded decode(const Packet& packet) {
    Decoded out;
    out.kind = decodePacket(packet, out.packet);
    return out;
}

// The bytes must outlive what is looked at, so the expectations are in here.
void expectSegment(const Octets& bytes, std::uint16_t linkType = 1, const std::string& from = "10.0.0.1:40000",
                   const std::string& to = "10.0.0.2:9092") {
    const Decoded d = decode(packetOf(bytes, linkType));
    ASSERT_EQ(d.kind, PacketKind::Tcp);
    EXPECT_EQ(toString(d.packet.segment.source), from);
    EXPECT_EQ(toString(d.packet.segment.destination), to);
    EXPECT_EQ(d.payload(), "GET");
    EXPECT_EQ(d.packet.segment.seq, 1000u);
    EXPECT_EQ(d.packet.segment.cut, 0u);
}

void expectKind(const Octets& bytes, PacketKind kind, std::uint16_t linkType = 1) {
    EXPECT_EQ(decode(packetOf(bytes, linkType)).kind, kind);
}

Octets plain() {
    return ipv4({}, tcp({}, kData));
}

Octets plainV6() {
    return ipv6({}, tcp({}, kData));
}

const std::string kFromV6 = "[fd00::1]:40000", kToV6 = "[fd00::2]:9092";

TEST(LinkLayers, ethernetCarriesIpv4AndIpv6) {
    expectSegment(ethernet(0x0800, plain()));
    expectSegment(ethernet(0x86dd, plainV6()), 1, kFromV6, kToV6);
}

TEST(LinkLayers, allFieldsOfTheTcpHeaderAreRead) {
    TcpHeader header;
    header.seq = 0xfffffff0;
    header.ack = 0x80000001;
    header.flags = Segment::kSyn | Segment::kAck;
    header.window = 512;
    header.options = fromHex("020405b4 01 030307 080a 01020304 00000000 0000");
    const Octets bytes = ethernet(0x0800, ipv4({.id = 77}, tcp(header, {})));
    const Segment s = decode(packetOf(bytes)).packet.segment;
    EXPECT_EQ(s.seq, 0xfffffff0u);
    EXPECT_EQ(s.ack, 0x80000001u);
    EXPECT_EQ(s.flags, Segment::kSyn | Segment::kAck);
    EXPECT_EQ(s.window, 512);
    EXPECT_EQ(s.mss, 1460);
    EXPECT_EQ(s.windowScale, 7);
    EXPECT_EQ(s.sentClock, 0x01020304u);
    EXPECT_EQ(s.ipId, 77);
    EXPECT_TRUE(s.payload.empty());
}

TEST(LinkLayers, tcpOptionsThatMakeNoSenseAreLeftAlone) {
    for (const char* options : {"02000000", "0201ffff", "030f0000", "08ff0000", "ffffffff"}) {
        TcpHeader header;
        header.options = fromHex(options);
        expectSegment(ethernet(0x0800, ipv4({}, tcp(header, kData))));
    }
}

TEST(LinkLayers, vlanTagsAreTakenOffInAnyNumber) {
    expectSegment(ethernet(0x8100, vlan(7, 0x0800, plain())));
    expectSegment(ethernet(0x88a8, vlan(7, 0x8100, vlan(8, 0x86dd, plainV6()))), 1, kFromV6, kToV6);
    expectSegment(ethernet(0x9100, vlan(7, 0x9200, vlan(8, 0x9300, vlan(9, 0x8100, vlan(1, 0x0800, plain()))))));
}

TEST(LinkLayers, switchTagsAreTakenOff) {
    expectSegment(ethernet(0x8926, fromHex("00000001") + be16(0x0800) + plain()));
    expectSegment(ethernet(0x893f, fromHex("000000000001") + be16(0x8100) + vlan(7, 0x0800, plain())));
}

TEST(LinkLayers, snapHeadersCarryEtherTypes) {
    const Octets snap = fromHex("aaaa03 000000") + be16(0x0800) + plain();
    expectSegment(ethernet(static_cast<std::uint16_t>(snap.size()), snap));
    expectKind(ethernet(3, fromHex("424203 0000000000")), PacketKind::NotTcp); // spanning tree
}

TEST(LinkLayers, linuxCookedCarriesIpVlanTagsAndSnap) {
    const Octets v1 = fromHex("0000 0001 0006 020000000001 0000");
    expectSegment(v1 + be16(0x0800) + plain(), 113);
    expectSegment(v1 + be16(0x8100) + vlan(200, 0x0800, plain()), 113);
    expectSegment(v1 + be16(0x0004) + fromHex("aaaa03 000000") + be16(0x0800) + plain(), 113);
    const Octets behindProtocol = fromHex("0000 00000003 0001 00 06 020000000001 0000");
    expectSegment(be16(0x86dd) + behindProtocol + plainV6(), 276, kFromV6, kToV6);
    expectSegment(be16(0x88a8) + behindProtocol + vlan(1, 0x8100, vlan(2, 0x0800, plain())), 276);
}

TEST(LinkLayers, loopbackFamiliesAreReadInBothByteOrders) {
    for (const std::uint16_t type : {0, 108}) {
        expectSegment(fromHex("02000000") + plain(), type);
        expectSegment(fromHex("00000002") + plain(), type);
        for (const std::uint8_t family : {10, 23, 24, 28, 30}) {
            expectSegment(Octets{family, 0, 0, 0} + plainV6(), type, kFromV6, kToV6);
            expectSegment(Octets{0, 0, 0, family} + plainV6(), type, kFromV6, kToV6);
        }
        expectKind(fromHex("07000000") + plain(), PacketKind::NotTcp, type);
    }
}

TEST(LinkLayers, rawIpIsRecognisedByItsVersion) {
    for (const std::uint16_t type : {12, 14, 101}) {
        expectSegment(plain(), type);
        expectSegment(plainV6(), type, kFromV6, kToV6);
        expectKind(fromHex("5500"), PacketKind::Malformed, type);
    }
    expectSegment(plain(), 228);
    expectSegment(plainV6(), 229, kFromV6, kToV6);
    expectKind(plainV6(), PacketKind::Malformed, 228);
}

TEST(LinkLayers, pppAndCiscoHdlcCarryIp) {
    expectSegment(fromHex("ff03 0021") + plain(), 9);
    expectSegment(fromHex("21") + plain(), 50); // both fields compressed
    expectSegment(fromHex("0f00 0800") + plain(), 104);
}

TEST(LinkLayers, pppoeSessionsCarryIpAndTheirLengthCutsPadding) {
    const auto session = [](std::uint16_t protocol, const Octets& ip) {
        return fromHex("1100 59f7") + be16(static_cast<std::uint16_t>(ip.size() + 2)) + be16(protocol) + ip;
    };
    expectSegment(ethernet(0x8864, session(0x0021, plain()) + octets("padding")));
    expectSegment(ethernet(0x8100, vlan(7, 0x8864, session(0x0057, plainV6()))), 1, kFromV6, kToV6);
    expectSegment(session(0x0021, plain()), 51);
    expectKind(ethernet(0x8864, session(0xc021, fromHex("0901"))), PacketKind::NotTcp); // echo request
    expectKind(ethernet(0x8863, fromHex("1109 0000 0000")), PacketKind::NotTcp);        // discovery
}

TEST(LinkLayers, mplsLabelsAreTakenOffDownToIpOrEthernet) {
    const Octets label = fromHex("00010040"), last = fromHex("00011140");
    expectSegment(ethernet(0x8847, label + last + plain()));
    expectSegment(ethernet(0x8848, last + plainV6()), 1, kFromV6, kToV6);
    expectSegment(ethernet(0x8847, last + ethernet(0x0800, plain()))); // starts with 02, no IP version
    expectSegment(ethernet(0x8847, last + fromHex("00000000") + ethernet(0x0800, plain())));
    expectSegment(last + plain(), 219);
}

TEST(LinkLayers, ethernetPaddingIsNotPayload) {
    expectSegment(ethernet(0x0800, plain() + fromHex("deadbeef")));
    expectSegment(ethernet(0x86dd, plainV6() + fromHex("deadbeef")), 1, kFromV6, kToV6);
}

TEST(LinkLayers, ipLengthZeroMeansAsLongAsThePacket) {
    expectSegment(ethernet(0x0800, ipv4({.length = 0}, tcp({}, kData))));
    expectSegment(ethernet(0x86dd, ipv6({.length = 0}, tcp({}, kData))), 1, kFromV6, kToV6);
    // More than the length field could hold.
    const Octets large(100'000, 'x');
    const Octets bytes = ethernet(0x0800, ipv4({.length = 0}, tcp({}, large)));
    EXPECT_EQ(decode(packetOf(bytes)).packet.segment.payload.size(), large.size());
}

TEST(LinkLayers, ipv4OptionsAreSkipped) {
    expectSegment(ethernet(0x0800, ipv4({.options = fromHex("9404000001010101")}, tcp({}, kData))));
}

TEST(LinkLayers, ipv6ExtensionHeadersAreSkipped) {
    const Octets behind = tcp({}, kData);
    const Octets destination = fromHex("06 00 0104 00000000") + behind;                  // 60, then TCP
    const Octets routing = fromHex("3c 02 0400 00000000") + Octets(16, 1) + destination; // 43, then 60
    const Octets hopByHop = fromHex("2b 00 0104 00000000") + routing;                    // 0, then 43
    expectSegment(ethernet(0x86dd, ipv6({.next = 0}, hopByHop)), 1, kFromV6, kToV6);
    const Octets authentication = fromHex("06 04 0000 00000001 00000001") + Octets(12, 7) + behind;
    expectSegment(ethernet(0x86dd, ipv6({.next = 51}, authentication)), 1, kFromV6, kToV6);
    const Octets wholeFragment = fromHex("06 00 0000 00000009") + behind;
    expectSegment(ethernet(0x86dd, ipv6({.next = 44}, wholeFragment)), 1, kFromV6, kToV6);
}

TEST(LinkLayers, ipInIpIsReadInAllFourCombinations) {
    const Ipv4Header outer4{.from = "192.0.2.1", .to = "192.0.2.2", .protocol = 4};
    Ipv4Header sixInFour = outer4;
    sixInFour.protocol = 41;
    expectSegment(ethernet(0x0800, ipv4(outer4, plain())));
    expectSegment(ethernet(0x0800, ipv4(sixInFour, plainV6())), 1, kFromV6, kToV6);
    expectSegment(ethernet(0x86dd, ipv6({.from = "2001:db8::1", .to = "2001:db8::2", .next = 4}, plain())));
    expectSegment(ethernet(0x86dd, ipv6({.from = "2001:db8::1", .to = "2001:db8::2", .next = 41}, plainV6())), 1,
                  kFromV6, kToV6);
}

Octets overUdp(std::uint16_t port, const Octets& content) {
    return ethernet(0x0800, ipv4({.from = "192.0.2.1", .to = "192.0.2.2", .protocol = 17}, udp(port, content)));
}

Octets overGre(const Octets& content) {
    return ethernet(0x0800, ipv4({.from = "192.0.2.1", .to = "192.0.2.2", .protocol = 47}, content));
}

TEST(LinkLayers, vxlanIsReadOnItsPorts) {
    const Octets inner = fromHex("08000000 00002a00") + ethernet(0x0800, plain());
    expectSegment(overUdp(4789, inner));
    expectSegment(overUdp(8472, inner));
    expectSegment(overUdp(4789, fromHex("08000000 00002a00") + ethernet(0x8100, vlan(7, 0x0800, plain()))));
    expectKind(overUdp(4789, fromHex("00000000 00002a00") + ethernet(0x0800, plain())), PacketKind::NotTcp);
    expectKind(overUdp(53, inner), PacketKind::NotTcp);
}

TEST(LinkLayers, vxlanWithAProtocolFieldIsRead) {
    expectSegment(overUdp(4790, fromHex("0c000001 00002a00") + plain()));
    expectSegment(overUdp(4790, fromHex("0c000002 00002a00") + plainV6()), 1, kFromV6, kToV6);
    expectSegment(overUdp(4790, fromHex("0c000003 00002a00") + ethernet(0x0800, plain())));
    expectSegment(overUdp(4790, fromHex("0c000005 00002a00") + fromHex("00011140") + plain()));
    expectKind(overUdp(4790, fromHex("0c000004 00002a00")), PacketKind::NotTcp);
}

TEST(LinkLayers, geneveIsReadWithItsOptions) {
    expectSegment(overUdp(6081, fromHex("0000 6558 00002a00") + ethernet(0x0800, plain())));
    expectSegment(overUdp(6081, fromHex("0240 0800 00002a00 0102800100000000") + plain()));
    expectKind(overUdp(6081, fromHex("4000 6558 00002a00")), PacketKind::NotTcp); // a later version
}

TEST(LinkLayers, mplsOverUdpIsRead) {
    expectSegment(overUdp(6635, fromHex("00011140") + plain()));
}

TEST(LinkLayers, greIsReadWithAllItsOptionalFields) {
    expectSegment(overGre(fromHex("0000 0800") + plain()));
    expectSegment(overGre(fromHex("2000 6558 00002a00") + ethernet(0x0800, plain())));
    expectSegment(overGre(fromHex("b000 86dd 00000000 00000001 00000002") + plainV6()), 1, kFromV6, kToV6);
    expectSegment(overGre(fromHex("0000 8847 00011140") + plain()));
    expectSegment(overGre(fromHex("3081 880b 00380001 00000001 00000001 ff03 0021") + plain())); // PPTP
    expectKind(overGre(fromHex("2081 880b 00000001 00000001")), PacketKind::NotTcp);             // its bare ack
    expectKind(overGre(fromHex("4000 0800 00000000")), PacketKind::NotTcp);                      // source routes
}

TEST(LinkLayers, erspanIsReadInAllThreeTypes) {
    const Octets inner = ethernet(0x0800, plain());
    expectSegment(overGre(fromHex("0000 88be") + inner));
    expectSegment(overGre(fromHex("1000 88be 00000001 10640001 00000000") + inner));
    expectSegment(overGre(fromHex("1000 22eb 00000001 20640001 00000000 0000 0000") + inner));
    expectSegment(overGre(fromHex("1000 22eb 00000001 20640001 00000000 0000 0001 0000000000000000") + inner));
    expectSegment(overGre(fromHex("1000 22eb 00000001 20640001 00000000 0000 0800") + plain()));
}

TEST(LinkLayers, tunnelsInTunnelsAreReadToABound) {
    Octets bytes = plain();
    for (int i = 0; i < 8; ++i)
        bytes = ipv4({.from = "192.0.2.1", .to = "192.0.2.2", .protocol = 4}, bytes);
    expectSegment(bytes, 101);
    for (int i = 0; i < 100; ++i)
        bytes = ipv4({.from = "192.0.2.1", .to = "192.0.2.2", .protocol = 4}, bytes);
    expectKind(bytes, PacketKind::Malformed, 101);
}

TEST(LinkLayers, aSnapLengthCutLeavesTheSizeOfWhatIsMissing) {
    const Octets whole = ethernet(0x0800, ipv4({}, tcp({}, octets("0123456789"))));
    for (std::size_t kept = 0; kept <= whole.size(); ++kept) {
        Octets bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(kept));
        Packet packet = packetOf(bytes);
        packet.originalLength = static_cast<std::uint32_t>(whole.size());
        const Decoded d = decode(packet);
        if (kept < 14 + 20 + 14) {
            EXPECT_EQ(d.kind, PacketKind::Cut) << kept;
            continue;
        }
        ASSERT_EQ(d.kind, PacketKind::Tcp) << kept;
        EXPECT_EQ(d.packet.segment.length(), 10u);
        EXPECT_EQ(d.packet.segment.payload.size(), kept > 54 ? kept - 54 : 0);
    }
}

TEST(LinkLayers, aPacketShorterThanItsOwnIpLengthIsCutToo) {
    Octets bytes = ethernet(0x0800, ipv4({}, tcp({}, octets("0123456789"))));
    bytes.resize(bytes.size() - 4);
    const Decoded d = decode(packetOf(bytes));
    ASSERT_EQ(d.kind, PacketKind::Tcp);
    EXPECT_EQ(d.payload(), "012345");
    EXPECT_EQ(d.packet.segment.cut, 4u);
}

TEST(LinkLayers, headersThatContradictThemselvesAreMalformed) {
    expectKind(ethernet(0x0800, ipv4({.length = 10}, tcp({}, kData))), PacketKind::Malformed);
    Octets shortHeader = plain();
    shortHeader[0] = 0x44;
    expectKind(ethernet(0x0800, shortHeader), PacketKind::Malformed);
    Octets wrongVersion = plain();
    wrongVersion[0] = 0x65;
    expectKind(ethernet(0x0800, wrongVersion), PacketKind::Malformed);
    Octets shortTcp = plain();
    shortTcp[20 + 12] = 0x40;
    expectKind(ethernet(0x0800, shortTcp), PacketKind::Malformed);
    Octets longTcp = plain();
    longTcp[20 + 12] = 0xf0;
    expectKind(ethernet(0x0800, longTcp), PacketKind::Malformed);
    expectKind(fromHex("0200"), PacketKind::Malformed);
}

TEST(LinkLayers, otherProtocolsAreNotTcp) {
    expectKind(ethernet(0x0806, Octets(28)), PacketKind::NotTcp);
    expectKind(ethernet(0x0800, ipv4({.protocol = 1}, Octets(8))), PacketKind::NotTcp);
    expectKind(overUdp(53, octets("query")), PacketKind::NotTcp);
}

TEST(LinkLayers, fragmentsAreHandedOutAsSuch) {
    const Octets bytes = ethernet(0x0800, ipv4({.id = 9, .fragment = 0x2000 | 5}, octets("part")));
    const Decoded d = decode(packetOf(bytes));
    ASSERT_EQ(d.kind, PacketKind::Fragment);
    const IpFragment& f = d.packet.fragment;
    EXPECT_EQ(toString(f.source), "10.0.0.1");
    EXPECT_EQ(f.id, 9u);
    EXPECT_EQ(f.protocol, 6);
    EXPECT_EQ(f.offset, 40u);
    EXPECT_TRUE(f.more);
    EXPECT_EQ(f.bytes.size(), 4u);
    const Octets v6 = ethernet(0x86dd, ipv6({.next = 44}, fromHex("06 00 0028 00000009") + octets("end")));
    const Decoded last = decode(packetOf(v6));
    ASSERT_EQ(last.kind, PacketKind::Fragment);
    EXPECT_EQ(last.packet.fragment.offset, 40u);
    EXPECT_FALSE(last.packet.fragment.more);
}

TEST(LinkLayers, unknownLinkTypesAreNamed) {
    expectKind(plain(), PacketKind::UnknownLinkType, 189);
    EXPECT_FALSE(readsLinkType(189));
    EXPECT_EQ(linkTypeName(189), "USB_LINUX (USB with Linux header)");
    EXPECT_EQ(linkTypeName(1), "EN10MB (Ethernet)");
    EXPECT_EQ(linkTypeName(65000), "link type 65000");
}

// Any bytes at all: no crash, and what is found lies inside the packet.
TEST(LinkLayers, damagedPacketsNeverLeadOutsideThePacket) {
    const std::vector<std::pair<std::uint16_t, Octets>> seeds{
        {1, ethernet(0x8100, vlan(7, 0x0800, plain()))},
        {1, overUdp(4789, fromHex("08000000 00002a00") + ethernet(0x86dd, plainV6()))},
        {1, overUdp(6081, fromHex("0240 0800 00002a00 0102800100000000") + plain())},
        {1, overGre(fromHex("1000 22eb 00000001 20640001 00000000 0000 0000") + ethernet(0x0800, plain()))},
        {1, ethernet(0x8847, fromHex("00010040 00011140") + plain())},
        {1, ethernet(0x86dd, ipv6({.next = 0}, fromHex("3c 00 0104 00000000 06 00 0104 00000000") + tcp({}, kData)))},
        {113, fromHex("0000 0001 0006 020000000001 0000 0800") + plain()},
        {276, fromHex("0800 0000 00000003 0001 00 06 020000000001 0000") + plain()},
        {0, fromHex("02000000") + plain()},
        {51, fromHex("1100 59f7 002d 0021") + plain()},
    };
    std::mt19937 random(1);
    for (int round = 0; round < 20000; ++round) {
        const auto& [type, seed] = seeds[random() % seeds.size()];
        Octets bytes = seed;
        for (std::uint32_t flips = random() % 8; flips-- > 0;)
            bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
        bytes.resize(random() % (bytes.size() + 1));
        Packet packet = packetOf(bytes, type);
        if (random() % 2) packet.originalLength = static_cast<std::uint32_t>(random());
        const Decoded d = decode(packet);
        const Bytes found = d.kind == PacketKind::Tcp        ? d.packet.segment.payload
                            : d.kind == PacketKind::Fragment ? d.packet.fragment.bytes
                                                             : Bytes();
        if (found.empty()) continue;
        ASSERT_GE(found.data(), bytes.data());
        ASSERT_LE(found.data() + found.size(), bytes.data() + bytes.size());
    }
}

} // namespace
} // namespace brokerscope::test
