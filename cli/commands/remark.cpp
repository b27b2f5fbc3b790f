// SPDX-License-Identifier: Apache-2.0
// The words of the last column of `list`: what a person should know about this exchange.
#include "cli/commands/list_columns.h"
#include "cli/output/quantity_text.h"
#include "cli/output/text_width.h"

#include <fmt/format.h>

#include <set>

namespace brokerscope {
namespace {

Cell errorRemark(const ExchangeFacts& facts) {
    const std::vector<ErrorAt>& errors = facts.response.errors;
    const std::int16_t code = errors.front().code;
    const ErrorCode* error = facts.protocol->error(code);
    std::set<std::int16_t> codes;
    for (const ErrorAt& one : errors)
        codes.insert(one.code);
    std::string text = error ? fmt::format("{} {}", code, error->name) : fmt::format("{} (unknown error)", code);
    if (error && error->retriable) text += " ↻";
    if (codes.size() > 1) text += fmt::format(" +{}", codes.size() - 1);
    return {std::move(text), Role::Error};
}

const Problem* firstDamage(const ExchangeFacts& facts) {
    for (const auto* list : {&facts.exchange->problems, &facts.request.problems, &facts.response.problems})
        for (const Problem& problem : *list)
            if (row(problem.kind).damage) return &problem;
    return nullptr;
}

std::string_view inWords(NoAnswerReason reason) {
    switch (reason) {
    case NoAnswerReason::None:
        return "";
    case NoAnswerReason::CaptureEnded:
        return "the capture ended";
    case NoAnswerReason::ConnectionClosed:
        return "connection closed";
    case NoAnswerReason::ConnectionReset:
        return "connection reset";
    case NoAnswerReason::LaterAnswered:
        return "later ones were answered";
    case NoAnswerReason::IdReused:
        return "its id was used again";
    case NoAnswerReason::LostBytes:
        return "bytes were lost";
    }
    return "";
}

} // namespace

Cell statusRemark(const Exchange& exchange) {
    switch (exchange.status) {
    case ExchangeStatus::Paired:
        break;
    case ExchangeStatus::Open:
        return {"open: the capture ended", Role::Dim};
    case ExchangeStatus::NoResponseExpected:
        return {"acks=0: no answer expected", Role::Dim};
    case ExchangeStatus::Unanswered: {
        const std::string_view why = inWords(exchange.reason);
        return {why.empty() ? "no answer" : fmt::format("no answer: {}", why), Role::Warning};
    }
    case ExchangeStatus::OrphanResponse:
        return {"its request was not captured", Role::Warning};
    case ExchangeStatus::Inferred:
        return {"api inferred, request not captured", Role::Warning};
    case ExchangeStatus::SaslToken:
        return {"without a Kafka header", Role::Dim};
    }
    return {};
}

Cell remark(const ExchangeFacts& facts) {
    if (!facts.response.errors.empty()) return errorRemark(facts);
    const Exchange& exchange = *facts.exchange;
    if (const Problem* problem = firstDamage(facts)) {
        std::uint64_t missing = 0;
        for (const auto* frame : {&exchange.request, &exchange.response})
            if (*frame) missing += (*frame)->bytes.missingBytes();
        const std::string_view kind = row(problem->kind).name;
        return {missing != 0 ? fmt::format("{}: {} missing", kind, countOf(missing, "byte"))
                             : printable(fmt::format("{}: {}", kind, problem->text)),
                Role::Warning};
    }
    if (Cell cell = statusRemark(exchange); !cell.text.empty()) return cell;
    if (facts.response.throttleMs.value_or(0) > 0)
        return {fmt::format("throttled {} ms", *facts.response.throttleMs), Role::Warning};
    switch (facts.waited.reason) {
    case WaitReason::None:
        break;
    case WaitReason::LongPoll:
        return {"waited for data", Role::Dim};
    case WaitReason::Rebalance:
        return {"waited for the group", Role::Dim};
    case WaitReason::Throttled:
        break; // said above
    }
    if (!facts.api && exchange.header) return {"unknown api", Role::Warning};
    return {};
}

} // namespace brokerscope
