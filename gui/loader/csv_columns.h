// SPDX-License-Identifier: Apache-2.0
// What exported csv says of an exchange and of a record: the command line's column names with values for programs
// (plain numbers, ISO times, full names), whatever the tables of the window show.
// Threads: a job's. Memory: one line.
#pragma once

#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/record_json_line.h"
#include "dissector/index/exchange_index.h"

#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

// RFC 4180, with its line end.
std::string csvLine(const std::vector<std::string>& cells);

std::vector<std::string> exchangeCsvHead();
std::vector<std::string> exchangeCsvCells(const ExchangeFacts& facts, const ExchangeRow& row,
                                          const ExchangeIndex& index);

std::vector<std::string> recordCsvHead();
std::vector<std::string> recordCsvCells(const RecordFacts& facts);

} // namespace brokerscope
