// SPDX-License-Identifier: Apache-2.0
// What a fuzz target is: one function that takes any bytes, prints nothing and ends with a law. Built in every build:
// with clang's -fsanitize=fuzzer as a fuzzer, else with replay.cpp, which runs files and small changes of them.
#pragma once

#include "capture/types/bytes.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace brokerscope {

// A law that does not hold ends the process, which every way to run a target takes for a failure.
inline void require(bool holds) {
    if (!holds) std::abort();
}

} // namespace brokerscope
