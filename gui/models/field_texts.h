// SPDX-License-Identifier: Apache-2.0
// What a field is called, what its value is as a person reads it, and what its tooltip says. Pure functions of a part
// and its node; values are read from the bytes when they are asked for.
// Bounds: texts are cut at 256 characters, bytes at 24; nothing walks more than a few hundred nodes.
#pragma once

#include "dissector/schema/protocol.h"
#include "gui/models/detail.h"

#include <QString>
#include <QStringList>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace brokerscope {

enum class FieldLook : std::uint8_t { Plain, Dim, Error, Damage, Masked };

struct FieldText {
    QString text;
    FieldLook look = FieldLook::Plain;
};

// What texts depend on beside the bytes.
struct FieldSurroundings {
    const Protocol* protocol = &Protocol::builtin();
    std::function<std::string(const std::array<std::uint8_t, 16>&)> topicName; // empty answer: not known
    bool revealSecrets = false;
};

class FieldTexts {
  public:
    FieldTexts(const MessagePart& part, const FieldSurroundings& around) : m_part(part), m_around(around) {}

    QString name(NodeIndex node) const;
    FieldText value(NodeIndex node) const;
    QString type(NodeIndex node) const; // "int64", "string?", "[]Topic"
    QString toolTip(NodeIndex node) const;
    FieldText length(NodeIndex node) const; // of the row that stands for the prefix
    QString lengthName(NodeIndex node) const;

    QString path(NodeIndex node) const;             // "Topics[0].Partitions[0].FetchOffset"
    QString filterName(NodeIndex node) const;       // empty: the filter has no name for it
    QString filterExpression(NodeIndex node) const; // "request.topics.partitions.fetchOffset == 1042"
    QString valueToCopy(NodeIndex node) const;      // without what only explains it
    bool isError(NodeIndex node) const;             // an error code that is not 0
    bool opens(NodeIndex node) const;               // a record set or compressed records, not opened yet

  private:
    const FieldNode& at(NodeIndex node) const { return m_part.tree.nodes[node]; }
    const SchemaField* schema(NodeIndex node) const;
    std::optional<FieldValue> read(NodeIndex node) const;
    QString key(NodeIndex element) const;
    FieldText valueOfField(NodeIndex node) const;
    FieldText number(const SchemaField* field, std::int64_t value) const;
    FieldText enumerated(const SchemaField& field, std::int64_t value) const;
    FieldText uuid(Bytes bytes, const SchemaField* field) const;
    FieldText bytesText(Bytes bytes) const;
    FieldText openedText(const OpenedPayload& payload) const;
    FieldText damaged(NodeIndex node) const;
    FieldText records(NodeIndex node) const;
    FieldText batch(NodeIndex node) const;
    FieldText record(NodeIndex node) const;
    QString shortValue(NodeIndex node, int atMost) const;
    QString meaning(NodeIndex node) const;
    bool isTelemetry(NodeIndex node) const;
    QStringList metrics(NodeIndex node) const; // of a field with telemetry, in lines
    QString ownPath(NodeIndex node) const;
    QString problemAt(NodeIndex node) const;

    const MessagePart& m_part;
    const FieldSurroundings& m_around;
    mutable std::vector<std::uint8_t> m_scratch;
};

} // namespace brokerscope
