// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/decoder.h"

#include "dissector/message/message_reader.h"
#include "dissector/message/tree_builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

void DecodedMessage::clear() {
    tree.nodes.clear();
    problems.clear();
    apiKey = -1;
    apiVersion = layoutVersion = 0;
    previewOf.clear();
    header = body = noNode;
    opened.clear();
}

const OpenedPayload* DecodedMessage::openedAt(NodeIndex node) const {
    const auto at = std::ranges::lower_bound(opened, node, {}, &OpenedPayload::node);
    return at == opened.end() || at->node != node ? nullptr : &*at;
}

void decodeMessage(const Protocol& protocol, const ByteChain& bytes, const MessageContext& context,
                   DecodedMessage& out) {
    out.clear();
    TreeBuilder tree(out);
    MessageReader reader(protocol, bytes, context, tree);
    reader.run();
    out.apiKey = reader.apiKey;
    out.apiVersion = out.layoutVersion = reader.apiVersion;
    out.header = reader.header;
    out.body = reader.body;
    if (!reader.layout) return;
    out.layoutVersion = reader.layout->version;
    out.previewOf = reader.layout->seenIn;
}

void decodeBody(const Plan& plan, const ByteChain& bytes, std::uint32_t offset, std::string_view rootPath,
                DecodedMessage& out) {
    out.clear();
    out.apiKey = plan.message->apiKey;
    out.apiVersion = out.layoutVersion = plan.version;
    TreeBuilder tree(out);
    tree.setRootPath(rootPath);
    tree.openPart(NodeKind::Message, offset, nullptr);
    out.body = tree.openPart(NodeKind::Body, offset, &plan.root());
    Cursor in(bytes, offset, bytes.size());
    const bool whole = PlanWalker(plan, in, bytes.size(), tree).walk();
    tree.close(in.position(), whole);
    if (in.position() < bytes.size()) {
        if (whole)
            tree.partProblem(ProblemKind::Trailing, in.position(),
                             fmt::format("{} bytes are left behind the body", bytes.size() - in.position()));
        tree.leafPart(whole ? NodeKind::Trailing : NodeKind::Raw, in.position(), bytes.size(), nullptr, true);
    }
    tree.close(bytes.size(), whole);
}

} // namespace brokerscope
