// SPDX-License-Identifier: Apache-2.0
// The pipeline of the command line: opens the capture that was named, reads it through streams to exchanges, says what
// was damaged, and shows progress. Every command that reads a capture goes through here.
//
// Bytes:   exchanges point into the capture; they are good as long as the session.
// Errors:  open() and read() print what went wrong and say how the run ended; they never throw on input.
// Threads: one.
#pragma once

#include "capture/packet_source.h"
#include "capture/stream_reader.h"
#include "capture/tls/tls_layer.h"
#include "cli/input/live_input.h"
#include "cli/options/options.h"
#include "cli/output/console.h"
#include "cli/output/ending.h"
#include "dissector/exchange/exchange_assembler.h"

#include <memory>
#include <span>
#include <string>

namespace brokerscope {

// An ExchangeSink that may have enough before the capture's end, and hears when a growing input pauses.
class ReadingSink : public ExchangeSink {
  public:
    virtual bool wantsMore() const { return true; }
    virtual void inputPaused() {}
};

std::string noneMatched(std::uint64_t exchanges); // a sentence for a filter that fits nothing

class CaptureSession {
  public:
    CaptureSession(const Options& options, Console& console);
    ~CaptureSession();

    // Ending::Done, or Unusable when a file (a key log too) cannot be opened.
    Ending open(std::span<const std::string> paths);
    Ending read(ReadingSink& sink);

    // Of the packets read so far.
    Timestamp firstPacket() const;
    Timestamp lastPacket() const;
    int timeDigits() const; // 6 or 9: the most of any packet
    const CaptureInfo& info() const { return m_source->info(); }
    const ReadReport& report() const { return m_report; }
    // Of a connection that is not closed yet: to be asked in connectionEnded(). Null: not known.
    const ConnectionFacts* facts(ConnectionId id) const { return m_reader ? m_reader->facts(id) : nullptr; }
    bool stoppedEarly() const { return m_stoppedEarly; }
    std::string nothingFound() const; // a sentence for a capture without an exchange

  private:
    class TimedSource;
    class TlsNotes;
    bool readAll(StreamReader& reader, ReadingSink& sink);
    bool readLive(StreamReader& reader, ExchangeAssembler& assembler, ReadingSink& sink);
    void narrow(const ExchangeAssembler& assembler);
    Ending judge();

    const Options& m_options;
    Console& m_console;
    KeyLog m_keys;
    std::unique_ptr<PacketSource> m_source;
    LiveInput* m_live = nullptr;  // m_source, when that is one
    std::size_t m_narrowedTo = 0; // so many brokers
    std::unique_ptr<TimedSource> m_timed;
    std::unique_ptr<TlsNotes> m_tlsNotes;
    std::unique_ptr<TlsLayer> m_tls;        // decrypted bytes live in it
    const StreamReader* m_reader = nullptr; // while it reads
    ReadReport m_report;
    bool m_stoppedEarly = false;
};

} // namespace brokerscope
