// SPDX-License-Identifier: Apache-2.0
#include "dissector/filter/exchange_subject.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

namespace {

std::size_t index(Direction direction) {
    return static_cast<std::size_t>(direction);
}

constexpr Direction both[] = {Direction::Request, Direction::Response};

bool visitEndpoint(const Endpoint& endpoint, const FilterSubject::Visitor& visit) {
    const std::string text = toString(endpoint);
    return visit(FilterValue::ofEndpoint(text, endpoint.address));
}

std::string_view asText(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

ExchangeSubject::ExchangeSubject(const Protocol& protocol, const FilterSettings& settings)
    : m_protocol(protocol), m_settings(settings) {}

void ExchangeSubject::assign(const Exchange& exchange, const Skim* request, const Skim* response) {
    m_exchange = &exchange;
    m_given[0] = request;
    m_given[1] = response;
    std::fill(std::begin(m_skimmed), std::end(m_skimmed), false);
    std::fill(std::begin(m_isDecoded), std::end(m_isDecoded), false);
}

const Frame* ExchangeSubject::frame(Direction direction) const {
    const std::optional<Frame>& frame = direction == Direction::Request ? m_exchange->request : m_exchange->response;
    return frame ? &*frame : nullptr;
}

const Skim& ExchangeSubject::skim(Direction direction) {
    const std::size_t at = index(direction);
    if (m_given[at]) return *m_given[at];
    if (m_skimmed[at]) return m_skims[at];
    m_skimmed[at] = true;
    m_skims[at].clear();
    if (const Frame* bytes = frame(direction))
        skimMessage(m_protocol, bytes->bytes,
                    direction == Direction::Request ? m_exchange->requestContext() : m_exchange->responseContext(),
                    m_skims[at]);
    return m_skims[at];
}

const DecodedMessage& ExchangeSubject::decoded(Direction direction) {
    const std::size_t at = index(direction);
    if (m_isDecoded[at]) return m_decoded[at];
    m_isDecoded[at] = true;
    m_decoded[at].clear();
    if (const Frame* bytes = frame(direction))
        decodeMessage(m_protocol, bytes->bytes,
                      direction == Direction::Request ? m_exchange->requestContext() : m_exchange->responseContext(),
                      m_decoded[at]);
    return m_decoded[at];
}

bool ExchangeSubject::visitValues(FilterField field, const std::vector<std::string>& path, const Visitor& visit) {
    switch (field) {
    case FilterField::RequestPath:
        return visitPath(Direction::Request, path, visit);
    case FilterField::ResponsePath:
        return visitPath(Direction::Response, path, visit);
    case FilterField::Partition:
        return visitSemantic(Semantic::Partition, visit);
    case FilterField::Member:
        return visitSemantic(Semantic::Member, visit);
    case FilterField::ProducerId:
        return visitSemantic(Semantic::ProducerId, visit);
    case FilterField::Offset:
        return visitSemantic(Semantic::Offset, visit);
    case FilterField::Records:
    case FilterField::RecordsKey:
    case FilterField::RecordsValue:
        return visitRecords(field, visit);
    case FilterField::Topic:
    case FilterField::TopicId:
    case FilterField::Group:
    case FilterField::TransactionalId:
    case FilterField::Error:
    case FilterField::ErrorCode:
    case FilterField::Retriable:
    case FilterField::WaitReason:
    case FilterField::Slow:
    case FilterField::Damaged:
    case FilterField::Throttle:
    case FilterField::Acks:
        return visitSkim(field, visit);
    default:
        return visitExchange(field, visit);
    }
}

bool ExchangeSubject::visitExchange(FilterField field, const Visitor& visit) {
    const Exchange& exchange = *m_exchange;
    const auto header = [&](auto number) {
        return exchange.header && visit(FilterValue::ofNumber(number(*exchange.header)));
    };
    switch (field) {
    case FilterField::Api:
        return exchange.header && visit(FilterValue::ofApi(m_protocol, exchange.header->apiKey));
    case FilterField::ApiKey:
        return header([](const RequestHeader& h) { return h.apiKey; });
    case FilterField::Version:
        return header([](const RequestHeader& h) { return h.apiVersion; });
    case FilterField::CorrelationId:
        return exchange.status != ExchangeStatus::SaslToken && visit(FilterValue::ofNumber(exchange.correlationId));
    case FilterField::ClientId:
        return exchange.header && exchange.header->clientId && visit(FilterValue::ofText(*exchange.header->clientId));
    case FilterField::Status:
        return visit(FilterValue::ofText(name(exchange.status)));
    case FilterField::Latency:
    case FilterField::Wait: {
        const auto times = exchange.status == ExchangeStatus::Paired ? latency(exchange) : std::nullopt;
        return times && visit(FilterValue::ofNumber((field == FilterField::Wait ? times->wait : times->total).count()));
    }
    case FilterField::RequestTransfer:
    case FilterField::ResponseTransfer:
    case FilterField::Think:
    case FilterField::Blocked:
    case FilterField::InFlight:
    case FilterField::SentAgain:
    case FilterField::RoundTrip:
        return visitTiming(field, visit);
    case FilterField::RequestSize:
        return exchange.request && visit(FilterValue::ofNumber(exchange.request->bytes.size()));
    case FilterField::ResponseSize:
        return exchange.response && visit(FilterValue::ofNumber(exchange.response->bytes.size()));
    case FilterField::Conn:
        return visit(FilterValue::ofNumber(exchange.connection.value));
    case FilterField::Client:
        return visitEndpoint(exchange.client, visit);
    case FilterField::Broker:
        return visitEndpoint(exchange.broker, visit);
    case FilterField::Addr:
        return visitEndpoint(exchange.client, visit) || visitEndpoint(exchange.broker, visit);
    case FilterField::Port:
        return visit(FilterValue::ofNumber(exchange.client.port)) || visit(FilterValue::ofNumber(exchange.broker.port));
    case FilterField::Time:
        return visit(FilterValue::ofNumber((exchange.start() - m_settings.captureStart).count()));
    case FilterField::TimeAbsolute:
        return visit(FilterValue::ofNumber(exchange.start().time_since_epoch().count()));
    case FilterField::Packet:
        for (const Direction direction : both)
            if (const Frame* bytes = frame(direction))
                for (const ByteChain::Piece& piece : bytes->bytes.pieces())
                    if (piece.slice.packet && visit(FilterValue::ofNumber(piece.slice.packet.value))) return true;
        return false;
    case FilterField::Software:
        return exchange.peer && !exchange.peer->softwareName.empty() &&
               visit(FilterValue::ofText(
                   fmt::format("{} {}", exchange.peer->softwareName, exchange.peer->softwareVersion)));
    default:
        return false;
    }
}

bool ExchangeSubject::visitTiming(FilterField field, const Visitor& visit) {
    const ExchangeTiming& timing = m_exchange->timing;
    const auto times = m_exchange->status == ExchangeStatus::Paired ? latency(*m_exchange) : std::nullopt;
    switch (field) {
    case FilterField::RequestTransfer:
        return times && visit(FilterValue::ofNumber(times->requestTransfer.count()));
    case FilterField::ResponseTransfer:
        return times && visit(FilterValue::ofNumber(times->responseTransfer.count()));
    case FilterField::Think:
        return timing.think && visit(FilterValue::ofNumber(timing.think->count()));
    case FilterField::Blocked:
        return times && timing.blocked > Duration{} && visit(FilterValue::ofNumber(timing.blocked.count()));
    case FilterField::InFlight:
        return visit(FilterValue::ofNumber(timing.inFlight));
    case FilterField::SentAgain:
        return timing.sentAgain != 0 && visit(FilterValue::ofNumber(timing.sentAgain));
    case FilterField::RoundTrip:
        return timing.roundTrip && visit(FilterValue::ofNumber(timing.roundTrip->count()));
    default:
        return false;
    }
}

bool ExchangeSubject::visitSkim(FilterField field, const Visitor& visit) {
    const auto texts = [&](const std::string Skim::*member) {
        return std::any_of(std::begin(both), std::end(both), [&](Direction direction) {
            const std::string& text = skim(direction).*member;
            return !text.empty() && visit(FilterValue::ofText(text));
        });
    };
    switch (field) {
    case FilterField::Topic:
        return visitTopics(visit);
    case FilterField::TopicId:
        for (const Direction direction : both)
            for (const auto& id : skim(direction).topicIds)
                if (visit(FilterValue::ofText(uuidText(id)))) return true;
        return false;
    case FilterField::Group:
        return texts(&Skim::group);
    case FilterField::TransactionalId:
        return texts(&Skim::transactionalId);
    case FilterField::Throttle: {
        const auto throttle = skim(Direction::Response).throttleMs;
        return throttle && *throttle > 0 && visit(FilterValue::ofNumber(*throttle * 1e6L));
    }
    case FilterField::Acks: {
        const auto acks = skim(Direction::Request).acks;
        return acks && visit(FilterValue::ofNumber(*acks));
    }
    case FilterField::WaitReason: {
        const WaitReason reason = waited().reason;
        return reason != WaitReason::None && visit(FilterValue::ofText(name(reason)));
    }
    case FilterField::Slow:
        return visit(FilterValue::ofNumber(isSlow()));
    case FilterField::Damaged:
        return visit(FilterValue::ofNumber(isDamaged()));
    default:
        return visitErrors(field, visit);
    }
}

bool ExchangeSubject::visitTopics(const Visitor& visit) {
    for (const Direction direction : both) {
        for (const std::string& topic : skim(direction).topics)
            if (visit(FilterValue::ofText(topic))) return true;
        if (!m_settings.topicName) continue;
        for (const auto& id : skim(direction).topicIds)
            if (const std::string topic = m_settings.topicName(id); !topic.empty() && visit(FilterValue::ofText(topic)))
                return true;
    }
    return false;
}

bool ExchangeSubject::visitErrors(FilterField field, const Visitor& visit) {
    for (const ErrorAt& error : skim(Direction::Response).errors)
        if (visit(FilterValue::ofError(m_protocol, field, error.code))) return true;
    return false;
}

bool ExchangeSubject::isSlow() {
    if (m_exchange->status != ExchangeStatus::Paired) return false;
    const auto times = latency(*m_exchange);
    if (!times || times->total <= m_settings.slow) return false;
    return times->total - waited().duration > m_settings.slow;
}

WaitByDesign ExchangeSubject::waited() {
    const auto times = latency(*m_exchange);
    if (!times) return {};
    return waitByDesign(*m_exchange, *times, skim(Direction::Request), skim(Direction::Response));
}

bool ExchangeSubject::isDamaged() {
    const auto damage = [](const Problem& problem) { return row(problem.kind).damage; };
    const auto any = [&](const std::vector<Problem>& problems) {
        return std::any_of(problems.begin(), problems.end(), damage);
    };
    for (const Direction direction : both)
        if (const Frame* bytes = frame(direction); bytes && (bytes->bytes.hasHoles() || any(skim(direction).problems)))
            return true;
    return any(m_exchange->problems);
}

bool ExchangeSubject::visitNode(Direction direction, const FieldNode& node, const Visitor& visit) {
    const auto read = readValue(frame(direction)->bytes, node, m_scratch);
    if (!read || read->kind == FieldValue::Kind::Null) return false;
    FilterValue value;
    std::string name;
    switch (read->kind) {
    case FieldValue::Kind::Bool:
    case FieldValue::Kind::Integer:
        value.number = read->integer;
        if (node.field->schema->semantic == Semantic::Error) {
            if (const ErrorCode* error = m_protocol.error(static_cast<std::int16_t>(read->integer)))
                value.text = error->name;
        } else if (!node.field->schema->enumName.empty()) {
            name = m_protocol.enumName(node.field->schema->enumName, read->integer);
            if (!name.empty()) value.text = name;
        }
        break;
    case FieldValue::Kind::Float:
        value.number = read->real;
        break;
    case FieldValue::Kind::Text:
    case FieldValue::Kind::Bytes:
        value.text = asText(read->bytes);
        break;
    case FieldValue::Kind::Uuid:
        name = uuidText(read->bytes);
        value.text = name;
        break;
    case FieldValue::Kind::Null:
        return false;
    }
    return visit(value);
}

bool ExchangeSubject::visitSemantic(Semantic semantic, const Visitor& visit) {
    for (const Direction direction : both) {
        const FieldTree& tree = decoded(direction).tree;
        for (NodeIndex node = 0; node < tree.nodes.size(); ++node) {
            const PlanField* field = tree.nodes[node].field;
            if (field && field->schema && field->schema->semantic == semantic && !tree.hasChildren(node) &&
                visitNode(direction, tree.nodes[node], visit))
                return true;
        }
    }
    return false;
}

bool ExchangeSubject::visitPath(Direction direction, const std::vector<std::string>& path, const Visitor& visit) {
    const DecodedMessage& message = decoded(direction);
    return message.body != noNode && visitBelow(direction, message.body, path, 0, visit);
}

bool ExchangeSubject::visitBelow(Direction direction, NodeIndex node, const std::vector<std::string>& path,
                                 std::size_t at, const Visitor& visit) {
    const FieldTree& tree = decoded(direction).tree;
    const FieldNode& here = tree.nodes[node];
    const bool isList = here.kind == NodeKind::Field && here.field->isArray;
    if (at == path.size() && !isList) return !tree.hasChildren(node) && visitNode(direction, here, visit);
    for (NodeIndex child = tree.firstChild(node); child != noNode; child = tree.nextSibling(child)) {
        const FieldNode& below = tree.nodes[child];
        if (below.kind == NodeKind::Element || below.kind == NodeKind::TagBuffer) {
            if (visitBelow(direction, child, path, at, visit)) return true;
        } else if (at < path.size() && below.kind == NodeKind::Field && below.field->schema &&
                   below.field->schema->jsonName == path[at]) {
            if (visitBelow(direction, child, path, at + 1, visit)) return true;
        }
    }
    return false;
}

bool ExchangeSubject::visitRecords(FilterField field, const Visitor& visit) {
    std::uint64_t count = 0;
    for (const Direction direction : both) {
        for (const FieldNode& node : decoded(direction).tree.nodes) {
            if (!node.field || node.field->type != FieldType::Records || node.isNull) continue;
            m_records.open(frame(direction)->bytes, node.offset + node.prefix, node.offset + node.length);
            while (m_records.nextBatch())
                while (m_records.nextRecord()) {
                    ++count;
                    const Record& record = m_records.record();
                    const auto& wanted = field == FilterField::RecordsKey ? record.key : record.value;
                    if (field != FilterField::Records && wanted && visit(FilterValue::ofText(asText(*wanted))))
                        return true;
                }
        }
    }
    return field == FilterField::Records && count > 0 && visit(FilterValue::ofNumber(static_cast<long double>(count)));
}

} // namespace brokerscope
