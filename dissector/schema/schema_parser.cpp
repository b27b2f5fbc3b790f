// SPDX-License-Identifier: Apache-2.0
#include "dissector/schema/schema_parser.h"

#include "dissector/schema/schema_check.h"
#include "dissector/schema/schema_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

namespace {

struct Token {
    std::string_view text;
    std::uint32_t column = 0; // from 1
};

// Splits one line at a time and remembers where it is, for errors.
class Line {
  public:
    void set(std::string_view text) {
        m_indent = static_cast<std::uint32_t>(std::min(text.find_first_not_of(' '), text.size()));
        m_tokens.clear();
        m_note = {};
        for (std::size_t at = m_indent; at < text.size();) {
            const std::size_t end = std::min(text.find(' ', at), text.size());
            const Token token{text.substr(at, end - at), static_cast<std::uint32_t>(at + 1)};
            if (token.text == "--") {
                m_isNote = m_tokens.empty();
                m_note = text.substr(std::min(end + 1, text.size()));
                m_endColumn = token.column;
                m_next = 0;
                return;
            }
            m_tokens.push_back(token);
            at = std::min(text.find_first_not_of(' ', end), text.size());
        }
        m_isNote = false;
        m_endColumn = static_cast<std::uint32_t>(text.size() + 1);
        m_next = 0;
    }
    std::uint32_t indent() const { return m_indent; }
    bool empty() const { return m_tokens.empty() && !m_isNote; }
    bool isNote() const { return m_isNote; } // nothing but "-- text"
    std::string_view note() const { return m_note; }
    bool more() const { return m_next < m_tokens.size(); }
    Token next() { return more() ? m_tokens[m_next++] : Token{{}, m_endColumn}; }
    Token peek() const { return more() ? m_tokens[m_next] : Token{{}, m_endColumn}; }

  private:
    std::vector<Token> m_tokens;
    std::string_view m_note;
    std::uint32_t m_indent = 0, m_endColumn = 1;
    std::size_t m_next = 0;
    bool m_isNote = false;
};

class SchemaParser {
  public:
    SchemaParser(const SchemaText& text, ParsedSchema& schema, std::vector<SchemaError>& errors)
        : m_text(text), m_schema(schema), m_errors(errors) {}

    void run();

  private:
    // Statements, at the beginning of a line.
    void statement();
    void api();
    void releases();
    void section(MessageKind kind);
    void sectionWords(MessageKind kind);
    void message(MessageKind kind);
    void variant();
    void error();
    void enumeration();
    void payload();
    // Lines inside a statement.
    void inside();
    void field();
    void fieldType(SchemaField& field, VersionRange outer);
    void fieldWords(SchemaField& field);
    void semantic(SchemaField& field, Token token);
    void enumValue();
    void continueNote();

    void beginFields(std::vector<SchemaField>& fields, VersionRange versions, VersionRange flexible);
    void finishFields();
    void finishApi();
    VersionRange range(Token token, std::string_view text, VersionRange outer);
    std::int64_t number(Token token, std::int64_t least, std::int64_t most);
    std::string nameWord(std::string_view what);
    void refer(Token token, std::string_view name, SchemaReference::To to);
    void expectEnd();
    void complain(const Token& token, std::string text) { complainAt(m_lineNumber, token.column, std::move(text)); }
    void complainAt(std::uint32_t line, std::uint32_t column, std::string text) {
        m_errors.push_back({std::string(m_text.file), line, column, std::move(text)});
    }

    struct Level {
        std::uint32_t indent;
        SchemaField* field;
    };

    const SchemaText& m_text;
    ParsedSchema& m_schema;
    std::vector<SchemaError>& m_errors;
    Line m_line;
    std::uint32_t m_lineNumber = 0, m_statementLine = 0;

