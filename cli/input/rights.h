// SPDX-License-Identifier: Apache-2.0
// Rights that were needed to open a device and are needed no longer.
#pragma once

#include "capture/types/result.h"

#include <optional>

namespace brokerscope {

// Who came by sudo is the user again. Root by its own right keeps only the right to any file (what is written may
// belong to others). All other capabilities go, those that the program file gave too, and none can be had again.
// To be called while there is one thread: capabilities are each thread's own.
std::optional<Error> giveUpRights();

} // namespace brokerscope
