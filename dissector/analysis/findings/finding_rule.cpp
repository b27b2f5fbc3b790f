// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/findings/finding_rule.h"

#include "dissector/message/units.h"

#include <fmt/format.h>

namespace brokerscope {

void SeenExchange::assign(const ExchangeFacts& facts) {
    m_facts = &facts;
    m_bodies.assign(*facts.exchange);
    m_requestRecords.searched = m_responseRecords.searched = false;
}

Duration SeenExchange::work() const {
    if (!m_facts->times) return {};
    return m_facts->times->wait - m_facts->waited.duration;
}

const std::vector<RecordSetPlace>& SeenExchange::records(Records& of, Direction direction) {
    if (of.searched) return of.places;
    of.searched = true;
    of.places.clear();
    const std::optional<Frame>& frame = direction == Direction::Request ? exchange().request : exchange().response;
    if (frame && exchange().header) of.places = recordSetsOf(frame->bytes, m_bodies.message(direction), direction);
    return of.places;
}

std::string SeenExchange::client() const {
    const std::string address = toString(exchange().client.address);
    const auto& header = exchange().header;
    if (!header || !header->clientId || header->clientId->empty()) return "client " + address;
    return fmt::format("client \"{}\" ({})", *header->clientId, address);
}

std::string SeenExchange::topicOf(const FieldView& view) const {
    if (std::string name = view["name"].text(); !name.empty()) return name;
    if (std::string name = view["topic"].text(); !name.empty()) return name;
    const auto id = view["topicId"].uuid();
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
