// SPDX-License-Identifier: Apache-2.0
// The columns of `list`, one row each: the same names in tables and in csv, where values are written for programs
// (plain numbers, full names) instead of for people.
#pragma once

#include "cli/output/table.h"
#include "dissector/analysis/exchange_facts.h"
#include "dissector/analysis/topic_names.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

enum class Reader : std::uint8_t { Person, Program };

struct ListColumn {
    std::string_view name; // as in listColumnNames
    TableColumn look;
    Cell (*value)(const ExchangeFacts& facts, const TopicNames& names, Reader reader); // null: the time
};

// Those named, or the usual ones of a table or of csv.
std::vector<const ListColumn*> listColumns(const std::vector<std::string>& names, Reader reader);
std::span<const ListColumn> allListColumns();

// "orders", "orders +2", "group billing", "txn tx-orders"; empty when the exchange is about none of them.
std::string subjectText(const ExchangeFacts& facts, const TopicNames& names);
// The first error by name, or in words what is odd about the exchange; empty when all is well.
Cell remark(const ExchangeFacts& facts);
// Why there is no answer (or no request); empty for a pair.
Cell statusRemark(const Exchange& exchange);

} // namespace brokerscope
