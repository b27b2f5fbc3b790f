// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/detail_maker.h"

#include "gui/loader/part_maker.h"
#include "gui/models/exchange_texts.h"
#include "gui/models/row_state.h"

#include <QCoreApplication>

#include <algorithm>

namespace brokerscope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("detail", text);
}

QString packetsText(const ByteChain& bytes) {
    std::uint64_t first = 0, last = 0, count = 0;
    for (const ByteChain::Piece& piece : bytes.pieces()) {
        const std::uint64_t packet = piece.slice.packet.value;
        if (!piece.slice.data || packet == last) continue;
        first = first ? std::min(first, packet) : packet;
        last = packet;
        ++count;
    }
    if (count == 0) return tr("no packet");
    if (count == 1) return tr("packet %1").arg(first);
    if (count == 2) return tr("packets %1, %2").arg(first).arg(last);
    return tr("%1 packets, %2 to %3").arg(count).arg(first).arg(last);
}

QString apiTitle(const Protocol& protocol, const MessagePart& part, std::int16_t apiKey, std::int16_t version,
                 ExchangeStatus status) {
    if (status == ExchangeStatus::SaslToken) return tr("SASL token");
    const Api* api = protocol.api(apiKey);
    QString title = QStringLiteral("%1%2 v%3")
                        .arg(status == ExchangeStatus::Inferred ? QStringLiteral("~") : QString(),
                             api ? texts::fromUtf8(api->name) : tr("key %1").arg(apiKey))
                        .arg(version);
    if (api && version > api->versions.last)
        title += tr(" (newest known is %1; decoded as %1, assumed)").arg(api->versions.last);
    else if (part.layoutVersion != version && api)
        title += tr(" (in the layout of v%1)").arg(part.layoutVersion);
    return title;
}

QString summaryOf(const Frame& frame) {
    QString text = QStringLiteral("%1, %2").arg(texts::bytes(frame.bytes.size()), packetsText(frame.bytes));
    if (frame.bytes.missingBytes() > 0) text += tr(", %1 missing").arg(texts::bytes(frame.bytes.missingBytes()));
    return text;
}

QString whyNoResponse(const Exchange& exchange, bool ended) {
    if (!ended) return tr("not here yet");
    switch (exchange.status) {
    case ExchangeStatus::NoResponseExpected:
        return tr("none expected: acks=0");
    case ExchangeStatus::Open:
        return tr("the capture ended before one could come");
    default:
        break;
    }
    switch (exchange.reason) {
    case NoAnswerReason::ConnectionClosed:
        return tr("none: the connection was closed");
    case NoAnswerReason::ConnectionReset:
        return tr("none: the connection was reset");
    case NoAnswerReason::LaterAnswered:
        return tr("none, although later requests were answered");
    case NoAnswerReason::IdReused:
        return tr("none: its correlation id was used again");
    case NoAnswerReason::LostBytes:
        return tr("not captured: bytes of the broker are missing");
    case NoAnswerReason::CaptureEnded:
        return tr("the capture ended before one could come");
    case NoAnswerReason::None:
        return tr("none");
    }
    return {};
}

class FactsMaker {
  public:
    FactsMaker(const Capture& capture, const ExchangeRow& row, Detail& detail)
        : m_capture(*capture), m_row(row), m_texts(capture->index, capture->protocol), m_detail(detail) {}

    void make() {
        add(tr("Exchange %1").arg(m_row.id().value), rootValue(), 0);
        const Exchange& exchange = m_detail.exchange;
        add(tr("Status"), m_row.ended() ? texts::fromUtf8(name(exchange.status)) : tr("waiting for an answer"), 0,
            statesInWords(m_row, m_capture.wish.slowAbove).join(u'\n'));
        addLatency();
        add(tr("Time"), tr("%1 UTC").arg(texts::date(m_row.time(), m_row.timeDigits(), false)), 0);
        if (m_row.hasHeader()) {
            add(tr("API"), m_texts.api(m_row), 0);
            add(tr("Correlation id"), QString::number(m_row.correlationId()), 0);
        }
        const IndexedConnection& on = m_capture.index.connection(m_row.connection());
        QString client = texts::fromUtf8(m_capture.index.text(on.clientText));
        if (m_row.hasClientId()) client += u' ' + texts::quoted(m_capture.index.text(m_row.clientId()));
        add(tr("Client"), client, 0);
        const QString software = m_texts.cell(ExchangeColumn::Software, m_row, {});
        if (!software.isEmpty()) add(tr("Software"), software, 0);
        add(tr("Broker"), texts::fromUtf8(m_capture.index.text(on.brokerText)), 0);
        add(tr("Connection"), QString::number(m_row.connection()), 0,
            tr("Kafka connection %1, TCP connection %2 of this capture").arg(m_row.connection()).arg(on.tcp.value));
        add(tr("Packets"), m_texts.packets(m_row), 0);
        if (exchange.confidence)
            add(tr("Confidence"), tr("%1 %").arg(*exchange.confidence * 100, 0, 'f', 0), 0,
                tr("How sure it is that the answer is of this API and version"));
        addProblems();
    }

