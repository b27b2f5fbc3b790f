// SPDX-License-Identifier: Apache-2.0
// What the commands share that feed exchanges to an analyser and print what it found when all was read: reading, facts,
// filter, and the notes for a capture without exchanges. Threads: one.
#pragma once

#include "cli/commands/exchange_filter.h"
#include "cli/input/capture_session.h"
#include "dissector/analysis/exchange_facts.h"

#include <functional>

namespace brokerscope {

class AnalysisSink : public ReadingSink {
  public:
    AnalysisSink(const Options& options, Console& console, CaptureSession& session,
                 std::function<void(const ExchangeFacts&)> use);

    void exchangeEnded(Exchange&& exchange) override;

    // Opens and reads the capture, then calls `print` unless nothing could be read.
    Ending run(const std::function<void()>& print);

  private:
    const Options& m_options;
    Console& m_console;
    CaptureSession& m_session;
    std::function<void(const ExchangeFacts&)> m_use;
    ExchangeFactsReader m_facts;
    TopicNames m_names; // for the filter
    ExchangeFilter m_filter;
    std::uint64_t m_seen = 0, m_used = 0;
};

} // namespace brokerscope
