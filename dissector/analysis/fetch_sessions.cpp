// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/fetch_sessions.h"

#include <algorithm>

namespace brokerscope {
namespace {

constexpr std::int16_t fetchKey = 1;

// Reads the parts of a Fetch request or response that matter here.
class FetchReader {
  public:
    FetchReader(const ByteChain& bytes, const DecodedMessage& message) : m_bytes(bytes), m_message(message) {}

    std::optional<std::int64_t> number(std::string_view name) { return numberIn(m_message.body, name); }

    void partitions(std::string_view name, FetchedPartitions& out) {
        const FieldTree& tree = m_message.tree;
        const NodeIndex topics = tree.child(m_message.body, name);
        if (topics == noNode) return;
        for (NodeIndex topic = tree.firstChild(topics); topic != noNode; topic = tree.nextSibling(topic)) {
            const NodeIndex list = tree.child(topic, "partitions");
            if (list == noNode) continue;
            std::set<std::int32_t>& known = out[topicOf(topic)];
            for (NodeIndex entry = tree.firstChild(list); entry != noNode; entry = tree.nextSibling(entry)) {
                const auto partition = tree.nodes[entry].isValue() ? numberAt(entry) : numberIn(entry, "partition");
                if (partition) known.insert(static_cast<std::int32_t>(*partition));
            }
        }
    }

  private:
    std::optional<std::int64_t> numberAt(NodeIndex node) {
        const auto value = readValue(m_bytes, m_message.tree.nodes[node], m_scratch);
        if (!value || value->kind != FieldValue::Kind::Integer) return std::nullopt;
        return value->integer;
    }

    std::optional<std::int64_t> numberIn(NodeIndex parent, std::string_view name) {
        const NodeIndex node = m_message.tree.child(parent, name);
        return node == noNode ? std::nullopt : numberAt(node);
    }

    FetchedTopic topicOf(NodeIndex topic) {
        FetchedTopic result;
        for (const char* field : {"topic", "topicId"}) {
            const NodeIndex node = m_message.tree.child(topic, field);
            const auto value =
                node == noNode ? std::nullopt : readValue(m_bytes, m_message.tree.nodes[node], m_scratch);
            if (!value) continue;
            if (value->kind == FieldValue::Kind::Text)
                result.name.assign(value->bytes.begin(), value->bytes.end());
            else if (value->bytes.size() == result.id.size())
                std::ranges::copy(value->bytes, result.id.begin());
        }
        return result;
    }

    const ByteChain& m_bytes;
    const DecodedMessage& m_message;
    std::vector<std::uint8_t> m_scratch;
};

std::size_t sizeOf(const FetchedPartitions& partitions) {
    std::size_t size = 0;
    for (const auto& [topic, numbers] : partitions)
        size += numbers.size();
    return size;
}

// First what is added, then what is forgotten, as brokers do.
void change(FetchedPartitions& partitions, const FetchedPartitions& added, const FetchedPartitions& forgotten) {
    for (const auto& [topic, numbers] : added)
        partitions[topic].insert(numbers.begin(), numbers.end());
    for (const auto& [topic, numbers] : forgotten) {
        const auto at = partitions.find(topic);
        if (at == partitions.end()) continue;
        for (const std::int32_t number : numbers)
            at->second.erase(number);
        if (at->second.empty()) partitions.erase(at);
    }
}

} // namespace

std::optional<FetchScope> FetchSessions::follow(const Exchange& exchange) {
    if (!exchange.header || exchange.header->apiKey != fetchKey || !exchange.request) return std::nullopt;
    decodeMessage(m_protocol, exchange.request->bytes, exchange.requestContext(), m_message);
    if (m_message.body == noNode || !m_message.problems.empty()) return std::nullopt;
    FetchReader request(exchange.request->bytes, m_message);
    FetchScope scope;
    FetchedPartitions named, forgotten;
    request.partitions("topics", named);
    request.partitions("forgottenTopicsData", forgotten);
    scope.session = static_cast<std::int32_t>(request.number("sessionId").value_or(0));
    scope.epoch = static_cast<std::int32_t>(request.number("sessionEpoch").value_or(-1));
    const Key key{exchange.broker, scope.session};
    if (scope.incremental()) {
        const auto known = m_sessions.find(key);
        scope.complete = known != m_sessions.end() && known->second.complete;
        if (known != m_sessions.end()) scope.partitions = known->second.partitions;
        change(scope.partitions, named, forgotten);
    } else {
        scope.partitions = std::move(named);
    }
    const std::optional<Answer> answer = answerOf(exchange);
    // A full request ends the session that it names, whatever comes; one that the broker refused is over too.
    if (!scope.incremental() || (answer && answer->error != 0)) drop(key);
    if (!answer || answer->error != 0) return scope;
    if (scope.incremental())
        put(key, scope);
    else if (scope.epoch == 0 && answer->session != 0)
        put({exchange.broker, answer->session}, scope);
    if (scope.epoch == 0) scope.session = answer->session;
    return scope;
}

std::optional<FetchSessions::Answer> FetchSessions::answerOf(const Exchange& exchange) {
    if (!exchange.response) return std::nullopt;
    decodeMessage(m_protocol, exchange.response->bytes, exchange.responseContext(), m_message);
    if (m_message.body == noNode) return std::nullopt;
    FetchReader response(exchange.response->bytes, m_message);
    const auto session = response.number("sessionId");
    const auto error = response.number("errorCode");
    if (!session || !error) return std::nullopt;
    return Answer{static_cast<std::int16_t>(*error), static_cast<std::int32_t>(*session)};
}

void FetchSessions::put(const Key& key, const FetchScope& scope) {
    drop(key);
    const std::size_t size = sizeOf(scope.partitions);
    if (size > mostPartitions) return;
    while (m_sessions.size() >= mostSessions || m_partitions + size > mostPartitions)
        drop(Key(m_ages.front()));
    Session& session = m_sessions[key];
    session.partitions = scope.partitions;
    session.complete = scope.complete;
    session.age = m_ages.insert(m_ages.end(), key);
    m_partitions += size;
}

void FetchSessions::drop(const Key& key) {
    const auto at = m_sessions.find(key);
    if (at == m_sessions.end()) return;
    m_partitions -= sizeOf(at->second.partitions);
    m_ages.erase(at->second.age);
    m_sessions.erase(at);
}

} // namespace brokerscope
