// SPDX-License-Identifier: Apache-2.0
// What a row of the exchange table is coloured by: the first state that fits (WINDOW: damaged, error, unanswered,
// slow). Each has a letter in a shape of its own, so that colour is never alone.
#pragma once

#include "dissector/index/exchange_index.h"

#include <QChar>
#include <QStringList>

#include <cstdint>

namespace brokerscope {

enum class RowState : std::uint8_t { Plain, Damaged, Error, Unanswered, Slow, Inferred, NoAnswerDue, CaptureEnded };

RowState stateOf(const ExchangeRow& row, Duration slowAbove);
QChar letterOf(RowState state);                                        // null for Plain
QString nameOf(RowState state);                                        // "error"
QStringList statesInWords(const ExchangeRow& row, Duration slowAbove); // every state that fits, not only the first

} // namespace brokerscope
