// SPDX-License-Identifier: Apache-2.0
// The law of the field tree: every byte belongs to exactly one node's own bytes, children lie inside their parent in
// order and without holes, and the links of the nodes fit each other.
#pragma once

#include "dissector/message/field_tree.h"

#include <string>

namespace brokerscope {

// What breaks the law first; empty when nothing does. The tree has to cover [begin, end).
std::string brokenLaw(const FieldTree& tree, std::uint32_t begin, std::uint32_t end);

} // namespace brokerscope
