// SPDX-License-Identifier: Apache-2.0
// An integer as its meaning has it: names of errors and enumerations, units, times.
#pragma once

#include "dissector/message/value_text.h"

namespace brokerscope {

ValueText numberText(const Protocol& protocol, const PlanField& field, std::int64_t value);
// "3 UNKNOWN_TOPIC_OR_PARTITION ↻", "0 NONE", "999 (unknown error code)"
ValueText errorText(const Protocol& protocol, std::int64_t code);

} // namespace brokerscope
