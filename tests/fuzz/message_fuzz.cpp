// SPDX-License-Identifier: Apache-2.0
// Any bytes as one message. The laws: every byte belongs to exactly one node, the JSON is JSON, and a message cut into
// packets decodes to the same tree. In front of the message: a byte of flags, and for responses the api and version.
#include "dissector/message/decoder.h"
#include "dissector/message/message_json.h"
#include "dissector/message/skim.h"
#include "dissector/message/value_text.h"
#include "dissector/payloads/payload_opener.h"
#include "dissector/schema/protocol.h"
#include "dissector/wire/json_writer.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/tree_law.h"

#include <rapidjson/document.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

using namespace brokerscope;

namespace {

constexpr std::size_t front = 5; // flags, api key, version

std::int16_t number(const std::uint8_t* at) {
    return static_cast<std::int16_t>(at[0] << 8 | at[1]);
}

ByteChain inPieces(Bytes bytes, std::size_t piece) {
    ByteChain chain;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        Slice slice;
        slice.data = bytes.data() + at;
        slice.length = static_cast<std::uint32_t>(std::min(piece, bytes.size() - at));
        chain.append(slice);
    }
    return chain;
}

bool sameNode(const FieldNode& a, const FieldNode& b) {
    auto all = [](const FieldNode& n) {
        return std::tie(n.offset, n.length, n.end, n.parent, n.field, n.index, n.kind, n.prefix, n.isNull, n.damaged);
    };
    return all(a) == all(b);
}

void requireJson(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node) {
    if (node == noNode) return;
    rapidjson::StringBuffer buffer;
    JsonWriter writer(buffer);
    writeJson(Protocol::builtin(), message, bytes, node, {}, writer);
    rapidjson::Document document;
    document.Parse<rapidjson::kParseValidateEncodingFlag>(buffer.GetString(), buffer.GetSize());
    require(!document.HasParseError() && document.IsObject());
}

// What hides in bytes fields becomes part of the tree, which obeys the same laws.
void requirePayloadLaws(DecodedMessage message, const ByteChain& bytes, std::uint8_t flags) {
    static constexpr std::array<std::string_view, 4> types{"consumer", "connect", "", "other"};
    static constexpr std::array<std::string_view, 4> assignors{"sticky", "cooperative-sticky", "stream", ""};
    PayloadContext context;
    context.direction = flags & 1 ? Direction::Response : Direction::Request;
    context.protocolType = types[flags >> 2 & 3];
    context.protocolName = assignors[flags >> 4 & 3];
    context.innerApi = flags >> 6; // of an Envelope's answer
    PayloadOpener(Protocol::builtin()).open(bytes, "request", context, message);
    require(brokenLaw(message.tree, 0, bytes.size()).empty());
    requireJson(message, bytes, message.header);
    requireJson(message, bytes, message.body);
    for (NodeIndex node = 0; node < message.tree.nodes.size(); ++node)
        valueText(Protocol::builtin(), message, bytes, node, {});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < front) return 0;
    MessageContext context;
    context.direction = data[0] & 1 ? Direction::Response : Direction::Request;
    context.framed = data[0] & 2;
    context.apiKey = number(data + 1);
    context.apiVersion = number(data + 3);
    const Bytes bytes{data + front, size - front};

    static DecodedMessage message, again;
    static Skim skim;
    const ByteChain whole = ByteChain::of(bytes);
    decodeMessage(Protocol::builtin(), whole, context, message);
    require(brokenLaw(message.tree, 0, whole.size()).empty());
    requireJson(message, whole, message.header);
    requireJson(message, whole, message.body);
    unknownTags(message, whole, "header", "body");
    requirePayloadLaws(message, whole, data[0]);
    skimMessage(Protocol::builtin(), whole, context, skim);

    decodeMessage(Protocol::builtin(), inPieces(bytes, 1u + (data[0] >> 2)), context, again);
    require(std::ranges::equal(message.tree.nodes, again.tree.nodes, sameNode));
    require(message.problems.size() == again.problems.size());
    return 0;
}
