// SPDX-License-Identifier: Apache-2.0
// `export`: a capture into a pcapng file, with TLS secrets put in or taken out; or its exchanges into ndjson or csv.
#include "capture/capture_file.h"
#include "capture/tls/session_secrets.h"
#include "cli/commands/commands.h"
#include "cli/commands/exchange_packets.h"
#include "cli/commands/packet_export.h"
#include "cli/commands/text_export.h"
#include "cli/input/capture_session.h"
#include "cli/input/key_logs.h"
#include "cli/output/progress_line.h"
#include "cli/output/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

class Export {
  public:
    Export(const Options& options, Console& console) : m_options(options), m_console(console) {}

    Ending run() {
        if (const std::string complaint = wrongUsage(); !complaint.empty()) return refuse(complaint);
        if (const auto format = textFormatOf(m_options.output)) return exportText(m_options, m_console, *format);
        PacketExportOptions packets;
        packets.keepSecrets = !m_options.stripSecrets;
        if (m_options.embedSecrets) {
            auto secrets = chooseSecrets();
            if (!secrets) return Ending::Unusable;
            packets.addSecrets = std::move(*secrets);
        }
        if (m_options.filter.empty()) return copy(std::move(packets), nullptr);
        return copyExchanges(std::move(packets));
    }

  private:
    std::string wrongUsage() const {
        if (m_options.output.empty())
            return "export needs -w FILE, the file to write: pcapng (- is standard output), or by its name .ndjson or "
                   ".csv";
        for (const std::string& path : m_options.arguments)
            if (sameFile(path, m_options.output))
                return fmt::format("{} would be written over itself; give -w another name", path);
        const bool text = textFormatOf(m_options.output).has_value();
        if (text && (m_options.embedSecrets || m_options.stripSecrets))
            return "--embed-secrets and --strip-secrets are about pcapng files; ndjson and csv have no TLS secrets";
        if (!text && (m_options.noBodies || m_options.records || m_options.expand))
            return "--no-bodies, --records and --expand are about files whose name ends in .ndjson";
        if (text) return {};
        if (m_options.embedSecrets && m_options.stripSecrets)
            return "--embed-secrets puts in what --strip-secrets takes out; give one of them";
        if (m_options.embedSecrets && !keyLogsNamed(m_options))
            return "--embed-secrets needs to know the secrets: give --keylog FILE";
        if (m_options.embedSecrets && std::ranges::count(m_options.arguments, "-") != 0)
            return "--embed-secrets reads the capture twice, which standard input cannot give; save it to a file first";
        if (!m_options.filter.empty() && std::ranges::count(m_options.arguments, "-") != 0)
            return "-Y reads the capture twice, which standard input cannot give; save it to a file first";
        return {};
    }

    Ending refuse(std::string_view why) {
        m_console.messages.error(why);
        return Ending::Unusable;
    }

    std::unique_ptr<PacketSource> open() {
        auto opened = openCapture(m_options.arguments);
        if (opened) return std::move(*opened);
        m_console.messages.error(opened.error());
        return nullptr;
    }

    std::function<void()> showing(ProgressLine& progress, const PacketSource& source) {
        return [&progress, &source] {
            const Progress now = source.progress();
            progress.update(now.bytesRead, now.bytesTotal.value_or(0));
        };
    }

    // Only secrets of sessions that are in the capture are given away with it. nullopt: it was said why not.
    std::optional<std::string> chooseSecrets() {
        KeyLog keys;
        if (!openKeyLogs(m_options, m_console, keys)) return std::nullopt;
        const auto source = open();
        if (!source) return std::nullopt;
        ProgressLine progress(2, m_options.progress, m_options.quiet);
        const SessionSecrets found = secretsOfSessions(*source, keys, showing(progress, *source));
        if (!found.keyLog.empty()) {
            m_console.messages.note(fmt::format("{} of {} opened by the key log",
                                                countOf(found.decrypted, "TLS connection"), found.connections));
            return found.keyLog;
        }
        m_console.messages.error(found.connections == 0
                                     ? std::string("no TLS was found in the capture, so there are no secrets to embed")
                                     : fmt::format("the key log ({}) has secrets of none of the {} in the capture",
                                                   countOf(keys.counts().secrets, "secret"),
                                                   countOf(found.connections, "TLS connection")));
        return std::nullopt;
    }

    // Only the packets of the exchanges that -Y takes: a reading to find them, then the copying.
    Ending copyExchanges(PacketExportOptions packets) {
        Options reading = m_options;
        reading.output.clear(); // is written by copy(), not by the session
        CaptureSession session(reading, m_console);
        ExchangePackets chosen(*m_console.protocol, session);
        if (!chosen.compileFilter(m_options, m_console)) return Ending::Unusable;
        if (const Ending opened = session.open(m_options.arguments); opened != Ending::Done) return opened;
        if (session.read(chosen) == Ending::Unusable) return Ending::Unusable;
        if (chosen.exchanges() == 0)
            m_console.messages.note(chosen.seen() == 0 ? session.nothingFound() : noneMatched(chosen.seen()));
        chosen.prepare();
        return copy(std::move(packets), &chosen);
    }

    Ending copy(PacketExportOptions packets, ExchangePackets* chosen) {
        const auto source = open();
        if (!source) return Ending::Unusable;
        WriterOptions about;
        about.application = fmt::format("Brokerscope {}", BROKERSCOPE_VERSION);
        auto writer = CaptureWriter::create(m_options.output, about);
        if (!writer) return refuse(toString(writer.error()));
        PacketExport exported(*source, **writer, std::move(packets));
        {
            ProgressLine progress(2, m_options.progress, m_options.quiet);
            if (const auto error = exported.run(chosen, showing(progress, *source))) return refuse(toString(*error));
        }
        report(exported.counts(), chosen);
        for (const Error& damage : source->info().damage)
            m_console.messages.error(damage);
        return source->info().damage.empty() ? Ending::Done : Ending::Damaged;
    }

    void report(const PacketExportCounts& counts, const ExchangePackets* chosen) {
        std::string text = fmt::format("{} written to {}", countOf(counts.packets, "packet"), m_options.output);
        if (chosen) text += fmt::format(", those of {}", countOf(chosen->exchanges(), "exchange"));
        if (counts.secretBytes != 0) text += "; it holds TLS secrets: who has it can read what was encrypted";
        if (m_options.stripSecrets)
            text += counts.secretBytesDropped != 0 ? "; its TLS secrets were left out" : "; there were no TLS secrets";
        m_console.messages.note(text);
    }

    const Options& m_options;
    Console& m_console;
};

} // namespace

Ending runExport(const Options& options, Console& console) {
    return Export(options, console).run();
}

} // namespace brokerscope
