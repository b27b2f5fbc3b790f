// SPDX-License-Identifier: Apache-2.0
// Packets from network interfaces by libpcap, as a PacketSource.
//
// Reading never waits for decoding: a thread for each interface takes packets from the kernel and queues them. When the
// queue is full, packets are dropped and counted (info().interfaces[i].counts), like those that the kernel dropped.
// Packets of one interface come in order; between several the order is that of arrival here, some milliseconds apart.
// Bytes:   copied once, into unlinked temporary files; releaseBefore() gives their space back, so days are no problem.
// Memory:  see PacketQueue.
// Threads: one thread calls everything; stop() may be called from a signal handler.
#pragma once

#include "capture/packet_source.h"

#include <chrono>
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
    // The kernel hands packets over in blocks, so long after the first one at the latest. Immediate: each at once, but
    // then each takes room for the longest that there may be, and a burst finds the buffer full.
    std::chrono::milliseconds delay{10};
    bool immediate = false;
    std::size_t queuePackets = 1 << 20;
    std::uint64_t queueBytes = std::uint64_t{1} << 30;
    std::string temporaryFolder; // empty: as OpenOptions
};

class LiveSource : public PacketSource {
  public:
    // Begins to take packets, as the first next() or ready() does. Until then only the devices are open and there is
    // one thread: the moment to give up rights.
    virtual void start() = 0;
    // From now on only packets that fit the filter; those that are here already come all the same, and one that comes
    // in this very moment may be missed. An error: it is not understood, and nothing changes.
    virtual std::optional<Error> changeFilter(const std::string& filter) = 0;
    // Brings info().interfaces[i].counts up to date, as reading to the end does and every 1,024 packets.
    virtual void updateCounts() = 0;
};

// The first interface that cannot be opened makes the error; where the right to capture is missing it says how to get
// it.
Result<std::unique_ptr<LiveSource>> openLive(const LiveOptions& options);

struct LiveInterface {
    std::string name, description;
    std::vector<std::string> addresses;
    bool up = false, loopback = false;
};

Result<std::vector<LiveInterface>> listInterfaces();

} // namespace brokerscope
