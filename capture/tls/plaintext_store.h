// SPDX-License-Identifier: Apache-2.0
// Where decrypted bytes live: a SpillFile, made when the first bytes come.
//
// Bytes:  stay where they are as long as the object lives.
// Errors: when no temporary file can be made or the disk is full, append() gives null from then on and error() says
// why.
#pragma once

#include "capture/files/spill_file.h"
#include "capture/types/bytes.h"
#include "capture/types/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace brokerscope {

class PlaintextStore {
  public:
    // An empty folder means the system's (see SpillFile).
    explicit PlaintextStore(std::string folder = {}) : m_folder(std::move(folder)) {}

    // The place of the copy.
    const std::uint8_t* append(Bytes bytes);
    const std::optional<Error>& error() const { return m_error; }

  private:
    std::string m_folder;
    std::optional<SpillFile> m_file;
    std::optional<Error> m_error;
};

} // namespace brokerscope
