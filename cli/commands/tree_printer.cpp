// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/tree_printer.h"

#include "cli/commands/record_columns.h"
#include "cli/options/help.h"
#include "cli/output/quantity_text.h"
#include "cli/output/text_width.h"
#include "cli/output/time_text.h"
#include "dissector/message/secrets.h"
#include "dissector/wire/cursor.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

constexpr std::size_t widestName = 46, depthIndent = 2;
constexpr std::size_t mostHexLines = 6; // of one field, then the rest is counted

std::string_view partName(const FieldNode& node) {
    switch (node.kind) {
    case NodeKind::Message:
        return "Message";
    case NodeKind::FrameLength:
        return "Size";
    case NodeKind::Header:
        return "Header";
    case NodeKind::Body:
        return "Body";
    case NodeKind::TagBuffer:
        return "tagged fields";
    case NodeKind::Raw:
        return "not decoded";
    case NodeKind::Trailing:
        return "left over";
    default:
        return "";
    }
}

std::string nameOf(const FieldNode& node) {
    if (node.kind == NodeKind::Field) return node.field->schema->name;
    if (node.kind == NodeKind::Element) return fmt::format("[{}]", node.index);
    if (node.kind == NodeKind::UnknownTag) return fmt::format("unknown tag {}", node.index);
    return std::string(partName(node));
}

// A value as a person reads it, names behind numbers where there are such.
std::string valueText(const Protocol& protocol, const ByteChain& bytes, const FieldNode& node,
                      std::vector<std::uint8_t>& scratch) {
    const auto value = readValue(bytes, node, scratch);
    if (!value) return "(not in the capture)";
    const Semantic semantic = node.field ? node.field->semantic : Semantic::None;
    switch (value->kind) {
    case FieldValue::Kind::Null:
        return "null";
    case FieldValue::Kind::Bool:
        return value->integer != 0 ? "true" : "false";
    case FieldValue::Kind::Float:
        return fmt::format("{}", value->real);
    case FieldValue::Kind::Text:
        return fmt::format("\"{}\"", printable(asText(value->bytes)));
    case FieldValue::Kind::Uuid:
        return uuidText(value->bytes);
    case FieldValue::Kind::Bytes:
        return value->bytes.empty()
                   ? "(empty)"
                   : fmt::format("{}: {}", countOf(value->bytes.size(), "byte"), bytesCell(value->bytes).text);
    case FieldValue::Kind::Integer:
        break;
    }
    std::string text = fmt::format("{}", value->integer);
    if (semantic == Semantic::Error) {
        const ErrorCode* error = protocol.error(static_cast<std::int16_t>(value->integer));
        if (error) text += fmt::format(" {}{}", error->name, error->retriable ? " (retriable)" : "");
    } else if (semantic == Semantic::ApiKey) {
        const Api* api = protocol.api(static_cast<std::int16_t>(value->integer));
        if (api) text += " " + api->name;
    } else if (semantic == Semantic::Milliseconds || semantic == Semantic::ThrottleTime ||
               semantic == Semantic::MaxWait) {
        text += " ms";
    } else if (semantic == Semantic::Size || semantic == Semantic::MinBytes) {
        text += value->integer == 1 ? " byte" : " bytes";
    } else if (semantic == Semantic::Time && value->integer >= 0) {
        text += " (";
        appendDate(text, Timestamp{std::chrono::milliseconds(value->integer)}, 3);
        text += ")";
    }
    const std::string_view name = node.field && node.field->schema && !node.field->schema->enumName.empty()
                                      ? protocol.enumName(node.field->schema->enumName, value->integer)
                                      : std::string_view();
    return name.empty() ? text : fmt::format("{} {}", text, name);
}

} // namespace

TreePrinter::TreePrinter(const Protocol& protocol, const TreeLook& look, const TopicNames* names, const Style& style,
                         OutputFile& out)
    : m_protocol(protocol), m_look(look), m_names(names), m_style(style), m_out(out),
      m_hexBytes(look.width != 0 && look.width < 100 ? 8 : 16) {}

void TreePrinter::print(const ByteChain& bytes, const DecodedMessage& message, NodeIndex node) {
    m_bytes = &bytes;
    m_message = &message;
    m_noted.clear();
    m_nameWidth = 0;
    const auto& nodes = message.tree.nodes;
    if (nodes.empty()) return;
    std::vector<std::size_t> depths(nodes.size());
    for (NodeIndex i = 1; i < nodes.size(); ++i) {
        depths[i] = depths[nodes[i].parent] + 1;
        m_nameWidth = std::max(m_nameWidth, depthIndent * (depths[i] - 1) + displayWidth(nameOf(nodes[i])));
    }
    m_nameWidth = std::min(m_nameWidth, widestName);
    if (m_look.width != 0 && m_look.width < 100) m_nameWidth = std::min<std::size_t>(m_nameWidth, 28);
    if (nodes[node].kind != NodeKind::Message) return printNode(node, 0);
    for (NodeIndex child = message.tree.firstChild(node); child != noNode; child = message.tree.nextSibling(child))
        printNode(child, 0);
}

