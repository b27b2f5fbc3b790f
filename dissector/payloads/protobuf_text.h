// SPDX-License-Identifier: Apache-2.0
// Protobuf messages without their schema: field numbers and what stands in them.
//
//     1: 150, 2: "text", 3: {1: 7}, 4: 0x0a1b, 5: 2.5f64, 6: 42i32
//
// Numbers are the raw varints (negative ones as int64 has them; zig-zag is not undone, as nobody says where it is
// used). Bytes are taken for text where they are, else for a message where they are one. Groups are not known. Bounds:
// 16 levels; text ends at its limit.
#pragma once

#include "capture/types/bytes.h"

#include <string>

namespace brokerscope {

bool isProtobuf(Bytes bytes);        // the wire format, consumed exactly
bool looksLikeProtobuf(Bytes bytes); // and field numbers that people use, so that it is hardly an accident

std::string protobufLine(Bytes bytes, std::size_t most);
std::string protobufPretty(Bytes bytes, std::size_t most); // a field a line, indented

} // namespace brokerscope
