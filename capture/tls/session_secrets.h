// SPDX-License-Identifier: Apache-2.0
// Which secrets of a key log belong to a capture. A key log holds those of everything that its program ever said; who
// passes a capture on wants to give away no more than what is needed to read it.
//
// Memory:  as StreamReader and TlsLayer; decrypted data goes to a temporary file and is dropped.
// Threads: one.
#pragma once

#include "capture/packet_source.h"
#include "capture/tls/key_log.h"

#include <functional>
#include <string>

namespace brokerscope {

struct SessionSecrets {
    std::string keyLog;            // NSS key log text: of each session in the capture that `keys` knows
    std::uint64_t connections = 0; // with TLS
    std::uint64_t decrypted = 0;   // of these
};

// Reads the whole of `source`. `step` is called from time to time.
SessionSecrets secretsOfSessions(PacketSource& source, KeyLog& keys, const std::function<void()>& step = {});

} // namespace brokerscope
