// SPDX-License-Identifier: Apache-2.0
// A decoded message as JSON, field by field as Kafka's own converters write it: camelCase names, bytes as base64, uuids
// as base64url, a records field as its size, tagged fields only where they differ from their default. Bytes that could
// not be read are absent; text that is no UTF-8 is repaired, so the output is always valid JSON.
// Threads: none of its own. Memory: what the writer's buffer collects.
#pragma once

#include "dissector/message/decoder.h"
#include "dissector/wire/json_writer.h"

#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

// Puts something else in the place of a bytes or records field.
class JsonExpander {
  public:
    virtual ~JsonExpander() = default;
    // Whether it will write the value of this node. It then answers for the secrets inside.
    virtual bool opens(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node) = 0;
    virtual void write(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node, JsonWriter& out) = 0;
};

struct JsonOptions {
    bool showSecrets = false;         // else they print as "(masked)"
    JsonExpander* expander = nullptr; // not owned
};

// One value: of the header, the body, or any struct, array or field below them.
void writeJson(const Protocol& protocol, const DecodedMessage& message, const ByteChain& bytes, NodeIndex node,
               const JsonOptions& options, JsonWriter& out);

// Tagged fields that nobody knows, with the path of their struct below `headerName` and `bodyName`.
struct UnknownTag {
    std::string path; // "request.topics[0]"
    std::uint32_t tag = 0;
    std::string hex;
};
std::vector<UnknownTag> unknownTags(const DecodedMessage& message, const ByteChain& bytes, std::string_view headerName,
                                    std::string_view bodyName);

} // namespace brokerscope
