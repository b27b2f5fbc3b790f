// SPDX-License-Identifier: Apache-2.0
#include "gui/models/capture_summary.h"

#include "dissector/message/field_tree.h"
#include "gui/models/exchange_texts.h"

#include <QSet>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace brokerscope {

namespace {

constexpr std::uint32_t stopEvery = 16384;

struct ApiCollected {
    std::uint32_t exchanges = 0, errors = 0, unanswered = 0, slow = 0;
    std::uint64_t requestBytes = 0, responseBytes = 0;
    std::set<std::int16_t> versions;
    std::vector<std::int64_t> latencies;
    bool waits = false;
};

struct Counted {
    std::uint32_t exchanges = 0, errors = 0;

    void add(bool error) {
        ++exchanges;
        errors += error;
    }
};

class Collector {
  public:
    Collector(const ExchangeIndex& index, const Protocol& protocol, Duration slowAbove)
        : m_index(index), m_texts(index, protocol), m_protocol(protocol), m_slowAbove(slowAbove) {}

    void add(const ExchangeRow& row) {
        const bool error = row.hasErrors();
        if (row.hasHeader()) addApi(row, error);
        const IndexedConnection& on = m_index.connection(row.connection());
        m_connections.insert(row.connection());
        m_brokers[on.brokerText].add(error);
        m_addresses[on.clientAddress].add(error);
        if (row.hasClientId()) {
            m_clients[row.clientId()].add(error);
            m_clientConnections[row.clientId()].insert(row.connection());
        }
        addTopics(row.subject(), error);
        if (row.subject().group) m_groups[row.subject().group].add(error);
        if (row.subject().transactionalId) m_transactions[row.subject().transactionalId].add(error);
        for (const Outcome::Code& code : row.outcome().errors) {
            m_errors[code.code] += code.count;
            ++m_errorExchanges[code.code];
        }
    }

    CaptureSummary finish(bool complete);

  private:
    void addTopics(const Subject& about, bool error) {
        m_linesHere.clear();
        for (Subject::Topic topic : about.topics) {
            const std::size_t line = topicLine(topic);
            if (std::find(m_linesHere.begin(), m_linesHere.end(), line) != m_linesHere.end()) continue;
            m_linesHere.push_back(line);
            ++m_topics[line].exchanges;
            m_topics[line].errors += error;
        }
    }
    std::size_t topicLine(Subject::Topic topic);
    void addApi(const ExchangeRow& row, bool error) {
        ApiCollected& api = m_apis[row.apiKey()];
        ++api.exchanges;
        api.errors += error;
        api.unanswered += row.status() == ExchangeStatus::Unanswered;
        api.slow += row.slow(m_slowAbove);
        api.requestBytes += row.requestBytes();
        api.responseBytes += row.responseBytes();
        api.versions.insert(row.apiVersion());
        api.waits |= row.waitReason() != WaitReason::None;
        if (row.status() == ExchangeStatus::Paired && row.latency()) api.latencies.push_back(row.latency()->count());
    }
    CaptureSummary::ApiLine apiLine(std::int16_t key, ApiCollected& api) const;
    std::vector<CaptureSummary::NamedLine> clientLines() const;
    std::vector<CaptureSummary::NamedLine> lines(const std::unordered_map<StringId, Counted>& counted,
                                                 const QString& filterName) const;
    std::vector<CaptureSummary::NamedLine> topicLines() const;
    void fillSeen(CaptureSummary& summary) const;

