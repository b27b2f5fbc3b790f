// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/findings/finding_rule.h"

#include "dissector/message/units.h"

#include <fmt/format.h>

namespace brokerscope {

void SeenExchange::assign(const ExchangeFacts& facts) {
    m_facts = &facts;
    m_request.decoded = m_request.searched = false;
    m_response.decoded = m_response.searched = false;
}

Duration SeenExchange::work() const {
    if (!m_facts->times) return {};
    return m_facts->times->wait - m_facts->waited.duration;
}

const DecodedMessage& SeenExchange::decode(Side& side, const std::optional<Frame>& frame,
                                           const MessageContext& context) {
    if (side.decoded) return side.message;
    side.message.clear();
    if (frame) decodeMessage(m_protocol, frame->bytes, context, side.message);
    side.decoded = true;
    return side.message;
}

StructView SeenExchange::body(Side& side, const std::optional<Frame>& frame, const MessageContext& context) {
    if (!frame || !exchange().header) return {};
    return StructView::bodyOf(decode(side, frame, context), frame->bytes);
}

const std::vector<RecordSetPlace>& SeenExchange::records(Side& side, const std::optional<Frame>& frame,
                                                         const MessageContext& context) {
    if (side.searched) return side.records;
    side.records.clear();
    if (frame && exchange().header)
        side.records = recordSetsOf(frame->bytes, decode(side, frame, context), context.direction);
    side.searched = true;
    return side.records;
}

StructView SeenExchange::request() {
    return body(m_request, exchange().request, exchange().requestContext());
}

StructView SeenExchange::response() {
    return body(m_response, exchange().response, exchange().responseContext());
}

const DecodedMessage& SeenExchange::decodedRequest() {
    return decode(m_request, exchange().request, exchange().requestContext());
}

const DecodedMessage& SeenExchange::decodedResponse() {
    return decode(m_response, exchange().response, exchange().responseContext());
}

const std::vector<RecordSetPlace>& SeenExchange::requestRecords() {
    return records(m_request, exchange().request, exchange().requestContext());
}

const std::vector<RecordSetPlace>& SeenExchange::responseRecords() {
    return records(m_response, exchange().response, exchange().responseContext());
}

std::string SeenExchange::client() const {
    const std::string address = toString(exchange().client.address);
    const auto& header = exchange().header;
    if (!header || !header->clientId || header->clientId->empty()) return "client " + address;
    return fmt::format("client \"{}\" ({})", *header->clientId, address);
}

std::string SeenExchange::topicOf(const StructView& view) const {
    if (std::string name = view.text("name"); !name.empty()) return name;
    if (std::string name = view.text("topic"); !name.empty()) return name;
    const auto id = view.uuid("topicId");
    return id ? m_names.nameOrId(*id) : std::string();
}

std::string SeenExchange::topicOf(const RecordSetPlace& place) const {
    if (!place.topic.empty() || !place.topicId) return place.topic;
    return m_names.nameOrId(*place.topicId);
}

std::string spanWords(Duration duration) {
    constexpr Duration millisecond = std::chrono::milliseconds(1);
    if (duration < millisecond) return fmt::format("{} µs", duration / std::chrono::microseconds(1));
    if (duration < std::chrono::seconds(1))
        return fmt::format("{:.3g} ms", static_cast<double>(duration.count()) / 1e6);
    if (duration < std::chrono::minutes(2)) return fmt::format("{:.3g} s", static_cast<double>(duration.count()) / 1e9);
    return durationWords(duration / std::chrono::minutes(1) * 60'000);
}

std::string counted(std::uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

} // namespace brokerscope
