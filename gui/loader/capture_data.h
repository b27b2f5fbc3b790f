// SPDX-License-Identifier: Apache-2.0
// One opened capture: its packets, its index, and what was found out about it on the way. Made and filled by the loader
// thread, read by everybody else; shared, so that what was decoded from it may outlive the window's interest in it.
//
// Bytes:   everything decoded points into it: who keeps such a thing keeps this.
// Threads: the loader thread alone uses `reading`; the index is safe for all (see there); `progress` is atomic;
//          the report is handed out as a value when reading pauses or ends.
#pragma once

#include "capture/packet_source.h"
#include "capture/stream_reader.h"
#include "dissector/exchange/exchange_assembler.h"
#include "dissector/index/exchange_index.h"
#include "dissector/index/index_builder.h"
#include "dissector/schema/protocol.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace brokerscope {

struct OpenWish {
    std::vector<std::string> paths;
    std::vector<std::uint16_t> ports; // treat these as Kafka's, whatever the bytes look like
    std::vector<std::string> keyLogs; // files with TLS secrets
    Duration slowAbove = std::chrono::milliseconds{100};
};

struct LoadProgress {
    std::atomic<std::uint64_t> bytesRead{0}, bytesTotal{0}; // total 0: not known
    std::atomic<std::uint64_t> packets{0};
    std::atomic<std::int64_t> firstTime{0}, lastTime{0}; // nanoseconds since 1970; 0 before the first packet
    std::atomic<int> timeDigits{6};
};

// What was read so far, as values.
struct CaptureReport {
    CaptureInfo info;
    ReadReport packets;
    std::vector<ForeignConnection> foreign;
    std::uint64_t foreignConnections = 0;
    std::uint64_t tlsWithoutKeys = 0;                 // connections that stayed closed
    std::uint64_t bytesLost = 0, bytesPassedOver = 0; // in Kafka's streams
    bool stopped = false;                             // before the end
    int percent = 100;
};

struct CaptureData {
    explicit CaptureData(OpenWish what) : wish(std::move(what)), index(wish.slowAbove) {}

    OpenWish wish;
    const Protocol& protocol = Protocol::builtin();
    LoadProgress progress;
    ExchangeIndex index;

    class Reading; // the loader's
    std::shared_ptr<Reading> reading;

    Timestamp start() const { return Timestamp{Duration{progress.firstTime.load(std::memory_order_relaxed)}}; }
    Duration span() const {
        return Duration{progress.lastTime.load(std::memory_order_relaxed) -
                        progress.firstTime.load(std::memory_order_relaxed)};
    }
};

using Capture = std::shared_ptr<CaptureData>;

// Lets go of a capture in another thread: unmapping a large file takes longer than a window may stand still. For the
// GUI thread.
void disposeLater(Capture&& capture);

inline std::shared_ptr<const ExchangeIndex> indexOf(const Capture& capture) {
    return {capture, &capture->index};
}

} // namespace brokerscope
