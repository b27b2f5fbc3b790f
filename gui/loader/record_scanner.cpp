// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/record_scanner.h"

#include "dissector/analysis/record_sets.h"
#include "dissector/payloads/payload_opener.h"
#include "dissector/payloads/record_payload_json.h"

#include <QElapsedTimer>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace brokerscope {

namespace {

constexpr std::uint32_t lookEvery = 16;
constexpr qint64 handOverEveryMs = 150;

bool hasRecords(const std::vector<SchemaField>& fields) {
    return std::any_of(fields.begin(), fields.end(), [](const SchemaField& field) {
        return field.type == FieldType::Records || hasRecords(field.children);
    });
}

class Scanner {
  public:
    Scanner(const Capture& capture, const RecordScope& scope) : m_capture(*capture), m_scope(scope) {
        for (const Api* api : m_capture.protocol.apis())
            m_carries[api->key] = {api->request && hasRecords(api->request->fields),
                                   api->response && hasRecords(api->response->fields)};
    }

    void look(std::uint32_t row) {
        const ExchangeRow view = m_capture.index.row(row);
        if (!view.known() || !view.hasHeader()) return;
        const auto carries = m_carries.find(view.apiKey());
        if (carries == m_carries.end()) return;
        const auto [asked, answered] = carries->second;
        if (!(asked && view.hasRequest()) && !(answered && view.hasResponse())) return;
        const Exchange exchange = m_capture.index.exchange(row);
        if (asked && exchange.request) lookIn(row, *exchange.request, exchange.requestContext());
        if (answered && exchange.response) lookIn(row, *exchange.response, exchange.responseContext());
    }

    FoundBatches take() {
        FoundBatches result{std::move(m_found), m_topics};
        m_found.clear();
        return result;
    }

  private:
    void lookIn(std::uint32_t row, const Frame& frame, const MessageContext& context) {
        decodeMessage(m_capture.protocol, frame.bytes, context, m_message);
        for (const RecordSetPlace& set : recordSetsOf(frame.bytes, m_message, context.direction)) {
            const std::string topic = set.topicId ? topicText(*set.topicId) : set.topic;
            if (!m_scope.topic.empty() && topic != m_scope.topic) continue;
            RecordBatchRef where;
            where.exchange = row;
            where.ofResponse = context.direction == Direction::Response;
            where.partition = set.partition.value_or(-1);
            where.topic = topicNumber(topic, set.topicId);
            addBatches(frame.bytes, set, where);
        }
    }

    std::string topicText(const TopicId& id) const {
        const std::string name = m_capture.index.topicName(id);
        return name.empty() ? uuidText(id) : name;
    }

    std::uint32_t topicNumber(const std::string& topic, const std::optional<TopicId>& id) {
        const auto [known, added] =
            m_topicNumbers.emplace(std::pair(topic, id), static_cast<std::uint32_t>(m_topics.size()));
        if (added) m_topics.push_back({QString::fromStdString(topic), id});
        return known->second;
    }

    void addBatches(const ByteChain& bytes, const RecordSetPlace& set, RecordBatchRef where) {
        m_reader.open(bytes, set.begin, set.end);
        while (m_reader.nextBatch()) {
            const Batch& batch = m_reader.batch();
            where.begin = batch.begin;
            where.end = batch.end;
            where.codec = batch.codec;
            where.control = batch.isControl;
            where.producerId = batch.producerId;
            where.producerEpoch = batch.producerEpoch;
            where.count = 0;
            if (batch.recordCount >= 0)
                where.count = static_cast<std::uint32_t>(batch.recordCount);
            else
                while (m_reader.nextRecord())
                    ++where.count;
            where.baseOffset = m_reader.batch().baseOffset.value_or(batch.lastOffset);
            where.lastOffset = batch.lastOffset;
            if (where.count > 0) m_found.push_back(where);
        }
    }

    const CaptureData& m_capture;
    const RecordScope& m_scope;
    std::unordered_map<std::int16_t, std::pair<bool, bool>> m_carries; // request, response
    DecodedMessage m_message;
    RecordSetReader m_reader;
    std::vector<RecordBatchRef> m_found;
    std::vector<RecordTopic> m_topics;
    std::map<std::pair<std::string, std::optional<TopicId>>, std::uint32_t> m_topicNumbers;
};

std::optional<Bytes> kept(OpenedBatch& batch, const std::optional<Bytes>& bytes) {
    return bytes ? std::optional(batch.keep(*bytes)) : std::nullopt;
}

class ContentOpener {
  public:
    ContentOpener(const Protocol& protocol, const RecordTopic& topic, bool control)
        : m_protocol(protocol), m_payloads(protocol), m_topic(topic.name.toStdString()), m_control(control) {}

