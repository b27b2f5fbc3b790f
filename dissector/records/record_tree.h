// SPDX-License-Identifier: Apache-2.0
// Record sets as field trees, for people and for the hex pane: every byte of a set belongs to one node.
//
// A set opens into a tree over the message's own bytes:
//     Message (root, the set) > Batch "[0]" > header fields, Field "records" > Record > fields, Header ...
// Compressed records stay one leaf there. When asked, they open into a document of their own: the decompressed bytes
// and a tree whose offsets count in these (root > Field "records" > Record ...).
// Damage: what cannot be read is a Raw node in its place; records behind a damaged one are shown where its length tells
//         where they begin (the reader stops there, as Kafka does). Problems are the reader's.
// Bounds: CodecLimits for a document's bytes; 4 million nodes a tree, then a Limit problem and a Raw node.
// Bytes:  the set's are those of the capture; a document's are shared by its copies.
#pragma once

#include "dissector/message/field_tree.h"
#include "dissector/records/record_set.h"

#include <memory>
#include <vector>

namespace brokerscope {

struct RecordDocument {
    struct BatchAt {
        NodeIndex node = noNode; // NodeKind::Batch
        Batch batch;
        NodeIndex compressed = noNode; // the leaf that opens into a document
    };

    ByteChain bytes;                                        // what the tree's offsets count in
    std::shared_ptr<const std::vector<std::uint8_t>> owned; // behind `bytes` when they were decompressed, else null
    FieldTree tree;
    std::vector<BatchAt> batches; // of a set, in order
    // `at` as in RecordSetReader. Those of a document have their offset in the set that it was opened from.
    std::vector<Problem> problems;
};

class RecordTrees {
  public:
    explicit RecordTrees(CodecLimits limits = {}) : m_reader(limits) {}

    RecordDocument openSet(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end);
    // The records in the compressed leaf of set.batches[index], which has one.
    RecordDocument openCompressed(const RecordDocument& set, std::size_t index);

  private:
    RecordSetReader m_reader;
};

} // namespace brokerscope
