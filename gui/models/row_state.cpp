// SPDX-License-Identifier: Apache-2.0
#include "gui/models/row_state.h"

#include <QCoreApplication>

namespace brokerscope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("states", text);
}

bool isOrphan(const ExchangeRow& row) {
    return row.status() == ExchangeStatus::Inferred || row.status() == ExchangeStatus::OrphanResponse;
}

} // namespace

RowState stateOf(const ExchangeRow& row, Duration slowAbove) {
    if (!row.known() || !row.ended()) return RowState::Plain;
    if (row.damaged()) return RowState::Damaged;
    if (row.hasErrors()) return RowState::Error;
    if (row.status() == ExchangeStatus::Unanswered) return RowState::Unanswered;
    if (row.slow(slowAbove)) return RowState::Slow;
    if (isOrphan(row)) return RowState::Inferred;
    if (row.status() == ExchangeStatus::NoResponseExpected) return RowState::NoAnswerDue;
    if (row.status() == ExchangeStatus::Open) return RowState::CaptureEnded;
    return RowState::Plain;
}

QChar letterOf(RowState state) {
    switch (state) {
    case RowState::Plain:
        return {};
    case RowState::Damaged:
        return u'D';
    case RowState::Error:
        return u'E';
    case RowState::Unanswered:
        return u'U';
    case RowState::Slow:
        return u'S';
    case RowState::Inferred:
        return u'~';
    case RowState::NoAnswerDue:
        return u'–';
    case RowState::CaptureEnded:
        return u'…';
    }
    return {};
}

QString nameOf(RowState state) {
    switch (state) {
    case RowState::Plain:
        return {};
    case RowState::Damaged:
        return tr("damaged");
    case RowState::Error:
        return tr("error");
    case RowState::Unanswered:
        return tr("unanswered");
    case RowState::Slow:
        return tr("slow");
    case RowState::Inferred:
        return tr("inferred");
    case RowState::NoAnswerDue:
        return tr("no answer due");
    case RowState::CaptureEnded:
        return tr("capture ended");
    }
    return {};
}

QStringList statesInWords(const ExchangeRow& row, Duration slowAbove) {
    QStringList words;
    if (!row.known()) return {tr("The request is still being read")};
    if (!row.ended()) return {tr("No answer yet")};
    if (row.damaged()) words << tr("Damaged: bytes are missing or contradict the layout");
    if (row.hasErrors()) words << tr("Error: the answer carries an error code");
    if (row.status() == ExchangeStatus::Unanswered) words << tr("Unanswered: the capture went on, no answer came");
    if (row.slow(slowAbove))
        words << tr("Slow: more than %1 ms beyond what the broker waited by design")
                     .arg(std::chrono::duration_cast<std::chrono::milliseconds>(slowAbove).count());
    if (row.status() == ExchangeStatus::Inferred)
        words << tr("Inferred: the request was not captured; API and version were worked out from the answer");
    if (row.status() == ExchangeStatus::OrphanResponse) words << tr("The request of this answer was not captured");
    if (row.status() == ExchangeStatus::NoResponseExpected) words << tr("acks=0: no answer is expected");
    if (row.status() == ExchangeStatus::Open) words << tr("The capture ended before an answer could come");
    if (row.status() == ExchangeStatus::SaslToken) words << tr("Raw SASL tokens after SaslHandshake v0");
    if (words.isEmpty()) words << tr("Answered");
    return words;
}

} // namespace brokerscope
