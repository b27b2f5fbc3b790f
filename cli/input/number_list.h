// SPDX-License-Identifier: Apache-2.0
// Numbers as people choose them: "17", "3,5,9", "10-20", "1-3,8".
#pragma once

#include "capture/types/result.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace brokerscope {

class NumberList {
  public:
    static Result<NumberList> parse(std::string_view text);

    bool contains(std::uint64_t number) const;
    std::uint64_t count() const; // of the numbers chosen; the largest value there is when they are more

  private:
    std::vector<std::pair<std::uint64_t, std::uint64_t>> m_ranges; // first and last, by first, apart from each other
};

} // namespace brokerscope
