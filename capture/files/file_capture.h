// SPDX-License-Identifier: Apache-2.0
// One capture made of one or several files: numbers their packets and merges them in the order of time. Packets of
// equal time keep the order of the files; the order inside a file is kept, even where its times go back.
#pragma once

#include "capture/files/file_reader.h"

#include <memory>
#include <vector>

namespace brokerscope {

class FileCapture final : public PacketSource {
  public:
    // What the readers that are to be added write to.
    CaptureInfo& sharedInfo() { return m_info; }
    void add(std::unique_ptr<FileReader> reader);

    bool next(Packet& out) override;
    bool ready(std::chrono::milliseconds wait) override;
    void stop() noexcept override;
    const CaptureInfo& info() const override { return m_info; }
    std::span<const std::string_view> packetComments() const override { return m_comments; }
    Progress progress() const override;
    void releaseBefore(const std::uint8_t* position) override;

  private:
    struct File {
        std::unique_ptr<FileReader> reader;
        Packet head; // when merging: its first packet that was not handed out yet
        std::vector<std::string_view> comments;
    };

    Step advance(Packet& out, Deadline until);
    Step merge(Packet& out, Deadline until);

    CaptureInfo m_info;
    std::vector<File> m_files;
    std::vector<std::size_t> m_heads;   // a heap of the files that have a head, the earliest on top
    std::vector<std::size_t> m_wanting; // the files whose next head is to be read

    std::optional<Step> m_ahead; // what ready() read ahead
    Packet m_aheadPacket;
    std::vector<std::string_view> m_comments;
};

} // namespace brokerscope
