// SPDX-License-Identifier: Apache-2.0
// Whether bytes look like a message of a plan: they must end exactly where the layout ends, contradict nothing, and
// hold values that make sense for their meaning. For guesses: resynchronisation, responses without a request, previews.
// Stops at the first doubt; allocates nothing.
#pragma once

#include "dissector/schema/plan.h"
#include "dissector/wire/byte_chain.h"

#include <cstdint>

namespace brokerscope {

// The body in [offset, end). Missing bytes of known length do not count against it; a chain that is cut before `end`
// does, as nobody can tell.
bool consumesExactly(const Plan& plan, const ByteChain& bytes, std::uint32_t offset, std::uint32_t end);

// The same, and every value makes sense: error codes, ids and counts in their range, booleans of 0 or 1, texts that
// are texts. Real messages pass; foreign bytes that happen to fit the layout mostly do not.
bool isPlausible(const Plan& plan, const ByteChain& bytes, std::uint32_t offset, std::uint32_t end);

// `plan`, or the layout of a preview release hanging behind it when the bytes fit that one and not `plan`.
const Plan& layoutThatFits(const Plan& plan, const ByteChain& bytes, std::uint32_t offset, std::uint32_t end);

} // namespace brokerscope
