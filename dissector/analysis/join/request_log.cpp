// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/join/request_log.h"

#include <rapidjson/document.h>

#include <arpa/inet.h>

#include <array>
#include <charconv>
#include <cmath>
#include <tuple>

namespace brokerscope {
namespace {

struct TimeName {
    Duration BrokerTimes::*member;
    std::string_view json, text;
};
constexpr std::array<TimeName, 7> timeNames{{
    {&BrokerTimes::total, "totalTimeMs", "totalTime"},
    {&BrokerTimes::requestQueue, "requestQueueTimeMs", "requestQueueTime"},
    {&BrokerTimes::local, "localTimeMs", "localTime"},
    {&BrokerTimes::remote, "remoteTimeMs", "remoteTime"},
    {&BrokerTimes::throttle, "throttleTimeMs", "throttleTime"},
    {&BrokerTimes::responseQueue, "responseQueueTimeMs", "responseQueueTime"},
    {&BrokerTimes::send, "sendTimeMs", "sendTime"},
}};

// The names of 0.8 that are no api's name with "Request" behind it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> oldNames{
    {{"ProducerRequest", "Produce"}, {"OffsetRequest", "ListOffsets"}, {"TopicMetadataRequest", "Metadata"}}};

Duration milliseconds(double value) {
    constexpr double longest = 1e12; // a log that says more is broken
    if (!(value > 0) || value > longest) return {};
    return Duration(static_cast<std::int64_t>(std::llround(value * 1e6)));
}

template<class Number>
std::optional<Number> numberIn(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end == text.data()) return std::nullopt;
    return value;
}

// "10.0.0.11:9092", "fd77:0:0:0:0:0:0:13:9097", "/10.0.0.2:4711"
std::optional<Endpoint> endpointIn(std::string_view text) {
    if (text.starts_with('/')) text.remove_prefix(1);
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto port = numberIn<std::uint16_t>(text.substr(colon + 1));
    std::string host(text.substr(0, colon));
    if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
    Endpoint endpoint;
    if (::inet_pton(AF_INET, host.c_str(), endpoint.address.bytes.data()) != 1) {
        endpoint.address.v6 = true;
        if (::inet_pton(AF_INET6, host.c_str(), endpoint.address.bytes.data()) != 1) return std::nullopt;
    }
    if (!port) return std::nullopt;
    endpoint.port = *port;
    return endpoint;
}

// "10.0.0.11:9092-10.0.0.2:4711-0-34": the broker's end, the client's, numbers.
bool readConnection(std::string_view text, LoggedRequest& out) {
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos) return false;
    const std::string_view rest = text.substr(dash + 1);
    const auto client = endpointIn(rest.substr(0, rest.find('-')));
    out.broker = endpointIn(text.substr(0, dash));
    if (client) out.client = *client;
    return client && out.broker;
}

bool readApi(const Protocol& protocol, std::string_view name, LoggedRequest& out) {
    for (const auto& [old, now] : oldNames)
        if (name == old) name = now;
    if (name.ends_with("Request")) name.remove_suffix(7);
    if (name == "ConsumerMetadata") name = "FindCoordinator";
    if (const auto key = numberIn<std::int16_t>(name)) {
        out.apiKey = *key;
        return true;
    }
    const Api* api = protocol.apiByName(name);
    if (api) out.apiKey = api->key;
    return api != nullptr;
}

std::optional<LoggedRequest> readJson(std::string_view text) {
    rapidjson::Document document;
    document.Parse<rapidjson::kParseStopWhenDoneFlag>(text.data(), text.size());
    if (document.HasParseError() || !document.IsObject()) return std::nullopt;
    const auto header = document.FindMember("requestHeader");
    const auto connection = document.FindMember("connection");
    if (header == document.MemberEnd() || !header->value.IsObject() || connection == document.MemberEnd() ||
        !connection->value.IsString())
        return std::nullopt;
    LoggedRequest logged;
    const auto number = [&](const char* name) -> std::optional<std::int64_t> {
        const auto found = header->value.FindMember(name);
        if (found == header->value.MemberEnd() || !found->value.IsInt64()) return std::nullopt;
        return found->value.GetInt64();
    };
    const auto key = number("requestApiKey"), version = number("requestApiVersion"), id = number("correlationId");
    if (!key || !version || !id ||
        !readConnection({connection->value.GetString(), connection->value.GetStringLength()}, logged))
        return std::nullopt;
    logged.apiKey = static_cast<std::int16_t>(*key);
    logged.apiVersion = static_cast<std::int16_t>(*version);
    logged.correlationId = static_cast<std::int32_t>(*id);
    const auto forwarded = document.FindMember("isForwarded");
    logged.forwarded = forwarded != document.MemberEnd() && forwarded->value.IsTrue();
    for (const TimeName& name : timeNames) {
        const auto found = document.FindMember(std::string(name.json).c_str());
        if (found != document.MemberEnd() && found->value.IsNumber())
            logged.times.*name.member = milliseconds(found->value.GetDouble());
    }
    return logged;
}

// What stands behind `name` up to the next of `ends`.
std::string_view behind(std::string_view text, std::string_view name, std::string_view ends) {
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + name.size());
    while (text.starts_with(' '))
        text.remove_prefix(1);
    return text.substr(0, text.find_first_of(ends));
}

std::optional<LoggedRequest> readText(const Protocol& protocol, std::string_view line) {
    const std::size_t times = line.rfind(";totalTime:");
    const std::size_t from = line.rfind(" from ", times);
    if (times == std::string_view::npos || from == std::string_view::npos) return std::nullopt;
    LoggedRequest logged;
    const std::string_view ends = line.substr(from, times - from);
    if (const std::string_view connection = behind(ends, "connection ", " "); !connection.empty()) {
        if (!readConnection(connection, logged)) return std::nullopt;
    } else {
        const auto client = endpointIn(behind(ends, "client ", " "));
        if (!client) return std::nullopt;
        logged.client = *client;
    }
    // The header stands in front; what a request or a record says about itself comes later.
    constexpr std::array<std::array<std::string_view, 3>, 3> shapes{{{"apiKey=", "apiVersion=", "correlationId="},
                                                                     {"api_key=", "api_version=", "correlation_id="},
                                                                     {"Name:", "Version:", "CorrelationId:"}}};
    const std::string_view head = line.substr(0, from);
    for (const auto& [api, version, id] : shapes) {
        const auto number = numberIn<std::int32_t>(behind(head, id, ",;)}"));
        if (!number || !readApi(protocol, behind(head, api, ",;)}"), logged)) continue;
        logged.correlationId = *number;
        logged.apiVersion = numberIn<std::int16_t>(behind(head, version, ",;)}")).value_or(0);
        for (const TimeName& name : timeNames) {
            const std::string mark = std::string(name.text) + ':';
            for (const char before : {';', ','})
                if (const auto value = numberIn<double>(behind(line.substr(times), before + mark, ",")))
                    logged.times.*name.member = milliseconds(*value);
        }
        return logged;
    }
    return std::nullopt;
}

} // namespace

std::optional<LoggedRequest> readLoggedRequest(const Protocol& protocol, std::string_view line) {
    const std::size_t object = line.find('{');
    constexpr std::string_view member = "\"requestHeader\"";
    if (object != std::string_view::npos && line.find(member) != std::string_view::npos)
        return readJson(line.substr(object));
    return readText(protocol, line);
}

} // namespace brokerscope
