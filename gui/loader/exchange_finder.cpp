// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/exchange_finder.h"

#include "gui/loader/detail_maker.h"
#include "gui/models/field_texts.h"

#include <QByteArrayMatcher>
#include <QCoreApplication>
#include <QRegularExpression>

namespace brokerscope {

namespace {

constexpr std::uint32_t lookEvery = 64;

QString tr(const char* text) {
    return QCoreApplication::translate("find", text);
}

QRegularExpression pattern(const FindWish& wish) {
    const QString text = wish.regular ? wish.text : QRegularExpression::escape(wish.text);
    return QRegularExpression(text, wish.caseSensitive ? QRegularExpression::NoPatternOption
                                                       : QRegularExpression::CaseInsensitiveOption);
}

std::optional<QByteArray> hexBytes(const QString& text) {
    QString digits = text;
    digits.remove(QStringLiteral("0x"), Qt::CaseInsensitive);
    digits.remove(QRegularExpression(QStringLiteral("[\\s:,]")));
    static const QRegularExpression hex(QStringLiteral("^([0-9a-fA-F]{2})+$"));
    if (!hex.match(digits).hasMatch()) return std::nullopt;
    return QByteArray::fromHex(digits.toLatin1());
}

// Looks at one exchange after the other.
class Finder {
  public:
    Finder(const FindScope& scope, const FindWish& wish)
        : m_scope(scope), m_wish(wish), m_pattern(pattern(wish)),
          m_texts(scope.capture->index, scope.capture->protocol) {
        if (wish.where == FindWhere::BytesHex) m_bytes = *hexBytes(wish.text);
        if (wish.where == FindWhere::BytesText) m_bytes = wish.text.toUtf8();
        m_around.protocol = &scope.capture->protocol;
        m_around.topicName = [&scope](const std::array<std::uint8_t, 16>& id) {
            return scope.capture->index.topicName(id);
        };
    }

    bool look(std::uint32_t exchange, FindHit& hit) const {
        switch (m_wish.where) {
        case FindWhere::Columns:
            return inColumns(exchange);
        case FindWhere::Fields:
            return inFields(exchange, hit);
        case FindWhere::BytesText:
        case FindWhere::BytesHex:
            return inBytes(exchange, hit);
        }
        return false;
    }

  private:
    bool inColumns(std::uint32_t exchange) const {
        const ExchangeRow row = m_scope.capture->index.row(exchange);
        for (ExchangeColumn column : m_scope.columns)
            if (m_pattern.match(m_texts.cell(column, row, m_scope.time)).hasMatch()) return true;
        return false;
    }

    bool inFields(std::uint32_t exchange, FindHit& hit) const {
        const std::shared_ptr<const Detail> detail = makeDetail(m_scope.capture, exchange);
        for (PartNumber number : {requestPart, responsePart}) {
            const Part part = number == requestPart ? detail->request : detail->response;
            if (!part) continue;
            const FieldTexts texts(*part, m_around);
            for (NodeIndex node = 0; node < part->tree.nodes.size(); ++node) {
                if (!part->tree.nodes[node].isValue() || part->tree.hasChildren(node)) continue;
                if (!m_pattern.match(texts.value(node).text).hasMatch()) continue;
                hit.field = {number, node};
                return true;
            }
        }
        return false;
    }

    bool inBytes(std::uint32_t exchange, FindHit& hit) const {
        const Exchange whole = m_scope.capture->index.exchange(exchange);
        for (const auto& [frame, part] : {std::pair(&whole.request, requestPart), {&whole.response, responsePart}}) {
            if (!*frame) continue;
            const std::optional<std::uint32_t> at = placeIn((*frame)->bytes);
            if (!at) continue;
            hit.field = {part, 0};
            hit.begin = *at;
            hit.end = *at + static_cast<std::uint32_t>(m_bytes.size());
            return true;
        }
        return false;
    }

    // Missing bytes divide what is looked through: nothing is found across them.
    std::optional<std::uint32_t> placeIn(const ByteChain& bytes) const {
        std::uint32_t begin = 0;
        std::vector<std::uint8_t> run;
        while (begin < bytes.size()) {
            run.clear();
            bytes.copyAvailable(begin, bytes.size() - begin, run);
            const QByteArrayView view(run.data(), static_cast<qsizetype>(run.size()));
            if (const std::optional<qsizetype> at = placeInRun(view)) return begin + static_cast<std::uint32_t>(*at);
            begin += std::max<std::uint32_t>(static_cast<std::uint32_t>(run.size()), 1);
        }
        return std::nullopt;
    }

    std::optional<qsizetype> placeInRun(QByteArrayView run) const {
        qsizetype at = -1;
        if (m_wish.where == FindWhere::BytesText && !m_wish.caseSensitive)
            at = QByteArray::fromRawData(run.data(), run.size()).toLower().indexOf(m_bytes.toLower());
        else
            at = QByteArrayMatcher(m_bytes).indexIn(run);
        return at < 0 ? std::nullopt : std::optional(at);
    }

    const FindScope& m_scope;
    const FindWish& m_wish;
    QRegularExpression m_pattern;
    QByteArray m_bytes;
    ExchangeTexts m_texts;
    FieldSurroundings m_around;
};

} // namespace

QString FindWish::whyInvalid() const {
    if (text.isEmpty()) return tr("Nothing to find");
    if (where == FindWhere::BytesHex)
        return hexBytes(text) ? QString() : tr("Not hex: write two digits a byte, like 00 0a ff");
    if (!regular || where == FindWhere::BytesText) return {};
    const QRegularExpression compiled = pattern(*this);
    return compiled.isValid() ? QString() : tr("No regular expression: %1").arg(compiled.errorString());
}

std::optional<FindHit> findExchange(const FindScope& scope, const FindWish& wish, JobContext& context) {
    const Finder finder(scope, wish);
    const std::int64_t count = scope.rows;
    FindHit hit;
    for (std::int64_t step = 1; step <= count; ++step) {
        if (step % lookEvery == 0) {
            if (context.stopped()) return std::nullopt;
            context.progress(static_cast<std::uint64_t>(step), scope.rows);
        }
        const std::int64_t raw = scope.from + step * scope.direction;
        const std::int64_t row = ((raw % count) + count) % count;
        const std::uint32_t exchange =
            scope.order ? (*scope.order)[static_cast<std::size_t>(row)] : static_cast<std::uint32_t>(row);
        if (!scope.capture->index.row(exchange).known() || !finder.look(exchange, hit)) continue;
        hit.row = static_cast<int>(row);
        hit.wrapped = raw != row;
        return hit;
    }
    return hit;
}

} // namespace brokerscope
