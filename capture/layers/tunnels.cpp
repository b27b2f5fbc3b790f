// SPDX-License-Identifier: Apache-2.0
// Tunnels: GRE (RFC 2784, 2890, 2637), ERSPAN I to III (draft-foschiano-erspan), VXLAN (RFC 7348) and its GPE form,
// GENEVE (RFC 8926). IP in IP is a row in network.cpp's table.
#include "capture/layers/layer_state.h"

namespace brokerscope::layers {

Layer stepGre(LayerState& s) {
    constexpr std::uint16_t kChecksum = 0x8000, kRouting = 0x4000, kKey = 0x2000, kSequence = 0x1000, kAck = 0x0080;
    constexpr std::uint16_t kErspan = 0x88be, kErspanThree = 0x22eb;
    const std::uint8_t* h = s.header(4);
    if (!h) return s.missing(4);
    const std::uint16_t flags = be16(h);
    const unsigned version = flags & 7;
    if (version > 1 || flags & kRouting) return Layer::NotTcp; // source routes: gone since RFC 2784
    std::size_t size = 4;
    if (flags & kChecksum) size += 4;
    if (flags & kKey) size += 4;
    if (flags & kSequence) size += 4;
    if (version == 1 && flags & kAck) size += 4;
    if (!s.header(size)) return s.missing(size);
    s.selector = be16(h + 2);
    s.skip(size);
    // Type I has no header of its own; only there GRE's sequence number is left out.
    if (s.selector == kErspan) return flags & kSequence ? Layer::ErspanTwo : Layer::ErspanOne;
    if (s.selector == kErspanThree) return Layer::ErspanThree;
    if (version == 1 && s.wire == 0) return Layer::NotTcp; // a bare acknowledgement of PPTP
    return Layer::EtherType;
}

Layer stepErspanOne(LayerState&) {
    return Layer::Ethernet;
}

Layer stepErspanTwo(LayerState& s) {
    if (!s.header(8)) return s.missing(8);
    s.skip(8);
    return Layer::Ethernet;
}

Layer stepErspanThree(LayerState& s) {
    const std::uint8_t* h = s.header(12);
    if (!h) return s.missing(12);
    const bool platformHeader = h[11] & 1;
    const unsigned frameType = h[10] >> 2 & 31; // 0 Ethernet, 2 IP
    const std::size_t size = platformHeader ? 20 : 12;
    if (!s.header(size)) return s.missing(size);
    s.skip(size);
    if (frameType == 0) return Layer::Ethernet;
    return frameType == 2 ? Layer::IpByVersion : Layer::NotTcp;
}

Layer stepVxlan(LayerState& s) {
    const std::uint8_t* h = s.header(8);
    if (!h) return s.missing(8);
    const bool hasId = h[0] & 0x08;
    s.skip(8);
    return hasId ? Layer::Ethernet : Layer::NotTcp;
}

Layer stepVxlanGpe(LayerState& s) {
    const std::uint8_t* h = s.header(8);
    if (!h) return s.missing(8);
    const unsigned protocol = h[0] & 0x04 ? h[3] : 3; // without the P bit it is plain VXLAN
    s.skip(8);
    switch (protocol) {
    case 1:
        return Layer::Ipv4;
    case 2:
        return Layer::Ipv6;
    case 3:
        return Layer::Ethernet;
    case 5:
        return Layer::Mpls;
    default:
        return Layer::NotTcp;
    }
}

Layer stepGeneve(LayerState& s) {
    const std::uint8_t* h = s.header(8);
    if (!h) return s.missing(8);
    const std::size_t size = 8 + (h[0] & 0x3f) * std::size_t{4};
    if (h[0] >> 6 != 0) return Layer::NotTcp; // a later version
    if (!s.header(size)) return s.missing(size);
    s.selector = be16(h + 2);
    s.skip(size);
    return Layer::EtherType;
}

} // namespace brokerscope::layers
