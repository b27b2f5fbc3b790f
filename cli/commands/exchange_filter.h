// SPDX-License-Identifier: Apache-2.0
// The display filter (-Y) as the commands use it: compiled before anything is read, then asked for each exchange.
// Without -Y everything passes. Threads: one.
#pragma once

#include "cli/options/options.h"
#include "cli/output/console.h"
#include "dissector/analysis/topic_names.h"
#include "dissector/filter/exchange_subject.h"
#include "dissector/filter/filter.h"

#include <optional>

namespace brokerscope {

class ExchangeFilter {
  public:
    // `names` gives topic ids their names and must outlive the filter.
    ExchangeFilter(const Protocol& protocol, const TopicNames& names);

    // False: the expression is wrong; the place was shown.
    bool compile(const Options& options, const Console& console);
    bool active() const { return m_filter.has_value(); }
    // The skims, when the caller has made them anyway, or null. `captureStart`: the first packet's time.
    bool matches(const Exchange& exchange, Timestamp captureStart, const Skim* request, const Skim* response);

  private:
    const Protocol& m_protocol;
    FilterSettings m_settings;
    ExchangeSubject m_subject;
    std::optional<Filter> m_filter;
};

} // namespace brokerscope
