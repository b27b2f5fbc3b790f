// SPDX-License-Identifier: Apache-2.0
// From a filter's text to its tests: a recursive descent over the grammar in filter.h. The first error ends it.
#include "dissector/filter/filter.h"
#include "dissector/filter/filter_lexer.h"
#include "dissector/filter/filter_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace brokerscope {

namespace {

using Node = Filter::Node;
using NodePtr = std::shared_ptr<Node>;
using Kind = FilterToken::Kind;

constexpr int deepest = 100; // parentheses and nots inside each other

// All paths of fields below the bodies of a direction: "topics", "topics.partitions", ...
void collectPaths(const std::vector<SchemaField>& fields, const std::string& prefix, std::set<std::string>& into) {
    for (const SchemaField& field : fields) {
        const std::string path = prefix.empty() ? field.jsonName : prefix + "." + field.jsonName;
        into.insert(path);
        collectPaths(field.children, path, into);
    }
}

class Parser {
  public:
    Parser(std::string_view text, const Protocol& protocol) : m_protocol(protocol), m_tokens(lexFilter(text)) {}

    NodePtr parse() {
        NodePtr root = parseOr();
        if (root && now().kind != Kind::End) fail(now(), "Expected \"and\", \"or\" or the end here");
        return m_error ? nullptr : root;
    }

    const std::optional<FilterError>& error() const { return m_error; }

  private:
    const FilterToken& now() const { return m_tokens[m_at]; }

    bool take(std::initializer_list<std::string_view> spellings) {
        const FilterToken& token = now();
        if (token.kind != Kind::Word && token.kind != Kind::Sign) return false;
        if (std::find(spellings.begin(), spellings.end(), token.text) == spellings.end()) return false;
        ++m_at;
        return true;
    }

    NodePtr fail(const FilterToken& token, std::string message, std::vector<std::string> suggestions = {}) {
        if (!m_error) m_error = FilterError{std::move(message), token.begin, token.end, std::move(suggestions)};
        return nullptr;
    }

    NodePtr join(Node::Kind kind, std::vector<NodePtr> children) {
        if (children.size() == 1) return children.front();
        NodePtr node = std::make_shared<Node>();
        node->kind = kind;
        // Cheap tests first: they often decide alone.
        std::stable_sort(children.begin(), children.end(),
                         [](const NodePtr& a, const NodePtr& b) { return a->cost < b->cost; });
        node->cost = children.back()->cost;
        node->children = std::move(children);
        return node;
    }

    NodePtr parseOr() {
        std::vector<NodePtr> children;
        do {
            NodePtr child = parseAnd();
            if (!child) return nullptr;
            children.push_back(std::move(child));
        } while (take({"or", "||"}));
        return join(Node::Kind::Or, std::move(children));
    }

    NodePtr parseAnd() {
        std::vector<NodePtr> children;
        do {
            NodePtr child = parseNot();
            if (!child) return nullptr;
            children.push_back(std::move(child));
        } while (take({"and", "&&"}));
        return join(Node::Kind::And, std::move(children));
    }

    NodePtr parseNot() {
        if (m_depth >= deepest) return fail(now(), "Too many parentheses inside each other");
        ++m_depth;
        NodePtr node;
        if (take({"not", "!"})) {
            if (NodePtr child = parseNot()) {
                node = std::make_shared<Node>();
                node->kind = Node::Kind::Not;
                node->cost = child->cost;
                node->children.push_back(std::move(child));
            }
        } else if (take({"("})) {
            node = parseOr();
            if (node && !take({")"})) node = fail(now(), "A \")\" is missing here");
        } else {
            node = parseTest();
        }
        --m_depth;
        return node;
    }

    NodePtr parseTest() {
        const FilterToken& token = now();
        if (token.kind == Kind::BadString) return fail(token, "This text has no closing quote");
        if (token.kind == Kind::BadCharacter) return fail(token, fmt::format("\"{}\" has no meaning here", token.text));
        if (token.kind == Kind::End) return fail(token, "A name is missing here");
        if (token.kind != Kind::Word) return fail(token, "Expected a name here");
        const FilterNameRow* name = filterName(token.text);
        if (!name) return failName(token);
        ++m_at;
        NodePtr node = std::make_shared<Node>();
        node->field = name->field;
        node->type = name->type;
        node->cost = name->cost;
        if (name->type == FilterType::Any && !readPath(token, *name, *node)) return nullptr;
        return parseOperator(std::move(node), *name);
    }

    NodePtr failName(const FilterToken& token) {
        std::vector<std::string> names;
        for (const FilterNameRow& row : filterNames())
            names.emplace_back(row.name);
        return fail(token, fmt::format("Unknown name \"{}\"", token.text), nearest(token.text, names));
    }

    bool readPath(const FilterToken& token, const FilterNameRow& name, Node& node) {
        const std::string path = token.text.substr(name.name.size());
        std::set<std::string> known;
        for (const Api* api : m_protocol.apis()) {
            const SchemaMessage* message = name.field == FilterField::RequestPath ? api->request : api->response;
            if (message) collectPaths(message->fields, "", known);
        }
        if (!known.contains(path)) {
            std::vector<std::string> full;
            for (const std::string& candidate : known)
                full.push_back(std::string(name.name) + candidate);
            fail(token, fmt::format("No {} has a field \"{}\"", name.name.substr(0, name.name.size() - 1), path),
                 nearest(token.text, full));
            return false;
        }
        for (std::size_t begin = 0; begin <= path.size();) {
            const std::size_t end = std::min(path.find('.', begin), path.size());
            node.path.push_back(path.substr(begin, end - begin));
            begin = end + 1;
        }
        return true;
    }

