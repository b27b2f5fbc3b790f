// SPDX-License-Identifier: Apache-2.0
// Link layers, VLAN tags, MPLS and PPP. Numbers: IEEE EtherTypes, tcpdump.org/linktypes, RFC 2516, RFC 3032.
#include "capture/layers/layer_state.h"

namespace brokerscope::layers {
namespace {

// EtherTypes, and what follows them. `tag`: bytes between this EtherType and the next one, for layers that are tags.
struct EtherTypeRow {
    std::uint16_t type;
    Layer next;
    std::uint8_t tag = 0;
};
constexpr EtherTypeRow kEtherTypes[] = {
    {0x0800, Layer::Ipv4},         {0x86dd, Layer::Ipv6},         {0x8100, Layer::EtherType, 2}, // 802.1Q
    {0x88a8, Layer::EtherType, 2},                                                               // 802.1ad
    {0x9100, Layer::EtherType, 2}, // QinQ before there was a standard
    {0x9200, Layer::EtherType, 2}, {0x9300, Layer::EtherType, 2}, {0x8926, Layer::EtherType, 4}, // VN-Tag
    {0x893f, Layer::EtherType, 6},                                                               // 802.1BR E-Tag
    {0x8847, Layer::Mpls},         {0x8848, Layer::Mpls},         {0x8864, Layer::PppoeSession},
    {0x880b, Layer::Ppp},          {0x6558, Layer::Ethernet}, // transparent Ethernet bridging (GRE, GENEVE)
};
bool knownEtherType(std::uint16_t type) {
    for (const EtherTypeRow& row : kEtherTypes)
        if (row.type == type) return true;
    return false;
}

constexpr std::uint16_t kFirstEtherType = 0x0600; // smaller numbers are an 802.3 length

struct PppRow {
    std::uint16_t protocol;
    Layer next;
};
constexpr PppRow kPppProtocols[] = {
    {0x0021, Layer::Ipv4}, {0x0057, Layer::Ipv6}, {0x0281, Layer::Mpls}, {0x0283, Layer::Mpls}};

// What the systems of the BSD family, Linux and Windows call their address families in the loopback header.
constexpr std::uint32_t kFamilyIpv4 = 2;
constexpr std::uint32_t kFamilyIpv6[] = {10, 23, 24, 28, 30};

Layer familyLayer(std::uint32_t family) {
    if (family == kFamilyIpv4) return Layer::Ipv4;
    for (const std::uint32_t v6 : kFamilyIpv6)
        if (family == v6) return Layer::Ipv6;
    return Layer::NotTcp;
}

// The protocol field of both cooked headers is an EtherType, or one of Linux's own small numbers.
Layer cookedProtocol(LayerState& s, std::uint16_t protocol) {
    constexpr std::uint16_t kLlc = 0x0004;
    if (protocol == kLlc) return Layer::Llc;
    s.selector = protocol;
    return Layer::EtherType;
}

} // namespace

Layer stepEthernet(LayerState& s) {
    const std::uint8_t* h = s.header(14);
    if (!h) return s.missing(14);
    s.selector = be16(h + 12);
    s.skip(14);
    if (s.selector >= kFirstEtherType) return Layer::EtherType;
    return Layer::Llc;
}

Layer stepEtherType(LayerState& s) {
    for (const EtherTypeRow& row : kEtherTypes) {
        if (row.type != s.selector) continue;
        if (row.next != Layer::EtherType) return row.next;
        const std::size_t size = row.tag + std::size_t{2};
        const std::uint8_t* h = s.header(size);
        if (!h) return s.missing(size);
        s.selector = be16(h + row.tag);
        s.skip(size);
        return s.selector >= kFirstEtherType ? Layer::EtherType : Layer::Llc;
    }
    return Layer::NotTcp;
}

// 802.2 with a SNAP header that carries an EtherType; all else that stands here is not IP.
Layer stepLlc(LayerState& s) {
    const std::uint8_t* h = s.header(8);
    if (!h) return Layer::NotTcp;
    if (h[0] != 0xaa || h[1] != 0xaa || h[2] != 3) return Layer::NotTcp;
    s.selector = be16(h + 6);
    s.skip(8);
    return Layer::EtherType;
}

// NULL and LOOP: the address family in the byte order of the machine that captured, or in network order.
Layer stepLinkLoopback(LayerState& s) {
    const std::uint8_t* h = s.header(4);
    if (!h) return s.missing(4);
    const std::uint32_t family = be32(h);
    s.skip(4);
    return familyLayer(family >> 16 ? __builtin_bswap32(family) : family);
}

Layer stepLinkCooked(LayerState& s) {
    const std::uint8_t* h = s.header(16);
    if (!h) return s.missing(16);
    const std::uint16_t protocol = be16(h + 14);
    s.skip(16);
    return cookedProtocol(s, protocol);
}

Layer stepLinkCooked2(LayerState& s) {
    const std::uint8_t* h = s.header(20);
    if (!h) return s.missing(20);
    const std::uint16_t protocol = be16(h);
    s.skip(20);
    return cookedProtocol(s, protocol);
}

Layer stepCiscoHdlc(LayerState& s) {
    const std::uint8_t* h = s.header(4);
    if (!h) return s.missing(4);
    s.selector = be16(h + 2);
    s.skip(4);
    return Layer::EtherType;
}

// Address and control (ff 03) may have been left out by compression.
Layer stepPpp(LayerState& s) {
    const std::uint8_t* h = s.header(2);
    if (!h) return s.missing(2);
    if (h[0] == 0xff && h[1] == 0x03) s.skip(2);
    return Layer::PppProtocol;
}

// One byte when its lowest bit is set (compressed), else two.
Layer stepPppProtocol(LayerState& s) {
    const std::uint8_t* h = s.header(1);
    if (!h) return s.missing(1);
    std::uint16_t protocol = h[0];
    std::size_t size = 1;
    if (!(h[0] & 1)) {
        size = 2;
        if (!s.header(2)) return s.missing(2);
        protocol = be16(h);
    }
    s.skip(size);
    for (const PppRow& row : kPppProtocols)
        if (row.protocol == protocol) return row.next;
    return Layer::NotTcp;
}

Layer stepPppoeSession(LayerState& s) {
    const std::uint8_t* h = s.header(6);
    if (!h) return s.missing(6);
    const bool session = h[1] == 0; // code 0; others are discovery
    const std::uint16_t length = be16(h + 4);
    s.skip(6);
    if (!session) return Layer::NotTcp;
    s.setLength(length);
    return Layer::PppProtocol;
}

// Takes off one label. What lies under the last one shows in its first four bits: IP by its version; 0 may be a control
// word before Ethernet (RFC 4448) or the start of a MAC address, and then the place of a known EtherType decides.
Layer stepMpls(LayerState& s) {
    const std::uint8_t* h = s.header(4);
    if (!h) return s.missing(4);
    const bool last = h[2] & 1;
    s.skip(4);
    if (!last) return Layer::Mpls;
    h = s.header(1);
    if (!h) return s.missing(1);
    switch (h[0] >> 4) {
    case 4:
        return Layer::Ipv4;
    case 6:
        return Layer::Ipv6;
    case 0: {
        h = s.header(14);
        if (!h) return s.missing(14);
        if (!knownEtherType(be16(h + 12))) s.skip(4);
        return Layer::Ethernet;
    }
    default:
        return Layer::Ethernet;
    }
}

} // namespace brokerscope::layers
