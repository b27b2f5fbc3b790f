// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/exchange_json.h"

#include "dissector/analysis/record_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace brokerscope {

bool FieldExpander::opens(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node) {
    const FieldNode& at = message.tree.nodes[node];
    if (at.isNull) return false;
    if (at.field->type == FieldType::Records) return m_options.records && beginsWithBatch(bytes, message, node);
    if (!m_options.expand || at.field->semantic != Semantic::Telemetry) return false;
    m_telemetry = telemetryAt(message, bytes, node);
    return m_telemetry.has_value();
}

void FieldExpander::write(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node, JsonWriter& out) {
    if (message.tree.nodes[node].field->type != FieldType::Records) return writeTelemetry(*m_telemetry, out);
    const RecordSetPlace place = recordSetAt(bytes, message, m_direction, node);
    m_payloads.setTopic(m_names ? topicText(place, m_names->topics()) : place.topic);
    m_set.open(bytes, place.begin, place.end);
    writeBatches(m_set, out, &m_payloads);
    for (Problem problem : m_set.problems()) {
        problem.at = place.path + problem.at;
        problems.push_back(std::move(problem));
    }
}

ExchangeJson::ExchangeJson(const Protocol& protocol, const ExchangeJsonOptions& options, const CaptureNames* names)
    : m_protocol(protocol), m_options(options), m_names(names), m_opener(protocol),
      m_requestExpander(protocol, Direction::Request, options, names),
      m_responseExpander(protocol, Direction::Response, options, names) {}

std::string_view ExchangeJson::write(const ExchangeFacts& facts, const FetchScope* fetched) {
    const Exchange& exchange = *facts.exchange;
    m_json.clear();
    m_json.writer().StartObject();
    writeEnds(exchange);
    writeHeader(facts);
    if (m_options.bodies) writeBodies(exchange);
    if (fetched) writeFetched(*fetched);
    writeTimes(facts);
    writeStatus(facts);
    writeErrors(facts.response.errors);
    writeProblems(facts);
    writePackets(exchange);
    m_json.writer().EndObject();
    return m_json.text();
}

void ExchangeJson::writeEnds(const Exchange& exchange) {
    constexpr std::size_t mostKept = 4096;
    m_json.number("exchange", static_cast<std::int64_t>(exchange.id.value));
    m_json.number("connection", static_cast<std::int64_t>(exchange.connection.value));
    if (m_texts.size() > mostKept) m_texts.clear();
    ConnectionTexts& texts = m_texts[exchange.connection];
    m_connection = &texts;
    if (texts.client.empty()) texts = {toString(exchange.client), toString(exchange.broker), {}, {}};
    m_json.plain("client", texts.client);
    m_json.plain("broker", texts.broker);
}

void ExchangeJson::writeHeader(const ExchangeFacts& facts) {
    const Exchange& exchange = *facts.exchange;
    m_json.object("requestHeader", [&] {
        if (exchange.header) {
            m_json.number("requestApiKey", exchange.header->apiKey);
            m_json.number("requestApiVersion", exchange.header->apiVersion);
            m_json.number("correlationId", exchange.header->correlationId);
            m_json.key("clientId");
            if (exchange.header->clientId)
                m_json.value(*exchange.header->clientId);
            else
                m_json.writer().Null();
            if (facts.api) m_json.plain("requestApiKeyName", facts.api->enumName);
        } else if (exchange.status != ExchangeStatus::SaslToken) {
            m_json.number("correlationId", exchange.correlationId);
        }
    });
}

void ExchangeJson::writeBodies(const Exchange& exchange) {
    m_requestExpander.problems.clear();
    m_responseExpander.problems.clear();
    writeBody("request", exchange, exchange.request, exchange.requestContext(), m_request);
    writeBody("response", exchange, exchange.response, exchange.responseContext(), m_response);
    if (exchange.status == ExchangeStatus::SaslToken) {
        if (exchange.request) writeToken("request", exchange, *exchange.request);
        if (exchange.response) writeToken("response", exchange, *exchange.response);
    }
    writeUnknownTags(exchange);
}

void ExchangeJson::writeBody(std::string_view name, const Exchange& exchange, const std::optional<Frame>& frame,
                             const MessageContext& context, DecodedMessage& message) {
    message.clear();
    if (context.token && frame) return; // see writeToken
    m_json.key(name);
    if (!frame) {
        m_json.writer().Null();
        return;
    }
    decodeMessage(m_protocol, frame->bytes, context, message);
    if (message.body == noNode) { // not even its first byte could be read, or nobody knows the api
        m_json.writer().StartObject();
        m_json.writer().EndObject();
        return;
    }
    if (m_options.expand && m_names)
        m_opener.open(frame->bytes, name, m_names->payloadContext(exchange, context.direction), message);
    JsonOptions options;
    options.showSecrets = m_options.showSecrets;
    if (m_options.records || m_options.expand)
        options.expander = context.direction == Direction::Request ? &m_requestExpander : &m_responseExpander;
    writeJson(m_protocol, message, frame->bytes, message.body, options, m_json.writer());
}

void ExchangeJson::writeToken(std::string_view name, const Exchange& exchange, const Frame& frame) {
    m_json.object(name, [&] {
        if (exchange.peer && !exchange.peer->saslMechanism.empty())
            m_json.string("mechanism", exchange.peer->saslMechanism);
        m_json.number("tokenBytes", std::max<std::int64_t>(0, std::int64_t{frame.bytes.size()} - 4));
    });
}

