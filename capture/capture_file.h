// SPDX-License-Identifier: Apache-2.0
// Opens capture files: pcap (all byte orders and resolutions) and pcapng, each also compressed with gzip or zstd. The
// content decides, never the name. Several files are one capture, merged in the order of time.
//
// Bytes:   regular files are mapped; decompressed data, pipes and standard input go to unlinked temporary files that
//          are mapped as well, so that every packet's bytes stay where they are.
// Memory:  a few buffers a file, whatever its size (a zstd window may take up to 128 MiB).
// Threads: see PacketSource.
#pragma once

#include "capture/packet_source.h"

#include <memory>
#include <span>
#include <string>

namespace brokerscope {

struct OpenOptions {
    std::string temporaryFolder; // where temporary files go; empty: $TMPDIR, /var/tmp, /tmp, the first that works
    int standardInput = 0;       // the file descriptor behind "-"
};

// "-" is standard input. Waits until the first bytes of a stream are here. The first path that cannot be read makes the
// error, whose `what` is a sentence that names the file.
Result<std::unique_ptr<PacketSource>> openCapture(std::span<const std::string> paths, const OpenOptions& options = {});

} // namespace brokerscope
