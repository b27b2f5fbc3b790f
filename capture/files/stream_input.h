// SPDX-License-Identifier: Apache-2.0
// Input that cannot be mapped as it is: pipes, FIFOs, standard input, compressed files. What is read (and decompressed)
// goes to a SpillFile, as soon as it is there.
//
// Memory:  two buffers, and what the decompressor needs.
// Threads: as PacketSource; stop() from any thread or a signal handler ends every waiting.
#pragma once

#include "capture/files/decompressor.h"
#include "capture/files/file_descriptor.h"
#include "capture/files/input_bytes.h"
#include "capture/files/spill_file.h"

#include <atomic>
#include <memory>
#include <vector>

namespace brokerscope {

class StreamInput final : public InputBytes {
  public:
    // `size` is that of the file as it lies on disk, where it is one.
    static Result<std::unique_ptr<StreamInput>> start(FileDescriptor file, std::optional<std::uint64_t> size,
                                                      const std::string& temporaryFolder);

    const char* noun() const override { return m_decompressor ? "decompressed data" : "stream"; }
    bool decompressed() const override { return m_decompressor != nullptr; }
    Progress progress(std::uint64_t) const override { return {m_consumed, m_sizeOnDisk}; }
    void stop() noexcept override;
    bool stopped() const override { return m_endedByStop; }
    void releaseBefore(const std::uint8_t* position) override;

  private:
    StreamInput(FileDescriptor file, FileDescriptor bell, std::optional<std::uint64_t> size, SpillFile spill);

    Have grow(std::uint64_t end, Deadline until) override;
    Have read(Deadline until);
    Have waitForInput(Deadline until);
    void decompress();
    void endOfInput();
    void keepUnread();
    void keep(Bytes bytes);
    void fail(Error error);

    FileDescriptor m_file;
    FileDescriptor m_bell; // an eventfd that stop() rings
    std::optional<std::uint64_t> m_sizeOnDisk;
    SpillFile m_spill;
    std::unique_ptr<Decompressor> m_decompressor;

    std::vector<std::uint8_t> m_in, m_out;
    Bytes m_unread;               // what is in m_in and was not used yet
    std::uint64_t m_consumed = 0; // bytes of the input that were used
    bool m_sniffed = false;
    bool m_over = false;
    bool m_moreInside = false; // the decompressor filled m_out and may have more of it
    bool m_endedByStop = false;
    std::atomic<bool> m_stopped = false;
};

} // namespace brokerscope
