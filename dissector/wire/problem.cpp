// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/problem.h"

namespace brokerscope {

const std::vector<ProblemRow>& problemRows() {
    static const std::vector<ProblemRow> rows = {
        {ProblemKind::Truncated, "truncated", "The snap length or the end of the capture cut the message.", true},
        {ProblemKind::Gap, "gap", "Bytes of the message are not in the capture.", true},
        {ProblemKind::Malformed, "malformed", "The bytes contradict the layout of this version.", true},
        {ProblemKind::Trailing, "trailing", "Bytes are left over behind a whole body.", false},
        {ProblemKind::AssumedVersion, "assumed-version",
         "The version is newer than any known here; the newest known layout was assumed.", false},
        {ProblemKind::OtherLayout, "other-layout", "The body is in another version's layout than the request said.",
         false},
        {ProblemKind::UnknownApi, "unknown-api", "No API with this key is known; the body stays closed.", false},
        {ProblemKind::Clock, "clock", "The answer was captured before its request; the clocks differ.", false},
        {ProblemKind::Crc, "crc", "The checksum of a batch does not fit its bytes.", true},
        {ProblemKind::Codec, "codec", "A batch cannot be decompressed.", true},
        {ProblemKind::Limit, "limit", "A bound of Brokerscope was reached.", true},
    };
    return rows;
}

const ProblemRow& row(ProblemKind kind) {
    return problemRows()[static_cast<std::size_t>(kind)];
}

} // namespace brokerscope
