// SPDX-License-Identifier: Apache-2.0
// `show`: exchanges by number with their whole field tree.
#include "cli/commands/commands.h"
#include "cli/commands/exchange_filter.h"
#include "cli/commands/list_columns.h"
#include "cli/commands/name_wait.h"
#include "cli/commands/tree_printer.h"
#include "cli/input/capture_session.h"
#include "cli/input/number_list.h"
#include "cli/output/quantity_text.h"
#include "cli/output/text_width.h"
#include "cli/output/time_text.h"
#include "dissector/analysis/capture_names.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/exchange_json.h"
#include "dissector/analysis/fetch_sessions.h"
#include "dissector/exchange/in_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

namespace brokerscope {
namespace {

// "0-2,5"
std::string rangesText(const std::set<std::int32_t>& numbers) {
    std::string text;
    for (auto at = numbers.begin(); at != numbers.end();) {
        const std::int32_t first = *at;
        std::int32_t last = first;
        while (++at != numbers.end() && *at == last + 1)
            last = *at;
        fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : ",", first);
        if (last != first) fmt::format_to(std::back_inserter(text), "-{}", last);
    }
    return text;
}

// Names may come later in the capture than the ids that they belong to, so exchanges are held back: those that were
// asked for by number until all their topics are named or the capture is over, others likewise, but at most mostHeld.
class ShowSink final : public ReadingSink {
  public:
    // `wanted`: nullopt means all that the filter lets through.
    ShowSink(const Options& options, Console& console, const CaptureSession& session, std::optional<NumberList> wanted)
        : m_options(options), m_console(console), m_session(session), m_wanted(std::move(wanted)),
          m_protocol(*console.protocol), m_names(m_protocol), m_sessions(m_protocol), m_opener(m_protocol),
          m_filter(*console.protocol, m_names.topics()), m_facts(m_protocol),
          m_json(m_protocol, {true, true, options.expand, options.showSecrets}, &m_names),
          m_printer(
              m_protocol,
              {options.hex, options.notes, options.showSecrets, console.width, valueFormatOf(options.valueFormat)},
              &m_names, console.style, console.out),
          m_inOrder([this](EndedExchange&& shown) { hold(std::move(shown)); }) {}

    bool compileFilter() { return m_filter.compile(m_options, m_console); }

    void exchangeStarted(ExchangeId id, Timestamp time) override { m_inOrder.started(id, time); }

    void exchangeEnded(Exchange&& exchange) override {
        m_seen = std::max(m_seen, exchange.id.value);
        m_names.learn(exchange);
        std::optional<FetchScope> fetched = m_sessions.follow(exchange);
        if (m_wanted && !m_wanted->contains(exchange.id.value)) return m_inOrder.skipped(exchange.id);
        ++m_found;
        if (!m_filter.matches(exchange, m_session.firstPacket(), nullptr, nullptr))
            return m_inOrder.skipped(exchange.id);
        const ExchangeId id = exchange.id;
        m_inOrder.ended(id, {std::move(exchange), std::move(fetched)});
    }

    bool wantsMore() const override { return !m_wanted || m_found < m_wanted->count() || hasUnnamed(); }

    // How many were shown.
    std::uint64_t finish() {
        m_inOrder.finish();
        for (; !m_held.empty(); m_held.pop_front())
            print(m_held.front());
        return m_shown;
    }
    std::uint64_t seen() const { return m_seen; }

  private:
    static constexpr std::size_t mostHeld = 10'000;

    void hold(EndedExchange&& shown) {
        const ExchangeFacts& facts = m_facts.read(shown.exchange);
        m_unnamed.merge(topicIdsOf(shown, facts.request, facts.response));
        m_held.push_back(std::move(shown));
        if (m_held.size() <= mostHeld) return;
        print(m_held.front());
        m_held.pop_front();
    }

    bool hasUnnamed() const {
        return std::ranges::any_of(m_unnamed, [this](const TopicId& id) { return m_names.topics().name(id).empty(); });
    }

