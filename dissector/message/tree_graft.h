// SPDX-License-Identifier: Apache-2.0
// Hangs the trees of opened payloads below the fields that hold them. The law of the tree goes on to hold: what the
// field covers behind its length is then covered by its children.
// Bounds: grafts that would make a tree of more than TreeBuilder::maxNodes are left out, with a Limit problem.
#pragma once

#include "dissector/message/decoder.h"

#include <vector>

namespace brokerscope {

struct Graft {
    NodeIndex at = noNode; // a leaf of the outer tree: a bytes field, a raw token
    DecodedMessage inner;  // its offsets count from the first byte of the leaf's content
    OpenedPayload payload; // `node` is filled in
};

// In the order of their nodes. Of the inner trees the root goes, and a Body without a Header beside it: their children
// become the leaf's. Problems and opened payloads come along.
void graft(DecodedMessage& outer, std::vector<Graft>& grafts);

} // namespace brokerscope
