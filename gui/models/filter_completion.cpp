// SPDX-License-Identifier: Apache-2.0
#include "gui/models/filter_completion.h"

#include "dissector/filter/filter_lexer.h"
#include "dissector/filter/filter_names.h"
#include "gui/models/texts.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace brokerscope {

namespace {

using Token = FilterToken;

QString tr(const char* text) {
    return QCoreApplication::translate("completion", text);
}

const QStringList operators{QStringLiteral("=="), QStringLiteral("!="),       QStringLiteral("<"),
                            QStringLiteral("<="), QStringLiteral(">"),        QStringLiteral(">="),
                            QStringLiteral("in"), QStringLiteral("contains"), QStringLiteral("matches")};
const QStringList joiners{QStringLiteral("and"), QStringLiteral("or")};

bool isJoiner(const std::string& word) {
    return word == "and" || word == "or" || word == "not" || word == "&&" || word == "||" || word == "!" || word == "(";
}

bool isOperator(const std::string& word) {
    return operators.contains(QString::fromStdString(word)) || word == "{" || word == "," || word == "..";
}

enum class Expected { Name, AfterName, Value, Joiner };

struct Place {
    Expected expected = Expected::Name;
    std::string name; // for AfterName and Value
    std::string api;  // the last that was compared with: its fields come first
};

// Walks over the finished tokens in front of the cursor.
Place placeBehind(const std::vector<Token>& tokens) {
    Place place;
    bool inSet = false;
    for (const Token& token : tokens) {
        if (token.kind == Token::Kind::End) break;
        const std::string& word = token.text;
        if (token.kind != Token::Kind::String && isJoiner(word) && !inSet) {
            place.expected = Expected::Name;
        } else if (token.kind == Token::Kind::Sign && word == "}") {
            inSet = false;
            place.expected = Expected::Joiner;
        } else if (place.expected == Expected::Name && token.kind == Token::Kind::Word) {
            place.name = word;
            place.expected = Expected::AfterName;
        } else if (place.expected == Expected::AfterName && isOperator(word)) {
            place.expected = Expected::Value;
        } else if (place.expected == Expected::Value && token.kind == Token::Kind::Sign) {
            inSet = inSet || word == "{";
        } else if (place.expected == Expected::Value) {
            if (place.name == "api") place.api = word;
            if (!inSet) place.expected = Expected::Joiner;
        } else if (inSet && word == ",") {
            place.expected = Expected::Value;
        }
    }
    return place;
}

// What is asked for of a name that has values.
const SeenValues::Counted* valuesOf(const std::string& name, const SeenValues& seen) {
    static const std::vector<std::pair<std::string, SeenValues::Counted SeenValues::*>> lists = {
        {"api", &SeenValues::apis},
        {"topic", &SeenValues::topics},
        {"group", &SeenValues::groups},
        {"transactional.id", &SeenValues::transactionalIds},
        {"client.id", &SeenValues::clientIds},
        {"client", &SeenValues::clients},
        {"broker", &SeenValues::brokers},
        {"error", &SeenValues::errors},
        {"software", &SeenValues::software},
    };
    const auto list = std::find_if(lists.begin(), lists.end(), [&](const auto& row) { return row.first == name; });
    return list == lists.end() ? nullptr : &(seen.*list->second);
}

QString kindOf(FilterType type) {
    switch (type) {
    case FilterType::Number:
        return tr("number");
    case FilterType::Text:
        return tr("text");
    case FilterType::Api:
        return tr("API");
    case FilterType::ErrorName:
        return tr("error");
    case FilterType::Duration:
        return tr("time span");
    case FilterType::Size:
        return tr("size");
    case FilterType::Endpoint:
        return tr("address");
    case FilterType::Time:
        return tr("time");
    case FilterType::Flag:
        return tr("yes or no");
    case FilterType::Any:
        return tr("field");
    }
    return {};
}

// 0: begins with it, 1: contains it, nullopt: neither.
std::optional<int> fit(const QString& candidate, const QString& word) {
    if (candidate.startsWith(word, Qt::CaseInsensitive)) return 0;
    if (!word.isEmpty() && candidate.contains(word, Qt::CaseInsensitive)) return 1;
    return std::nullopt;
}

class Collector {
  public:
    explicit Collector(QString word) : m_word(std::move(word)) {}

    void add(const QString& text, const QString& detail, const QString& matchedBy) {
        const auto how = fit(matchedBy, m_word);
        if (!how || text == m_word) return;
        (*how == 0 ? m_first : m_then).push_back({text, detail});
    }
    std::vector<Suggestion> take() {
        m_first.insert(m_first.end(), m_then.begin(), m_then.end());
        if (m_first.size() > mostSuggestions) m_first.resize(mostSuggestions);
        return std::move(m_first);
    }

