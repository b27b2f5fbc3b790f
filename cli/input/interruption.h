// SPDX-License-Identifier: Apache-2.0
// Ctrl-C (SIGINT) and SIGTERM end a live capture as its end: what is there is handed on and printed. SIGHUP and SIGUSR1
// ask for a new file, where files are written. A second Ctrl-C ends the program at once.
// Threads: one object at a time in the process; signals may come in any thread.
#pragma once

#include "capture/packet_source.h"

namespace brokerscope {

class Interruption {
  public:
    Interruption(PacketSource& source, bool rotates); // the source must outlive this object
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    bool takeRotation(); // true once for each time that a new file was asked for
};

} // namespace brokerscope
