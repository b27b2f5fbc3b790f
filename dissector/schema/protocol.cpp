// SPDX-License-Identifier: Apache-2.0
#include "dissector/schema/protocol.h"

#include "dissector/schema/builtin_schemas.h"
#include "dissector/schema/schema_words.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

namespace brokerscope {

namespace {

// Plans of one message by version; an entry is written once and read without a lock.
struct PlanSlots {
    const SchemaMessage* message = nullptr;
    std::unique_ptr<std::atomic<const Plan*>[]> plans;
};

struct ApiEntry {
    const Api* api = nullptr;
    PlanSlots* request = nullptr;
    PlanSlots* response = nullptr;
};

// "api_versions", "ApiVersions" and "API-VERSIONS" are one name.
std::string spelling(std::string_view name) {
    std::string result;
    for (const char c : name) {
        if (c >= 'A' && c <= 'Z')
            result += static_cast<char>(c - 'A' + 'a');
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            result += c;
    }
    return result;
}

std::string joined(const std::vector<SchemaError>& errors) {
    std::string result;
    for (const SchemaError& error : errors) {
        if (!result.empty()) result += '\n';
        result += toString(error);
    }
    return result;
}

} // namespace

struct Protocol::Content {
    ParsedSchema schema;
    std::vector<PlanSlots> slots; // one a message, in the order of schema.messages
    std::vector<ApiEntry> byKey;  // index: the key
    std::vector<const Api*> apis;
    std::unordered_map<std::string, const Api*> byName;
    std::unordered_map<std::string_view, PlanSlots*> nested;
    std::map<std::pair<std::string_view, std::int16_t>, const SchemaMessage*> byRecordType;
    std::unordered_map<std::string_view, const Enumeration*> enumerations;
    PlanSlots* requestHeader = nullptr;
    PlanSlots* responseHeader = nullptr;

    std::mutex compiling;
    std::deque<Plan> plans;

