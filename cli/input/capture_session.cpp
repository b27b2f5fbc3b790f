// SPDX-License-Identifier: Apache-2.0
#include "cli/input/capture_session.h"

#include "capture/capture_file.h"
#include "cli/input/key_logs.h"
#include "cli/input/live_input.h"
#include "cli/metrics/metrics_sink.h"
#include "cli/output/progress_line.h"
#include "cli/output/quantity_text.h"
#include "dissector/exchange/exchange_assembler.h"
#include "dissector/schema/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace brokerscope {

// Remembers the span of time of what passes through.
class CaptureSession::TimedSource final : public PacketSource {
  public:
    explicit TimedSource(PacketSource& source) : m_source(source) {}

    bool next(Packet& out) override {
        if (!m_source.next(out)) return false;
        if (!m_any) first = last = out.time;
        m_any = true;
        m_latest = out.bytes.data();
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

    // Gives back what neither streams nor exchanges need: all packets older than the oldest byte of an open exchange
    // that are a minute old or, where more than keptBytes came since, old enough for streams to have no use for them.
    // Exchanges that are open for long, or behind which mostBytes came, are given up.
    void giveBack(ExchangeAssembler& assembler, TlsLayer& tls, bool fragmentsWait) {
        constexpr std::uint64_t every = 1024;
        if (m_source.info().packets % every != 0) return;
        const std::uint64_t bytes = m_source.info().capturedBytes;
        m_marks.push_back({PacketNumber{m_source.info().packets}, last, bytes, m_latest});
        assembler.giveUpBefore(last - longestOpen);
        while (m_givenUp < m_marks.size() && bytes - m_marks[m_givenUp].before > mostBytes)
            assembler.giveUpBefore(m_marks[m_givenUp++].time);
        const PacketNumber oldest = assembler.oldestPacket();
        const auto leastAge = fragmentsWait ? usualAge : streamsAge;
        Mark released{};
        while (!m_marks.empty() && (!oldest || m_marks.front().packet < oldest)) {
            const Mark& mark = m_marks.front();
            const auto age = last - mark.time;
            if (age < (bytes - mark.before > keptBytes ? leastAge : usualAge)) break;
            m_givenUp -= m_givenUp > 0;
            released = m_marks.front();
            m_marks.pop_front();
        }
        if (!released.bytes) return;
        m_source.releaseBefore(released.bytes);
        tls.releaseBefore(released.packet);
    }

    Timestamp first{}, last{};
    int digits = 6;

  private:
    struct Mark {
        PacketNumber packet;
        Timestamp time;
        std::uint64_t before; // captured bytes so far
        const std::uint8_t* bytes;
    };
    static constexpr Duration longestOpen = std::chrono::minutes(10);
    static constexpr Duration usualAge = std::chrono::minutes(1);
    static constexpr Duration streamsAge = std::chrono::seconds(5); // streams wait for a lost packet at most 3 s
    static constexpr std::uint64_t keptBytes = std::uint64_t{512} << 20, mostBytes = std::uint64_t{2} << 30;

    PacketSource& m_source;
    bool m_any = false;
    const std::uint8_t* m_latest = nullptr; // bytes of the latest packet
    std::deque<Mark> m_marks;               // live only, oldest first
    std::size_t m_givenUp = 0;              // so many of m_marks have nothing open before them
};

// Counts the connections that stayed closed.
class CaptureSession::TlsNotes final : public TlsFactsSink {
  public:
    explicit TlsNotes(TlsFactsSink& next) : m_next(next) {}

    void tlsFacts(ConnectionId connection, const TlsFacts& facts, bool final) override {
        if (final && facts.decryption == TlsDecryption::NoKeys) ++withoutKeys;
        m_next.tlsFacts(connection, facts, final);
    }

    std::uint64_t withoutKeys = 0;

