// SPDX-License-Identifier: Apache-2.0
// The whole program behind main(): from the words typed to the exit status.
#pragma once

#include <span>
#include <string>

namespace brokerscope {

int run(std::span<const std::string> words); // without the program's own name

} // namespace brokerscope