    void index();
    void indexApi(const Api& api, const std::unordered_map<const SchemaMessage*, PlanSlots*>& slotOf);
    const Plan* plan(PlanSlots& slot, std::int16_t version);
    const Plan* compile(const SchemaMessage& message, std::int16_t version);
};

void Protocol::Content::index() {
    std::unordered_map<const SchemaMessage*, PlanSlots*> slotOf;
    slots.reserve(schema.messages.size());
    for (const SchemaMessage& message : schema.messages) {
        const auto count = static_cast<std::size_t>(message.versions.last - message.versions.first + 1);
        PlanSlots& slot = slots.emplace_back();
        slot.message = &message;
        slot.plans = std::make_unique<std::atomic<const Plan*>[]>(count);
        slotOf[&message] = &slot;
        if (message.kind == MessageKind::Nested) nested[message.name] = &slot;
        for (const std::int16_t type : message.recordTypes)
            byRecordType[{message.family, type}] = &message;
        if (message.kind == MessageKind::Header)
            (message.name == "RequestHeader" ? requestHeader : responseHeader) = &slot;
    }
    for (const Api& api : schema.apis)
        indexApi(api, slotOf);
    std::sort(apis.begin(), apis.end(), [](const Api* a, const Api* b) { return a->key < b->key; });
    for (const Enumeration& enumeration : schema.enumerations)
        enumerations[enumeration.name] = &enumeration;
    std::sort(schema.errors.begin(), schema.errors.end(),
              [](const ErrorCode& a, const ErrorCode& b) { return a.code < b.code; });
}

void Protocol::Content::indexApi(const Api& api, const std::unordered_map<const SchemaMessage*, PlanSlots*>& slotOf) {
    const auto key = static_cast<std::size_t>(api.key);
    if (byKey.size() <= key) byKey.resize(key + 1);
    byKey[key] = {&api, slotOf.at(api.request), slotOf.at(api.response)};
    apis.push_back(&api);
    byName[spelling(api.name)] = &api;
    for (const std::string& former : api.formerNames)
        byName.emplace(spelling(former), &api);
}

const Plan* Protocol::Content::plan(PlanSlots& slot, std::int16_t version) {
    const SchemaMessage& message = *slot.message;
    if (!message.versions.contains(version)) return nullptr;
    std::atomic<const Plan*>& place = slot.plans[static_cast<std::size_t>(version - message.versions.first)];
    if (const Plan* known = place.load(std::memory_order_acquire)) return known;
    const std::lock_guard lock(compiling);
    if (const Plan* known = place.load(std::memory_order_relaxed)) return known;
    const Plan* made = compile(message, version);
    place.store(made, std::memory_order_release);
    return made;
}

// The layout proper and, linked behind it, those of previews.
const Plan* Protocol::Content::compile(const SchemaMessage& message, std::int16_t version) {
    const Plan* next = nullptr;
    for (auto variant = message.variants.rbegin(); variant != message.variants.rend(); ++variant) {
        if (!variant->versions.contains(version)) continue;
        Plan& plan = plans.emplace_back(compilePlan(message, version, &*variant));
        plan.variant = next;
        next = &plan;
    }
    Plan& plan = plans.emplace_back(compilePlan(message, version));
    plan.variant = next;
    return &plan;
}

Protocol::Protocol(std::unique_ptr<Content> content) : m_content(std::move(content)) {
    m_content->index();
}

Protocol::~Protocol() = default;

const Protocol& Protocol::builtin() {
    static const Protocol protocol = [] {
        auto content = std::make_unique<Content>();
        std::vector<SchemaError> errors;
        for (const SchemaText& text : builtinSchemas())
            parseSchema(text, content->schema, errors);
        if (!errors.empty()) throw std::logic_error(joined(errors)); // a test parses the same text
        return Protocol(std::move(content));
    }();
    return protocol;
}

Result<std::unique_ptr<Protocol>> Protocol::withAdditions(std::string_view text, std::string_view fileName) {
    auto content = std::make_unique<Content>();
    std::vector<SchemaError> errors;
    for (const SchemaText& builtin : builtinSchemas())
        parseSchema(builtin, content->schema, errors);
    parseSchema({fileName, text}, content->schema, errors);
    checkReferences(content->schema, errors);
    if (!errors.empty()) return Error{joined(errors), std::string(fileName), {}};
    return std::unique_ptr<Protocol>(new Protocol(std::move(content)));
}

const Api* Protocol::api(std::int16_t key) const {
    const auto index = static_cast<std::size_t>(key);
    return key >= 0 && index < m_content->byKey.size() ? m_content->byKey[index].api : nullptr;
}

const Api* Protocol::apiByName(std::string_view anySpelling) const {
    if (const std::optional<std::int64_t> key = numberFromWord(anySpelling))
        return *key >= 0 && *key <= 32767 ? api(static_cast<std::int16_t>(*key)) : nullptr;
    const auto at = m_content->byName.find(spelling(anySpelling));
    return at == m_content->byName.end() ? nullptr : at->second;
}

const std::vector<const Api*>& Protocol::apis() const {
    return m_content->apis;
}

const Plan* Protocol::plan(std::int16_t apiKey, std::int16_t version, Direction direction) const {
    if (!api(apiKey)) return nullptr;
    const ApiEntry& entry = m_content->byKey[static_cast<std::size_t>(apiKey)];
    return m_content->plan(direction == Direction::Request ? *entry.request : *entry.response, version);
}

const Plan& Protocol::requestHeaderPlan(std::int16_t headerVersion) const {
    return *m_content->plan(*m_content->requestHeader, headerVersion);
}

const Plan& Protocol::responseHeaderPlan(std::int16_t headerVersion) const {
    return *m_content->plan(*m_content->responseHeader, headerVersion);
}

const SchemaMessage* Protocol::nested(std::string_view name) const {
    const auto at = m_content->nested.find(name);
    return at == m_content->nested.end() ? nullptr : at->second->message;
}

const SchemaMessage* Protocol::nestedByType(std::string_view family, std::int16_t recordType) const {
    const auto at = m_content->byRecordType.find({family, recordType});
    return at == m_content->byRecordType.end() ? nullptr : at->second;
}

std::vector<const SchemaMessage*> Protocol::nestedMessages() const {
    std::vector<const SchemaMessage*> result;
    for (const SchemaMessage& message : m_content->schema.messages)
        if (message.kind == MessageKind::Nested) result.push_back(&message);
    return result;
}

const Plan* Protocol::nestedPlan(std::string_view name, std::int16_t version) const {
    const auto at = m_content->nested.find(name);
    return at == m_content->nested.end() ? nullptr : m_content->plan(*at->second, version);
}

std::string_view Protocol::payloadTarget(PayloadRule::Place place, std::string_view name) const {
    const std::vector<PayloadRule>& rules = m_content->schema.payloads;
    const auto at =
        std::ranges::find_if(rules, [&](const PayloadRule& rule) { return rule.place == place && rule.name == name; });
    return at == rules.end() ? std::string_view() : std::string_view(at->target);
}

const ErrorCode* Protocol::error(std::int16_t code) const {
    const std::vector<ErrorCode>& all = m_content->schema.errors;
    const auto at = std::lower_bound(all.begin(), all.end(), code,
                                     [](const ErrorCode& row, std::int16_t wanted) { return row.code < wanted; });
    return at == all.end() || at->code != code ? nullptr : &*at;
}

const std::vector<ErrorCode>& Protocol::errors() const {
    return m_content->schema.errors;
}

std::string_view Protocol::enumName(std::string_view enumeration, std::int64_t value) const {
    const std::vector<EnumValue>* values = this->enumeration(enumeration);
    if (!values) return {};
    for (const EnumValue& row : *values)
        if (row.value == value) return row.name;
    return {};
}

const std::vector<EnumValue>* Protocol::enumeration(std::string_view name) const {
    const auto at = m_content->enumerations.find(name);
    return at == m_content->enumerations.end() ? nullptr : &at->second->values;
}

} // namespace brokerscope
