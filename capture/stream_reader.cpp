// SPDX-License-Identifier: Apache-2.0
#include "capture/stream_reader.h"

namespace brokerscope {

StreamReader::StreamReader(PacketSource& source, StreamSink& sink, const ReaderOptions& options)
    : m_source(source), m_defragmenter(options.temporaryFolder, options.fragments),
      m_reassembler(sink, options.reassembly) {}

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
    m_report.unfinishedDatagrams = m_defragmenter.givenUp() + m_defragmenter.unfinished();
}

const std::uint8_t* StreamReader::lowestHeld() const {
    const std::uint8_t* lowest = m_defragmenter.lowestHeld();
    m_reassembler.forEachHeld([&](const std::uint8_t* bytes) {
        if (!m_defragmenter.owns(bytes) && (!lowest || bytes < lowest)) lowest = bytes;
    });
    return lowest;
}

// A datagram put together may hold a fragment again, when a tunnel's packets and what is in them were fragmented.
PacketKind StreamReader::decode(const Packet& packet) {
    constexpr int kFragmentsInFragments = 4;
    PacketKind kind = decodePacket(packet, m_decoded);
    for (int i = 0; i < kFragmentsInFragments && kind == PacketKind::Fragment; ++i) {
        const std::optional<IpDatagram> whole = m_defragmenter.add(m_decoded.fragment, packet.time);
        if (!whole) {
            m_report.unfinishedDatagrams = m_defragmenter.givenUp();
            m_report.datagramsCouldNotBeKept = m_defragmenter.error();
            return kind;
        }
        kind = decodeDatagram(*whole, packet, m_decoded);
    }
    return kind;
}

void StreamReader::take(const Packet& packet) {
    ++m_report.packets;
    switch (decode(packet)) {
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
    constexpr std::size_t kMostLinkTypes = 32; // a capture with more of them is made to annoy
    for (ReadReport::UnknownLinkType& known : m_report.unknownLinkTypes) {
        if (known.linkType != linkType) continue;
        ++known.packets;
        return;
    }
    if (m_report.unknownLinkTypes.size() < kMostLinkTypes)
        m_report.unknownLinkTypes.push_back({linkType, linkTypeName(linkType), 1});
    else
        ++m_report.otherUnknownLinkTypes;
}

} // namespace brokerscope