    Api* m_api = nullptr;                         // the api that request and response lines belong to
    SchemaMessage* m_message = nullptr;           // the message that variant lines belong to
    std::vector<SchemaField>* m_fields = nullptr; // where field lines go; null: none expected
    VersionRange m_versions, m_flexible;          // of m_fields
    std::vector<Level> m_levels;                  // the fields whose children may follow
    Enumeration* m_enumeration = nullptr;
    std::string* m_note = nullptr; // what a "--" line continues
};

void SchemaParser::run() {
    std::string_view rest = m_text.text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        ++m_lineNumber;
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (const std::size_t tab = line.find('\t'); tab != line.npos) {
            complainAt(m_lineNumber, static_cast<std::uint32_t>(tab + 1), "tabs are not allowed, indent with spaces");
            continue;
        }
        m_line.set(line);
        if (m_line.empty()) continue;
        if (m_line.isNote()) {
            if (m_line.indent() > 0) continueNote(); // at the margin it is a comment
        } else if (m_line.indent() > 0) {
            inside();
        } else {
            statement();
        }
    }
    finishFields();
    finishApi();
}

void SchemaParser::statement() {
    finishFields();
    m_statementLine = m_lineNumber;
    m_enumeration = nullptr;
    m_note = nullptr;
    const Token word = m_line.next();
    if (word.text == "request") return section(MessageKind::Request);
    if (word.text == "response") return section(MessageKind::Response);
    if (word.text == "variant") return variant();
    finishApi();
    m_message = nullptr;
    if (word.text == "api") return api();
    if (word.text == "message") return message(MessageKind::Nested);
    if (word.text == "header") return message(MessageKind::Header);
    if (word.text == "error") return error();
    if (word.text == "enum") return enumeration();
    if (word.text == "payload") return payload();
    complain(word, fmt::format("\"{}\" is no statement; expected api, request, response, variant, message, header, "
                               "error, enum or payload",
                               word.text));
}

// api 1 Fetch 0-18 flex 12+ was OldName
void SchemaParser::api() {
    Api api;
    api.key = static_cast<std::int16_t>(number(m_line.next(), 0, 32767));
    api.name = nameWord("the name of the API");
    api.enumName = enumNameOf(api.name);
    const Token versions = m_line.next();
    api.versions = range(versions, versions.text, {0, VersionRange::open});
    while (m_line.more()) {
        const Token word = m_line.next();
        const Token value = m_line.next();
        if (word.text == "flex") {
            api.flexible = range(value, value.text, {0, VersionRange::open});
        } else if (word.text == "was" && !value.text.empty()) {
            api.formerNames.emplace_back(value.text);
        } else {
            complain(word, fmt::format("\"{}\" does not belong here; expected flex VERSIONS or was NAME", word.text));
        }
    }
    const auto same = std::find_if(m_schema.apis.begin(), m_schema.apis.end(),
                                   [&](const Api& other) { return other.key == api.key; });
    m_api = same == m_schema.apis.end() ? &m_schema.apis.emplace_back() : &*same;
    *m_api = std::move(api);
    m_api->note = m_line.note();
    m_note = &m_api->note;
}

// releases 2.2 0-7, 2.4 0-8, 4.0 none
void SchemaParser::releases() {
    const Token word = m_line.next();
    if (word.text != "releases") return complain(word, "expected releases, a note or request");
    while (m_line.more()) {
        ReleaseRange& release = m_api->releases.emplace_back();
        release.release = m_line.next().text;
        const Token versions = m_line.next();
        std::string_view text = versions.text;
        if (text.ends_with(',')) text.remove_suffix(1);
        release.versions = range(versions, text, m_api->versions);
    }
}

