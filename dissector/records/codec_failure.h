// SPDX-License-Identifier: Apache-2.0
// Why a stream of compressed records gave up.
#pragma once

#include "dissector/records/output_buffer.h"
#include "dissector/wire/problem.h"

#include <string>

namespace brokerscope {

struct CodecFailure {
    ProblemKind kind = ProblemKind::Codec; // or Limit
    std::string text;
};

CodecFailure outputLimitReached(const OutputBuffer& output);

} // namespace brokerscope
