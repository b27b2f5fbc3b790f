// SPDX-License-Identifier: Apache-2.0
// The words of the exchange table: what a cell, its tooltip and a screen reader say. Pure: the same index and settings
// give the same text. Reads one row of the index a call, and for few cells where its bytes lie; decodes nothing.
#pragma once

#include "dissector/index/exchange_index.h"
#include "dissector/schema/protocol.h"
#include "gui/models/exchange_columns.h"
#include "gui/models/texts.h"

#include <QString>

#include <memory>
#include <optional>

namespace brokerscope {

struct TimeSettings {
    TimeStyle style = TimeStyle::Relative;
    Timestamp zero;                    // what Relative counts from: the first packet, or a row the user chose
    std::optional<Timestamp> rowAbove; // what Delta counts from
};

class ExchangeTexts {
  public:
    ExchangeTexts(const ExchangeIndex& index, const Protocol& protocol) : m_index(&index), m_protocol(&protocol) {}

    QString cell(ExchangeColumn column, const ExchangeRow& row, const TimeSettings& time) const;
    QString toolTip(ExchangeColumn column, const ExchangeRow& row, Duration slowAbove) const;
    // "error, exchange 13, Metadata version 13, no-such-topic, 1.45 milliseconds"
    QString spoken(const ExchangeRow& row, Duration slowAbove) const;

    QString time(const ExchangeRow& row, Timestamp at, const TimeSettings& settings) const;
    QString client(const ExchangeRow& row) const;
    QString api(const ExchangeRow& row) const;
    QString apiName(std::int16_t key) const;
    QString subject(const ExchangeRow& row) const;
    QString topic(Subject::Topic topic) const; // its name, else its id as Kafka writes ids
    QString error(const ExchangeRow& row) const;
    QString errorName(std::int16_t code) const; // "3 UNKNOWN_TOPIC_OR_PARTITION ↻"
    QString packets(const ExchangeRow& row) const;

  private:
    QString errorToolTip(const ExchangeRow& row) const;
    QString clientToolTip(const ExchangeRow& row) const;
    QString subjectToolTip(const ExchangeRow& row) const;
    QString latencyToolTip(const ExchangeRow& row) const;
    QString missing(const ExchangeRow& row) const;

    const ExchangeIndex* m_index;
    const Protocol* m_protocol;
};

} // namespace brokerscope