    const ExchangeIndex& m_index;
    ExchangeTexts m_texts;
    const Protocol& m_protocol;
    Duration m_slowAbove;
    std::map<std::int16_t, ApiCollected> m_apis;
    std::unordered_map<StringId, Counted> m_brokers, m_addresses, m_clients, m_groups, m_transactions;
    std::unordered_map<StringId, std::set<std::uint32_t>> m_clientConnections;
    std::vector<CaptureSummary::NamedLine> m_topics;
    std::unordered_map<Subject::Topic, std::size_t> m_topicLines;
    std::map<QString, std::size_t> m_linesByFilter;
    std::vector<std::size_t> m_linesHere; // of the exchange that is added
    std::map<std::int16_t, std::uint64_t> m_errors;
    std::map<std::int16_t, std::uint32_t> m_errorExchanges;
    std::set<std::uint32_t> m_connections;
};

Duration at(std::vector<std::int64_t>& sorted, double share) {
    const auto place = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5);
    return Duration{sorted[place]};
}

QString versionsText(const std::set<std::int16_t>& versions) {
    if (versions.size() == 1) return QStringLiteral("v%1").arg(*versions.begin());
    return QStringLiteral("v%1-%2").arg(*versions.begin()).arg(*versions.rbegin());
}

template<class Line>
void mostFrequentFirst(std::vector<Line>& lines) {
    std::stable_sort(lines.begin(), lines.end(),
                     [](const Line& a, const Line& b) { return a.exchanges > b.exchanges; });
}

SeenValues::Counted counted(const std::vector<CaptureSummary::NamedLine>& lines) {
    SeenValues::Counted values;
    for (const CaptureSummary::NamedLine& line : lines)
        values.emplace_back(line.name, line.exchanges);
    return values;
}

CaptureSummary::ApiLine Collector::apiLine(std::int16_t key, ApiCollected& api) const {
    CaptureSummary::ApiLine line;
    line.name = m_texts.apiName(key);
    line.filter =
        m_protocol.api(key) ? QStringLiteral("api == %1").arg(line.name) : QStringLiteral("api.key == %1").arg(key);
    line.exchanges = api.exchanges;
    line.errors = api.errors;
    line.unanswered = api.unanswered;
    line.slow = api.slow;
    line.requestBytes = api.requestBytes;
    line.responseBytes = api.responseBytes;
    line.versions = versionsText(api.versions);
    line.waits = api.waits;
    if (!api.latencies.empty()) {
        std::sort(api.latencies.begin(), api.latencies.end());
        line.median = at(api.latencies, 0.5);
        line.p99 = at(api.latencies, 0.99);
        line.longest = Duration{api.latencies.back()};
    }
    return line;
}

std::vector<CaptureSummary::NamedLine> Collector::lines(const std::unordered_map<StringId, Counted>& values,
                                                        const QString& filterName) const {
    std::vector<CaptureSummary::NamedLine> result;
    for (const auto& [id, count] : values) {
        const QString name = texts::fromUtf8(m_index.text(id));
        result.push_back(
            {name, {}, filterName + QStringLiteral(" == ") + filterLiteral(name), count.exchanges, count.errors});
    }
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    mostFrequentFirst(result);
    return result;
}

std::vector<CaptureSummary::NamedLine> Collector::clientLines() const {
    std::vector<CaptureSummary::NamedLine> result = lines(m_clients, QStringLiteral("client.id"));
    std::unordered_map<std::string_view, StringId> idOf;
    for (const auto& [id, count] : m_clients)
        idOf.emplace(m_index.text(id), id);
    for (CaptureSummary::NamedLine& line : result) {
        const std::string name = line.name.toStdString();
        const auto id = idOf.find(name);
        if (id == idOf.end()) continue; // not UTF-8: shown, but not looked up
        QStringList software, addresses;
        for (std::uint32_t connection : m_clientConnections.at(id->second)) {
            const auto [product, version] = m_index.software(connection);
            const QString text =
                QStringLiteral("%1 %2")
                    .arg(texts::fromUtf8(m_index.text(product)), texts::fromUtf8(m_index.text(version)))
                    .trimmed();
            const QString address = texts::fromUtf8(m_index.text(m_index.connection(connection).clientAddress));
            if (!text.isEmpty() && !software.contains(text)) software << text;
            if (!addresses.contains(address) && addresses.size() < 3) addresses << address;
        }
        line.detail = (software + addresses).join(QStringLiteral(", "));
    }
    return result;
}

