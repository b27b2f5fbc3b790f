// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/fault_matrix.h"

#include "capture/capture_file.h"
#include "capture/stream_reader.h"
#include "dissector/exchange/exchange_assembler.h"
#include "dissector/message/message_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace brokerscope {

namespace {

// Where two texts part, with what stands there in both.
std::string parting(const std::string& expected, const std::string& got) {
    const auto at = static_cast<std::size_t>(
        std::mismatch(expected.begin(), expected.end(), got.begin(), got.end()).first - expected.begin());
    return fmt::format("expected ..{} got ..{}", expected.substr(at, 150), got.substr(at, 150));
}

class Reporter : public ExchangeSink {
  public:
    void exchangeEnded(Exchange&& exchange) override {
        ReportedExchange reported;
        reported.text = name(exchange.status);
        std::vector<Problem> problems = exchange.problems;
        add(exchange.request, exchange.requestContext(), reported, problems);
        add(exchange.response, exchange.responseContext(), reported, problems);
        for (const Problem& problem : problems)
            if (problem.kind != ProblemKind::Clock) // says something about the capture, not about the exchange
                reported.text += fmt::format(" {} at {}", row(problem.kind).name, problem.at);
        const bool answered =
            exchange.status == ExchangeStatus::Paired || exchange.status == ExchangeStatus::NoResponseExpected;
        reported.clean = answered && std::none_of(problems.begin(), problems.end(),
                                                  [](const Problem& problem) { return row(problem.kind).damage; });
        const PacketNumber first = reported.packets.empty() ? PacketNumber{} : reported.packets.front();
        exchanges[fmt::format("{} {} {} packet {}", toString(exchange.client), toString(exchange.broker),
                              exchange.correlationId, first.value)] = std::move(reported);
    }

    Report exchanges;

  private:
    void add(const std::optional<Frame>& frame, const MessageContext& context, ReportedExchange& reported,
             std::vector<Problem>& problems) {
        if (!frame) return;
        for (const ByteChain::Piece& piece : frame->bytes.pieces())
            if (piece.slice.packet) reported.packets.push_back(piece.slice.packet);
        decodeMessage(Protocol::builtin(), frame->bytes, context, m_message);
        problems.insert(problems.end(), m_message.problems.begin(), m_message.problems.end());
        for (const NodeIndex node : {m_message.header, m_message.body}) {
            if (node == noNode) continue;
            rapidjson::StringBuffer text;
            JsonWriter writer(text);
            writeJson(Protocol::builtin(), m_message, frame->bytes, node, {}, writer);
            reported.text.append(" ").append(text.GetString(), text.GetSize());
        }
    }

    DecodedMessage m_message;
};

// How often each exchange is there, whatever packets carry it: where the first copy of one was dropped, the
// retransmission stands for it.
using Counts = std::map<std::string, std::size_t>;

std::string identity(const std::string& key, const ReportedExchange& exchange) {
    return key.substr(0, key.rfind(" packet ")) + ' ' + exchange.text;
}

Counts countsOf(const Report& report) {
    Counts counts;
    for (const auto& [key, exchange] : report)
        ++counts[identity(key, exchange)];
    return counts;
}

// Takes one of them.
bool take(Counts& counts, const std::string& identity) {
    const auto found = counts.find(identity);
    if (found == counts.end() || found->second == 0) return false;
    --found->second;
    return true;
}

} // namespace

Report report(PacketSource& source) {
    Reporter reporter;
    ExchangeAssembler assembler(Protocol::builtin(), reporter);
    StreamReader reader(source, assembler);
    reader.readAll();
    assembler.finish();
    return std::move(reporter.exchanges);
}

FaultOutcome compare(const std::string& path, const Report& whole, const Faults& faults) {
    auto opened = openCapture(std::span(&path, 1));
    if (!opened) throw std::runtime_error(toString(opened.error()));
    FaultySource source(std::move(*opened), faults);
    const Report damaged = report(source);

    FaultOutcome outcome;
    outcome.whole = whole.size();
    const auto isIntact = [&source](PacketNumber packet) { return source.intact().contains(packet); };
    Counts left = countsOf(damaged);
    for (const auto& [key, exchange] : whole) {
        if (!exchange.clean || !std::all_of(exchange.packets.begin(), exchange.packets.end(), isIntact)) continue;
        ++outcome.present;
        if (take(left, identity(key, exchange))) {
            ++outcome.found;
            continue;
        }
        const auto other = damaged.find(key);
        outcome.missing.push_back(
            fmt::format("{}: {}", key, other == damaged.end() ? "absent" : parting(exchange.text, other->second.text)));
    }
    left = countsOf(whole);
    for (const auto& [key, exchange] : damaged) {
        if (!exchange.clean) continue;
        ++outcome.clean;
        const bool intact = std::all_of(exchange.packets.begin(), exchange.packets.end(), isIntact);
        if (intact && !take(left, identity(key, exchange))) outcome.invented.push_back(key);
    }
    return outcome;
}

} // namespace brokerscope
