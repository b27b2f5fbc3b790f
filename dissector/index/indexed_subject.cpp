// SPDX-License-Identifier: Apache-2.0
#include "dissector/index/indexed_subject.h"

#include <algorithm>

namespace brokerscope {

namespace {

bool visitNumber(long double number, const FilterSubject::Visitor& visit) {
    FilterValue value;
    value.number.emplace(number);
    return visit(value);
}

bool visitText(std::string_view text, const FilterSubject::Visitor& visit) {
    FilterValue value;
    value.text = text;
    return visit(value);
}

FilterSettings withTopicNames(FilterSettings settings, const ExchangeIndex& index) {
    settings.topicName = [&index](const std::array<std::uint8_t, 16>& id) { return index.topicName(id); };
    return settings;
}

} // namespace

IndexedSubject::IndexedSubject(const ExchangeIndex& index, const Protocol& protocol, FilterSettings settings)
    : m_index(index), m_protocol(protocol), m_settings(withTopicNames(std::move(settings), index)),
      m_decoding(protocol, m_settings) {}

bool IndexedSubject::assign(std::uint32_t row) {
    m_row.emplace(m_index.row(row));
    m_rebuilt = false;
    return m_row->known();
}

ExchangeSubject& IndexedSubject::whole() {
    if (!m_rebuilt) {
        m_exchange = m_index.exchange(static_cast<std::uint32_t>(m_row->id().value - 1));
        m_decoding.assign(m_exchange);
        m_rebuilt = true;
    }
    return m_decoding;
}

bool IndexedSubject::visitValues(FilterField field, const std::vector<std::string>& path, const Visitor& visit) {
    switch (field) {
    case FilterField::Topic:
    case FilterField::Group:
    case FilterField::TransactionalId:
    case FilterField::Acks:
        return visitSubject(field, visit);
    case FilterField::Error:
    case FilterField::ErrorCode:
    case FilterField::Retriable:
        return visitErrors(field, visit);
    case FilterField::TopicId:
    case FilterField::Partition:
    case FilterField::Member:
    case FilterField::ProducerId:
    case FilterField::Offset:
    case FilterField::Records:
    case FilterField::RecordsKey:
    case FilterField::RecordsValue:
    case FilterField::Packet:
    case FilterField::RequestTransfer:
    case FilterField::ResponseTransfer:
    case FilterField::Think:
    case FilterField::Blocked:
    case FilterField::InFlight:
    case FilterField::SentAgain:
    case FilterField::RoundTrip:
    case FilterField::RequestPath:
    case FilterField::ResponsePath:
        return whole().visitValues(field, path, visit);
    default:
        return visitRow(field, visit);
    }
}

bool IndexedSubject::visitEndpoint(StringId text, const Address& address, const Visitor& visit) const {
    FilterValue value;
    value.text = m_index.text(text);
    value.address = &address;
    return visit(value);
}

bool IndexedSubject::visitRow(FilterField field, const Visitor& visit) {
    const ExchangeRow& row = *m_row;
    switch (field) {
    case FilterField::Api: {
        if (!row.hasHeader()) return false;
        FilterValue value;
        value.number.emplace(row.apiKey());
        if (const Api* api = m_protocol.api(row.apiKey())) value.text = api->name;
        return visit(value);
    }
    case FilterField::ApiKey:
        return row.hasHeader() && visitNumber(row.apiKey(), visit);
    case FilterField::Version:
        return row.hasHeader() && visitNumber(row.apiVersion(), visit);
    case FilterField::CorrelationId:
        return row.status() != ExchangeStatus::SaslToken && visitNumber(row.correlationId(), visit);
    case FilterField::ClientId:
        return row.hasClientId() && visitText(m_index.text(row.clientId()), visit);
    case FilterField::Status:
        return visitText(name(row.status()), visit);
    case FilterField::Slow:
        return visitNumber(row.slow(m_settings.slow), visit);
    case FilterField::Damaged:
        return visitNumber(row.damaged(), visit);
    case FilterField::Latency:
    case FilterField::Wait: {
        const std::optional<Duration> latency = row.latency();
        if (row.status() != ExchangeStatus::Paired || !latency) return false;
        return visitNumber(static_cast<long double>((field == FilterField::Wait ? row.wait() : *latency).count()),
                           visit);
    }
    case FilterField::WaitReason:
        return row.waitReason() != WaitReason::None && visitText(name(row.waitReason()), visit);
    case FilterField::RequestSize:
        return row.hasRequest() && visitNumber(row.requestBytes(), visit);
    case FilterField::ResponseSize:
        return row.hasResponse() && visitNumber(row.responseBytes(), visit);
    case FilterField::Throttle:
        return row.outcome().throttleMs > 0 && visitNumber(row.outcome().throttleMs * 1e6L, visit);
    case FilterField::Conn:
        return visitNumber(row.connection(), visit);
    case FilterField::Time:
        return visitNumber((row.time() - m_settings.captureStart).count(), visit);
    case FilterField::TimeAbsolute:
        return visitNumber(row.time().time_since_epoch().count(), visit);
    default:
        break;
    }
    const IndexedConnection& on = m_index.connection(row.connection());
    const auto client = [&] { return visitEndpoint(on.clientText, on.client.address, visit); };
    const auto broker = [&] { return visitEndpoint(on.brokerText, on.broker.address, visit); };
    switch (field) {
    case FilterField::Client:
        return client();
    case FilterField::Broker:
        return broker();
    case FilterField::Addr:
        return client() || broker();
    case FilterField::Port:
        return visitNumber(on.client.port, visit) || visitNumber(on.broker.port, visit);
    case FilterField::Software: {
        const auto [software, version] = m_index.software(row.connection());
        if (!software) return false;
        return visitText(std::string(m_index.text(software)) + " " + std::string(m_index.text(version)), visit);
    }
    default:
        return false;
    }
}

bool IndexedSubject::visitSubject(FilterField field, const Visitor& visit) {
    const Subject& about = m_row->subject();
    switch (field) {
    case FilterField::Topic:
        return std::any_of(about.topics.begin(), about.topics.end(), [&](Subject::Topic topic) {
            const std::string_view name = m_index.topicName(topic);
            return (!name.empty() || !m_index.topicId(topic)) && visitText(name, visit);
        });
    case FilterField::Group:
        return about.group && visitText(m_index.text(about.group), visit);
    case FilterField::TransactionalId:
        return about.transactionalId && visitText(m_index.text(about.transactionalId), visit);
    default:
        return about.acks != Subject::noAcks && visitNumber(about.acks, visit);
    }
}

bool IndexedSubject::visitErrors(FilterField field, const Visitor& visit) {
    for (const Outcome::Code& error : m_row->outcome().errors) {
        const ErrorCode* code = m_protocol.error(error.code);
        FilterValue value;
        value.number = error.code;
        if (field == FilterField::Retriable)
            value.number = code && code->retriable ? 1 : 0;
        else if (code)
            value.text = code->name;
        if (visit(value)) return true;
    }
    return false;
}

} // namespace brokerscope