// request header 0 @0 / response header 0 fallback 0 error 35
void SchemaParser::section(MessageKind kind) {
    if (!m_api) return complain({{}, 1}, "request and response follow an api line");
    const SchemaMessage*& place = kind == MessageKind::Request ? m_api->request : m_api->response;
    if (place) complain({{}, 1}, fmt::format("{} has this part already", m_api->name));
    m_message = &m_schema.messages.emplace_back();
    place = m_message;
    m_message->name = m_api->name;
    m_message->kind = kind;
    m_message->apiKey = m_api->key;
    m_message->versions = m_api->versions;
    m_message->flexible = m_api->flexible;
    sectionWords(kind);
    beginFields(m_message->fields, m_api->versions, m_api->flexible);
}

void SchemaParser::sectionWords(MessageKind kind) {
    while (m_line.more()) {
        const Token word = m_line.next();
        const Token value = m_line.next();
        if (word.text == "header") {
            Api::HeaderException exception{m_api->versions, static_cast<std::int16_t>(number(value, 0, 2))};
            exception.versions.last = VersionRange::open;
            if (m_line.peek().text.starts_with('@')) {
                const Token at = m_line.next();
                exception.versions = range(at, at.text.substr(1), m_api->versions);
            }
            (kind == MessageKind::Request ? m_api->requestException : m_api->responseException) = exception;
        } else if (word.text == "fallback" && kind == MessageKind::Response) {
            m_api->fallbackVersion = static_cast<std::int16_t>(number(value, 0, 32767));
        } else if (word.text == "error" && kind == MessageKind::Response) {
            m_api->fallbackError = static_cast<std::int16_t>(number(value, -32768, 32767));
        } else {
            complain(word, fmt::format("\"{}\" does not belong here; expected header, fallback or error", word.text));
        }
    }
}

// message OffsetCommitValue 0-4 flex 4+ after version in offsets-value 1
void SchemaParser::message(MessageKind kind) {
    m_message = &m_schema.messages.emplace_back();
    m_message->kind = kind;
    m_message->name = nameWord("the name of the message");
    const Token versions = m_line.next();
    m_message->versions = range(versions, versions.text, {0, VersionRange::open});
    while (m_line.more()) {
        const Token word = m_line.next();
        const Token value = m_line.next();
        if (word.text == "flex") {
            m_message->flexible = range(value, value.text, {0, VersionRange::open});
        } else if (word.text == "after") {
            const std::optional<Lead> lead = leadFromWord(value.text);
            if (!lead) complain(value, "expected version, type or frame");
            m_message->lead = lead.value_or(Lead::None);
        } else if (word.text == "in") {
            m_message->family = value.text;
            const Token types = m_line.next();
            for (std::string_view rest = types.text;;) {
                const std::size_t comma = std::min(rest.find(','), rest.size());
                m_message->recordTypes.push_back(
                    static_cast<std::int16_t>(number({rest.substr(0, comma), types.column}, 0, 32767)));
                if (comma == rest.size()) break;
                rest.remove_prefix(comma + 1);
            }
            m_message->apiKey = m_message->recordTypes.front();
        } else {
            complain(word, fmt::format("\"{}\" does not belong here; expected flex, after or in", word.text));
        }
    }
    m_message->note = m_line.note();
    beginFields(m_message->fields, m_message->versions, m_message->flexible);
    m_note = &m_message->note;
}

// variant 0 seen 3.5-3.6 [flex 0+|none]
void SchemaParser::variant() {
    if (!m_message) return complain({{}, 1}, "a variant follows the request, response or message that it varies");
    SchemaMessage::Variant& variant = m_message->variants.emplace_back();
    const Token versions = m_line.next();
    variant.versions = range(versions, versions.text, m_message->versions);
    variant.flexible = m_message->flexible;
    while (m_line.more()) {
        const Token word = m_line.next();
        const Token value = m_line.next();
        if (word.text == "seen" && !value.text.empty()) {
            variant.seenIn = value.text;
        } else if (word.text == "flex") {
            variant.flexible = range(value, value.text, {0, VersionRange::open});
        } else {
            complain(word, fmt::format("\"{}\" does not belong here; expected seen RELEASES or flex", word.text));
        }
    }
    if (variant.seenIn.empty()) complain(m_line.next(), "a variant says which releases wrote it: seen 3.5-3.6");
    beginFields(variant.fields, variant.versions, variant.flexible);
}