    void print(const EndedExchange& shown) {
        const Exchange& exchange = shown.exchange;
        const ExchangeFacts& facts = m_facts.read(exchange);
        if (m_options.format == Format::Ndjson) {
            m_console.out.write(m_json.write(facts, m_options.expand && shown.fetched ? &*shown.fetched : nullptr));
            m_console.out.endLine();
            ++m_shown;
            return;
        }
        if (m_shown++ != 0) m_console.out.endLine();
        printHead(facts);
        if (shown.fetched) printFetched(*shown.fetched);
        printMessage("Request", "request", exchange, exchange.request, exchange.requestContext());
        printMessage("Response", "response", exchange, exchange.response, exchange.responseContext());
        if (!exchange.response) {
            const Cell why = statusRemark(exchange);
            line(m_console.style(why.role, why.text));
        }
        m_printer.printProblems(exchange.problems);
    }

    void printHead(const ExchangeFacts& facts) {
        const Exchange& exchange = *facts.exchange;
        std::string head =
            m_console.style(Role::Heading, fmt::format("Exchange {}: {}", exchange.id.value, apiText(facts)));
        if (const std::string subject = subjectText(facts, m_names.topics()); !subject.empty()) head += ", " + subject;
        if (facts.times) head += ", " + millisecondsText(facts.times->total, facts.timeDigits()) + " ms";
        line(head);
        std::string ends = fmt::format("{} -> {}, connection {}", toString(exchange.client), toString(exchange.broker),
                                       exchange.connection.value);
        if (exchange.peer && !exchange.peer->softwareName.empty())
            ends += fmt::format(", {} {}", printable(exchange.peer->softwareName),
                                printable(exchange.peer->softwareVersion));
        line(m_console.style(Role::Dim, ends));
        const auto wrapped = [&](const std::string& text) {
            return m_console.style(Role::Dim, m_console.width ? wrapText(text, m_console.width, 0) : text);
        };
        if (facts.times) line(wrapped(timesText(facts)));
        if (const std::string text = aroundText(facts); !text.empty()) line(wrapped(text));
    }

    static std::string timesText(const ExchangeFacts& facts) {
        const auto text = [digits = facts.timeDigits()](Duration length) { return millisecondsText(length, digits); };
        std::string behind;
        if (facts.blockedWait() > Duration{})
            behind = fmt::format(" ({} ms of it behind the answer before)", text(facts.blockedWait()));
        return fmt::format("sending {} ms, waiting {} ms{}, receiving {} ms{}", text(facts.times->requestTransfer),
                           text(facts.times->wait), behind, text(facts.times->responseTransfer), waitedText(facts));
    }

    // What happened around the exchange, as far as it tells something about its time.
    static std::string aroundText(const ExchangeFacts& facts) {
        const ExchangeTiming& timing = facts.exchange->timing;
        const int digits = facts.timeDigits();
        std::vector<std::string> parts;
        if (timing.think)
            parts.push_back(fmt::format("sent {} ms after the answer before", millisecondsText(*timing.think, digits)));
        if (timing.inFlight > 1) parts.push_back(fmt::format("{} requests in flight", timing.inFlight));
        if (timing.roundTrip)
            parts.push_back(fmt::format("TCP round trip {} ms", millisecondsText(*timing.roundTrip, digits)));
        if (timing.sentAgain != 0)
            parts.push_back(fmt::format("{} sent again meanwhile", countOf(timing.sentAgain, "TCP segment")));
        if (const std::int32_t throttle = facts.response.throttleMs.value_or(0); throttle > 0)
            parts.push_back(fmt::format("throttled for {} ms", throttle));
        return fmt::format("{}", fmt::join(parts, ", "));
    }

    static std::string waitedText(const ExchangeFacts& facts) {
        switch (facts.waited.reason) {
        case WaitReason::None:
            return "";
        case WaitReason::LongPoll:
            return "; the broker waited for data, as asked";
        case WaitReason::Rebalance:
            return "; the broker waited for the group";
        case WaitReason::Throttled:
            return "; the broker held the answer back (throttling)";
        }
        return "";
    }