  private:
    QString m_word;
    std::vector<Suggestion> m_first, m_then;
};

void collectPaths(const std::vector<SchemaField>& fields, const QString& prefix, std::set<QString>& into) {
    for (const SchemaField& field : fields) {
        const QString path = prefix + QString::fromStdString(field.jsonName);
        into.insert(path);
        collectPaths(field.children, path + u'.', into);
    }
}

void addPaths(Collector& into, const std::string& api, bool request, const Protocol& protocol) {
    std::set<QString> paths;
    const QString prefix = request ? QStringLiteral("request.") : QStringLiteral("response.");
    const Api* one = api.empty() ? nullptr : protocol.apiByName(api);
    for (const Api* candidate : protocol.apis()) {
        if (one && candidate != one) continue;
        if (const SchemaMessage* message = request ? candidate->request : candidate->response)
            collectPaths(message->fields, prefix, paths);
    }
    const QString detail = one ? QString::fromStdString(one->name) : tr("field");
    for (const QString& path : paths)
        into.add(path, detail, path);
}

void addNames(Collector& into, const Place& place, const QString& word, const Protocol& protocol) {
    for (const FilterNameRow& row : filterNames())
        into.add(texts::fromUtf8(row.name), kindOf(row.type), texts::fromUtf8(row.name));
    into.add(QStringLiteral("not"), tr("none of what follows"), QStringLiteral("not"));
    if (word.startsWith(QStringLiteral("request."))) addPaths(into, place.api, true, protocol);
    if (word.startsWith(QStringLiteral("response."))) addPaths(into, place.api, false, protocol);
}

void addValues(Collector& into, const Place& place, const Protocol& protocol, const SeenValues& seen) {
    if (const SeenValues::Counted* values = valuesOf(place.name, seen))
        for (const auto& [value, count] : *values)
            into.add(filterLiteral(value), texts::grouped(count), value);
    const std::vector<const char*> statuses = {"paired",   "unanswered",      "open",      "no-response-expected",
                                               "inferred", "orphan-response", "sasl-token"};
    if (place.name == "status")
        for (const char* status : statuses)
            into.add(QString::fromLatin1(status), tr("status"), QString::fromLatin1(status));
    // What the capture did not show can still be asked for.
    if (place.name == "api")
        for (const Api* api : protocol.apis()) {
            const QString name = QString::fromStdString(api->name);
            const bool shown = std::any_of(seen.apis.begin(), seen.apis.end(),
                                           [&](const auto& counted) { return counted.first == name; });
            if (!shown) into.add(name, tr("not in this capture"), name);
        }
}

} // namespace

QString filterLiteral(const QString& value) {
    static const QRegularExpression bare(QStringLiteral("^[A-Za-z0-9_][A-Za-z0-9_.\\-]*$"));
    static const QStringList words{QStringLiteral("and"), QStringLiteral("or"),       QStringLiteral("not"),
                                   QStringLiteral("in"),  QStringLiteral("contains"), QStringLiteral("matches")};
    const bool address = value.contains(u':') && !value.contains(u' ') && !value.contains(u'"');
    if ((bare.match(value).hasMatch() && !words.contains(value) && !value.contains(QStringLiteral(".."))) || address)
        return value;
    QString escaped = value;
    escaped.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
    return u'"' + escaped + u'"';
}

Completion complete(const QString& text, qsizetype cursor, const Protocol& protocol, const SeenValues& seen) {
    Completion result;
    const QString before = text.left(cursor);
    // The word under the cursor: letters up to it, and the rest of the word behind it.
    static const QRegularExpression wordAtEnd(QStringLiteral("\"[^\"]*$|[A-Za-z0-9_.:\\[\\]\\-]*$"));
    static const QRegularExpression wordAtBegin(QStringLiteral("^[A-Za-z0-9_.:\\[\\]\\-]*\"?"));
    result.begin = wordAtEnd.match(before).capturedStart();
    result.end = cursor + wordAtBegin.match(text.mid(cursor)).capturedLength();
    QString word = before.mid(result.begin);
    const bool inString = word.startsWith(u'"');
    if (inString) word.remove(0, 1);

    const Place place = placeBehind(lexFilter(before.left(result.begin).toStdString()));
    Collector collector(word);
    switch (place.expected) {
    case Expected::Name:
        addNames(collector, place, word, protocol);
        break;
    case Expected::AfterName:
        for (const QString& sign : operators)
            collector.add(sign, tr("operator"), sign);
        for (const QString& joiner : joiners)
            collector.add(joiner, tr("next test"), joiner);
        break;
    case Expected::Value:
        addValues(collector, place, protocol, seen);
        break;
    case Expected::Joiner:
        for (const QString& joiner : joiners)
            collector.add(joiner, tr("next test"), joiner);
        break;
    }
    result.suggestions = collector.take();
    return result;
}

QString doubt(const QString& text, const SeenValues& seen) {
    if (!seen.complete) return {};
    const std::vector<Token> tokens = lexFilter(text.toStdString());
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
        if (tokens[i].kind != Token::Kind::Word || tokens[i + 1].text != "==") continue;
        const std::string& name = tokens[i].text;
        if (name != "topic" && name != "group" && name != "client.id" && name != "transactional.id") continue;
        const QString value = QString::fromStdString(tokens[i + 2].text);
        const SeenValues::Counted& values = *valuesOf(name, seen);
        const bool there =
            std::any_of(values.begin(), values.end(), [&](const auto& counted) { return counted.first == value; });
        if (there) continue;
        if (name == "topic") return tr("No topic is called \"%1\" in this capture").arg(value);
        if (name == "group") return tr("No group is called \"%1\" in this capture").arg(value);
        if (name == "client.id") return tr("No client is called \"%1\" in this capture").arg(value);
        return tr("No transactional id is \"%1\" in this capture").arg(value);
    }
    return {};
}

} // namespace brokerscope