    NodePtr parseOperator(NodePtr node, const FilterNameRow& name) {
        using Operator = Node::Operator;
        struct Row {
            std::initializer_list<std::string_view> spellings;
            Operator op;
        };
        static const Row rows[] = {{{"==", "eq"}, Operator::Equal},       {{"!=", "ne"}, Operator::NotEqual},
                                   {{"<=", "le"}, Operator::LessOrEqual}, {{">=", "ge"}, Operator::GreaterOrEqual},
                                   {{"<", "lt"}, Operator::Less},         {{">", "gt"}, Operator::Greater}};
        for (const Row& row : rows) {
            if (!take(row.spellings)) continue;
            node->kind = Node::Kind::Compare;
            node->op = row.op;
            return addLiteral(*node, name) ? finish(std::move(node)) : nullptr;
        }
        if (take({"in"})) return parseSet(std::move(node), name);
        const FilterToken& op = now();
        if (take({"contains"}))
            node->kind = Node::Kind::Contains;
        else if (take({"matches", "~"}))
            node->kind = Node::Kind::Matches;
        else
            return node; // a bare name: is it there?
        return parseTextOperator(std::move(node), name, op);
    }

    NodePtr parseTextOperator(NodePtr node, const FilterNameRow& name, const FilterToken& op) {
        const bool hasText = name.type == FilterType::Text || name.type == FilterType::Api ||
                             name.type == FilterType::Any || name.type == FilterType::ErrorName ||
                             name.type == FilterType::Endpoint;
        if (!hasText) return fail(op, fmt::format("{} is no text; \"{}\" needs one", name.name, op.text));
        const FilterToken& token = now();
        if (token.kind != Kind::Word && token.kind != Kind::String) return failValue(token);
        ++m_at;
        FilterLiteral literal;
        literal.text = token.text;
        node->ranges.emplace_back(literal, literal);
        if (node->kind == Node::Kind::Matches) {
            RE2::Options options;
            options.set_case_sensitive(false);
            options.set_log_errors(false);
            options.set_max_mem(1 << 20);
            node->pattern = std::make_shared<const RE2>(token.text, options);
            if (!node->pattern->ok())
                return fail(token, fmt::format("Not a regular expression: {}", node->pattern->error()));
        }
        return node;
    }

    NodePtr failValue(const FilterToken& token) {
        if (token.kind == Kind::BadString) return fail(token, "This text has no closing quote");
        return fail(token, "A value is missing here");
    }

    std::optional<FilterLiteral> readValue(const FilterToken& token, const FilterNameRow& name) {
        auto literal = readLiteral(token, name, m_protocol);
        if (auto* error = std::get_if<FilterError>(&literal)) {
            if (!m_error) m_error = std::move(*error);
            return std::nullopt;
        }
        return std::move(std::get<FilterLiteral>(literal));
    }

    bool addLiteral(Node& node, const FilterNameRow& name) {
        const FilterToken& token = now();
        if (token.kind != Kind::Word && token.kind != Kind::String) {
            failValue(token);
            return false;
        }
        ++m_at;
        FilterToken low = token, high = token;
        const std::size_t dots = token.text.find("..");
        if (node.kind == Node::Kind::In && token.kind == Kind::Word && dots != std::string::npos) {
            low.text = token.text.substr(0, dots);
            high.text = token.text.substr(dots + 2);
        } else if (node.kind == Node::Kind::In && take({".."})) { // between quoted values
            high = now();
            if (high.kind != Kind::Word && high.kind != Kind::String) {
                failValue(high);
                return false;
            }
            ++m_at;
        }
        auto first = readValue(low, name);
        auto second = readValue(high, name);
        if (!first || !second) return false;
        node.ranges.emplace_back(std::move(*first), std::move(*second));
        return true;
    }

    NodePtr parseSet(NodePtr node, const FilterNameRow& name) {
        node->kind = Node::Kind::In;
        if (!take({"{"})) return fail(now(), "A \"{\" is missing here, as in {1, 2, 5..9}");
        do {
            if (!addLiteral(*node, name)) return nullptr;
        } while (take({","}) || (now().kind == Kind::Word || now().kind == Kind::String));
        if (!take({"}"})) return fail(now(), "A \"}\" is missing here");
        return finish(std::move(node));
    }

    NodePtr finish(NodePtr node) {
        const bool dated = !node->ranges.empty() && node->ranges.front().first.absoluteTime;
        if (node->field == FilterField::Time && dated) node->field = FilterField::TimeAbsolute;
        return node;
    }

    const Protocol& m_protocol;
    std::vector<FilterToken> m_tokens;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::optional<FilterError> m_error;
};

} // namespace

std::variant<Filter, FilterError> Filter::compile(std::string_view text, const Protocol& protocol) {
    Parser parser(text, protocol);
    NodePtr root = parser.parse();
    if (!root) return parser.error().value_or(FilterError{"This is no filter", 0, text.size(), {}});
    return Filter(std::string(text), std::move(root));
}

} // namespace brokerscope
