// SPDX-License-Identifier: Apache-2.0
#include "capture/stream_reader.h"

namespace brokerscope {

StreamReader::StreamReader(PacketSource& source, StreamSink& sink, const ReassemblyLimits& limits)
    : m_source(source), m_reassembler(sink, limits) {}

bool StreamReader::step(std::uint64_t maxPackets, const std::stop_token& stop) {
    if (m_finished) return false;
    constexpr std::uint64_t kAskEvery = 256;
    Packet packet;
    for (std::uint64_t i = 0; i < maxPackets; ++i) {
        if (i % kAskEvery == 0 && stop.stop_requested()) return true;
        if (!m_source.next(packet)) {
            finish();
            return false;
        }
        take(packet);
    }
    return true;
}

bool StreamReader::readAll(const std::stop_token& stop) {
    constexpr std::uint64_t kStep = 4096;
    while (step(kStep, stop)) {
        if (!stop.stop_requested()) continue;
        finish();
        return false;
    }
    return true;
}

void StreamReader::finish() {
    if (m_finished) return;
    m_finished = true;
    m_reassembler.finish();
}

void StreamReader::take(const Packet& packet) {
    ++m_report.packets;
    switch (decodePacket(packet, m_decoded)) {
    case PacketKind::Tcp:
        ++m_report.tcp;
        m_reassembler.add(m_decoded.segment);
        break;
    case PacketKind::Fragment:
        ++m_report.fragments;
        break;
    case PacketKind::NotTcp:
        ++m_report.notTcp;
        break;
    case PacketKind::Cut:
        ++m_report.cut;
        break;
    case PacketKind::Malformed:
        ++m_report.malformed;
        break;
    case PacketKind::UnknownLinkType:
        countUnknown(packet.linkType);
        break;
    }
}

void StreamReader::countUnknown(std::uint16_t linkType) {
    for (ReadReport::UnknownLinkType& known : m_report.unknownLinkTypes) {
        if (known.linkType != linkType) continue;
        ++known.packets;
        return;
    }
    m_report.unknownLinkTypes.push_back({linkType, linkTypeName(linkType), 1});
}

} // namespace brokerscope
