// SPDX-License-Identifier: Apache-2.0
// IPv4 (RFC 791), IPv6 and its extension headers (RFC 8200), TCP (RFC 9293), UDP as the carrier of tunnels.
#include "capture/layers/layer_state.h"

#include <algorithm>

namespace brokerscope::layers {
namespace {

struct ProtocolRow {
    std::uint8_t protocol;
    Layer next;
};
// IP protocol and IPv6 next-header numbers. The hot one first.
constexpr ProtocolRow kIpProtocols[] = {
    {6, Layer::Tcp},
    {17, Layer::Udp},
    {4, Layer::Ipv4},
    {41, Layer::Ipv6},
    {47, Layer::Gre},
    {137, Layer::Mpls},
    {143, Layer::Ethernet},      // segment routing over IPv6
    {0, Layer::Ipv6Extension},   // hop by hop
    {43, Layer::Ipv6Extension},  // routing
    {60, Layer::Ipv6Extension},  // destination options
    {135, Layer::Ipv6Extension}, // mobility
    {139, Layer::Ipv6Extension}, // host identity
    {140, Layer::Ipv6Extension}, // shim6
    {44, Layer::Ipv6Fragment},
    {51, Layer::Authentication},
};

struct PortRow {
    std::uint16_t port;
    Layer next;
};
// UDP destination ports of tunnels.
constexpr PortRow kTunnelPorts[] = {
    {4789, Layer::Vxlan},    // VXLAN, IANA
    {8472, Layer::Vxlan},    // VXLAN, Linux's own default (flannel, Cilium)
    {4790, Layer::VxlanGpe}, // VXLAN with a protocol field
    {6081, Layer::Geneve},   // GENEVE
    {6635, Layer::Mpls},     // MPLS in UDP, RFC 7510
};

Address addressV4(const std::uint8_t* p) {
    Address address;
    std::copy_n(p, 4, address.bytes.begin());
    return address;
}

Address addressV6(const std::uint8_t* p) {
    Address address;
    std::copy_n(p, 16, address.bytes.begin());
    address.v6 = true;
    return address;
}

Layer found(LayerState& s, std::uint32_t id, std::uint8_t protocol, std::uint32_t offset, bool more) {
    IpFragment& f = *s.fragment;
    f.source = s.segment->source.address;
    f.destination = s.segment->destination.address;
    f.id = id;
    f.protocol = protocol;
    f.offset = offset;
    f.more = more;
    f.bytes = Bytes(s.data, s.captured);
    f.cut = static_cast<std::uint32_t>(s.wire - s.captured);
    return Layer::FoundFragment;
}

// Options of which only three matter. A list that makes no sense ends where the sense ends.
void readTcpOptions(const std::uint8_t* p, std::size_t size, Segment& segment) {
    constexpr std::uint8_t kEnd = 0, kNop = 1, kMss = 2, kWindowScale = 3, kTimestamps = 8;
    std::size_t at = 0;
    while (at < size && p[at] != kEnd) {
        if (p[at] == kNop) {
            ++at;
            continue;
        }
        if (at + 2 > size || p[at + 1] < 2 || p[at + 1] > size - at) return;
        const std::uint8_t kind = p[at], length = p[at + 1];
        if (kind == kMss && length == 4) segment.mss = be16(p + at + 2);
        // RFC 7323: more than 14 counts as 14.
        if (kind == kWindowScale && length == 3)
            segment.windowScale = static_cast<std::int8_t>(std::min<std::uint8_t>(p[at + 2], 14));
        if (kind == kTimestamps && length == 10) segment.sentClock = be32(p + at + 2);
        at += length;
    }
}

} // namespace

Layer stepIpByVersion(LayerState& s) {
    const std::uint8_t* h = s.header(1);
    if (!h) return s.missing(1);
    switch (h[0] >> 4) {
    case 4:
        return Layer::Ipv4;
    case 6:
        return Layer::Ipv6;
    default:
        return Layer::Malformed;
    }
}

Layer stepIpv4(LayerState& s) {
    const std::uint8_t* h = s.header(20);
    if (!h) return s.missing(20);
    const std::size_t headerSize = (h[0] & 15) * std::size_t{4};
    const std::size_t total = be16(h + 2);
    if (h[0] >> 4 != 4 || headerSize < 20 || headerSize > s.wire) return Layer::Malformed;
    // 0: captured before the network card filled the length in (segmentation offload); the packet's own length counts.
    if (total != 0) {
        if (total < headerSize) return Layer::Malformed;
        s.setLength(total);
    }
    s.segment->source.address = addressV4(h + 12);
    s.segment->destination.address = addressV4(h + 16);
    s.segment->ipId = be16(h + 4);
    s.selector = h[9];
    const std::uint16_t fragment = be16(h + 6);
    const std::uint16_t id = be16(h + 4);
    s.skip(headerSize);
    constexpr std::uint16_t kMore = 0x2000, kOffset = 0x1fff;
    if (fragment & (kMore | kOffset))
        return found(s, id, static_cast<std::uint8_t>(s.selector), (fragment & kOffset) * 8u, fragment & kMore);
    return Layer::IpProtocol;
}

Layer stepIpv6(LayerState& s) {
    const std::uint8_t* h = s.header(40);
    if (!h) return s.missing(40);
    if (h[0] >> 4 != 6) return Layer::Malformed;
    const std::size_t length = be16(h + 4);
    s.segment->source.address = addressV6(h + 8);
    s.segment->destination.address = addressV6(h + 24);
    s.segment->ipId = 0;
    s.selector = h[6];
    s.skip(40);
    if (length != 0) s.setLength(length); // 0: jumbogram, or segmentation offload
    return Layer::IpProtocol;
}

Layer stepIpProtocol(LayerState& s) {
    for (const ProtocolRow& row : kIpProtocols)
        if (row.protocol == s.selector) return row.next;
    return Layer::NotTcp;
}

Layer stepIpv6Extension(LayerState& s) {
    const std::uint8_t* h = s.header(2);
    if (!h) return s.missing(2);
    const std::size_t size = (h[1] + std::size_t{1}) * 8;
    if (!s.header(size)) return s.missing(size);
    s.selector = h[0];
    s.skip(size);
    return Layer::IpProtocol;
}

Layer stepAuthentication(LayerState& s) {
    const std::uint8_t* h = s.header(2);
    if (!h) return s.missing(2);
    const std::size_t size = (h[1] + std::size_t{2}) * 4;
    if (!s.header(size)) return s.missing(size);
    s.selector = h[0];
    s.skip(size);
    return Layer::IpProtocol;
}

Layer stepIpv6Fragment(LayerState& s) {
    const std::uint8_t* h = s.header(8);
    if (!h) return s.missing(8);
    const std::uint16_t offset = be16(h + 2);
    const std::uint32_t id = be32(h + 4);
    s.selector = h[0];
    s.skip(8);
    if (offset & 0xfff9) return found(s, id, h[0], offset & 0xfff8u, offset & 1);
    return Layer::IpProtocol; // an "atomic" fragment is a whole datagram
}

Layer stepUdp(LayerState& s) {
    const std::uint8_t* h = s.header(8);
    if (!h) return s.missing(8);
    const std::uint16_t port = be16(h + 2);
    s.skip(8);
    for (const PortRow& row : kTunnelPorts)
        if (row.port == port) return row.next;
    return Layer::NotTcp;
}

// Ports to flags are needed; window and options are taken when they were captured.
Layer stepTcp(LayerState& s) {
    constexpr std::size_t kNeeded = 14, kFixed = 20;
    const std::uint8_t* h = s.header(kNeeded);
    if (!h) return s.missing(kFixed);
    const std::size_t headerSize = (h[12] >> 4) * std::size_t{4};
    if (headerSize < kFixed || headerSize > s.wire) return Layer::Malformed;
    Segment& segment = *s.segment;
    segment.source.port = be16(h);
    segment.destination.port = be16(h + 2);
    segment.seq = be32(h + 4);
    segment.ack = be32(h + 8);
    segment.flags = h[13];
    segment.window = s.captured >= 16 ? be16(h + 14) : 0xffff;
    segment.mss = 0;
    segment.windowScale = -1;
    segment.sentClock = 0;
    if (headerSize > kFixed && s.captured > kFixed)
        readTcpOptions(h + kFixed, std::min(headerSize, s.captured) - kFixed, segment);
    s.skip(headerSize);
    segment.payload = Bytes(s.data, s.captured);
    segment.cut = static_cast<std::uint32_t>(s.wire - s.captured);
    return Layer::FoundTcp;
}

} // namespace brokerscope::layers