void TreePrinter::printNode(NodeIndex node, std::size_t depth) {
    const FieldNode& at = m_message->tree.nodes[node];
    // An empty tag buffer is one byte that says nothing; it is there with the bytes only.
    const bool emptyTags = at.kind == NodeKind::TagBuffer && !m_message->tree.hasChildren(node);
    if (emptyTags && !m_look.hex) return;
    write(describe(node, depth));
    for (NodeIndex child = m_message->tree.firstChild(node); child != noNode;
         child = m_message->tree.nextSibling(child))
        printNode(child, depth + 1);
    const bool records = at.kind == NodeKind::Field && at.field->type == FieldType::Records && !at.isNull;
    if (records && at.contentLength() != 0)
        printRecords(*m_bytes, at.contentOffset(), at.offset + at.length, depth + 1);
}

TreePrinter::Line TreePrinter::describe(NodeIndex node, std::size_t depth) {
    const FieldNode& at = m_message->tree.nodes[node];
    Line line;
    line.depth = depth;
    line.name = nameOf(at);
    line.offset = at.offset;
    line.length = m_message->tree.hasChildren(node) ? at.prefix : at.length;
    switch (at.kind) {
    case NodeKind::FrameLength:
        line.value = fmt::format("{}", Cursor(*m_bytes, at.offset, at.offset + at.length).readI32());
        line.note = "How many bytes follow.";
        break;
    case NodeKind::Header:
    case NodeKind::Body:
        line.nameRole = Role::Heading;
        line.length = 0;
        break;
    case NodeKind::TagBuffer:
        line.nameRole = Role::Dim;
        line.value = m_message->tree.hasChildren(node) ? "" : "none";
        line.valueRole = Role::Dim;
        break;
    case NodeKind::UnknownTag:
    case NodeKind::Raw:
    case NodeKind::Trailing:
        line.value = countOf(at.contentLength(), "byte");
        line.valueRole = Role::Warning;
        break;
    default:
        describeField(node, line);
    }
    if (at.damaged && line.value.empty()) {
        line.value = "(cut)";
        line.valueRole = Role::Warning;
    }
    return line;
}

void TreePrinter::describeField(NodeIndex node, Line& line) {
    const FieldNode& at = m_message->tree.nodes[node];
    line.nameRole = at.kind == NodeKind::Element ? Role::Dim : Role::Name;
    if (at.kind == NodeKind::Field && m_noted.insert(at.field->schema).second) line.note = at.field->schema->note;
    if (at.isNull) {
        line.value = "null";
        line.valueRole = Role::Dim;
    } else if (at.isArray()) {
        line.value = countOf(at.index, "element");
        line.valueRole = Role::Dim;
    } else if (at.isValue()) {
        describeValue(node, line);
    }
}

void TreePrinter::describeValue(NodeIndex node, Line& line) {
    const FieldNode& at = m_message->tree.nodes[node];
    const bool records = at.field->type == FieldType::Records;
    if (records) {
        line.value = sizeText(at.contentLength()) + " of batches";
        line.valueRole = Role::Dim;
        line.length = at.prefix;
        return;
    }
    if (!m_look.showSecrets && isSecret(m_protocol, m_message->tree, *m_bytes, node)) {
        line.value = maskedText;
        line.masked = true;
        return;
    }
    line.value = valueText(m_protocol, *m_bytes, at, m_scratch);
    const auto value = readValue(*m_bytes, at, m_scratch);
    if (at.field->semantic == Semantic::Error && value) line.valueRole = value->integer == 0 ? Role::Good : Role::Error;
    if (at.field->semantic == Semantic::TopicId && value && m_names && value->bytes.size() == sizeof(TopicId)) {
        TopicId id{};
        std::ranges::copy(value->bytes, id.begin());
        if (const auto name = m_names->name(id); !name.empty()) line.value += fmt::format(" ({})", printable(name));
    }
    if (at.damaged) {
        line.value += " (cut)";
        line.valueRole = Role::Warning;
    }
}

void TreePrinter::printRecords(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end, std::size_t depth) {
    m_bytes = &bytes;
    m_set.open(bytes, begin, end);
    while (m_set.nextBatch())
        printBatch(depth);
    if (m_set.trailing() != 0) {
        Line rest;
        rest.depth = depth;
        rest.name = "incomplete batch";
        rest.nameRole = Role::Dim;
        rest.value = countOf(m_set.trailing(), "byte");
        rest.note = "A broker cuts a set where MaxBytes ends; the reader asks for this batch again.";
        rest.offset = end - m_set.trailing();
        rest.length = m_set.trailing();
        write(rest);
    }
    printProblems(m_set.problems());
}

