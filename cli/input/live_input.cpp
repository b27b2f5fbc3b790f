// SPDX-License-Identifier: Apache-2.0
#include "cli/input/live_input.h"

#include "cli/input/rights.h"
#include "cli/output/quantity_text.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

namespace brokerscope {

namespace {

using namespace std::chrono_literals;

constexpr auto flushEvery = 1s; // what a kill may cost
constexpr auto lookEvery = 50ms;

LiveOptions liveOptions(const Options& options, LiveInput::Use use) {
    LiveOptions live;
    live.interfaces = options.interfaces;
    if (!options.captureFilter.empty()) live.filter = options.captureFilter;
    if (options.snapLength) live.snapLength = static_cast<int>(*options.snapLength);
    live.promiscuous = options.promiscuous;
    if (options.kernelBuffer) live.kernelBufferBytes = static_cast<int>(*options.kernelBuffer);
    live.delay = use == LiveInput::Use::Decode ? 10ms : 100ms; // when somebody watches, soon; else with less work
    live.immediate = options.immediate;
    return live;
}

} // namespace

std::unique_ptr<LiveInput> LiveInput::open(const Options& options, Console& console, KeyLog& keys, Use use) {
    const auto refuse = [&](const Error& error) {
        console.messages.error(error);
        return nullptr;
    };
    RingSettings ring;
    if (!options.ring.empty()) {
        const auto read = readRing(options.ring);
        if (!read)
            return refuse(
                {fmt::format("--ring {}: write it as 10x100MB, 24x3600s, or 100MB to keep all files", options.ring),
                 {},
                 {}});
        ring = *read;
    }
    if (options.output.empty() && !options.ring.empty())
        return refuse({"--ring needs -w FILE, the name that the files get", {}, {}});
    if (options.output == "-" && use == Use::Decode)
        return refuse({"-w - and what is printed would both go to standard output; give -w a file", {}, {}});

    auto source = openLive(liveOptions(options, use));
    if (!source) return refuse(source.error());
    if (auto error = giveUpRights()) return refuse(*error);
    std::unique_ptr<LiveInput> input(new LiveInput(options, std::move(*source)));
    if (!options.output.empty()) {
        KeyLog* const embedded =
            options.keyLogs.empty() ? nullptr : &keys; // what $SSLKEYLOGFILE names is not given away
        input->m_files = std::make_unique<RingFiles>(options.output, ring, *input->m_source, embedded);
        input->m_files->comment(options.comment);
        if (auto error = input->m_files->begin(input->m_last)) return refuse(*error);
    }
    std::string where = options.output == "-" ? " to standard output" : " to " + options.output;
    if (options.output.empty()) where.clear();
    console.messages.note(fmt::format("capturing on {}{}; Ctrl-C ends it", fmt::join(options.interfaces, ", "), where));
    input->m_source->start();
    return input;
}

LiveInput::LiveInput(const Options& options, std::unique_ptr<LiveSource> source)
    : m_options(options), m_source(std::move(source)), m_interruption(*m_source, !options.output.empty()),
      m_last(std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now())) {}

bool LiveInput::next(Packet& out) {
    while (!ready(lookEvery)) {
    }
    const bool enough = m_options.count && info().packets >= *m_options.count;
    if (!enough && m_source->next(out)) {
        m_last = out.time;
        if (m_files && !m_writeError) fail(m_files->add(out));
        return true;
    }
    m_source->updateCounts();
    if (m_files && !m_writeError) fail(m_files->close(m_last));
    return false;
}

bool LiveInput::ready(std::chrono::milliseconds wait) {
    lookAround();
    return m_source->ready(wait);
}

void LiveInput::lookAround() {
    if (m_options.count && info().packets >= *m_options.count) m_source->stop();
    const auto now = Clock::now();
    if (m_options.duration && now - m_started >= std::chrono::seconds(*m_options.duration)) m_source->stop();
    if (!m_files || m_writeError) return;
    if (m_options.maxSize && m_files->bytes() >= *m_options.maxSize) m_source->stop();
    if (m_interruption.takeRotation()) fail(m_files->rotate(m_last));
    if (now - m_flushed < flushEvery) return;
    m_flushed = now;
    fail(m_files->flush());
}

void LiveInput::fail(std::optional<Error> error) {
    if (!error) return;
    m_writeError = std::move(error);
    m_source->stop();
}

std::chrono::seconds LiveInput::running() const {
    return std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - m_started);
}

std::optional<Error> LiveInput::narrowTo(const std::set<Endpoint>& brokers) {
    return m_source->changeFilter(filterFor(brokers));
}

std::string LiveInput::statusText() const {
    const std::uint64_t dropped = info().dropped();
    return fmt::format("{}, {}, {}", countOf(info().packets, "packet"), sizeWords(info().capturedBytes),
                       dropped == 0 ? "none dropped" : countOf(dropped, "packet") + " DROPPED");
}

std::string filterFor(const std::set<Endpoint>& brokers) {
    std::string filter;
    for (const Endpoint& broker : brokers)
        filter +=
            fmt::format("{}(host {} and port {})", filter.empty() ? "" : " or ", toString(broker.address), broker.port);
    return fmt::format("tcp and ({})", filter);
}

} // namespace brokerscope
