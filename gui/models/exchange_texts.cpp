// SPDX-License-Identifier: Apache-2.0
#include "gui/models/exchange_texts.h"

#include "dissector/message/field_tree.h"
#include "gui/models/row_state.h"

#include <QCoreApplication>
#include <QStringList>

namespace brokerscope {

namespace {

constexpr std::size_t mostInToolTip = 20;

QString tr(const char* text) {
    return QCoreApplication::translate("exchanges", text);
}

QString packetList(const std::optional<Frame>& frame) {
    if (!frame) return {};
    QStringList parts;
    std::uint64_t first = 0, last = 0;
    const auto flush = [&] {
        if (first) parts << (first == last ? QString::number(first) : QStringLiteral("%1-%2").arg(first).arg(last));
    };
    for (const ByteChain::Piece& piece : frame->bytes.pieces()) {
        const std::uint64_t packet = piece.slice.packet.value;
        if (!piece.slice.data || packet == last) continue;
        if (packet != last + 1 || first == 0) {
            flush();
            first = packet;
        }
        last = packet;
    }
    flush();
    return parts.join(QStringLiteral(", "));
}

QString size(std::uint32_t bytes, bool whole) {
    return texts::grouped(bytes) + (whole ? QString() : QStringLiteral("+"));
}

QString statusText(const ExchangeRow& row) {
    return row.ended() ? texts::fromUtf8(name(row.status())) : tr("waiting");
}

} // namespace

QString ExchangeTexts::time(const ExchangeRow& row, Timestamp at, const TimeSettings& settings) const {
    const int digits = row.timeDigits();
    switch (settings.style) {
    case TimeStyle::Relative:
        return texts::seconds(at - settings.zero, digits);
    case TimeStyle::Utc:
        return texts::clock(at, digits, false);
    case TimeStyle::Local:
        return texts::clock(at, digits, true);
    case TimeStyle::Epoch:
        return texts::seconds(at.time_since_epoch(), digits);
    case TimeStyle::Delta:
        return texts::seconds(settings.rowAbove ? at - *settings.rowAbove : Duration{}, digits);
    }
    return {};
}

QString ExchangeTexts::client(const ExchangeRow& row) const {
    if (!row.hasClientId()) return texts::fromUtf8(m_index->text(m_index->connection(row.connection()).clientAddress));
    const std::string_view id = m_index->text(row.clientId());
    return id.empty() ? QStringLiteral("\"\"") : texts::escaped(id, 80);
}

QString ExchangeTexts::apiName(std::int16_t key) const {
    const Api* known = m_protocol->api(key);
    return known ? texts::fromUtf8(known->name) : tr("key %1").arg(key);
}

QString ExchangeTexts::api(const ExchangeRow& row) const {
    if (!row.hasHeader()) return row.status() == ExchangeStatus::SaslToken ? tr("SASL token") : tr("response only");
    return QStringLiteral("%1%2 v%3%4")
        .arg(row.status() == ExchangeStatus::Inferred ? QStringLiteral("~") : QString(), apiName(row.apiKey()))
        .arg(row.apiVersion())
        .arg(row.assumedVersion() ? QStringLiteral("?") : QString());
}

QString ExchangeTexts::topic(Subject::Topic topic) const {
    const std::string_view name = m_index->topicName(topic);
    if (!name.empty()) return texts::escaped(name);
    const auto id = m_index->topicId(topic);
    return id ? texts::fromUtf8(uuidText(*id)) : QStringLiteral("\"\"");
}

QString ExchangeTexts::subject(const ExchangeRow& row) const {
    const Subject& about = row.subject();
    if (about.topicsOfResponse && row.apiKey() == 3) return tr("all topics"); // Metadata that asked for none by name
    if (!about.topics.empty()) {
        const QString first = topic(about.topics.front());
        const std::size_t more = std::max<std::size_t>(about.topicCount, about.topics.size()) - 1;
        return more ? QStringLiteral("%1 +%2").arg(first).arg(more) : first;
    }
    if (about.group) return tr("group %1").arg(texts::escaped(m_index->text(about.group)));
    if (about.transactionalId) return tr("txn %1").arg(texts::escaped(m_index->text(about.transactionalId)));
    return {};
}

QString ExchangeTexts::errorName(std::int16_t code) const {
    const ErrorCode* known = m_protocol->error(code);
    if (!known) return tr("%1 (unknown error code)").arg(code);
    return QStringLiteral("%1 %2%3").arg(code).arg(texts::fromUtf8(known->name),
                                                   known->retriable ? QStringLiteral(" ↻") : QString());
}

QString ExchangeTexts::missing(const ExchangeRow& row) const {
    const Exchange exchange = m_index->exchange(static_cast<std::uint32_t>(row.id().value - 1));
    std::uint64_t lost = 0;
    for (const std::optional<Frame>* frame : {&exchange.request, &exchange.response})
        if (*frame) lost += (*frame)->bytes.missingBytes();
    return lost ? tr("%1 lost").arg(texts::bytes(lost)) : tr("malformed");
}

QString ExchangeTexts::error(const ExchangeRow& row) const {
    if (!row.ended()) return {};
    const std::vector<Outcome::Code>& errors = row.outcome().errors;
    if (!errors.empty()) {
        std::uint32_t more = 0;
        for (const Outcome::Code& error : errors)
            more += error.count;
        const QString first = errorName(errors.front().code);
        return more > 1 ? QStringLiteral("%1 +%2").arg(first).arg(more - 1) : first;
    }
    if (row.status() == ExchangeStatus::Unanswered) {
        switch (row.reason()) {
        case NoAnswerReason::ConnectionReset:
            return tr("no answer: connection reset");
        case NoAnswerReason::ConnectionClosed:
            return tr("no answer: connection closed");
        case NoAnswerReason::LostBytes:
            return tr("no answer: bytes were lost");
        default:
            return tr("no answer");
        }
    }
    if (row.damaged()) return missing(row);
    if (row.status() == ExchangeStatus::NoResponseExpected) return tr("acks=0: none expected");
    if (row.status() == ExchangeStatus::Open) return tr("capture ended");
    if (row.status() == ExchangeStatus::OrphanResponse || row.status() == ExchangeStatus::Inferred)
        return tr("request not captured");
    return {};
}

QString ExchangeTexts::packets(const ExchangeRow& row) const {
    const Exchange exchange = m_index->exchange(static_cast<std::uint32_t>(row.id().value - 1));
    const QString asked = packetList(exchange.request), answered = packetList(exchange.response);
    return answered.isEmpty() ? asked : QStringLiteral("%1 → %2").arg(asked, answered);
}

QString ExchangeTexts::cell(ExchangeColumn column, const ExchangeRow& row, const TimeSettings& times) const {
    if (column == ExchangeColumn::Number) return QString::number(row.id().value);
    if (!row.known()) return {};
    const IndexedConnection& connection = m_index->connection(row.connection());
    switch (column) {
    case ExchangeColumn::State:
    case ExchangeColumn::Mark:
    case ExchangeColumn::Number:
        return {};
    case ExchangeColumn::Time:
        return time(row, row.time(), times);
    case ExchangeColumn::Client:
        return client(row);
    case ExchangeColumn::Broker:
        return texts::fromUtf8(m_index->text(connection.brokerText));
    case ExchangeColumn::Api:
        return api(row);
    case ExchangeColumn::Subject:
        return subject(row);
    case ExchangeColumn::Request:
        return row.hasRequest() ? size(row.requestBytes(), row.requestWhole()) : QString();
    case ExchangeColumn::Response:
        return row.hasResponse() ? size(row.responseBytes(), row.responseWhole()) : QString();
    case ExchangeColumn::Latency:
        return row.latency() ? texts::milliseconds(*row.latency()) : QString();
    case ExchangeColumn::Error:
        return error(row);
    case ExchangeColumn::Connection:
        return QString::number(row.connection());
    case ExchangeColumn::Correlation:
        return QString::number(row.correlationId());
    case ExchangeColumn::ClientAddress:
        return texts::fromUtf8(m_index->text(connection.clientText));
    case ExchangeColumn::Software: {
        const auto [software, version] = m_index->software(row.connection());
        return QStringLiteral("%1 %2")
            .arg(texts::escaped(m_index->text(software)), texts::escaped(m_index->text(version)))
            .trimmed();
    }
    case ExchangeColumn::Partitions:
        return row.subject().partitionCount ? texts::grouped(row.subject().partitionCount) : QString();
    case ExchangeColumn::Throttle:
        return row.outcome().throttleMs ? QString::number(row.outcome().throttleMs) : QString();
    case ExchangeColumn::Wait:
        return row.latency() ? texts::milliseconds(row.wait()) : QString();
    case ExchangeColumn::Transfer:
        return row.latency() ? texts::milliseconds(*row.latency() - row.wait()) : QString();
    case ExchangeColumn::Packets:
        return packets(row);
    case ExchangeColumn::RequestEnd: {
        const Exchange exchange = m_index->exchange(static_cast<std::uint32_t>(row.id().value - 1));
        return exchange.request ? time(row, exchange.request->end, times) : QString();
    }
    case ExchangeColumn::Status:
        return statusText(row);
    }
    return {};
}

QString ExchangeTexts::clientToolTip(const ExchangeRow& row) const {
    const IndexedConnection& connection = m_index->connection(row.connection());
    QStringList lines;
    if (row.hasClientId())
        lines << tr("Client id: %1").arg(texts::quoted(m_index->text(row.clientId())));
    else if (row.hasHeader())
        lines << tr("Client id: null");
    lines << tr("Address: %1").arg(texts::fromUtf8(m_index->text(connection.clientText)));
    const QString software = cell(ExchangeColumn::Software, row, {});
    if (!software.isEmpty()) lines << tr("Software: %1").arg(software);
    return lines.join(u'\n');
}

QString ExchangeTexts::subjectToolTip(const ExchangeRow& row) const {
    const Subject& about = row.subject();
    QStringList lines;
    for (std::size_t i = 0; i < about.topics.size() && i < mostInToolTip; ++i)
        lines << topic(about.topics[i]);
    const std::size_t all = std::max<std::size_t>(about.topicCount, about.topics.size());
    if (all > static_cast<std::size_t>(lines.size())) lines << tr("and %1 more").arg(all - lines.size());
    if (about.topicsOfResponse) lines.prepend(tr("Named in the response:"));
    if (about.group) lines << tr("Group %1").arg(texts::quoted(m_index->text(about.group)));
    if (about.transactionalId)
        lines << tr("Transactional id %1").arg(texts::quoted(m_index->text(about.transactionalId)));
    return lines.join(u'\n');
}

QString ExchangeTexts::errorToolTip(const ExchangeRow& row) const {
    QStringList lines;
    for (const Outcome::Code& error : row.outcome().errors) {
        const ErrorCode* known = m_protocol->error(error.code);
        QString line = errorName(error.code);
        if (error.count > 1) line += tr(", %1 times").arg(error.count);
        if (known) {
            line += u'\n' + texts::fromUtf8(known->meaning);
            line += u'\n' + (known->retriable ? tr("A client may try again.") : tr("Trying again does not help."));
        }
        lines << line;
        if (lines.size() == static_cast<qsizetype>(mostInToolTip)) break;
    }
    return lines.isEmpty() ? error(row) : lines.join(u'\n');
}

QString ExchangeTexts::latencyToolTip(const ExchangeRow& row) const {
    if (!row.latency()) return {};
    QStringList lines{tr("%1 ms from the first byte of the request to the last of the response")
                          .arg(texts::milliseconds(*row.latency()))};
    lines << tr("%1 ms waiting, %2 ms transfer")
                 .arg(texts::milliseconds(row.wait()), texts::milliseconds(*row.latency() - row.wait()));
    const QString byDesign = texts::milliseconds(row.waitByDesign());
    switch (row.waitReason()) {
    case WaitReason::None:
        break;
    case WaitReason::LongPoll:
        lines << tr("%1 ms of it by design: a fetch waits for MinBytes or MaxWaitMs").arg(byDesign);
        break;
    case WaitReason::Rebalance:
        lines << tr("%1 ms of it by design: the group rebalances").arg(byDesign);
        break;
    case WaitReason::Throttled:
        lines << tr("%1 ms of it by design: the broker throttles").arg(byDesign);
        break;
    }
    return lines.join(u'\n');
}

QString ExchangeTexts::toolTip(ExchangeColumn column, const ExchangeRow& row, Duration slowAbove) const {
    if (!row.known()) return tr("The request is still being read");
    switch (column) {
    case ExchangeColumn::State:
        return statesInWords(row, slowAbove).join(u'\n');
    case ExchangeColumn::Client:
        return clientToolTip(row);
    case ExchangeColumn::Subject:
        return subjectToolTip(row);
    case ExchangeColumn::Error:
        return errorToolTip(row);
    case ExchangeColumn::Latency:
        return latencyToolTip(row);
    case ExchangeColumn::Time:
        return tr("%1 UTC").arg(texts::date(row.time(), row.timeDigits(), false));
    default:
        return {};
    }
}

QString ExchangeTexts::spoken(const ExchangeRow& row, Duration slowAbove) const {
    QStringList parts;
    const QString state = nameOf(stateOf(row, slowAbove));
    if (!state.isEmpty()) parts << state;
    parts << tr("exchange %1").arg(row.id().value);
    if (!row.known()) return parts.join(QStringLiteral(", "));
    if (row.hasHeader())
        parts << tr("%1 version %2").arg(apiName(row.apiKey())).arg(row.apiVersion());
    else
        parts << api(row);
    for (const QString& part : {subject(row), error(row)})
        if (!part.isEmpty()) parts << part;
    if (row.latency()) parts << tr("%1 milliseconds").arg(static_cast<double>(row.latency()->count()) / 1e6, 0, 'g', 3);
    return parts.join(QStringLiteral(", "));
}

} // namespace brokerscope