void TreePrinter::printBatch(std::size_t depth) {
    m_set.openBatch();
    const Batch& batch = m_set.batch();
    Line line;
    line.depth = depth;
    line.name = fmt::format("Batch {}", m_set.batchIndex());
    line.nameRole = Role::Heading;
    line.value = batchDescription(batch);
    if (batch.crcValid() == false) line.valueRole = Role::Warning;
    line.offset = batch.begin;
    line.length = batch.magic == 2 ? std::min(batchHeaderSize, batch.sizeInBytes()) : 0;
    write(line);
    while (m_set.nextRecord())
        printRecord(depth + 1);
    if (m_set.batchError().empty()) return;
    Line error;
    error.depth = depth + 1;
    error.name = "stopped";
    error.value = printable(m_set.batchError());
    error.valueRole = Role::Warning;
    write(error);
}

void TreePrinter::printRecord(std::size_t depth) {
    const Record& record = m_set.record();
    Line line;
    line.depth = depth;
    line.name = record.offset ? fmt::format("[{}]", *record.offset) : fmt::format("[{}]", m_set.recordIndex());
    line.nameRole = Role::Dim;
    line.value = recordDescription(m_set.batch(), record);
    write(line);
}

void TreePrinter::printProblems(const std::vector<Problem>& problems) {
    for (const Problem& problem : problems) {
        std::string text = fmt::format("{} at byte {}", row(problem.kind).name, problem.offset);
        if (!problem.at.empty()) text += fmt::format(", {}", problem.at);
        text += fmt::format(": {}", problem.text);
        m_style.append(m_out.buffer(), Role::Warning, "! ");
        m_out.buffer() += printable(text);
        m_out.endLine();
    }
}

// "0008  00 00 00 08     ", as wide as the column of bytes is.
std::string TreePrinter::hexBlock(const Line& line, std::uint32_t begin) {
    std::string out;
    const std::uint32_t end = line.offset + line.length;
    if (line.length != 0) fmt::format_to(std::back_inserter(out), "{:04x}  ", begin);
    for (std::uint32_t at = begin; at < end && at < begin + m_hexBytes; ++at) {
        const auto byte = m_bytes->view(at, 1, m_scratch);
        if (!byte)
            out += ".. "; // not in the capture
        else if (line.masked)
            out += "** ";
        else
            fmt::format_to(std::back_inserter(out), "{:02x} ", (*byte)[0]);
    }
    if (out.size() < hexWidth()) out.append(hexWidth() - out.size(), ' ');
    return out;
}

void TreePrinter::write(const Line& line) {
    std::string& out = m_out.buffer();
    if (m_look.hex) m_style.append(out, Role::Dim, hexBlock(line, line.offset));
    out.append(depthIndent * line.depth, ' ');
    m_style.append(out, line.nameRole, line.name);
    std::size_t column = depthIndent * line.depth + displayWidth(line.name);
    if (!line.value.empty() || !line.note.empty()) {
        const std::size_t pad = column < m_nameWidth ? m_nameWidth - column + 2 : 2;
        out.append(pad, ' ');
        column += pad;
    }
    m_style.append(out, line.valueRole, line.value);
    column += displayWidth(line.value) + hexWidth();
    const bool beside = m_look.width == 0 || column + 2 + displayWidth(line.note) <= m_look.width;
    if (!line.note.empty() && beside) {
        out += line.value.empty() ? "" : "  ";
        m_style.append(out, Role::Dim, line.note);
    }
    m_out.endLine();
    if (m_look.hex) writeMoreHex(line);
    if (!line.note.empty() && !beside && m_look.notes) writeNoteBelow(line);
}

// Long fields go on below, without a text beside.
void TreePrinter::writeMoreHex(const Line& line) {
    std::string& out = m_out.buffer();
    const std::uint32_t end = line.offset + line.length;
    const auto step = static_cast<std::uint32_t>(m_hexBytes);
    std::size_t lines = 1;
    for (std::uint32_t begin = line.offset + step; begin < end && end - begin <= line.length; begin += step) {
        if (lines++ == mostHexLines) {
            m_style.append(out, Role::Dim, fmt::format("{:04x}  … {}", begin, countOf(end - begin, "more byte")));
            m_out.endLine();
            break;
        }
        std::string hex = hexBlock(line, begin);
        hex.erase(hex.find_last_not_of(' ') + 1);
        m_style.append(out, Role::Dim, hex);
        m_out.endLine();
    }
}

void TreePrinter::writeNoteBelow(const Line& line) {
    const std::size_t indent = hexWidth() + depthIndent * (line.depth + 1);
    const std::size_t width = std::max<std::size_t>(m_look.width, indent + 30) - indent;
    std::string text = wrapText(line.note, width, 0);
    std::string& out = m_out.buffer();
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        out.append(indent, ' ');
        m_style.append(out, Role::Dim, std::string_view(text).substr(begin, end - begin));
        m_out.endLine();
        begin = end + 1;
    }
}

} // namespace brokerscope
