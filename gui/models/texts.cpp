// SPDX-License-Identifier: Apache-2.0
#include "gui/models/texts.h"

#include "dissector/wire/utf8.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QTimeZone>

#include <algorithm>
#include <cmath>

namespace brokerscope::texts {

namespace {

constexpr std::int64_t billion = 1'000'000'000;

QString padded(std::int64_t number, int width) {
    return QString::number(number).rightJustified(width, QLatin1Char('0'));
}

// The digits behind the second: nanoseconds in [0, billion) cut to the capture's resolution.
QString fraction(std::int64_t nanoseconds, int digits) {
    return padded(nanoseconds, 9).left(digits);
}

QDateTime dateTime(Timestamp time, bool local) {
    const std::int64_t milliseconds = std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
    return local ? QDateTime::fromMSecsSinceEpoch(milliseconds)
                 : QDateTime::fromMSecsSinceEpoch(milliseconds, QTimeZone::utc());
}

std::int64_t nanosecondsOf(Timestamp time) {
    return (time - std::chrono::floor<std::chrono::seconds>(time)).count();
}

QString escape(QChar c) {
    switch (c.unicode()) {
    case '\n':
        return QStringLiteral("\\n");
    case '\t':
        return QStringLiteral("\\t");
    case '\r':
        return QStringLiteral("\\r");
    default:
        break;
    }
    if (c.category() != QChar::Other_Control && c.category() != QChar::Other_Format &&
        c.category() != QChar::Separator_Line && c.category() != QChar::Separator_Paragraph)
        return c;
    return QStringLiteral("\\u{%1}").arg(c.unicode(), 0, 16);
}

} // namespace

QString fromUtf8(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString grouped(std::uint64_t number) {
    QString text = QString::number(number);
    for (qsizetype at = text.size() - 3; at > 0; at -= 3)
        text.insert(at, QLatin1Char(','));
    return text;
}

QString milliseconds(Duration time) {
    return QString::number(static_cast<double>(time.count()) / 1e6, 'f', 3);
}

QString seconds(Duration time, int digits) {
    const std::int64_t all = time.count();
    const std::int64_t absolute = all < 0 ? -all : all;
    return (all < 0 ? QStringLiteral("-") : QString()) + QString::number(absolute / billion) + QLatin1Char('.') +
           fraction(absolute % billion, digits);
}

QString span(Duration time) {
    const double ms = static_cast<double>(time.count()) / 1e6;
    if (std::abs(ms) < 1000) return QCoreApplication::translate("texts", "%1 ms").arg(QString::number(ms, 'f', 3));
    if (std::abs(ms) < 3'600'000) return QCoreApplication::translate("texts", "%1 s").arg(ms / 1000, 0, 'f', 3);
    const auto minutes = static_cast<std::int64_t>(ms / 60'000);
    return QCoreApplication::translate("texts", "%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

QString count(std::uint64_t number, const char* noun) {
    return QStringLiteral("%1 %2%3").arg(grouped(number), QLatin1String(noun),
                                         number == 1 ? QString() : QStringLiteral("s"));
}

QString plural(std::uint64_t count, const QString& one, const QString& many) {
    return count == 1 ? one : many.arg(grouped(count));
}

QString bytes(std::uint64_t count) {
    return count == 1 ? QCoreApplication::translate("texts", "1 byte")
                      : QCoreApplication::translate("texts", "%1 bytes").arg(grouped(count));
}

QString bytesShort(std::uint64_t count) {
    static const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(count);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < std::size(units)) {
        value /= 1024;
        ++unit;
    }
    const bool whole = unit == 0 || value >= 100 || value == std::floor(value);
    return QStringLiteral("%1 %2").arg(QString::number(value, 'f', whole ? 0 : 1), QLatin1String(units[unit]));
}

QString clock(Timestamp time, int digits, bool local) {
    return dateTime(time, local).toString(QStringLiteral("HH:mm:ss")) + QLatin1Char('.') +
           fraction(nanosecondsOf(time), digits);
}

QString date(Timestamp time, int digits, bool local) {
    return dateTime(time, local).toString(QStringLiteral("yyyy-MM-dd ")) + clock(time, digits, local);
}

QString hex(Bytes bytes, std::size_t atMost) {
    static const char digits[] = "0123456789abcdef";
    const std::size_t shown = std::min(bytes.size(), atMost);
    QString text;
    text.reserve(static_cast<qsizetype>(shown * 3 + 2));
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) text += QLatin1Char(' ');
        text += QLatin1Char(digits[bytes[i] >> 4]);
        text += QLatin1Char(digits[bytes[i] & 15]);
    }
    if (shown < bytes.size()) text += QStringLiteral(" …");
    return text;
}

QString escaped(std::string_view text, int atMost) {
    // A character has at most four bytes: no more of a long text than can be shown is looked at.
    const bool longer = text.size() > static_cast<std::size_t>(atMost) * 4;
    const QString whole = fromUtf8(longer ? text.substr(0, static_cast<std::size_t>(atMost) * 4) : text);
    QString shown;
    for (QChar c : whole.left(atMost))
        shown += escape(c);
    return longer || whole.size() > atMost ? shown + QStringLiteral("…") : shown;
}

QString quoted(std::string_view text, int atMost) {
    return QLatin1Char('"') + escaped(text, atMost) + QLatin1Char('"');
}

bool printable(Bytes bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (validUtf8Prefix(bytes) != bytes.size()) return false;
    return std::none_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r';
    });
}

int naturalOrder(QStringView a, QStringView b) {
    qsizetype i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (a[i].isDigit() && b[j].isDigit()) {
            const auto runOf = [](QStringView text, qsizetype& at) { // without leading zeros
                while (at < text.size() && text[at] == u'0')
                    ++at;
                const qsizetype begin = at;
                while (at < text.size() && text[at].isDigit())
                    ++at;
                return text.mid(begin, at - begin);
            };
            const QStringView left = runOf(a, i), right = runOf(b, j);
            if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
            if (const int order = left.compare(right)) return order;
            continue;
        }
        const QChar left = a[i++].toCaseFolded(), right = b[j++].toCaseFolded();
        if (left != right) return left < right ? -1 : 1;
    }
    if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j ? -1 : 1;
    return a.compare(b);
}

} // namespace brokerscope::texts
