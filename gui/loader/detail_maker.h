// SPDX-License-Identifier: Apache-2.0
// Decodes one exchange for the panes, and opens its record sets. Plain functions: they run on whichever thread the
// window gives them (never its own) and return what does not change any more.
// Bounds: those of the decoder and of the record reader.
#pragma once

#include "gui/loader/capture_data.h"
#include "gui/models/detail.h"

#include <memory>

namespace brokerscope {

std::shared_ptr<const Detail> makeDetail(const Capture& capture, std::uint32_t row);

} // namespace brokerscope
