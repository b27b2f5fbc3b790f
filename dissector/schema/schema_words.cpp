// SPDX-License-Identifier: Apache-2.0
#include "dissector/schema/schema_words.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace brokerscope {

namespace {

struct SemanticWord {
    std::string_view word;
    Semantic semantic;
};

constexpr std::array<SemanticWord, 43> semanticWords{{
    {"acks", Semantic::Acks},
    {"address", Semantic::Address},
    {"apikey", Semantic::ApiKey},
    {"assignmentdata", Semantic::AssignmentData},
    {"bits", Semantic::BitField},
    {"bytes", Semantic::Size},
    {"config", Semantic::ConfigValue},
    {"dictionary", Semantic::Dictionary},
    {"epoch", Semantic::Epoch},
    {"error", Semantic::Error},
    {"errortext", Semantic::ErrorMessage},
    {"group", Semantic::Group},
    {"groupassignment", Semantic::GroupAssignment},
    {"groupmetadata", Semantic::GroupMetadata},
    {"groupprotocol", Semantic::GroupProtocol},
    {"groupprotocolname", Semantic::GroupProtocolName},
    {"host", Semantic::Host},
    {"index", Semantic::Index},
    {"maxwait", Semantic::MaxWait},
    {"mechanism", Semantic::Mechanism},
    {"member", Semantic::Member},
    {"minbytes", Semantic::MinBytes},
    {"ms", Semantic::Milliseconds},
    {"node", Semantic::NodeId},
    {"offset", Semantic::Offset},
    {"opens", Semantic::NestedMessage},
    {"partition", Semantic::Partition},
    {"port", Semantic::Port},
    {"producerid", Semantic::ProducerId},
    {"request", Semantic::EmbeddedRequest},
    {"response", Semantic::EmbeddedResponse},
    {"sasl", Semantic::SaslToken},
    {"secret", Semantic::Secret},
    {"software", Semantic::SoftwareName},
    {"softwareversion", Semantic::SoftwareVersion},
    {"subscriptiondata", Semantic::SubscriptionData},
    {"telemetry", Semantic::Telemetry},
    {"throttle", Semantic::ThrottleTime},
    {"time", Semantic::Time},
    {"topic", Semantic::Topic},
    {"topicid", Semantic::TopicId},
    {"txnid", Semantic::TransactionalId},
    {"unordered", Semantic::Unordered},
}};
static_assert(std::is_sorted(semanticWords.begin(), semanticWords.end(),
                             [](const SemanticWord& a, const SemanticWord& b) { return a.word < b.word; }));

bool isUpper(char c) {
    return c >= 'A' && c <= 'Z';
}

} // namespace

std::optional<FieldType> typeFromWord(std::string_view word) {
    static constexpr std::array<std::pair<std::string_view, FieldType>, 14> words{{
        {"i32", FieldType::Int32},
        {"string", FieldType::String},
        {"i16", FieldType::Int16},
        {"i64", FieldType::Int64},
        {"uuid", FieldType::Uuid},
        {"bool", FieldType::Bool},
        {"i8", FieldType::Int8},
        {"bytes", FieldType::Bytes},
        {"u16", FieldType::Uint16},
        {"records", FieldType::Records},
        {"f64", FieldType::Float64},
        {"u32", FieldType::Uint32},
        {"javatext", FieldType::JavaText},
        {"utf16", FieldType::Utf16},
    }}; // the frequent ones first
    for (const auto& [text, type] : words)
        if (text == word) return type;
    return std::nullopt;
}

std::optional<Semantic> semanticFromWord(std::string_view word) {
    const auto at = std::lower_bound(semanticWords.begin(), semanticWords.end(), word,
                                     [](const SemanticWord& row, std::string_view text) { return row.word < text; });
    if (at == semanticWords.end() || at->word != word) return std::nullopt;
    return at->semantic;
}

std::string_view wordOf(Semantic semantic) {
    for (const SemanticWord& row : semanticWords)
        if (row.semantic == semantic) return row.word;
    return {};
}

std::optional<PayloadRule::Place> payloadPlaceFromWord(std::string_view word) {
    using enum PayloadRule::Place;
    static constexpr std::array<std::pair<std::string_view, PayloadRule::Place>, 6> words{{
        {"groupmetadata", GroupMetadata},
        {"groupassignment", GroupAssignment},
        {"subscriptiondata", SubscriptionData},
        {"assignmentdata", AssignmentData},
        {"key", RecordKey},
        {"value", RecordValue},
    }};
    for (const auto& [text, place] : words)
        if (text == word) return place;
    return std::nullopt;
}

std::optional<Lead> leadFromWord(std::string_view word) {
    if (word == "version") return Lead::Version;
    if (word == "type") return Lead::RecordType;
    if (word == "frame") return Lead::Frame;
    return std::nullopt;
}

std::string jsonNameOf(std::string_view kafkaName) {
    std::string result(kafkaName);
    if (!result.empty() && isUpper(result[0])) result[0] = static_cast<char>(result[0] - 'A' + 'a');
    return result;
}

std::string enumNameOf(std::string_view apiName) {
    std::string result;
    for (const char c : apiName) {
        if (isUpper(c) && !result.empty()) result += '_';
        result += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return result;
}

std::optional<std::int64_t> numberFromWord(std::string_view word) {
    int base = 10;
    if (word.starts_with("0x")) {
        word.remove_prefix(2);
        base = 16;
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
}

} // namespace brokerscope
