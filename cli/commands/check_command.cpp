// SPDX-License-Identifier: Apache-2.0
// `check`: what a person should look at in a capture.
#include "cli/commands/check_screen.h"
#include "cli/commands/commands.h"
#include "cli/commands/exchange_filter.h"
#include "cli/input/capture_session.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/findings/findings_analyser.h"
#include "dissector/wire/json_line.h"

#include <fmt/format.h>

namespace brokerscope {
namespace {

class CheckSink final : public ReadingSink {
  public:
    CheckSink(const Protocol& protocol, const CaptureSession& session)
        : m_session(session), m_facts(protocol), m_names(protocol), m_filter(protocol, m_names), m_analyser(protocol) {}

    bool compileFilter(const Options& options, const Console& console) { return m_filter.compile(options, console); }

    void exchangeEnded(Exchange&& exchange) override {
        const ExchangeFacts& facts = m_facts.read(exchange);
        if (m_filter.active()) m_names.learn(exchange);
        if (!m_filter.matches(exchange, m_session.firstPacket(), &facts.request, &facts.response)) return;
        ++m_exchanges;
        m_analyser.add(facts);
    }
    void foreignConnection(const Connection& connection, std::string_view protocol) override {
        m_analyser.addForeign(connection, protocol);
    }
    void tlsSeen(const Connection& connection, KafkaConnectionId, const TlsFacts& facts) override {
        m_analyser.addTls(connection, facts);
    }
    void bytesPassedOver(KafkaConnectionId connection, Side, std::uint64_t count, Hole hole) override {
        m_analyser.addPassedOver(connection, count, hole);
    }
    void connectionEnded(const Connection& connection, KafkaConnectionId kafka) override {
        m_analyser.addConnection({connection, kafka, m_session.facts(connection.id)});
    }

    std::vector<Finding> finish() { return m_analyser.finish(); }
    std::uint64_t exchanges() const { return m_exchanges; }
    std::uint64_t leftOut() const { return m_analyser.leftOut(); }

  private:
    const CaptureSession& m_session;
    ExchangeFactsReader m_facts;
    TopicNames m_names; // for the filter
    ExchangeFilter m_filter;
    FindingsAnalyser m_analyser;
    std::uint64_t m_exchanges = 0;
};

void printJson(const Finding& finding, int timeDigits, JsonLine& json, Console& console) {
    json.clear();
    json.writer().StartObject();
    json.plain("finding", finding.kind->name);
    json.plain("severity", name(finding.severity));
    json.plain("aspect", name(finding.kind->aspect));
    json.string("subject", finding.subject);
    json.string("seen", finding.seen);
    json.number("count", static_cast<std::int64_t>(finding.count));
    json.key("exchanges");
    json.writer().StartArray();
    for (const ExchangeId id : finding.exchanges)
        json.writer().Uint64(id.value);
    json.writer().EndArray();
    if (finding.first != Timestamp{}) {
        json.time("firstTime", finding.first, timeDigits);
        json.time("lastTime", finding.last, timeDigits);
    }
    json.string("title", finding.kind->title);
    json.string("why", finding.kind->why);
    json.string("advice", finding.kind->advice);
    json.writer().EndObject();
    console.out.buffer() += json.text();
    console.out.endLine();
}

bool ignored(const Options& options, const Finding& finding) {
    return std::ranges::find(options.ignore, finding.kind->name) != options.ignore.end();
}

std::string filesText(const Options& options) {
    if (options.arguments.empty()) return "live";
    if (options.arguments.size() == 1) return options.arguments.front();
    return fmt::format("{} and {} more", options.arguments.front(), options.arguments.size() - 1);
}

} // namespace

Ending runCheck(const Options& options, Console& console) {
    CaptureSession session(options, console);
    CheckSink sink(*console.protocol, session);
    if (!sink.compileFilter(options, console)) return Ending::Unusable;
    if (const Ending opened = session.open(options.arguments); opened != Ending::Done) return opened;
    const Ending ending = session.read(sink);
    if (ending == Ending::Unusable) return ending;

    CheckFrame frame{filesText(options), sink.exchanges(), session.firstPacket(), session.lastPacket(),
                     static_cast<Severity>(options.level)};
    std::vector<Finding> findings = sink.finish();
    std::erase_if(findings, [&](const Finding& finding) { return ignored(options, finding); });
    frame.below = std::erase_if(findings, [&](const Finding& finding) { return finding.severity < frame.level; });
    if (options.format == Format::Ndjson) {
        JsonLine json;
        for (const Finding& finding : findings)
            printJson(finding, session.timeDigits(), json, console);
    } else {
        printFindingsScreen(findings, frame, console);
    }
    if (sink.leftOut() != 0)
        console.messages.note(fmt::format("{} findings more were left out: a bound was reached", sink.leftOut()));
    return findings.empty() ? ending : worse(ending, Ending::Found);
}

} // namespace brokerscope
