// SPDX-License-Identifier: Apache-2.0
// `capture`: packets from interfaces to a file or a ring of files, until a limit or Ctrl-C.
#include "cli/commands/commands.h"
#include "cli/commands/ring_files.h"
#include "cli/input/interruption.h"
#include "cli/input/live_input.h"
#include "cli/output/quantity_text.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace brokerscope {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto flushEvery = 1s; // what a kill may cost

std::string keyLogText(const Options& options) {
    std::string text;
    for (const std::string& path : options.keyLogs) {
        std::ifstream file(path, std::ios::binary);
        text.append(std::istreambuf_iterator<char>(file), {});
    }
    return text;
}

class Recording {
  public:
    Recording(const Options& options, PacketSource& source, RingFiles& files)
        : m_options(options), m_source(source), m_files(files), m_interruption(source) {}

    std::optional<Error> run() {
        Packet packet;
        while (true) {
            const bool arrived = m_source.ready(50ms);
            if (m_interruption.takeRotation())
                if (auto error = m_files.rotate(m_last)) return error;
            if (Clock::now() - m_flushed >= flushEvery) {
                m_flushed = Clock::now();
                if (auto error = m_files.flush()) return error;
            }
            if (reachedLimit()) m_source.stop();
            if (!arrived) continue;
            if (!m_source.next(packet)) return m_files.close(m_last);
            m_last = packet.time;
            if (auto error = m_files.add(packet)) return error;
            ++packets;
            if (packets % 1024 == 0) m_source.releaseBefore(packet.bytes.data());
        }
    }

    std::uint64_t packets = 0;

  private:
    bool reachedLimit() const {
        return (m_options.duration && Clock::now() - m_started >= std::chrono::seconds(*m_options.duration)) ||
               (m_options.count && packets >= *m_options.count) ||
               (m_options.maxSize && m_files.bytes() >= *m_options.maxSize);
    }

    const Options& m_options;
    PacketSource& m_source;
    RingFiles& m_files;
    Interruption m_interruption;
    Clock::time_point m_started = Clock::now(), m_flushed = m_started;
    Timestamp m_last = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
};

} // namespace

Ending runCapture(const Options& options, Console& console) {
    RingSettings ring;
    if (!options.ring.empty()) {
        const auto read = readRing(options.ring);
        if (!read) {
            console.messages.error(fmt::format("--ring {}: write it as 10x100MB or 24x3600s", options.ring));
            return Ending::Unusable;
        }
        ring = *read;
    }
    if (options.interfaces.empty() || options.output.empty()) {
        console.messages.error("capture needs -i INTERFACE and -w FILE; 'brokerscope interfaces' lists the interfaces");
        return Ending::Unusable;
    }
    auto source = openLiveInput(options);
    if (!source) {
        console.messages.error(source.error());
        return Ending::Unusable;
    }
    RingFiles files(options.output, ring, **source, keyLogText(options));
    Recording recording(options, **source, files);
    console.messages.note(
        fmt::format("capturing on {} to {}; Ctrl-C ends it", fmt::join(options.interfaces, ", "), options.output));
    if (const auto error = recording.run()) {
        console.messages.error(*error);
        return Ending::Damaged;
    }
    console.messages.note(fmt::format("{} captured, {}", countOf(recording.packets, "packet"), dropsText(**source)));
    return Ending::Done;
}

} // namespace brokerscope
