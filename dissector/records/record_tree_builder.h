// SPDX-License-Identifier: Apache-2.0
// Appends the nodes of batches, messages and records to a field tree, in the order of their bytes. The caller says
// where entries lie (RecordTrees does, by a RecordSetReader); what stands inside is read here. Bounds: when the tree is
// full, full() says so and the rest of what was asked for becomes one Raw node.
#pragma once

#include "dissector/message/field_tree.h"
#include "dissector/records/batch.h"
#include "dissector/records/record_fields.h"
#include "dissector/wire/cursor.h"

#include <cstdint>
#include <span>

namespace brokerscope {

class RecordTreeBuilder {
  public:
    RecordTreeBuilder(const ByteChain& bytes, FieldTree& tree) : m_bytes(bytes), m_tree(tree) {}

    NodeIndex open(NodeKind kind, const PlanField* field, std::uint32_t begin, std::uint32_t index = 0);
    void close(std::uint32_t end); // the node that was opened last

    // An entry of a set. Gives the leaf of its compressed records, noNode when nothing in it is compressed.
    NodeIndex addBatch(const Batch& batch, std::uint32_t index);
    void addIncomplete(std::uint32_t begin, std::uint32_t end, std::uint32_t index);
    // A Field "records" that covers [begin, end): the records of a batch of magic 2, the messages of a wrapper.
    void addRecords(std::uint32_t begin, std::uint32_t end, std::uint32_t count, bool control);
    void addMessages(std::uint32_t begin, std::uint32_t end);
    void addRaw(std::uint32_t begin, std::uint32_t end, NodeKind kind = NodeKind::Raw); // nothing when empty

    bool full() const { return m_full; }

  private:
    NodeIndex addLeaf(const PlanField* field, std::uint32_t begin, std::uint32_t end, std::uint32_t prefix = 0);
    // Those of the fields that end in front of `end`; gives the place behind them.
    std::uint32_t addHeader(std::span<const PlanField* const> fields, std::uint32_t begin, std::uint32_t end);
    NodeIndex addMessage(NodeKind kind, std::int8_t magic, bool wrapper, std::uint32_t begin, std::uint32_t end,
                         std::uint32_t index);
    bool addMessagePart(Cursor& cursor, const PlanField* field);
    bool addRecord(Cursor& cursor, std::uint32_t index, bool control);
    bool addRecordFields(Cursor& cursor, bool control);
    bool addNumber(Cursor& cursor, const PlanField* field);
    bool addSized(Cursor& cursor, const PlanField* field);
    bool addHeaders(Cursor& cursor);
    // Opens what addSized closed: its content has fields of its own.
    void openControl(NodeIndex node, const PlanField* field, std::span<const PlanField* const> content);
    bool isEndMarker(NodeIndex key) const;
    bool hasRoom();

    const ByteChain& m_bytes;
    FieldTree& m_tree;
    NodeIndex m_open = noNode;
    bool m_full = false;
};

} // namespace brokerscope
