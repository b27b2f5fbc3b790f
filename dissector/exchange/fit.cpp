// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/fit.h"

#include "dissector/message/skim.h"

#include <algorithm>

namespace brokerscope {

Fit fitOf(const Protocol& protocol, const ByteChain& frame, const MessageContext& context) {
    Skim skim;
    skimMessage(protocol, frame, context, skim);
    if (!frame.hasHoles() && skim.whole && skim.problems.empty()) return Fit::Exact;
    constexpr std::uint32_t few = 4;
    if (!frame.hasHoles() && skim.problems.size() == 1 && skim.problems[0].kind == ProblemKind::Trailing &&
        skim.problems[0].offset + few >= frame.size())
        return Fit::Nearly;
    const bool contradicted = std::ranges::any_of(skim.problems, [](const Problem& problem) {
        return problem.kind == ProblemKind::Malformed || problem.kind == ProblemKind::Limit;
    });
    return contradicted ? Fit::No : Fit::SoFar;
}

} // namespace brokerscope
