// SPDX-License-Identifier: Apache-2.0
// Member ids for people: "consumer-a-996f2d23-d1fa-4086-a289-6206933a2d81" is too long for a column, and its first and
// last signs tell as much.
#pragma once

#include <string>
#include <string_view>

namespace brokerscope {

// "consumer-a-996f…": what stands in front of the uuid, and its first four signs.
std::string memberText(std::string_view memberId);
// The same for all member ids in a text.
std::string withShortIds(std::string_view text);

} // namespace brokerscope