void ExchangeJson::writeUnknownTags(const Exchange& exchange) {
    std::vector<UnknownTag> tags;
    if (exchange.request) tags = unknownTags(m_request, exchange.request->bytes, "requestHeader", "request");
    if (exchange.response)
        std::ranges::move(unknownTags(m_response, exchange.response->bytes, "responseHeader", "response"),
                          std::back_inserter(tags));
    if (tags.empty()) return;
    m_json.array("unknownTags", tags, [&](const UnknownTag& tag) {
        m_json.string("path", tag.path);
        m_json.number("tag", tag.tag);
        m_json.string("hex", tag.hex);
    });
}

void ExchangeJson::writeFetched(const FetchScope& fetched) {
    m_json.object("fetchScope", [&] {
        m_json.number("session", fetched.session);
        m_json.number("epoch", fetched.epoch);
        m_json.boolean("complete", fetched.complete);
        m_json.array("topics", fetched.partitions, [&](const FetchedPartitions::value_type& entry) {
            const auto& [topic, partitions] = entry;
            const bool byId = topic.id != TopicId{};
            const std::string_view name = byId && m_names ? m_names->topics().name(topic.id) : topic.name;
            m_json.key("topic");
            if (byId && name.empty())
                m_json.writer().Null();
            else
                m_json.value(name);
            if (byId) m_json.plain("topicId", uuidText(topic.id));
            m_json.key("partitions");
            m_json.writer().StartArray();
            for (const std::int32_t partition : partitions)
                m_json.writer().Int(partition);
            m_json.writer().EndArray();
        });
    });
}

void ExchangeJson::writeTimes(const ExchangeFacts& facts) {
    const Exchange& exchange = *facts.exchange;
    const int digits = facts.timeDigits();
    if (exchange.request) m_json.time("requestTime", exchange.request->begin, digits);
    if (exchange.response) m_json.time("responseTime", exchange.response->end, digits);
    if (facts.times) {
        m_json.milliseconds("totalTimeMs", facts.times->total);
        m_json.milliseconds("requestTransferMs", facts.times->requestTransfer);
        m_json.milliseconds("waitMs", facts.times->wait);
        m_json.milliseconds("responseTransferMs", facts.times->responseTransfer);
        if (facts.blockedWait() > Duration{}) m_json.milliseconds("blockedMs", facts.blockedWait());
        if (facts.waited.reason != WaitReason::None) m_json.plain("waitReason", name(facts.waited.reason));
    }
    writeTiming(exchange.timing);
    if (const std::int32_t throttle = facts.response.throttleMs.value_or(0); throttle > 0)
        m_json.number("throttleTimeMs", throttle);
    if (exchange.request) m_json.number("requestBytes", exchange.request->bytes.size());
    if (exchange.response) m_json.number("responseBytes", exchange.response->bytes.size());
}

// What is as usual is left out: nothing sent again, one request at a time.
void ExchangeJson::writeTiming(const ExchangeTiming& timing) {
    if (timing.think) m_json.milliseconds("thinkMs", *timing.think);
    if (timing.inFlight > 1) m_json.number("inFlight", timing.inFlight);
    if (timing.sentAgain != 0) m_json.number("sentAgain", timing.sentAgain);
    if (timing.roundTrip) writeRoundTrip(*timing.roundTrip);
}

void ExchangeJson::writeRoundTrip(Duration roundTrip) {
    std::string& text = m_connection->roundTrip;
    if (text.empty() || m_connection->roundTripOf != roundTrip) {
        text.clear();
        appendMilliseconds(text, roundTrip);
        m_connection->roundTripOf = roundTrip;
    }
    m_json.key("roundTripMs");
    m_json.writer().plainNumber(text);
}

void ExchangeJson::writeStatus(const ExchangeFacts& facts) {
    const Exchange& exchange = *facts.exchange;
    m_json.plain("status", name(exchange.status));
    if (exchange.reason != NoAnswerReason::None) m_json.plain("reason", name(exchange.reason));
    if (exchange.confidence) {
        m_json.key("confidence");
        m_json.writer().Double(*exchange.confidence);
    }
}

void ExchangeJson::writeErrors(const std::vector<ErrorAt>& errors) {
    m_json.array("errors", errors, [&](const ErrorAt& error) {
        m_json.number("code", error.code);
        if (const ErrorCode* known = m_protocol.error(error.code)) m_json.plain("name", known->name);
        m_json.plain("at", error.at);
    });
}

void ExchangeJson::writeProblems(const ExchangeFacts& facts) {
    std::vector<const std::vector<Problem>*> lists = {&facts.exchange->problems};
    if (m_options.bodies)
        lists.insert(lists.end(), {&m_request.problems, &m_requestExpander.problems, &m_response.problems,
                                   &m_responseExpander.problems});
    else
        lists.insert(lists.end(), {&facts.request.problems, &facts.response.problems});
    m_json.key("problems");
    m_json.writer().StartArray();
    for (const auto* list : lists)
        for (const Problem& problem : *list)
            writeProblem(problem);
    m_json.writer().EndArray();
}

void ExchangeJson::writeProblem(const Problem& problem) {
    m_json.writer().StartObject();
    m_json.string("kind", row(problem.kind).name);
    m_json.string("at", problem.at);
    m_json.number("offset", problem.offset);
    m_json.string("text", problem.text);
    m_json.writer().EndObject();
}

void ExchangeJson::writePackets(const Exchange& exchange) {
    const auto numbers = [&](std::string_view name, const std::optional<Frame>& frame) {
        m_json.key(name);
        m_json.writer().StartArray();
        if (frame) {
            packetsOf(*frame, m_packets);
            for (const std::uint64_t packet : m_packets)
                m_json.writer().Uint64(packet);
        }
        m_json.writer().EndArray();
    };
    m_json.object("packets", [&] {
        numbers("request", exchange.request);
        numbers("response", exchange.response);
    });
}

} // namespace brokerscope