// error 3 UNKNOWN_TOPIC_OR_PARTITION retriable -- What it means.
void SchemaParser::error() {
    ErrorCode code;
    code.code = static_cast<std::int16_t>(number(m_line.next(), -32768, 32767));
    code.name = nameWord("the name of the error");
    if (m_line.peek().text == "retriable") {
        m_line.next();
        code.retriable = true;
    }
    code.meaning = m_line.note();
    expectEnd();
    const auto same = std::find_if(m_schema.errors.begin(), m_schema.errors.end(),
                                   [&](const ErrorCode& other) { return other.code == code.code; });
    ErrorCode& place = same == m_schema.errors.end() ? m_schema.errors.emplace_back() : *same;
    place = std::move(code);
    m_note = &place.meaning;
}

void SchemaParser::enumeration() {
    std::string name = nameWord("the name of the enumeration");
    expectEnd();
    const auto same = std::find_if(m_schema.enumerations.begin(), m_schema.enumerations.end(),
                                   [&](const Enumeration& other) { return other.name == name; });
    m_enumeration = same == m_schema.enumerations.end() ? &m_schema.enumerations.emplace_back() : &*same;
    m_enumeration->name = std::move(name);
    m_enumeration->values.clear();
}

// payload groupmetadata consumer ConsumerProtocolSubscription
void SchemaParser::payload() {
    const Token place = m_line.next();
    const std::optional<PayloadRule::Place> known = payloadPlaceFromWord(place.text);
    if (!known)
        complain(place, "expected key, value, groupmetadata, groupassignment, subscriptiondata or assignmentdata");
    PayloadRule rule;
    rule.place = known.value_or(PayloadRule::Place::RecordValue);
    rule.name = nameWord("the name of the topic or protocol");
    const Token target = m_line.next();
    if (target.text.empty()) return complain(target, "the name of the message is missing");
    rule.target = target.text;
    refer(target, target.text, SchemaReference::To::Payload);
    expectEnd();
    const auto same = std::find_if(m_schema.payloads.begin(), m_schema.payloads.end(), [&](const PayloadRule& other) {
        return other.place == rule.place && other.name == rule.name;
    });
    (same == m_schema.payloads.end() ? m_schema.payloads.emplace_back() : *same) = std::move(rule);
}

void SchemaParser::inside() {
    if (m_fields) return field();
    if (m_enumeration) return enumValue();
    if (m_api) return releases();
    complain({{}, m_line.indent() + 1}, "nothing may be indented here");
}

// 12 NAME -- note
void SchemaParser::enumValue() {
    EnumValue& value = m_enumeration->values.emplace_back();
    value.value = number(m_line.next(), std::numeric_limits<std::int64_t>::min(), VersionRange::open);
    value.name = nameWord("the name of the value");
    value.note = m_line.note();
    expectEnd();
    m_note = &value.note;
}

// Name: type @versions #tag = default ~semantic -- note
void SchemaParser::field() {
    const Token name = m_line.next();
    while (!m_levels.empty() && m_levels.back().indent >= m_line.indent())
        m_levels.pop_back();
    SchemaField* parent = m_levels.empty() ? nullptr : m_levels.back().field;
    if (parent && parent->type != FieldType::Struct) {
        complain(name, fmt::format("{} is no struct and can have no fields", parent->name));
        return;
    }
    std::vector<SchemaField>& siblings = parent ? parent->children : *m_fields;
    const VersionRange outer = parent ? parent->versions : m_versions;

    SchemaField& field = siblings.emplace_back();
    if (!name.text.ends_with(':') || name.text.size() < 2)
        complain(name, fmt::format("expected \"Name: type\", found \"{}\"", name.text));
    field.name = name.text.substr(0, name.text.size() - name.text.ends_with(':'));
    field.jsonName = jsonNameOf(field.name);
    fieldType(field, outer);
    fieldWords(field);
    field.note = m_line.note();
    m_note = &field.note;
    m_levels.push_back({m_line.indent(), &field});
    if (m_levels.size() > 60) complain(name, "structs are nested too deep");
}

