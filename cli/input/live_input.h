// SPDX-License-Identifier: Apache-2.0
// A live capture as it was asked for on the command line: a packet source that ends by --duration, --count, --max-size
// or Ctrl-C, and that writes what passes through it to files where -w says so.
//
// Rights:  given up when the devices are open, before any packet is looked at: who came by sudo becomes the user again,
//          root keeps no more than the right to its files, and capabilities of the program file are dropped.
// Errors:  of writing: the capture ends, writeError() tells.
// Threads: one calls everything; stop() may be called from a signal handler.
#pragma once

#include "capture/live_capture.h"
#include "capture/tls/key_log.h"
#include "capture/types/endpoint.h"
#include "cli/input/interruption.h"
#include "cli/input/ring_files.h"
#include "cli/options/options.h"
#include "cli/output/console.h"

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace brokerscope {

class LiveInput final : public PacketSource {
  public:
    enum class Use : std::uint8_t { Record, Decode };

    // Null: it was said why not. `keys`: with --keylog its secrets go into written files; must outlive this object.
    static std::unique_ptr<LiveInput> open(const Options& options, Console& console, KeyLog& keys, Use use);

    bool next(Packet& out) override;
    bool ready(std::chrono::milliseconds wait) override;
    void stop() noexcept override { m_source->stop(); }
    const CaptureInfo& info() const override { return m_source->info(); }
    std::span<const std::string_view> packetComments() const override { return {}; }
    Progress progress() const override { return m_source->progress(); }
    void releaseBefore(const std::uint8_t* position) override { m_source->releaseBefore(position); }

    std::chrono::seconds running() const;
    // From now on only packets from and to these.
    std::optional<Error> narrowTo(const std::set<Endpoint>& brokers);
    const std::optional<Error>& writeError() const { return m_writeError; }
    std::string statusText() const; // "1,234 packets, 5.6 MiB, none dropped"

  private:
    using Clock = std::chrono::steady_clock;

    LiveInput(const Options& options, std::unique_ptr<LiveSource> source);
    void lookAround();
    void fail(std::optional<Error> error);

    const Options& m_options;
    std::unique_ptr<LiveSource> m_source;
    std::unique_ptr<RingFiles> m_files; // null: nothing is written
    Interruption m_interruption;
    Clock::time_point m_started = Clock::now(), m_flushed = m_started;
    Timestamp m_last; // of the latest packet, or when the capture began
    std::optional<Error> m_writeError;
};

// "tcp and (host 10.0.0.1 and port 9092 or ...)", in libpcap's language.
std::string filterFor(const std::set<Endpoint>& brokers);

} // namespace brokerscope
