// SPDX-License-Identifier: Apache-2.0
// Keys and values of records as texts that programs read. Bytes: views of the record. Threads: any.
#pragma once

#include "dissector/records/record_set.h"

#include <optional>
#include <string>
#include <string_view>

namespace brokerscope {

std::string_view asText(Bytes bytes);
bool isPlainText(Bytes bytes); // UTF-8 without control characters but tab and line breaks
// The text where it is plain, else "base64:" and the bytes; null is empty.
std::string bytesForPrograms(const std::optional<Bytes>& bytes);
// "COMMIT", "ABORT", ... of a record in a control batch; empty when it is none.
std::string controlType(const Batch& batch, const Record& record);

} // namespace brokerscope