void SchemaParser::fieldType(SchemaField& field, VersionRange outer) {
    const Token token = m_line.next();
    std::string_view text = token.text;
    if (text.empty()) return complain(token, "the type is missing");
    field.versions = outer;
    if (m_line.peek().text.starts_with('@')) {
        const Token at = m_line.next();
        field.versions = range(at, at.text.substr(1), outer);
    }
    field.isArray = text.starts_with("[]");
    if (field.isArray) text.remove_prefix(2);
    if (const std::size_t mark = text.find('?'); mark != text.npos) {
        const std::string_view where = text.substr(mark + 1);
        field.nullable = where.empty() ? field.versions : range(token, where, field.versions);
        text = text.substr(0, mark);
    }
    if (field.isArray ? text.empty() : text == "{}") return; // a struct, as FieldType is from the start
    const std::optional<FieldType> type = typeFromWord(text);
    field.type = type.value_or(FieldType::Bytes);
    if (!type) complain(token, fmt::format("there is no type \"{}\"", text));
}

void SchemaParser::fieldWords(SchemaField& field) {
    while (m_line.more()) {
        const Token token = m_line.next();
        if (token.text.starts_with('#')) {
            field.tag = static_cast<std::int32_t>(number({token.text.substr(1), token.column}, 0, 1 << 20));
        } else if (token.text == "=") {
            field.defaultText = m_line.next().text;
        } else if (token.text.starts_with('~')) {
            semantic(field, token);
        } else if (token.text == "plain") {
            field.neverCompact = true;
        } else {
            complain(token, fmt::format("\"{}\" is not understood; expected @versions (behind the type), #tag, "
                                        "= default, ~meaning, plain or -- note",
                                        token.text));
        }
    }
}

// ~topic, ~IsolationLevel, ~bits:AclOperation, ~opens:ConnectAssignment
void SchemaParser::semantic(SchemaField& field, Token token) {
    const std::string_view text = token.text.substr(1);
    const std::size_t colon = text.find(':');
    const std::string_view word = text.substr(0, colon);
    if (!word.empty() && word[0] >= 'A' && word[0] <= 'Z') {
        field.enumName = word;
        if (field.semantic == Semantic::None) field.semantic = Semantic::Enum;
        return refer(token, word, SchemaReference::To::Enumeration);
    }
    const std::optional<Semantic> known = semanticFromWord(word);
    if (!known) return complain(token, fmt::format("there is no meaning \"{}\"", word));
    field.semantic = *known;
    const bool needsName =
        *known == Semantic::BitField || *known == Semantic::NestedMessage || *known == Semantic::Index;
    if (needsName == (colon == text.npos))
        return complain(token, needsName ? "a name must follow, as in ~bits:AclOperation" : "no name may follow");
    if (!needsName) return;
    field.enumName = text.substr(colon + 1);
    if (*known != Semantic::Index)
        refer(token, field.enumName,
              *known == Semantic::NestedMessage ? SchemaReference::To::Message : SchemaReference::To::Enumeration);
}

void SchemaParser::continueNote() {
    if (!m_note) return complainAt(m_lineNumber, m_line.indent() + 1, "a note needs a line above that it belongs to");
    if (!m_note->empty()) *m_note += ' ';
    *m_note += m_line.note();
}

void SchemaParser::beginFields(std::vector<SchemaField>& fields, VersionRange versions, VersionRange flexible) {
    m_fields = &fields;
    m_versions = versions;
    m_flexible = flexible;
    m_levels.clear();
}

