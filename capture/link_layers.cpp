// SPDX-License-Identifier: Apache-2.0
#include "capture/link_layers.h"

#include "capture/layers/layer_state.h"

#include <fmt/format.h>

#include <pcap/pcap.h>

#include <algorithm>
#include <array>

namespace brokerscope {
namespace {

using layers::Layer;
using layers::LayerState;

// LINKTYPE_ numbers and their first layer. 12 and 14 are DLT numbers for raw IP that some writers put into files.
struct LinkTypeRow {
    std::uint16_t linkType;
    Layer first;
    const char* name;
};
constexpr LinkTypeRow kLinkTypes[] = {
    {1, Layer::Ethernet, "EN10MB (Ethernet)"},
    {113, Layer::LinkCooked, "LINUX_SLL (Linux cooked v1)"},
    {276, Layer::LinkCooked2, "LINUX_SLL2 (Linux cooked v2)"},
    {0, Layer::LinkLoopback, "NULL (BSD loopback)"},
    {108, Layer::LinkLoopback, "LOOP (OpenBSD loopback)"},
    {101, Layer::IpByVersion, "RAW (Raw IP)"},
    {12, Layer::IpByVersion, "RAW (Raw IP)"},
    {14, Layer::IpByVersion, "RAW (Raw IP)"},
    {228, Layer::Ipv4, "IPV4 (Raw IPv4)"},
    {229, Layer::Ipv6, "IPV6 (Raw IPv6)"},
    {9, Layer::Ppp, "PPP"},
    {50, Layer::Ppp, "PPP_SERIAL (PPP over serial)"},
    {51, Layer::PppoeSession, "PPP_ETHER (PPP over Ethernet)"},
    {104, Layer::CiscoHdlc, "C_HDLC (Cisco HDLC)"},
    {219, Layer::Mpls, "MPLS"},
};

// Order of the enumeration; the outcomes behind the last step have none.
constexpr std::array kSteps{
    layers::stepEthernet,     layers::stepLinkLoopback,   layers::stepLinkCooked, layers::stepLinkCooked2,
    layers::stepLlc,          layers::stepCiscoHdlc,      layers::stepEtherType,  layers::stepPppProtocol,
    layers::stepPpp,          layers::stepPppoeSession,   layers::stepMpls,       layers::stepIpByVersion,
    layers::stepIpv4,         layers::stepIpv6,           layers::stepIpProtocol, layers::stepIpv6Extension,
    layers::stepIpv6Fragment, layers::stepAuthentication, layers::stepTcp,        layers::stepUdp,
    layers::stepGre,          layers::stepErspanOne,      layers::stepErspanTwo,  layers::stepErspanThree,
    layers::stepVxlan,        layers::stepVxlanGpe,       layers::stepGeneve,
};
static_assert(kSteps.size() == static_cast<std::size_t>(Layer::FoundTcp));

// Dispatching steps count too: Ethernet, EtherType, IPv4, IpProtocol, TCP are five.
constexpr int kMaxSteps = 64;
// No network card hands out larger ones; a capture that says so is not believed.
constexpr std::uint32_t kLargestPacket = 1 << 20;

PacketKind peel(Layer layer, LayerState& state) {
    for (int step = 0; step < kMaxSteps; ++step) {
        if (layer >= Layer::FoundTcp) break;
        layer = kSteps[static_cast<std::size_t>(layer)](state);
    }
    switch (layer) {
    case Layer::FoundTcp:
        return PacketKind::Tcp;
    case Layer::FoundFragment:
        return PacketKind::Fragment;
    case Layer::NotTcp:
        return PacketKind::NotTcp;
    case Layer::Cut:
        return PacketKind::Cut;
    default:
        return PacketKind::Malformed; // also: nested too deep
    }
}

const LinkTypeRow* findLinkType(std::uint16_t linkType) {
    for (const LinkTypeRow& row : kLinkTypes)
        if (row.linkType == linkType) return &row;
    return nullptr;
}

void setPacket(const Packet& packet, Segment& segment) {
    segment.packet = packet.number;
    segment.time = packet.time;
    segment.timeDigits = packet.timeDigits;
}

} // namespace

PacketKind decodePacket(const Packet& packet, DecodedPacket& out) {
    const LinkTypeRow* row = findLinkType(packet.linkType);
    if (!row) return PacketKind::UnknownLinkType;
    setPacket(packet, out.segment);
    LayerState state;
    state.data = packet.bytes.data();
    state.captured = packet.bytes.size();
    state.wire = std::max<std::size_t>(std::min(packet.originalLength, kLargestPacket), packet.bytes.size());
    state.segment = &out.segment;
    state.fragment = &out.fragment;
    return peel(row->first, state);
}

PacketKind decodeDatagram(const IpDatagram& datagram, const Packet& packet, DecodedPacket& out) {
    setPacket(packet, out.segment);
    out.segment.source.address = datagram.source;
    out.segment.destination.address = datagram.destination;
    LayerState state;
    state.data = datagram.bytes.data();
    state.captured = datagram.bytes.size();
    state.wire = datagram.bytes.size() + datagram.cut;
    state.selector = datagram.protocol;
    state.segment = &out.segment;
    state.fragment = &out.fragment;
    return peel(Layer::IpProtocol, state);
}

bool readsLinkType(std::uint16_t linkType) {
    return findLinkType(linkType) != nullptr;
}

std::string linkTypeName(std::uint16_t linkType) {
    if (const LinkTypeRow* row = findLinkType(linkType)) return row->name;
    // The library's numbers (DLT_) are those of files (LINKTYPE_) for nearly all types.
    const char* name = pcap_datalink_val_to_name(linkType);
    const char* description = pcap_datalink_val_to_description(linkType);
    if (name && description) return fmt::format("{} ({})", name, description);
    return fmt::format("link type {}", linkType);
}

} // namespace brokerscope
