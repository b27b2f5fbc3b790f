// SPDX-License-Identifier: Apache-2.0
// A row of the index as a filter sees it: what the index knows is answered from there, for the rest the exchange is
// rebuilt and decoded as for any other (ExchangeSubject). The answers are the same either way; a test compares them.
// Bytes: index and settings are not owned and must outlive it. Threads: one per object; the index may grow meanwhile.
#pragma once

#include "dissector/filter/exchange_subject.h"
#include "dissector/index/exchange_index.h"

#include <optional>

namespace brokerscope {

class IndexedSubject : public FilterSubject {
  public:
    // Sets settings.topicName to what the index knows.
    IndexedSubject(const ExchangeIndex& index, const Protocol& protocol, FilterSettings settings);
    IndexedSubject(const IndexedSubject&) = delete;
    IndexedSubject& operator=(const IndexedSubject&) = delete;

    // False: nothing is known of that row yet, so no filter can be asked about it.
    bool assign(std::uint32_t row);
    bool visitValues(FilterField field, const std::vector<std::string>& path, const Visitor& visit) override;

  private:
    bool visitRow(FilterField field, const Visitor& visit);
    bool visitSubject(FilterField field, const Visitor& visit);
    bool visitErrors(FilterField field, const Visitor& visit);
    bool visitEndpoint(StringId text, const Address& address, const Visitor& visit) const;
    ExchangeSubject& whole();

    const ExchangeIndex& m_index;
    const Protocol& m_protocol;
    FilterSettings m_settings;
    ExchangeSubject m_decoding;
    std::optional<ExchangeRow> m_row;
    Exchange m_exchange;
    bool m_rebuilt = false;
};

} // namespace brokerscope
