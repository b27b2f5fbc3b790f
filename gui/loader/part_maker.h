// SPDX-License-Identifier: Apache-2.0
// Makes the parts of a detail: a decoded message, a record set in it, the decompressed records of a batch. What hides
// in their bytes fields (subscriptions, tokens, records of internal topics) is opened in place, and what must be masked
// is found.
// Bytes: those of the capture; who keeps a part keeps the capture. Threads: detail threads and finders.
#pragma once

#include "gui/loader/capture_data.h"
#include "gui/models/detail.h"

namespace brokerscope {

Part makeMessage(const Capture& capture, const Exchange& exchange, const Frame& frame, const MessageContext& context);
// What opens at a field of a part: a record set over the same bytes, or decompressed records in bytes of their own.
// `from` names the field in the model that asked. Null: nothing opens there.
Part openRecords(const Capture& capture, const MessagePart& part, FieldRef from);

} // namespace brokerscope
