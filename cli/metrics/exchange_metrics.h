// SPDX-License-Identifier: Apache-2.0
// Counts exchanges for Prometheus: served over HTTP while a capture runs (--metrics-listen), or written to a text file
// for the node exporter's textfile collector (--metrics-file).
//
// Labels come from the wire, so their number is bounded: of each label the first mostValues values get their own
// series, the rest count as "other". Series: at most apis (~100) x mostValues for the largest family. Threads: add()
// from one thread; prometheus-cpp serves from its own.
#pragma once

#include "cli/options/options.h"
#include "cli/output/console.h"
#include "dissector/analysis/exchange_facts.h"

#include <memory>
#include <string>

namespace brokerscope {

class ExchangeMetrics {
  public:
    static constexpr std::size_t mostValues = 50;

    explicit ExchangeMetrics(const Protocol& protocol);
    ~ExchangeMetrics();

    void add(const ExchangeFacts& facts);
    void addForeign(std::string_view protocol);
    void addLost(std::uint64_t bytes);
    void addConnection();

    // The whole in Prometheus' text format.
    std::string text() const;
    // Serves it; a sentence when that cannot be.
    std::optional<std::string> listen(const std::string& address);
    // Replaces the file in one step, so that a reader never sees half of it.
    std::optional<std::string> writeTo(const std::string& path) const;

  private:
    const Protocol& m_protocol;
    struct Content;
    std::unique_ptr<Content> m_content;
};

} // namespace brokerscope
