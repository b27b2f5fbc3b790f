// SPDX-License-Identifier: Apache-2.0
// An exchange as a filter sees it. What a name needs is looked up on first demand and kept until the next exchange:
// the exchange itself, then skims, then whole trees, then records.
// Bytes: the exchange and the skims given are not owned and must stay until the next assign(). One thread.
#pragma once

#include "dissector/analysis/wait_reason.h"
#include "dissector/exchange/exchange.h"
#include "dissector/filter/filter.h"
#include "dissector/message/decoder.h"
#include "dissector/message/skim.h"
#include "dissector/records/record_set.h"

#include <array>
#include <functional>
#include <string>

namespace brokerscope {

struct FilterSettings {
    Duration slow = std::chrono::milliseconds(100);
    Timestamp captureStart{}; // what "time > 12s" counts from
    // The name of a topic id; empty when nobody has named it.
    std::function<std::string(const std::array<std::uint8_t, 16>&)> topicName;
};

class ExchangeSubject : public FilterSubject {
  public:
    ExchangeSubject(const Protocol& protocol, const FilterSettings& settings);

    // `request` and `response`: skims that the caller has made anyway, or null.
    void assign(const Exchange& exchange, const Skim* request = nullptr, const Skim* response = nullptr);
    bool visitValues(FilterField field, const std::vector<std::string>& path, const Visitor& visit) override;

  private:
    bool visitExchange(FilterField field, const Visitor& visit);
    bool visitTiming(FilterField field, const Visitor& visit);
    bool visitSkim(FilterField field, const Visitor& visit);
    bool visitTopics(const Visitor& visit);
    bool visitErrors(FilterField field, const Visitor& visit);
    bool visitSemantic(Semantic semantic, const Visitor& visit);
    bool visitPath(Direction direction, const std::vector<std::string>& path, const Visitor& visit);
    bool visitBelow(Direction direction, NodeIndex node, const std::vector<std::string>& path, std::size_t at,
                    const Visitor& visit);
    bool visitNode(Direction direction, const FieldNode& node, const Visitor& visit);
    bool visitRecords(FilterField field, const Visitor& visit);
    WaitByDesign waited();
    bool isSlow();
    bool isDamaged();
    const Skim& skim(Direction direction);
    const DecodedMessage& decoded(Direction direction);
    const Frame* frame(Direction direction) const;

    const Protocol& m_protocol;
    const FilterSettings& m_settings;
    const Exchange* m_exchange = nullptr;
    const Skim* m_given[2] = {};
    Skim m_skims[2];
    DecodedMessage m_decoded[2];
    bool m_skimmed[2] = {};
    bool m_isDecoded[2] = {};
    RecordSetReader m_records;
    std::vector<std::uint8_t> m_scratch;
};

} // namespace brokerscope
