// SPDX-License-Identifier: Apache-2.0
// The head of an Avro object container file: the magic, then a map of texts with the schema and the codec.
// Bounds: the map ends with the bytes; nothing is copied.
#pragma once

#include "capture/types/bytes.h"

#include <optional>

namespace brokerscope {

struct AvroContainer {
    Bytes schema; // JSON; empty when the head does not say or is damaged
    Bytes codec;  // "deflate"; likewise
};

std::optional<AvroContainer> avroContainer(Bytes bytes); // nullopt: does not begin like one

} // namespace brokerscope
