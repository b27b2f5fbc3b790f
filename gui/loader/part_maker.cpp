// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/part_maker.h"

#include "dissector/analysis/capture_names.h"
#include "dissector/analysis/record_sets.h"
#include "dissector/message/secrets.h"
#include "dissector/payloads/payload_opener.h"
#include "dissector/records/record_fields.h"
#include "gui/models/texts.h"

#include <QCoreApplication>

#include <algorithm>
#include <string_view>

namespace brokerscope {

namespace {

constexpr std::uint32_t handshakeWithin = 4096; // exchanges before a token
constexpr std::string_view internalTopics = "__";

QString tr(const char* text) {
    return QCoreApplication::translate("detail", text);
}

using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

void addSecrets(const Protocol& protocol, const FieldTree& tree, const ByteChain& bytes, Ranges& secrets) {
    for (NodeIndex node = 0; node < tree.nodes.size(); ++node) {
        const FieldNode& its = tree.nodes[node];
        const bool holdsValue = its.kind == NodeKind::Raw || (its.isValue() && its.length > 0);
        if (holdsValue && !tree.hasChildren(node) && isSecret(protocol, tree, bytes, node))
            secrets.emplace_back(its.contentOffset(), its.offset + its.length);
    }
}

// What the handshake said, which came shortly before the token on the same connection.
std::string mechanismOf(const Capture& capture, const Exchange& exchange) {
    const Api* handshake = capture->protocol.apiByName("SaslHandshake");
    const Api* authenticate = capture->protocol.apiByName("SaslAuthenticate");
    if (!handshake || !authenticate) return {};
    const bool token = exchange.status == ExchangeStatus::SaslToken ||
                       (exchange.header && exchange.header->apiKey == authenticate->key);
    if (!token) return {};
    const ExchangeIndex& index = capture->index;
    const auto row = static_cast<std::uint32_t>(exchange.id.value - 1);
    const std::uint32_t connection = index.row(row).connection();
    for (std::uint32_t at = row; at > 0 && row - at < handshakeWithin; --at) {
        const ExchangeRow before = index.row(at - 1);
        if (!before.known() || before.connection() != connection || !before.hasHeader() || !before.hasRequest() ||
            before.apiKey() != handshake->key)
            continue;
        const Exchange found = index.exchange(at - 1);
        DecodedMessage message;
        decodeMessage(capture->protocol, found.request->bytes, found.requestContext(), message);
        const NodeIndex node = message.body == noNode ? noNode : message.tree.child(message.body, "mechanism");
        std::vector<std::uint8_t> scratch;
        const auto value =
            node == noNode ? std::nullopt : readValue(found.request->bytes, message.tree.nodes[node], scratch);
        if (!value) return {};
        return {reinterpret_cast<const char*>(value->bytes.data()), value->bytes.size()};
    }
    return {};
}

// Empty: the capture does not tell.
std::string topicOf(const Capture& capture, const RecordSetPlace& place) {
    return place.topicId ? capture->index.topicName(*place.topicId) : place.topic;
}

// The batches of a set, in a tree that has grown by what was opened in their records.
void followBatches(const FieldTree& grown, RecordDocument& set) {
    NodeIndex node = 0;
    for (RecordDocument::BatchAt& batch : set.batches) {
        const std::uint32_t offset = set.tree.nodes[batch.node].offset;
        while (grown.nodes[node].kind != NodeKind::Batch || grown.nodes[node].offset != offset)
            ++node;
        batch.node = node;
        if (batch.compressed == noNode) continue;
        batch.compressed = grown.firstChild(node);
        while (grown.nodes[batch.compressed].field != recordFields().compressed)
            batch.compressed = grown.nextSibling(batch.compressed);
    }
    set.tree = grown;
}

void openSet(const Protocol& protocol, const ByteChain& bytes, std::uint32_t begin, std::uint32_t end,
             std::string_view topic, MessagePart& out) {
    auto set = std::make_shared<RecordDocument>(RecordTrees().openSet(bytes, begin, end));
    out.ownBytes = false;
    out.bytes = set->bytes;
    out.tree = set->tree;
    out.problems = set->problems;
    PayloadOpener(protocol).openRecords(out.bytes, topic, false, out);
    if (!out.opened.empty()) followBatches(out.tree, *set);
    out.set = std::move(set);
}

QString batchTitle(const RecordDocument& set, std::size_t index, std::size_t size) {
    const Batch& batch = set.batches[index].batch;
    const std::int64_t first = batch.baseOffset.value_or(batch.lastOffset);
    return tr("@%1 %2 → %3").arg(first).arg(texts::fromUtf8(name(batch.codec)), texts::grouped(size));
}

} // namespace

Part makeMessage(const Capture& capture, const Exchange& exchange, const Frame& frame, const MessageContext& context) {
    const Protocol& protocol = capture->protocol;
    auto part = std::make_shared<MessagePart>();
    decodeMessage(protocol, frame.bytes, context, *part);
    PayloadContext around = CaptureNames(protocol).payloadContext(exchange, context.direction);
    around.mechanism = mechanismOf(capture, exchange);
    const bool request = context.direction == Direction::Request;
    PayloadOpener(protocol).open(frame.bytes, request ? "request" : "response", around, *part);
    part->bytes = frame.bytes;
    part->direction = context.direction;
    part->title = request ? tr("Request") : tr("Response");
    part->rows = FieldRows(part->tree, false);
    addSecrets(protocol, part->tree, part->bytes, part->secrets);
    // Records of internal topics may hold some too, also while nobody has opened them.
    for (const RecordSetPlace& place : recordSetsOf(part->bytes, *part, part->direction)) {
        const std::string topic = topicOf(capture, place);
        if (!topic.starts_with(internalTopics)) continue;
        MessagePart set;
        openSet(protocol, part->bytes, place.begin, place.end, topic, set);
        addSecrets(protocol, set.tree, part->bytes, part->secrets);
    }
    return part;
}

Part openRecords(const Capture& capture, const MessagePart& part, FieldRef from) {
    const Protocol& protocol = capture->protocol;
    const FieldNode& field = part.tree.nodes[from.node];
    auto opened = std::make_shared<MessagePart>();
    opened->direction = part.direction;
    opened->openedFrom = from;
    if (field.field == recordFields().compressed) {
        const RecordDocument& set = *part.set;
        const auto batch = std::find_if(set.batches.begin(), set.batches.end(),
                                        [&](const RecordDocument::BatchAt& at) { return at.compressed == from.node; });
        if (batch == set.batches.end()) return nullptr;
        opened->batchSet = part.set;
        opened->batch = static_cast<std::size_t>(batch - set.batches.begin());
        RecordDocument records = RecordTrees().openCompressed(set, opened->batch);
        opened->bytes = std::move(records.bytes);
        opened->owned = std::move(records.owned);
        opened->tree = std::move(records.tree);
        opened->problems = std::move(records.problems);
        opened->title = batchTitle(set, opened->batch, opened->bytes.size());
        PayloadOpener(protocol).openRecords(opened->bytes, part.topic, batch->batch.isControl, *opened);
        addSecrets(protocol, opened->tree, opened->bytes, opened->secrets);
    } else {
        const RecordSetPlace place = recordSetAt(part.bytes, part, part.direction, from.node);
        opened->topic = topicOf(capture, place);
        openSet(protocol, part.bytes, field.contentOffset(), field.contentOffset() + field.contentLength(),
                opened->topic, *opened);
    }
    opened->rows = FieldRows(opened->tree, false);
    return opened;
}

} // namespace brokerscope