  private:
    TlsFactsSink& m_next;
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
    if (!m_options.interfaces.empty() && !paths.empty()) {
        m_console.messages.error("a live capture (-i) and files do not go together");
        return Ending::Unusable;
    }
    if (!openKeyLogs(m_options, m_console, m_keys)) return Ending::Unusable;
    if (m_options.interfaces.empty()) {
        if (!m_options.output.empty()) {
            m_console.messages.error(
                "-w writes what a live capture (-i) takes; 'brokerscope export' writes files anew");
            return Ending::Unusable;
        }
        auto opened = openCapture(paths);
        if (!opened) {
            m_console.messages.error(opened.error());
            return Ending::Unusable;
        }
        m_source = std::move(opened.value());
    } else {
        auto live = LiveInput::open(m_options, m_console, m_keys, LiveInput::Use::Decode);
        if (!live) return Ending::Unusable;
        m_live = live.get();
        m_source = std::move(live);
    }
    m_timed = std::make_unique<TimedSource>(*m_source);
    m_keys.followText(m_source->info().keyLog);
    return Ending::Done;
}

Ending CaptureSession::read(ReadingSink& sink) {
    std::unique_ptr<MetricsSink> metrics;
    if (!m_options.metricsListen.empty() || !m_options.metricsFile.empty()) {
        metrics = MetricsSink::make(sink, m_options, m_console);
        if (!metrics) return Ending::Unusable;
    }
    ExchangeSink& first = metrics ? static_cast<ExchangeSink&>(*metrics) : sink;
    ExchangeAssembler assembler(*m_console.protocol, first, m_options.ports);
    m_tlsNotes = std::make_unique<TlsNotes>(assembler);
    m_tls = std::make_unique<TlsLayer>(assembler, m_keys, m_tlsNotes.get());
    StreamReader reader(*m_timed, *m_tls);
    m_reader = &reader;
    const bool live = !m_options.interfaces.empty();
    const bool whole = live ? readLive(reader, assembler, sink) : readAll(reader, sink);
    if (whole) assembler.finish();
    if (metrics) metrics->finish();
    m_stoppedEarly = !whole;
    m_report = reader.report();
    m_reader = nullptr;
    return whole ? judge() : Ending::Done;
}

// False: the sink had enough, or nobody reads the output any more.
bool CaptureSession::readAll(StreamReader& reader, ReadingSink& sink) {
    constexpr std::uint64_t packetsAStep = 1024;
    ProgressLine progress(2, m_options.progress, m_options.quiet);
    const bool growing = !m_source->progress().bytesTotal;
    while (true) {
        if (growing && !m_source->ready(std::chrono::milliseconds(0))) {
            m_tls->retry();
            sink.inputPaused();
            m_console.out.flush();
        }
        if (!reader.step(growing ? 1 : packetsAStep)) return true;
        if (!sink.wantsMore() || m_console.out.closed()) return false;
        const Progress now = m_source->progress();
        progress.update(now.bytesRead, now.bytesTotal.value_or(0));
    }
}

// Until the live input's end (see LiveInput); false as readAll(). What nobody needs any more is given back, so that it
// may run for days.
bool CaptureSession::readLive(StreamReader& reader, ExchangeAssembler& assembler, ReadingSink& sink) {
    constexpr auto idle = std::chrono::milliseconds(100);
    while (true) {
        if (!m_source->ready(std::chrono::milliseconds(0))) {
            m_tls->retry();
            sink.inputPaused();
            m_console.out.flush();
            while (!m_source->ready(idle)) {
                m_tls->retry();
                reader.idleUntil(std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now()));
                sink.inputPaused();
                m_console.out.flush();
                narrow(assembler);
            }
        }
        if (!reader.step(1)) break;
        if (!sink.wantsMore() || m_console.out.closed()) return false;
        m_timed->giveBack(assembler, *m_tls, reader.fragmentsWait());
        if (info().packets % 256 == 0) narrow(assembler);
    }
    m_console.messages.note(m_live->statusText());
    return true;
}

// --narrow: leave everything to the kernel that is not from or to a broker.
void CaptureSession::narrow(const ExchangeAssembler& assembler) {
    if (!m_options.narrowAfter || m_live->running().count() < static_cast<std::int64_t>(*m_options.narrowAfter)) return;
    const std::set<Endpoint>& brokers = assembler.brokers();
    if (brokers.size() == m_narrowedTo) return;
    m_narrowedTo = brokers.size();
    if (const auto error = m_live->narrowTo(brokers)) return m_console.messages.error(*error);
    std::vector<std::string> names;
    for (const Endpoint& broker : brokers)
        names.push_back(toString(broker));
    m_console.messages.note(fmt::format("capturing only what goes to or from {}", fmt::join(names, ", ")));
}

std::string noneMatched(std::uint64_t exchanges) {
    return fmt::format("the filter fits none of {}", countOf(exchanges, "exchange"));
}

std::string CaptureSession::nothingFound() const {
    if (m_report.packets == 0) return "the capture holds no packets";
    if (const std::uint64_t closed = m_tlsNotes ? m_tlsNotes->withoutKeys : 0; closed != 0)
        return fmt::format("no Kafka was found in {}; {} {} no keys, which --keylog FILE can give",
                           countOf(m_report.packets, "packet"), countOf(closed, "TLS connection"),
                           closed == 1 ? "has" : "have");
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
    if (m_live && m_live->writeError()) {
        m_console.messages.error(*m_live->writeError());
        ending = Ending::Damaged;
    }
    if (m_tls->storeError()) {
        m_console.messages.error(*m_tls->storeError());
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
