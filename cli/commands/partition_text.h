// SPDX-License-Identifier: Apache-2.0
// Partitions as people read them: the topic once, numbers in a row joined. Threads: any.
#pragma once

#include <string>
#include <vector>

namespace brokerscope {

// "orders-0", "orders-1", "orders-2", "bills-4" is "orders 0-2, bills 4"; with offsets "orders-1@20", "orders-0@15" is
// "orders 0@15 1@20". Topics stand in the order of their first partition.
std::string partitionsForPeople(const std::vector<std::string>& partitions);

} // namespace brokerscope
