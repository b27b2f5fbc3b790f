// SPDX-License-Identifier: Apache-2.0
// Packets from network interfaces by libpcap, as a PacketSource.
//
// Reading never waits for decoding: a thread for each interface takes packets from the kernel and queues them. When the
// queue is full, packets are dropped and counted (info().interfaces[i].counts), like those that the kernel dropped.
// Bytes:   copied once, into an unlinked temporary file; releaseBefore() gives its space back, so days are no problem.
// Memory:  at most LiveOptions::queuePackets queued packets (48 bytes each; their bytes lie in the file).
// Threads: one thread calls next() and ready(); stop() may be called from a signal handler.
#pragma once

#include "capture/packet_source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace brokerscope {

struct LiveOptions {
    std::vector<std::string> interfaces; // names as listInterfaces() gives them, or "any"
    std::string filter = "tcp";          // libpcap's filter language (BPF)
    int snapLength = 262'144;
    bool promiscuous = false;
    int kernelBufferBytes = 16 << 20;
    std::size_t queuePackets = 1 << 20;
    std::string temporaryFolder; // empty: as OpenOptions
};

// The first interface that cannot be opened makes the error; where the right to capture is missing it says how to get
// it.
Result<std::unique_ptr<PacketSource>> openLive(const LiveOptions& options);

struct LiveInterface {
    std::string name, description;
    std::vector<std::string> addresses;
    bool up = false, loopback = false;
};

Result<std::vector<LiveInterface>> listInterfaces();

} // namespace brokerscope