    // Of a request that names only what changed: all that it asks for.
    void printFetched(const FetchScope& fetched) {
        if (!fetched.incremental()) return;
        std::vector<std::string> topics;
        for (const auto& [topic, partitions] : fetched.partitions)
            topics.push_back(
                fmt::format("{} {}", printable(topic.name.empty() ? m_names.topics().nameOrId(topic.id) : topic.name),
                            rangesText(partitions)));
        std::string text = fmt::format("fetch session {}, request {}: asks for ", fetched.session, fetched.epoch);
        text += topics.empty() ? "nothing that is known" : elided(fmt::format("{}", fmt::join(topics, ", ")), 200);
        if (!fetched.complete) text += "; the session began before the capture, there may be more";
        line(m_console.style(Role::Dim, text));
    }

    void printMessage(std::string_view title, std::string_view root, const Exchange& exchange,
                      const std::optional<Frame>& frame, const MessageContext& context) {
        if (!frame) return;
        m_console.out.endLine();
        std::string head = m_console.style(Role::Heading, title);
        head += fmt::format("  {}", countOf(frame->bytes.size(), "byte"));
        std::vector<std::uint64_t> packets;
        packetsOf(*frame, packets);
        if (!packets.empty()) {
            head += packets.size() == 1
                        ? fmt::format(", packet {}", packets.front())
                        : fmt::format(", packets {}", elided(fmt::format("{}", fmt::join(packets, " ")), 40));
            const int digits = m_session.timeDigits();
            std::string time;
            TimePrinter(m_options.time.value_or(TimeFormat::Absolute), m_session.firstPacket())
                .append(time, frame->begin, digits);
            head += ", " + time;
        }
        line(head);
        decodeMessage(m_protocol, frame->bytes, context, m_message);
        m_opener.open(frame->bytes, root, m_names.payloadContext(exchange, context.direction), m_message);
        m_printer.print(frame->bytes, m_message);
        m_printer.printProblems(m_message.problems);
    }

    void line(const std::string& text) {
        m_console.out.buffer() += text;
        m_console.out.endLine();
    }

    const Options& m_options;
    Console& m_console;
    const CaptureSession& m_session;
    std::optional<NumberList> m_wanted;
    const Protocol& m_protocol;
    CaptureNames m_names;
    FetchSessions m_sessions;
    PayloadOpener m_opener;
    ExchangeFilter m_filter;
    ExchangeFactsReader m_facts;
    ExchangeJson m_json;
    TreePrinter m_printer;
    DecodedMessage m_message;
    InOrder<EndedExchange> m_inOrder;
    std::deque<EndedExchange> m_held;
    std::set<TopicId> m_unnamed; // among those held, when they came
    std::uint64_t m_found = 0, m_shown = 0, m_seen = 0;
};

} // namespace

Ending runShow(const Options& options, Console& console) {
    // The last argument chooses, unless the filter does and it is a file.
    std::span<const std::string> files(options.arguments);
    std::optional<NumberList> wanted;
    const auto numbers = NumberList::parse(files.back());
    if (numbers && files.size() > 1) {
        wanted = numbers.value();
        files = files.first(files.size() - 1);
    } else if (options.filter.empty()) {
        console.messages.error(
            files.size() > 1 ? numbers.error()
                             : Error{"say which exchanges to show: brokerscope show FILE 17, or with -Y", {}, {}});
        return Ending::Unusable;
    }
    CaptureSession session(options, console);
    ShowSink sink(options, console, session, wanted);
    if (!sink.compileFilter()) return Ending::Unusable;
    if (const Ending ending = session.open(files); ending != Ending::Done) return ending;
    const Ending ending = session.read(sink);
    if (sink.finish() != 0 || ending == Ending::Unusable || console.out.closed()) return ending;
    if (sink.seen() == 0)
        console.messages.error(session.nothingFound());
    else if (!options.filter.empty())
        console.messages.error(noneMatched(sink.seen()));
    else
        console.messages.error(fmt::format("there is no exchange {}; the capture has {}", options.arguments.back(),
                                           countOf(sink.seen(), "exchange")));
    return worse(ending, Ending::Unusable);
}

} // namespace brokerscope
