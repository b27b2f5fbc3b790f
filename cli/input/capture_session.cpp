// SPDX-License-Identifier: Apache-2.0
#include "cli/input/capture_session.h"

#include "capture/capture_file.h"
#include "cli/output/progress_line.h"
#include "cli/output/quantity_text.h"
#include "dissector/exchange/exchange_assembler.h"
#include "dissector/schema/protocol.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

// Remembers the span of time of what passes through.
class CaptureSession::TimedSource final : public PacketSource {
  public:
    explicit TimedSource(PacketSource& source) : m_source(source) {}

    bool next(Packet& out) override {
        if (!m_source.next(out)) return false;
        if (!m_any) first = last = out.time;
        m_any = true;
        last = std::max(last, out.time);
        digits = std::max<int>(digits, out.timeDigits);
        return true;
    }
    bool ready(std::chrono::milliseconds wait) override { return m_source.ready(wait); }
    void stop() noexcept override { m_source.stop(); }
    const CaptureInfo& info() const override { return m_source.info(); }
    std::span<const std::string_view> packetComments() const override { return m_source.packetComments(); }
    Progress progress() const override { return m_source.progress(); }
    void releaseBefore(const std::uint8_t* position) override { m_source.releaseBefore(position); }

    Timestamp first{}, last{};
    int digits = 6;

  private:
    PacketSource& m_source;
    bool m_any = false;
};

CaptureSession::CaptureSession(const Options& options, Console& console) : m_options(options), m_console(console) {}

CaptureSession::~CaptureSession() = default;

Timestamp CaptureSession::firstPacket() const {
    return m_timed->first;
}

Timestamp CaptureSession::lastPacket() const {
    return m_timed->last;
}

int CaptureSession::timeDigits() const {
    return m_timed->digits;
}

Ending CaptureSession::open(std::span<const std::string> paths) {
    auto opened = openCapture(paths);
    if (!opened) {
        m_console.messages.error(opened.error());
        return Ending::Unusable;
    }
    m_source = std::move(opened.value());
    m_timed = std::make_unique<TimedSource>(*m_source);
    return Ending::Done;
}

Ending CaptureSession::read(ReadingSink& sink) {
    ExchangeAssembler assembler(Protocol::builtin(), sink, m_options.ports);
    StreamReader reader(*m_timed, assembler);
    const bool whole = readAll(reader, sink);
    if (whole) assembler.finish();
    m_stoppedEarly = !whole;
    m_report = reader.report();
    return whole ? judge() : Ending::Done;
}

// False: the sink had enough, or nobody reads the output any more.
bool CaptureSession::readAll(StreamReader& reader, ReadingSink& sink) {
    constexpr std::uint64_t packetsAStep = 1024;
    ProgressLine progress(2, m_options.progress, m_options.quiet);
    const bool growing = !m_source->progress().bytesTotal;
    while (true) {
        if (growing && !m_source->ready(std::chrono::milliseconds(0))) {
            sink.inputPaused();
            m_console.out.flush();
        }
        if (!reader.step(growing ? 1 : packetsAStep)) return true;
        if (!sink.wantsMore() || m_console.out.closed()) return false;
        const Progress now = m_source->progress();
        progress.update(now.bytesRead, now.bytesTotal.value_or(0));
    }
}

std::string noneMatched(std::uint64_t exchanges) {
    return fmt::format("the filter fits none of {}", countOf(exchanges, "exchange"));
}

std::string CaptureSession::nothingFound() const {
    if (m_report.packets == 0) return "the capture holds no packets";
    return fmt::format("no Kafka was found in {}; summary names what was there, --port N takes a port for Kafka",
                       countOf(m_report.packets, "packet"));
}

// What was not read, said in one line each.
Ending CaptureSession::judge() {
    Ending ending = Ending::Done;
    for (const Error& damage : info().damage) {
        m_console.messages.error(damage);
        ending = Ending::Damaged;
    }
    std::uint64_t closed = 0;
    for (const auto& unknown : m_report.unknownLinkTypes) {
        closed += unknown.packets;
        const std::string text = fmt::format("{} could not be looked into: {} is not known here",
                                             countOf(unknown.packets, "packet"), unknown.name);
        if (unknown.packets == m_report.packets)
            m_console.messages.error(text);
        else
            m_console.messages.note(text);
    }
    return closed != 0 && closed == m_report.packets ? Ending::Unusable : ending;
}

} // namespace brokerscope
