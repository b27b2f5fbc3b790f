// SPDX-License-Identifier: Apache-2.0
// The output of `join`: tables for people; as ndjson and csv a line for each exchange and for each that did not match.
#pragma once

#include "cli/commands/join_tables.h"
#include "cli/output/report.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/join/broker_join.h"
#include "dissector/analysis/join/capture_join.h"

#include <map>
#include <string>

namespace brokerscope {

class BrokerJoinOutput {
  public:
    BrokerJoinOutput(const Options& options, Console& console);

    void joined(const ExchangeFacts& facts, const JoinedTimes& times);
    void notLogged(const ExchangeFacts& facts, NotLogged reason);
    void finish(const BrokerJoin& join);

  private:
    struct Rest { // exchanges that did not match, by api and reason
        std::uint64_t count = 0;
        std::uint64_t first = 0;
    };
    void printHead(const BrokerJoin& join);
    void printRest(const BrokerJoin::Rest& rest);

    const Options& m_options;
    Console& m_console;
    Options m_forRows; // without --limit, which is about the tables
    Report m_rows;     // for programs
    JoinTables m_tables;
    std::uint64_t m_joined = 0, m_exchanges = 0, m_over = 0;
    Duration m_excess{};
    std::map<std::pair<std::string, NotLogged>, Rest> m_notLogged;
};

void printCaptureJoin(const CaptureJoin::Result& result, const Options& options, Console& console);

} // namespace brokerscope
