// SPDX-License-Identifier: Apache-2.0
// What the exchange table shall show: a filter's text and the chips, which are or-ed with each other and and-ed with
// the text; and the test of a row against it.
// Threads: a wish is a value and may go anywhere; a RowFilter belongs to one thread, the index may grow meanwhile.
#pragma once

#include "dissector/filter/filter.h"
#include "dissector/index/indexed_subject.h"

#include <QString>

#include <cstdint>
#include <memory>

namespace brokerscope {

struct FilterWish {
    QString text;
    std::shared_ptr<const Filter> filter; // null: none
    bool errors = false, slow = false, unanswered = false, damaged = false;

    bool anyChip() const { return errors || slow || unanswered || damaged; }
    bool everything() const { return !filter && !anyChip(); }
    QString expression() const; // both as one filter text, for the command line
};

class RowFilter {
  public:
    RowFilter(const ExchangeIndex& index, const Protocol& protocol, FilterWish wish, const FilterSettings& settings)
        : m_index(index), m_subject(index, protocol, settings), m_wish(std::move(wish)), m_slowAbove(settings.slow) {}

    bool matches(std::uint32_t row);

  private:
    bool chipsMatch(const ExchangeRow& row) const;

    const ExchangeIndex& m_index;
    IndexedSubject m_subject;
    FilterWish m_wish;
    Duration m_slowAbove;
};

} // namespace brokerscope