    // The key of a control record is told by the model.
    void open(const Record& record, OpenedBatch& batch, OpenedRecord& out) {
        if (!m_control && record.key && m_payloads.openKey(m_topic, false, *record.key, m_payload))
            out.openedKey = taken(batch, out);
        if (record.value && m_payloads.openValue(m_topic, m_control, record.key, *record.value, m_payload))
            out.openedValue = taken(batch, out);
    }

  private:
    OpenedRecord::Opened taken(OpenedBatch& batch, OpenedRecord& record) const {
        OpenedRecord::Opened opened;
        opened.type = QString::fromStdString(m_payload.type.type);
        if (m_payload.type.version) opened.type += QStringLiteral(" v%1").arg(*m_payload.type.version);
        opened.json = QString::fromStdString(payloadText(m_protocol, m_payload, false));
        record.secret = record.secret || holdsSecrets(m_protocol, m_payload.message, m_payload.bytes);
        batch.bytes += static_cast<std::size_t>(opened.json.size()) * sizeof(QChar);
        return opened;
    }

    const Protocol& m_protocol;
    RecordPayloads m_payloads;
    std::string m_topic;
    bool m_control;
    RecordPayload m_payload;
};

} // namespace

void scanRecords(const Capture& capture, const RecordScope& scope, std::uint32_t rows, JobContext& context,
                 const std::function<void(FoundBatches)>& found) {
    Scanner scanner(capture, scope);
    if (scope.exchange) {
        scanner.look(*scope.exchange);
        return found(scanner.take());
    }
    QElapsedTimer since;
    since.start();
    for (std::uint32_t row = 0; row < rows; ++row) {
        if (row % lookEvery == 0) {
            if (context.stopped()) break;
            context.progress(row, rows);
            if (since.elapsed() > handOverEveryMs) {
                found(scanner.take());
                since.restart();
            }
        }
        scanner.look(row);
    }
    found(scanner.take());
}

std::shared_ptr<const OpenedBatch> openBatch(const Capture& capture, const RecordBatchRef& batch,
                                             const RecordTopic& topic) {
    auto opened = std::make_shared<OpenedBatch>();
    const Exchange exchange = capture->index.exchange(batch.exchange);
    const std::optional<Frame>& frame = batch.ofResponse ? exchange.response : exchange.request;
    if (!frame) return opened;
    RecordSetReader reader;
    reader.open(frame->bytes, batch.begin, batch.end);
    if (!reader.nextBatch()) return opened;
    ContentOpener opener(capture->protocol, topic, batch.control);
    while (reader.nextRecord()) {
        const Record& record = reader.record();
        OpenedRecord& its = opened->records.emplace_back();
        its.offset = record.offset;
        its.timestamp = record.timestamp;
        its.key = kept(*opened, record.key);
        its.value = kept(*opened, record.value);
        for (const RecordHeader& header : record.headers)
            its.headers.emplace_back(std::string(reinterpret_cast<const char*>(header.key.data()), header.key.size()),
                                     kept(*opened, header.value));
        opener.open(record, *opened, its);
    }
    opened->error = reader.batchError();
    return opened;
}

void forEachRecord(const Capture& capture, const RecordBatchRef& batch, const RecordTopic& topic,
                   const std::function<void(const RecordFacts&)>& record) {
    const Exchange exchange = capture->index.exchange(batch.exchange);
    const std::optional<Frame>& frame = batch.ofResponse ? exchange.response : exchange.request;
    if (!frame) return;
    RecordSetPlace place;
    place.topicId = topic.id;
    if (batch.partition >= 0) place.partition = batch.partition;
    RecordSetReader reader;
    RecordFacts facts;
    facts.exchange = &exchange;
    facts.direction = batch.ofResponse ? Direction::Response : Direction::Request;
    facts.place = &place;
    facts.topic = topic.name.toStdString();
    facts.batch = &reader.batch();
    facts.record = &reader.record();
    reader.open(frame->bytes, batch.begin, batch.end);
    if (!reader.nextBatch()) return;
    const RecordPayloads payloads(capture->protocol);
    RecordPayload key, value; // of internal topics; some hold secrets
    while (reader.nextRecord()) {
        const Record& its = reader.record();
        const bool opensKey = !batch.control && its.key && payloads.openKey(facts.topic, false, *its.key, key);
        const bool opensValue = its.value && payloads.openValue(facts.topic, batch.control, its.key, *its.value, value);
        facts.key = opensKey ? &key : nullptr;
        facts.value = opensValue ? &value : nullptr;
        record(facts);
    }
}

} // namespace brokerscope
