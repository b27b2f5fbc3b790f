// SPDX-License-Identifier: Apache-2.0
// Where decrypted bytes live: a SpillFile, made when the first bytes come.
//
// Bytes:  stay where they are as long as the object lives, but for what releaseBefore() gave up.
// Errors: when no temporary file can be made or the disk is full, append() gives null from then on and error() says
// why.
#pragma once

#include "capture/files/spill_file.h"
#include "capture/types/bytes.h"
#include "capture/types/ids.h"
#include "capture/types/result.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace brokerscope {

class PlaintextStore {
  public:
    // An empty folder means the system's (see SpillFile).
    explicit PlaintextStore(std::string folder = {}) : m_folder(std::move(folder)) {}

    // The place of the copy. `packet` carried the bytes.
    const std::uint8_t* append(Bytes bytes, PacketNumber packet);
    // Bytes of packets before this one will not be looked at again: their disk space may be given back.
    void releaseBefore(PacketNumber packet);
    // What was given up so far.
    std::uint64_t released() const { return m_released; }
    const std::optional<Error>& error() const { return m_error; }

  private:
    std::string m_folder;
    std::optional<SpillFile> m_file;
    std::optional<Error> m_error;

    // All bytes before `position` are of packets up to `packet`.
    struct Mark {
        PacketNumber packet;
        std::uint64_t position = 0;
    };
    std::deque<Mark> m_marks; // one a mebibyte
    PacketNumber m_latest;
    std::uint64_t m_released = 0;
};

} // namespace brokerscope