// An id and its name are one topic, and an exchange that says both counts once.
std::size_t Collector::topicLine(Subject::Topic topic) {
    const auto [known, added] = m_topicLines.emplace(topic, 0);
    if (!added) return known->second;
    const std::string_view name = m_index.topicName(topic);
    const auto id = m_index.topicId(topic);
    const QString filter = name.empty() && id
                               ? QStringLiteral("topic.id == ") + filterLiteral(texts::fromUtf8(uuidText(*id)))
                               : QStringLiteral("topic == ") + filterLiteral(texts::fromUtf8(name));
    const auto [line, fresh] = m_linesByFilter.emplace(filter, m_topics.size());
    if (fresh) m_topics.push_back({m_texts.topic(topic), {}, filter, 0, 0});
    return known->second = line->second;
}

std::vector<CaptureSummary::NamedLine> Collector::topicLines() const {
    std::vector<CaptureSummary::NamedLine> result = m_topics;
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    mostFrequentFirst(result);
    return result;
}

void Collector::fillSeen(CaptureSummary& summary) const {
    SeenValues& seen = summary.seen;
    for (const CaptureSummary::ApiLine& api : summary.apis)
        seen.apis.emplace_back(api.name, api.exchanges);
    seen.topics = counted(summary.topics);
    seen.groups = counted(summary.groups);
    seen.brokers = counted(summary.brokers);
    seen.clientIds = counted(summary.clients);
    seen.clients = counted(lines(m_addresses, QStringLiteral("client")));
    seen.transactionalIds = counted(lines(m_transactions, QStringLiteral("transactional.id")));
    QSet<QString> products;
    for (std::uint32_t connection : m_connections) {
        const QString product = texts::fromUtf8(m_index.text(m_index.software(connection).first));
        if (product.isEmpty() || products.contains(product)) continue;
        products.insert(product);
        seen.software.emplace_back(product, 1);
    }
    for (const auto& [code, exchanges] : m_errorExchanges)
        if (const ErrorCode* known = m_protocol.error(code))
            seen.errors.emplace_back(texts::fromUtf8(known->name), exchanges);
    std::stable_sort(seen.errors.begin(), seen.errors.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
}

CaptureSummary Collector::finish(bool complete) {
    CaptureSummary summary;
    for (auto& [key, api] : m_apis)
        summary.apis.push_back(apiLine(key, api));
    mostFrequentFirst(summary.apis);
    for (const auto& [code, count] : m_errors) {
        const ErrorCode* known = m_protocol.error(code);
        summary.errors.push_back({m_texts.errorName(code), known ? texts::fromUtf8(known->meaning) : QString(),
                                  QStringLiteral("error.code == %1").arg(code), count, m_errorExchanges.at(code),
                                  known && known->retriable});
    }
    std::stable_sort(summary.errors.begin(), summary.errors.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    summary.brokers = lines(m_brokers, QStringLiteral("broker"));
    summary.clients = clientLines();
    summary.topics = topicLines();
    summary.groups = lines(m_groups, QStringLiteral("group"));
    summary.connections = static_cast<std::uint32_t>(m_connections.size());
    summary.counts = m_index.counts();
    fillSeen(summary);
    summary.seen.complete = complete;
    return summary;
}

} // namespace

std::optional<CaptureSummary> summarize(const ExchangeIndex& index, std::uint32_t rows, const Protocol& protocol,
                                        Duration slowAbove, bool complete, std::stop_token stop) {
    Collector collector(index, protocol, slowAbove);
    for (std::uint32_t i = 0; i < rows; ++i) {
        if (i % stopEvery == 0 && stop.stop_requested()) return std::nullopt;
        const ExchangeRow row = index.row(i);
        if (row.known()) collector.add(row);
    }
    return collector.finish(complete);
}

} // namespace brokerscope
