// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/exchange.h"

#include <algorithm>

namespace brokerscope {

void Frame::append(const Slice& slice) {
    if (slice.packet || slice.data) { // a hole at the capture's end has no packet and no time
        begin = bytes.empty() ? slice.time : std::min(begin, slice.time);
        end = bytes.empty() ? slice.time : std::max(end, slice.time);
    }
    bytes.append(slice);
}

std::string_view name(ExchangeStatus status) {
    switch (status) {
    case ExchangeStatus::Open:
        return "open";
    case ExchangeStatus::Paired:
        return "paired";
    case ExchangeStatus::NoResponseExpected:
        return "no-response-expected";
    case ExchangeStatus::Unanswered:
        return "unanswered";
    case ExchangeStatus::OrphanResponse:
        return "orphan-response";
    case ExchangeStatus::Inferred:
        return "inferred";
    case ExchangeStatus::SaslToken:
        return "sasl-token";
    }
    return "";
}

std::string_view name(NoAnswerReason reason) {
    switch (reason) {
    case NoAnswerReason::None:
        return "";
    case NoAnswerReason::CaptureEnded:
        return "capture-ended";
    case NoAnswerReason::ConnectionClosed:
        return "connection-closed";
    case NoAnswerReason::ConnectionReset:
        return "connection-reset";
    case NoAnswerReason::LaterAnswered:
        return "later-answered";
    case NoAnswerReason::IdReused:
        return "id-reused";
    case NoAnswerReason::LostBytes:
        return "lost-bytes";
    }
    return "";
}

MessageContext Exchange::requestContext() const {
    MessageContext context;
    context.direction = Direction::Request;
    context.token = status == ExchangeStatus::SaslToken;
    if (header) {
        context.apiKey = header->apiKey;
        context.apiVersion = header->apiVersion;
    }
    return context;
}

MessageContext Exchange::responseContext() const {
    MessageContext context = requestContext();
    context.direction = Direction::Response;
    context.apiVersion = responseVersion;
    return context;
}

std::optional<Latency> latency(const Exchange& exchange) {
    if (!exchange.request || !exchange.response) return std::nullopt;
    const Frame& request = *exchange.request;
    const Frame& response = *exchange.response;
    if (response.begin < request.begin) return std::nullopt; // skewed clocks: marked with a Clock problem
    // A broker may answer before it has read all of a request; then nothing was waited for.
    const Timestamp sent = std::min(request.end, response.begin);
    Latency result;
    result.total = response.end - request.begin;
    result.requestTransfer = sent - request.begin;
    result.wait = response.begin - sent;
    result.responseTransfer = response.end - response.begin;
    return result;
}

} // namespace brokerscope
