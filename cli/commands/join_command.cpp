// SPDX-License-Identifier: Apache-2.0
// `join`: where the time was lost, from a capture and the broker's request log, or from captures of both ends.
#include "cli/commands/commands.h"
#include "cli/commands/exchange_filter.h"
#include "cli/commands/join_output.h"
#include "cli/input/capture_session.h"
#include "cli/input/text_lines.h"
#include "cli/output/quantity_text.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/join/broker_join.h"
#include "dissector/analysis/join/capture_join.h"

#include <fmt/format.h>

#include <functional>

namespace brokerscope {
namespace {

class JoinSink final : public ReadingSink {
  public:
    JoinSink(const Protocol& protocol, const CaptureSession& session, std::function<void(const ExchangeFacts&)> each)
        : m_session(session), m_facts(protocol), m_names(protocol), m_filter(protocol, m_names),
          m_each(std::move(each)) {}

    bool compileFilter(const Options& options, const Console& console) { return m_filter.compile(options, console); }
    void exchangeEnded(Exchange&& exchange) override {
        const ExchangeFacts& facts = m_facts.read(exchange);
        if (m_filter.active()) m_names.learn(exchange);
        if (m_filter.matches(exchange, m_session.firstPacket(), &facts.request, &facts.response)) m_each(facts);
    }

  private:
    const CaptureSession& m_session;
    ExchangeFactsReader m_facts;
    TopicNames m_names; // for the filter
    ExchangeFilter m_filter;
    std::function<void(const ExchangeFacts&)> m_each;
};

Ending readCapture(std::span<const std::string> paths, const Options& options, Console& console,
                   std::function<void(const ExchangeFacts&)> each) {
    CaptureSession session(options, console);
    JoinSink sink(*console.protocol, session, std::move(each));
    if (!sink.compileFilter(options, console)) return Ending::Unusable;
    if (const Ending opened = session.open(paths); opened != Ending::Done) return opened;
    return session.read(sink);
}

Ending joinWithLogs(const Options& options, Console& console) {
    BrokerJoin join;
    std::uint64_t lines = 0, understood = 0;
    for (const std::string& path : options.brokerLogs) {
        const auto failed = readLines(path, [&](std::string_view line) {
            ++lines;
            const auto logged = readLoggedRequest(*console.protocol, line);
            if (!logged) return;
            ++understood;
            join.addLogged(*logged);
        });
        if (failed) {
            console.messages.error(*failed);
            return Ending::Unusable;
        }
    }
    if (understood == 0) {
        console.messages.error(fmt::format("none of {} is a line of a broker's request log; set the logger "
                                           "kafka.request.logger to DEBUG on the broker",
                                           countOf(lines, "line")));
        return Ending::Unusable;
    }
    BrokerJoinOutput output(options, console);
    const Ending ending = readCapture(options.arguments, options, console, [&](const ExchangeFacts& facts) {
        if (const auto times = join.join(facts))
            output.joined(facts, *times);
        else
            output.notLogged(facts, BrokerJoin::whyNot(facts));
    });
    if (ending == Ending::Unusable) return ending;
    output.finish(join);
    return ending;
}

Ending joinCaptures(const Options& options, Console& console) {
    CaptureJoin join;
    const std::span<const std::string> paths = options.arguments;
    Ending ending = readCapture(paths.first(1), options, console,
                                [&](const ExchangeFacts& facts) { join.addClientSide(*facts.exchange); });
    if (ending == Ending::Unusable) return ending;
    ending = worse(ending, readCapture(paths.subspan(1), options, console,
                                       [&](const ExchangeFacts& facts) { join.addBrokerSide(*facts.exchange); }));
    if (ending == Ending::Unusable) return ending;
    const CaptureJoin::Result result = join.finish();
    printCaptureJoin(result, options, console);
    if (result.joined.empty())
        console.messages.note("the two captures have no answered exchange in common: are addresses translated (NAT) in "
                              "between, or were they taken at different times?");
    if (result.swapped)
        console.messages.note("the first capture seems to be the broker's: the client's should come first");
    return ending;
}

} // namespace

Ending runJoin(const Options& options, Console& console) {
    if (!options.brokerLogs.empty()) return joinWithLogs(options, console);
    if (options.arguments.size() == 2) return joinCaptures(options, console);
    console.messages.error("join needs something to join with: --broker-log FILE, or two captures, CLIENT.pcap and "
                           "BROKER.pcap");
    return Ending::Unusable;
}

} // namespace brokerscope
