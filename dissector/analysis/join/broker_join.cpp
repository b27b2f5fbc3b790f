// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/join/broker_join.h"

#include "dissector/analysis/api_keys.h"
#include "dissector/analysis/wait_reason.h"

#include <algorithm>

namespace brokerscope {

std::string_view text(NotLogged reason) {
    switch (reason) {
    case NotLogged::NoAnswer:
        return "not answered, and brokers log what they have answered";
    case NotLogged::Authentication:
        return "part of a login, which brokers answer before the logger";
    case NotLogged::Envelope:
        return "an Envelope: the log has the request inside it";
    case NotLogged::Unknown:
        break;
    }
    return "not in the log";
}

void BrokerJoin::addLogged(const LoggedRequest& logged) {
    if (logged.forwarded) {
        ++m_forwarded;
        return;
    }
    if (m_logged >= maxLogged) {
        ++m_leftOut;
        return;
    }
    ++m_logged;
    m_waiting[{logged.client, logged.correlationId, logged.apiKey}].push_back(logged);
}

std::optional<JoinedTimes> BrokerJoin::join(const ExchangeFacts& facts) {
    const Exchange& exchange = *facts.exchange;
    m_connections[exchange.client] = exchange.broker;
    if (!exchange.header) return std::nullopt;
    const auto found = m_waiting.find({exchange.client, exchange.correlationId, exchange.header->apiKey});
    if (found == m_waiting.end()) return std::nullopt;
    std::deque<LoggedRequest>& lines = found->second;
    const auto line = std::ranges::find_if(
        lines, [&](const LoggedRequest& logged) { return !logged.broker || *logged.broker == exchange.broker; });
    if (line == lines.end()) return std::nullopt;
    const LoggedRequest logged = *line;
    lines.erase(line);
    if (lines.empty()) m_waiting.erase(found);
    const bool atClient = throttledAtTheClient(exchange.header->apiKey, exchange.header->apiVersion);
    JoinedTimes joined = splitTimes(facts.times.value_or(Latency()), logged.times, atClient);
    joined.blocked = std::min(joined.network, facts.blockedWait());
    joined.network -= joined.blocked;
    return joined;
}

NotLogged BrokerJoin::whyNot(const ExchangeFacts& facts) {
    constexpr std::int16_t envelope = 58;
    const Exchange& exchange = *facts.exchange;
    if (exchange.status == ExchangeStatus::SaslToken) return NotLogged::Authentication;
    const std::int16_t api = exchange.header ? exchange.header->apiKey : std::int16_t{-1};
    if (api == apikey::SaslHandshake || api == apikey::SaslAuthenticate) return NotLogged::Authentication;
    if (api == envelope) return NotLogged::Envelope;
    if (exchange.status == ExchangeStatus::Unanswered || exchange.status == ExchangeStatus::Open)
        return NotLogged::NoAnswer;
    if (api == apikey::ApiVersions) return NotLogged::Authentication;
    return NotLogged::Unknown;
}

BrokerJoin::Rest BrokerJoin::rest() const {
    Rest rest;
    for (const auto& [key, lines] : m_waiting)
        for (const LoggedRequest& logged : lines) {
            const auto connection = m_connections.find(logged.client);
            const bool known =
                connection != m_connections.end() && (!logged.broker || *logged.broker == connection->second);
            if (known)
                rest.ofCapture.push_back(logged);
            else
                ++rest.elsewhere;
        }
    return rest;
}

JoinedTimes splitTimes(const Latency& latency, const BrokerTimes& broker, bool throttledAtClient) {
    JoinedTimes joined;
    joined.whole = latency.total;
    joined.requestTransfer = latency.requestTransfer;
    joined.broker = broker;
    if (throttledAtClient) {
        joined.silence = broker.throttle;
        joined.broker.throttle = {};
    }
    const BrokerTimes& parts = joined.broker;
    const Duration atBroker =
        parts.requestQueue + parts.local + parts.remote + parts.throttle + parts.responseQueue + parts.send;
    const Duration onWire = latency.total - latency.requestTransfer;
    joined.network = std::max(onWire - atBroker, Duration{});
    joined.excess = std::max(atBroker - onWire, Duration{});
    return joined;
}

} // namespace brokerscope
