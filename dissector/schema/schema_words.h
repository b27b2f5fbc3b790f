// SPDX-License-Identifier: Apache-2.0
// The vocabulary of the schema notation: what the words of a .schema file stand for. One table each way, so that the
// parser and whoever prints layouts agree.
#pragma once

#include "dissector/schema/schema.h"

#include <optional>
#include <string_view>

namespace brokerscope {

std::optional<FieldType> typeFromWord(std::string_view word);                  // "i32"; not for structs
std::optional<Semantic> semanticFromWord(std::string_view word);               // "topic", "bits"
std::string_view wordOf(Semantic semantic);                                    // "topicid"; empty for None and Enum
std::optional<Lead> leadFromWord(std::string_view word);                       // "version"
std::optional<PayloadRule::Place> payloadPlaceFromWord(std::string_view word); // "groupmetadata", "key"
std::string jsonNameOf(std::string_view kafkaName);                            // "TimeoutMs" -> "timeoutMs"
std::string enumNameOf(std::string_view apiName);                              // "SaslHandshake" -> "SASL_HANDSHAKE"
std::optional<std::int64_t> numberFromWord(std::string_view word);             // "-1", "0x7fffffff"

} // namespace brokerscope
