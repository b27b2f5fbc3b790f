// SPDX-License-Identifier: Apache-2.0
// `capture`: packets from interfaces to a file or a ring of files, until a limit or Ctrl-C; with --list the exchanges
// in them are printed meanwhile.
#include "cli/commands/commands.h"
#include "cli/input/capture_session.h"
#include "cli/input/key_logs.h"
#include "cli/input/live_input.h"
#include "cli/output/progress_line.h"

namespace brokerscope {

namespace {

Ending record(LiveInput& input, const Options& options, Console& console) {
    {
        ProgressLine status(2, options.progress, options.quiet);
        Packet packet;
        while (input.next(packet)) {
            if (input.info().packets % 1024 == 0) input.releaseBefore(packet.bytes.data());
            status.update([&input] { return input.statusText(); });
        }
    }
    Ending ending = Ending::Done;
    for (const Error& damage : input.info().damage) {
        console.messages.error(damage);
        ending = Ending::Damaged;
    }
    if (input.writeError()) {
        console.messages.error(*input.writeError());
        ending = Ending::Damaged;
    }
    console.messages.note(input.statusText());
    return ending;
}

// Decoding without printing: it is how brokers are found.
class Silent final : public ReadingSink {
  public:
    void exchangeEnded(Exchange&&) override {}
};

Ending recordBrokers(const Options& options, Console& console) {
    CaptureSession session(options, console);
    if (const Ending ending = session.open({}); ending != Ending::Done) return ending;
    Silent silent;
    return session.read(silent);
}

} // namespace

Ending runCapture(const Options& options, Console& console) {
    if (options.interfaces.empty() || options.output.empty()) {
        console.messages.error("capture needs -i INTERFACE and -w FILE; 'brokerscope interfaces' lists the interfaces");
        return Ending::Unusable;
    }
    if (options.liveList) return runList(options, console);
    if (options.narrowAfter) return recordBrokers(options, console);
    KeyLog keys;
    if (!openKeyLogs(options, console, keys)) return Ending::Unusable;
    const auto input = LiveInput::open(options, console, keys, LiveInput::Use::Record);
    return input ? record(*input, options, console) : Ending::Unusable;
}

} // namespace brokerscope