void SchemaParser::finishFields() {
    if (!m_fields) return;
    std::vector<std::string> complaints;
    checkFields(*m_fields, m_flexible, complaints);
    for (std::string& text : complaints)
        complainAt(m_statementLine, 1, std::move(text));
    m_fields = nullptr;
}

void SchemaParser::finishApi() {
    if (m_api && (!m_api->request || !m_api->response))
        complainAt(m_statementLine, 1, fmt::format("{} needs a request and a response", m_api->name));
    m_api = nullptr;
}

VersionRange SchemaParser::range(Token token, std::string_view text, VersionRange outer) {
    if (text == "none") return {};
    VersionRange result = outer;
    std::string_view first = text, last = text;
    if (text.ends_with('+')) {
        first = text.substr(0, text.size() - 1);
        last = {};
    } else if (const std::size_t dash = text.find('-'); dash != text.npos) {
        first = text.substr(0, dash);
        last = text.substr(dash + 1);
        if (last.empty()) last = "?";
    }
    const std::optional<std::int64_t> from = numberFromWord(first);
    const std::optional<std::int64_t> to = !last.empty() ? numberFromWord(last)
                                           : from        ? std::max<std::int64_t>(outer.last, *from)
                                                         : from;
    if (!from || !to || *from < 0 || *to > VersionRange::open || *to < *from) {
        complain(token, fmt::format("\"{}\" is no range of versions; write 3, 3-5, 3+ or none", text));
        return outer;
    }
    if (*from < outer.first || *to > outer.last)
        complain(token, fmt::format("versions {} lie outside of {}", text, toString(outer)));
    result.first = static_cast<std::int16_t>(*from);
    result.last = static_cast<std::int16_t>(*to);
    return result;
}

std::int64_t SchemaParser::number(Token token, std::int64_t least, std::int64_t most) {
    const std::optional<std::int64_t> value = numberFromWord(token.text);
    if (value && *value >= least && *value <= most) return *value;
    complain(token, fmt::format("expected a number, found \"{}\"", token.text));
    return least;
}

std::string SchemaParser::nameWord(std::string_view what) {
    const Token token = m_line.next();
    if (token.text.empty()) complain(token, fmt::format("{} is missing", what));
    return std::string(token.text);
}

void SchemaParser::refer(Token token, std::string_view name, SchemaReference::To to) {
    m_schema.references.push_back({std::string(name), to, {std::string(m_text.file), m_lineNumber, token.column, {}}});
}

void SchemaParser::expectEnd() {
    if (m_line.more()) complain(m_line.peek(), fmt::format("\"{}\" does not belong here", m_line.peek().text));
}

} // namespace

std::string toString(const SchemaError& error) {
    return fmt::format("{}:{}:{}: {}", error.file, error.line, error.column, error.text);
}

void parseSchema(const SchemaText& text, ParsedSchema& into, std::vector<SchemaError>& errors) {
    SchemaParser(text, into, errors).run();
}

void checkReferences(const ParsedSchema& schema, std::vector<SchemaError>& errors) {
    for (const SchemaReference& reference : schema.references) {
        const auto called = [&](const auto& item) { return item.name == reference.name; };
        const auto inFamily = [&](const SchemaMessage& message) { return message.family == reference.name; };
        const bool toEnumeration = reference.to == SchemaReference::To::Enumeration;
        const bool there = toEnumeration ? std::ranges::any_of(schema.enumerations, called)
                                         : std::ranges::any_of(schema.messages, called) ||
                                               (reference.to == SchemaReference::To::Payload &&
                                                std::ranges::any_of(schema.messages, inFamily));
        if (there) continue;
        SchemaError& error = errors.emplace_back(reference.place);
        error.text = fmt::format("there is no {} \"{}\"", toEnumeration ? "enumeration" : "message", reference.name);
    }
}

} // namespace brokerscope
