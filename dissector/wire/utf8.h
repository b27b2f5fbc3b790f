// SPDX-License-Identifier: Apache-2.0
// Text from the wire: it should be UTF-8 and sometimes is not.
#pragma once

#include "capture/types/bytes.h"

#include <string>

namespace brokerscope {

// How many of the first bytes are whole, valid UTF-8 characters (no surrogates, nothing above U+10FFFF, no long forms).
std::size_t validUtf8Prefix(Bytes bytes);

// The bytes as valid UTF-8: what is none becomes U+FFFD, one for each byte that fits nowhere.
void appendUtf8(Bytes bytes, std::string& text);

} // namespace brokerscope
