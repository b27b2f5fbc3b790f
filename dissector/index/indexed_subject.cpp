// SPDX-License-Identifier: Apache-2.0
#include "dissector/index/indexed_subject.h"

#include <algorithm>

namespace brokerscope {

namespace {

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
    return visit(FilterValue::ofEndpoint(m_index.text(text), address));
}

bool IndexedSubject::visitRow(FilterField field, const Visitor& visit) {
    const ExchangeRow& row = *m_row;
    switch (field) {
    case FilterField::Api:
        return row.hasHeader() && visit(FilterValue::ofApi(m_protocol, row.apiKey()));
    case FilterField::ApiKey:
        return row.hasHeader() && visit(FilterValue::ofNumber(row.apiKey()));
    case FilterField::Version:
        return row.hasHeader() && visit(FilterValue::ofNumber(row.apiVersion()));
    case FilterField::CorrelationId:
        return row.status() != ExchangeStatus::SaslToken && visit(FilterValue::ofNumber(row.correlationId()));
    case FilterField::ClientId:
        return row.hasClientId() && visit(FilterValue::ofText(m_index.text(row.clientId())));
    case FilterField::Status:
        return visit(FilterValue::ofText(name(row.status())));
    case FilterField::Slow:
        return visit(FilterValue::ofNumber(row.slow(m_settings.slow)));
    case FilterField::Damaged:
        return visit(FilterValue::ofNumber(row.damaged()));
    case FilterField::Latency:
    case FilterField::Wait: {
        const std::optional<Duration> latency = row.latency();
        if (row.status() != ExchangeStatus::Paired || !latency) return false;
        return visit(FilterValue::ofNumber(
            static_cast<long double>((field == FilterField::Wait ? row.wait() : *latency).count())));
    }
    case FilterField::WaitReason:
        return row.waitReason() != WaitReason::None && visit(FilterValue::ofText(name(row.waitReason())));
    case FilterField::RequestSize:
        return row.hasRequest() && visit(FilterValue::ofNumber(row.requestBytes()));
    case FilterField::ResponseSize:
        return row.hasResponse() && visit(FilterValue::ofNumber(row.responseBytes()));
    case FilterField::Throttle:
        return row.outcome().throttleMs > 0 && visit(FilterValue::ofNumber(row.outcome().throttleMs * 1e6L));
    case FilterField::Conn:
        return visit(FilterValue::ofNumber(row.connection()));
    case FilterField::Time:
        return visit(FilterValue::ofNumber((row.time() - m_settings.captureStart).count()));
    case FilterField::TimeAbsolute:
        return visit(FilterValue::ofNumber(row.time().time_since_epoch().count()));
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
        return visit(FilterValue::ofNumber(on.client.port)) || visit(FilterValue::ofNumber(on.broker.port));
    case FilterField::Software: {
        const auto [software, version] = m_index.software(row.connection());
        if (!software) return false;
        return visit(
            FilterValue::ofText(std::string(m_index.text(software)) + " " + std::string(m_index.text(version))));
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
            return (!name.empty() || !m_index.topicId(topic)) && visit(FilterValue::ofText(name));
        });
    case FilterField::Group:
        return about.group && visit(FilterValue::ofText(m_index.text(about.group)));
    case FilterField::TransactionalId:
        return about.transactionalId && visit(FilterValue::ofText(m_index.text(about.transactionalId)));
    default:
        return about.acks != Subject::noAcks && visit(FilterValue::ofNumber(about.acks));
    }
}

bool IndexedSubject::visitErrors(FilterField field, const Visitor& visit) {
    for (const Outcome::Code& error : m_row->outcome().errors)
        if (visit(FilterValue::ofError(m_protocol, field, error.code))) return true;
    return false;
}

} // namespace brokerscope
