// SPDX-License-Identifier: Apache-2.0
// How link_layers peels a packet: each layer is one step function that takes its header off the LayerState and names
// the next layer; link_layers.cpp holds the table and the loop. No step calls another, so nesting is a loop with a
// bound, never recursion.
//
// Bytes:  a step reads only through header(), which checks against what was captured.
// Errors: a header that is not wholly captured ends as Cut, one that contradicts itself as Malformed.
#pragma once

#include "capture/layers/segment.h"

#include <cstddef>
#include <cstdint>

namespace brokerscope::layers {

enum class Layer : std::uint8_t {
    // link
    Ethernet,
    LinkLoopback,
    LinkCooked,
    LinkCooked2,
    Llc,
    CiscoHdlc,
    // dispatch by the number that the layer before left in LayerState::selector
    EtherType,
    PppProtocol,
    // between link and network
    Ppp,
    PppoeSession,
    Mpls,
    // network
    IpByVersion,
    Ipv4,
    Ipv6,
    IpProtocol,
    Ipv6Extension,
    Ipv6Fragment,
    Authentication,
    // transport and tunnels
    Tcp,
    Udp,
    Gre,
    ErspanOne,
    ErspanTwo,
    ErspanThree,
    Vxlan,
    VxlanGpe,
    Geneve,
    // outcomes
    FoundTcp,
    FoundFragment,
    NotTcp,
    Cut,
    Malformed,
};

struct LayerState {
    const std::uint8_t* data = nullptr;
    std::size_t captured = 0;   // bytes at data
    std::size_t wire = 0;       // of the same: on the wire; never less than captured
    std::uint16_t selector = 0; // number for the dispatching layers

    Segment* segment = nullptr;
    IpFragment* fragment = nullptr;

    // The next `size` bytes when they are all captured; otherwise null, and missing() is what to return.
    const std::uint8_t* header(std::size_t size) const { return size <= captured ? data : nullptr; }
    Layer missing(std::size_t size) const { return size <= wire ? Layer::Cut : Layer::Malformed; }
    // Goes behind `size` bytes; size <= wire. What was captured may end earlier.
    void skip(std::size_t size) {
        const std::size_t here = size < captured ? size : captured;
        data += here;
        captured -= here;
        wire -= size;
    }
    // A header says that so many bytes follow it: cuts off padding, and knows of bytes that were not captured.
    void setLength(std::size_t length) {
        wire = length;
        if (captured > length) captured = length;
    }
};

inline std::uint16_t be16(const std::uint8_t* p) {
    return static_cast<std::uint16_t>(p[0] << 8 | p[1]);
}
inline std::uint32_t be32(const std::uint8_t* p) {
    return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}

using Step = Layer (*)(LayerState&);

// One step for each layer, in the file of its kind.
// link.cpp
Layer stepEthernet(LayerState&);
Layer stepLinkLoopback(LayerState&);
Layer stepLinkCooked(LayerState&);
Layer stepLinkCooked2(LayerState&);
Layer stepLlc(LayerState&);
Layer stepCiscoHdlc(LayerState&);
Layer stepEtherType(LayerState&);
Layer stepPppProtocol(LayerState&);
Layer stepPpp(LayerState&);
Layer stepPppoeSession(LayerState&);
Layer stepMpls(LayerState&);
// network.cpp
Layer stepIpByVersion(LayerState&);
Layer stepIpv4(LayerState&);
Layer stepIpv6(LayerState&);
Layer stepIpProtocol(LayerState&);
Layer stepIpv6Extension(LayerState&);
Layer stepIpv6Fragment(LayerState&);
Layer stepAuthentication(LayerState&);
Layer stepTcp(LayerState&);
Layer stepUdp(LayerState&);
// tunnels.cpp
Layer stepGre(LayerState&);
Layer stepErspanOne(LayerState&);
Layer stepErspanTwo(LayerState&);
Layer stepErspanThree(LayerState&);
Layer stepVxlan(LayerState&);
Layer stepVxlanGpe(LayerState&);
Layer stepGeneve(LayerState&);

} // namespace brokerscope::layers
