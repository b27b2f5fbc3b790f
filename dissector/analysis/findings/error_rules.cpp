// SPDX-License-Identifier: Apache-2.0
// Error codes of answers, by what they mean for people. Which code is which finding, and how many of it belong to
// normal life, is the table below; topics that were unknown are told apart by whether they were found later.
#include "dissector/analysis/findings/finding_rule.h"

#include <fmt/format.h>

#include <array>
#include <tuple>

namespace brokerscope {
namespace {

using enum FindingId;

struct CodeRow {
    std::int16_t code;
    FindingId id;
    std::uint64_t usual = 0; // up to so many of one client are only a note
};

constexpr std::uint64_t always = ~std::uint64_t{0}; // never more than a note

// Not here, because they are steps of the protocol: REBALANCE_IN_PROGRESS (27), MEMBER_ID_REQUIRED (79).
constexpr auto codes = std::to_array<CodeRow>({
    {-1, ServerError},
    {1, OffsetOutOfRange},
    {2, CorruptMessage},
    {4, InvalidRequest},
    {5, LeaderNotAvailable, 5},
    {6, NotLeader, 2},
    {7, RequestTimedOut},
    {8, LeaderNotAvailable, 5},
    {9, NotLeader, 2},
    {10, MessageTooLarge},
    {11, StaleLeaderEpoch, 3},
    {12, InvalidRequest},
    {13, ServerError},
    {14, NotCoordinator, 20},
    {15, NotCoordinator, 20},
    {16, NotCoordinator, 20},
    {17, InvalidTopic},
    {18, MessageTooLarge},
    {19, NotEnoughReplicas},
    {20, NotEnoughReplicas},
    {21, InvalidRequest},
    {22, MemberThrownOut},
    {23, GroupRefused},
    {24, GroupRefused},
    {25, MemberThrownOut},
    {26, GroupRefused},
    {28, InvalidRequest},
    {29, AuthorizationFailed},
    {30, AuthorizationFailed},
    {31, AuthorizationFailed},
    {32, InvalidRecord},
    {33, SaslMechanismRefused},
    {34, SaslStateWrong},
    {35, UnsupportedVersion},
    {36, RequestRefused, always},
    {37, RequestRefused},
    {38, RequestRefused},
    {39, RequestRefused},
    {40, RequestRefused},
    {41, NotController, 3},
    {42, InvalidRequest},
    {43, OldRecordFormat},
    {44, RequestRefused},
    {45, OutOfOrderSequence},
    {46, DuplicateBatch},
    {47, FencedProducer},
    {48, InvalidTxnState},
    {49, InvalidTxnState},
    {50, InvalidTxnState},
    {51, ConcurrentTransactions, 30},
    {52, InvalidTxnState},
    {53, AuthorizationFailed},
    {54, RequestRefused},
    {55, RequestRefused, always},
    {56, StorageError},
    {57, StorageError},
    {58, SaslFailed},
    {59, UnknownProducerId},
    {60, RequestRefused},
    {61, RequestRefused},
    {62, RequestRefused},
    {63, RequestRefused},
    {64, RequestRefused},
    {65, AuthorizationFailed},
    {66, SaslFailed},
    {67, RequestRefused},
    {68, RequestRefused},
    {69, RequestRefused},
    {70, FetchSessionLost, 3},
    {71, FetchSessionLost, 3},
    {72, ListenerMissing},
    {73, RequestRefused},
    {74, StaleLeaderEpoch, 3},
    {75, StaleLeaderEpoch, 3},
    {76, OldRecordFormat},
    {77, StaleLeaderEpoch, 3},
    {78, StaleLeaderEpoch, 5},
    {80, RequestRefused},
    {81, GroupRefused},
    {82, MemberFenced},
    {83, RequestRefused},
    {84, RequestRefused, always},
    {85, RequestRefused, always},
    {86, RequestRefused},
    {87, InvalidRecord},
    {88, ConcurrentTransactions, 10},
    {89, Throttled},
    {90, FencedProducer},
    {91, RequestRefused},
    {92, RequestRefused},
    {93, RequestRefused},
    {95, RequestRefused},
    {96, RequestRefused},
    {103, UnknownTopic, 3},
    {105, RequestRefused},
    {106, FetchSessionLost, 3},
    {110, MemberFenced},
    {111, MemberFenced},
    {112, GroupRefused},
    {113, MemberThrownOut, 2},
    {117, OtherError, always},
    {118, OtherError, always},
    {120, TransactionAbortable},
    {121, ShareRecordState},
    {122, ShareSessionLost, 2},
    {123, ShareSessionLost, 2},
    {124, ShareRecordState},
    {128, GroupRefused},
    {129, RebootstrapRequired},
    {130, StreamsTopology},
    {131, StreamsTopology},
    {132, StreamsTopology},
    {133, ShareSessionLost},
    {134, RequestRefused},
    {135, StreamsTopology},
});

constexpr std::int16_t unknownTopic = 3, rebalanceInProgress = 27, memberIdRequired = 79, unknownTopicId = 100;

std::optional<CodeRow> rowOf(std::int16_t code) {
    if (code == rebalanceInProgress || code == memberIdRequired) return std::nullopt;
    for (const CodeRow& row : codes)
        if (row.code == code) return row;
    return CodeRow{code, OtherError};
}

// The topic, group or other thing that an error belongs to: named beside it or further out.
std::string namedBy(const SeenExchange& seen, const DecodedMessage& message, const ByteChain& bytes, NodeIndex error) {
    const auto& nodes = message.tree.nodes;
    for (NodeIndex outer = nodes[error].parent; outer != noNode; outer = nodes[outer].parent) {
        if (nodes[outer].isArray()) continue;
        const FieldView view(message, bytes, outer);
        if (std::string topic = seen.topicOf(view); !topic.empty()) return topic;
        for (const std::string_view field : {"groupId", "transactionalId", "resourceName", "topicName"})
            if (std::string text = view[field].text(); !text.empty()) return text;
    }
    const Skim& request = seen.facts().request;
    if (!request.transactionalId.empty()) return request.transactionalId;
    if (!request.group.empty()) return request.group;
    return request.topicCount == 1 && !request.topics.empty() ? request.topics.front() : std::string();
}

template<class Visit>
void eachError(SeenExchange& seen, const Visit& visit) {
    const DecodedMessage& message = seen.decodedResponse();
    const ByteChain& bytes = seen.exchange().response->bytes;
    for (NodeIndex i = 0; i < message.tree.nodes.size(); ++i) {
        const FieldNode& node = message.tree.nodes[i];
        if (!node.isValue() || !node.field->schema || node.field->schema->semantic != Semantic::Error) continue;
        const std::int64_t code = FieldView(message, bytes, i).number(0);
        if (code != 0) visit(static_cast<std::int16_t>(code), namedBy(seen, message, bytes, i));
    }
}

// What one client got of one code.
struct ErrorTally {
    Occurrences occurrences;
    FewTexts apis, brokers, names;
};

std::string sentence(std::string_view code, const ErrorTally& tally) {
    std::string text = fmt::format("{} in {} ({}) from {}", code, counted(tally.occurrences.count, "answer"),
                                   tally.apis.joined(), tally.brokers.joined());
    if (!tally.names.empty()) text += ": " + tally.names.joined();
    if (tally.occurrences.count > 1) text += ", within " + spanWords(tally.occurrences.span());
    return text;
}

std::string codeName(const Protocol& protocol, std::int16_t code) {
    const ErrorCode* error = protocol.error(code);
    return error ? error->name : fmt::format("error {}", code);
}

class ErrorRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        if (seen.facts().response.errors.empty()) return;
        std::int16_t last = 0;
        eachError(seen, [&](std::int16_t code, const std::string& name) {
            if (code == unknownTopic || code == unknownTopicId || !rowOf(code)) return;
            m_protocol = &seen.protocol();
            Tally* tally = m_tallies[{code, seen.client()}];
            if (!tally) return;
            if (code != last) tally->occurrences.add(seen.exchange());
            last = code;
            tally->apis.add(seen.apiName());
            tally->brokers.add(seen.broker());
            tally->names.add(name);
            tally->ofApiVersions = seen.is(apikey::ApiVersions);
        });
    }

