// SPDX-License-Identifier: Apache-2.0
// The output of `join`, as tables for people and as ndjson, a line for each exchange and for each that did not match.
#pragma once

#include "cli/commands/join_tables.h"
#include "cli/output/console.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/join/broker_join.h"
#include "dissector/analysis/join/capture_join.h"
#include "dissector/wire/json_line.h"

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
    void headOf(const ExchangeFacts& facts);
    void endLine();
    void printHead(const BrokerJoin& join);
    void printRest(const BrokerJoin::Rest& rest);

    const Options& m_options;
    Console& m_console;
    JsonLine m_json;
    JoinTables m_tables;
    std::uint64_t m_joined = 0, m_exchanges = 0, m_over = 0;
    Duration m_excess{};
    std::map<std::pair<std::string, NotLogged>, Rest> m_notLogged;
};

void printCaptureJoin(const CaptureJoin::Result& result, const Options& options, Console& console);

} // namespace brokerscope
