// SPDX-License-Identifier: Apache-2.0
// What is in a capture, on one page: APIs with their latencies, errors, brokers, clients, topics; and the values that
// were seen, for completion. Computed in one pass over the index.
// Threads: any one; the index may grow meanwhile. The stop token is looked at every 16,384 rows.
// Memory:  8 bytes for each answered exchange while it computes, and what is distinct.
#pragma once

#include "dissector/index/exchange_index.h"
#include "dissector/schema/protocol.h"
#include "gui/models/filter_completion.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace brokerscope {

struct CaptureSummary {
    struct ApiLine {
        QString name;   // "Fetch"
        QString filter; // what shows just these
        std::uint32_t exchanges = 0, errors = 0, unanswered = 0, slow = 0;
        std::uint64_t requestBytes = 0, responseBytes = 0;
        QString versions;                             // "v13-17"
        std::optional<Duration> median, p99, longest; // nothing without an answer
        bool waits = false;                           // some of it waited by design
    };
    struct ErrorLine {
        QString name, meaning, filter;
        std::uint64_t count = 0;     // an exchange may have it for many partitions
        std::uint32_t exchanges = 0; // what the filter shows
        bool retriable = false;
    };
    struct NamedLine {
        QString name, detail, filter;
        std::uint32_t exchanges = 0, errors = 0;
    };
    ExchangeIndex::Counts counts;
    std::uint32_t connections = 0;
    std::vector<ApiLine> apis; // the most frequent first, as all lists here
    std::vector<ErrorLine> errors;
    std::vector<NamedLine> brokers, clients, topics, groups;
    SeenValues seen;
};

std::optional<CaptureSummary> summarize(const ExchangeIndex& index, std::uint32_t rows, const Protocol& protocol,
                                        Duration slowAbove, bool complete, std::stop_token stop);

} // namespace brokerscope
