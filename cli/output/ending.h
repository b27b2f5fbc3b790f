// SPDX-License-Identifier: Apache-2.0
// How a run ended, and the one place that turns it into an exit status.
#pragma once

#include <algorithm>
#include <cstdint>

namespace brokerscope {

// In the order in which one hides another: what could not be done hides what was found, that hides the damage.
enum class Ending : std::uint8_t { Done, Damaged, Found, Unusable };

inline Ending worse(Ending a, Ending b) {
    return std::max(a, b);
}

constexpr int exitStatus(Ending outcome) {
    switch (outcome) {
    case Ending::Done:
        return 0;
    case Ending::Found:
        return 1; // `check` found something
    case Ending::Unusable:
        return 2; // wrong usage, or nothing could be read (or written)
    case Ending::Damaged:
        return 3; // all that could be read was processed
    }
    return 2;
}

} // namespace brokerscope