    void finish(FindingReport& report) override {
        for (auto& [key, tally] : m_tallies) {
            const CodeRow row = *rowOf(key.first);
            const bool expected = tally.occurrences.count <= row.usual || tally.ofApiVersions;
            report.add(row.id, key.second, sentence(codeName(*m_protocol, key.first), tally), tally.occurrences,
                       expected ? std::optional(Severity::Note) : std::nullopt);
        }
    }

  private:
    struct Tally : ErrorTally {
        bool ofApiVersions = false; // the usual way to find out a version
    };
    Slots<std::pair<std::int16_t, std::string>, Tally> m_tallies;
    const Protocol* m_protocol = nullptr;
};

// A topic that is made on demand is unknown at first: only those that stay unknown are a warning.
class UnknownTopicRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport&) override {
        if (!seen.exchange().response) return;
        if (seen.is(apikey::Metadata)) noteKnown(seen);
        if (seen.facts().response.errors.empty()) return;
        eachError(seen, [&](std::int16_t code, const std::string& name) {
            if (code != unknownTopic && code != unknownTopicId) return;
            m_protocol = &seen.protocol();
            Topic* topic = m_topics[name];
            if (!topic) return;
            topic->tally.occurrences.add(seen.exchange());
            topic->tally.apis.add(seen.apiName());
            topic->tally.brokers.add(seen.broker());
            topic->clients.add(seen.client());
            topic->code = code;
            topic->foundLater = false;
        });
    }

    void finish(FindingReport& report) override {
        for (auto& [name, topic] : m_topics) {
            if (topic.tally.occurrences.count == 0) continue;
            std::string text = fmt::format("{}, for {}", sentence(codeName(*m_protocol, topic.code), topic.tally),
                                           topic.clients.joined());
            if (topic.foundLater) text += "; it was found later";
            report.add(UnknownTopic, name.empty() ? "a topic" : fmt::format("topic \"{}\"", name), std::move(text),
                       topic.tally.occurrences, topic.foundLater ? std::optional(Severity::Note) : std::nullopt);
        }
    }

  private:
    struct Topic {
        ErrorTally tally;
        FewTexts clients;
        std::int16_t code = 0;
        bool foundLater = false;
    };

    void noteKnown(SeenExchange& seen) {
        for (const FieldView& entry : seen.response()["topics"].entries()) {
            if (entry["errorCode"].number(0) != 0) continue;
            if (Topic* topic = m_topics.find(seen.topicOf(entry))) topic->foundLater = true;
        }
    }

    Slots<std::string, Topic> m_topics;
    const Protocol* m_protocol = nullptr;
};

} // namespace

void addErrorRules(FindingRules& rules) {
    rules.push_back(std::make_unique<ErrorRule>());
    rules.push_back(std::make_unique<UnknownTopicRule>());
}

} // namespace brokerscope
