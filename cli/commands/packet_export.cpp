// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/packet_export.h"

#include <sys/stat.h>

namespace brokerscope {

PacketExport::PacketExport(PacketSource& source, CaptureWriter& writer, PacketExportOptions options)
    : m_source(source), m_writer(writer), m_options(std::move(options)) {}

std::optional<Error> PacketExport::run(PacketChoice* choice, const std::function<void()>& step) {
    constexpr std::uint64_t flushEvery = 4096; // packets; a full disk is noticed then
    if (!m_options.addSecrets.empty()) m_writer.addSecrets(m_options.addSecrets);
    m_counts.secretBytes += m_options.addSecrets.size();
    Packet packet;
    Timestamp last{};
    std::vector<std::string_view> comments;
    while (m_source.next(packet)) {
        last = packet.time;
        passSecrets();
        const auto own = m_source.packetComments();
        comments.assign(own.begin(), own.end());
        if (!choice || choice->take(packet, comments)) {
            passInterfaces();
            m_writer.addPacket(packet.interface, packet, comments);
            ++m_counts.packets;
        }
        if (m_source.info().packets % flushEvery != 0) continue;
        if (auto error = m_writer.flush()) return error;
        m_source.releaseBefore(packet.bytes.data());
        if (step) step();
    }
    passSecrets();
    passInterfaces();
    passCounts(last);
    return m_writer.close();
}

// They stand before the packets that they open, so they are passed on before any packet that came behind them.
void PacketExport::passSecrets() {
    const std::string_view news = std::string_view(m_source.info().keyLog).substr(m_secretsPassed);
    if (news.empty()) return;
    m_secretsPassed += news.size();
    if (m_options.keepSecrets) m_writer.addSecrets(news);
    (m_options.keepSecrets ? m_counts.secretBytes : m_counts.secretBytesDropped) += news.size();
}

void PacketExport::passInterfaces() {
    const auto& interfaces = m_source.info().interfaces;
    while (m_writer.interfaces() < interfaces.size())
        m_writer.addInterface(interfaces[m_writer.interfaces()]);
}

void PacketExport::passCounts(Timestamp now) {
    for (std::uint32_t i = 0; i < m_writer.interfaces(); ++i) {
        const InterfaceCounts& counts = m_source.info().interfaces[i].counts;
        if (counts.received || counts.droppedByInterface || counts.accepted || counts.droppedBySystem ||
            counts.delivered)
            m_writer.addCounts(i, counts, now);
    }
}

bool sameFile(const std::string& a, const std::string& b) {
    struct stat first {};
    struct stat second {};
    return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

} // namespace brokerscope