  private:
    std::uint32_t add(const QString& name, const QString& value, std::uint32_t parent, const QString& tip = {},
                      bool damage = false) {
        m_detail.facts.push_back({name, value, tip, damage, parent});
        return static_cast<std::uint32_t>(m_detail.facts.size() - 1);
    }

    QString rootValue() const {
        QStringList words;
        if (m_row.latency()) words << tr("%1 ms").arg(texts::milliseconds(*m_row.latency()));
        switch (m_row.waitReason()) {
        case WaitReason::None:
            break;
        case WaitReason::LongPoll:
            words << tr("waited for data as it was asked to");
            break;
        case WaitReason::Rebalance:
            words << tr("waited for the group");
            break;
        case WaitReason::Throttled:
            words << tr("throttled");
            break;
        }
        const QString error = m_texts.error(m_row);
        if (!error.isEmpty()) words << error;
        return words.join(QStringLiteral(", "));
    }

    void addLatency() {
        const std::optional<Latency> parts = latency(m_detail.exchange);
        if (!parts) return;
        const auto ms = [](Duration time) { return tr("%1 ms").arg(texts::milliseconds(time)); };
        const std::uint32_t total = add(tr("Latency"), ms(parts->total), 0,
                                        tr("From the first byte of the request to the last byte of the response, as "
                                           "the capture saw them"));
        add(tr("Request transfer"), ms(parts->requestTransfer), total, tr("First to last byte of the request"));
        QString wait = ms(parts->wait);
        if (m_row.waitByDesign() > Duration{}) wait += tr(", %1 of it by design").arg(ms(m_row.waitByDesign()));
        add(tr("Wait"), wait, total, tr("Last byte of the request to first byte of the response"));
        add(tr("Response transfer"), ms(parts->responseTransfer), total, tr("First to last byte of the response"));
    }

    void addProblems() {
        std::vector<const Problem*> problems;
        for (const Problem& problem : m_detail.exchange.problems)
            problems.push_back(&problem);
        for (const Part& part : {m_detail.request, m_detail.response})
            if (part)
                for (const Problem& problem : part->problems)
                    problems.push_back(&problem);
        if (problems.empty()) return;
        const std::uint32_t all = add(tr("Problems"), QString::number(problems.size()), 0, {}, true);
        for (const Problem* problem : problems) {
            const ProblemRow& kind = row(problem->kind);
            QString value = texts::fromUtf8(problem->text.empty() ? kind.sentence : problem->text);
            if (!problem->at.empty())
                value += tr(" (at %1, byte %2)").arg(texts::fromUtf8(problem->at)).arg(problem->offset);
            add(texts::fromUtf8(kind.name), value, all, texts::fromUtf8(kind.sentence), kind.damage);
        }
    }

    const CaptureData& m_capture;
    const ExchangeRow& m_row;
    ExchangeTexts m_texts;
    Detail& m_detail;
};

} // namespace

std::shared_ptr<const Detail> makeDetail(const Capture& capture, std::uint32_t row) {
    const ExchangeRow view = capture->index.row(row);
    auto detail = std::make_shared<Detail>();
    detail->id = view.id();
    detail->keeper = capture;
    if (!view.known()) {
        detail->facts.push_back(
            {tr("Exchange %1").arg(view.id().value), tr("The request is still being read"), {}, false, 0});
        return detail;
    }
    detail->exchange = capture->index.exchange(row);
    const Exchange& exchange = detail->exchange;
    if (exchange.request) {
        detail->request = makeMessage(capture, exchange, *exchange.request, exchange.requestContext());
        detail->requestTitle =
            apiTitle(capture->protocol, *detail->request, view.apiKey(), view.apiVersion(), exchange.status);
        detail->requestSummary = summaryOf(*exchange.request);
    } else {
        detail->requestSummary = tr("not captured");
    }
    if (exchange.response) {
        detail->response = makeMessage(capture, exchange, *exchange.response, exchange.responseContext());
        detail->responseTitle =
            view.hasHeader() || exchange.status == ExchangeStatus::SaslToken
                ? apiTitle(capture->protocol, *detail->response, view.apiKey(), view.apiVersion(), exchange.status)
                : tr("correlation id %1").arg(exchange.correlationId);
        detail->responseSummary = summaryOf(*exchange.response);
    } else {
        detail->responseMissing = true;
        detail->responseSummary = whyNoResponse(exchange, view.ended());
    }
    detail->damaged = view.damaged();
    FactsMaker(capture, view, *detail).make();
    return detail;
}

} // namespace brokerscope
