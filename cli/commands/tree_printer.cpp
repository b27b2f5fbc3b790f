// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/tree_printer.h"

#include "cli/commands/record_columns.h"
#include "cli/output/quantity_text.h"
#include "cli/output/text_width.h"
#include "dissector/analysis/record_sets.h"
#include "dissector/message/secrets.h"
#include "dissector/payloads/telemetry.h"
#include "dissector/records/record_fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {
namespace {

constexpr std::size_t depthIndent = 2;
constexpr std::size_t narrow = 100, wide = 140; // below so many columns names and bytes take less room
constexpr std::size_t recordFieldWidth = 20;
constexpr std::size_t mostHexLines = 6; // of one field, then the rest is counted

Role roleOf(Tone tone) {
    switch (tone) {
    case Tone::Plain:
        return Role::Plain;
    case Tone::Dim:
        return Role::Dim;
    case Tone::Error:
        return Role::Error;
    case Tone::Secret:
        return Role::Dim;
    case Tone::Damage:
        return Role::Warning;
    }
    return Role::Plain;
}

Role nameRole(const FieldNode& node) {
    switch (node.kind) {
    case NodeKind::Header:
    case NodeKind::Body:
    case NodeKind::Batch:
        return Role::Heading;
    case NodeKind::Field:
        return Role::Name;
    case NodeKind::Raw:
    case NodeKind::Trailing:
    case NodeKind::UnknownTag:
        return Role::Warning;
    default:
        return Role::Dim;
    }
}

bool isRecords(const FieldNode& node) {
    return node.kind == NodeKind::Field && node.field->type == FieldType::Records && !node.isNull &&
           node.contentLength() != 0;
}

} // namespace

TreePrinter::TreePrinter(const Protocol& protocol, const TreeLook& look, const CaptureNames* names, const Style& style,
                         OutputFile& out)
    : m_protocol(protocol), m_look(look), m_style(style), m_out(out),
      m_hexBytes(look.width != 0 && look.width < wide ? 8 : 16), m_names(names), m_opener(protocol),
      m_payloads(protocol) {
    m_texts.showSecrets = look.showSecrets;
    if (look.width == 0) m_texts.maxText = m_texts.maxBytes = 4096;
    if (names) m_texts.names = names->idNames();
}

void TreePrinter::print(const ByteChain& bytes, const DecodedMessage& message) {
    m_bytes = &bytes;
    m_message = &message;
    m_noted.clear();
    m_nameWidth = 0;
    if (message.tree.nodes.empty()) return;
    measure(message.tree);
    printChildren(0, 0);
}

// The column where values begin.
void TreePrinter::measure(const FieldTree& tree) {
    std::vector<std::size_t> depths(tree.nodes.size());
    for (NodeIndex i = 1; i < tree.nodes.size(); ++i) {
        depths[i] = depths[tree.nodes[i].parent] + 1;
        std::size_t width = depthIndent * (depths[i] - 1) + displayWidth(labelText(*m_message, i));
        if (isRecords(tree.nodes[i])) width = depthIndent * (depths[i] + 1) + recordFieldWidth;
        m_nameWidth = std::max(m_nameWidth, width);
    }
    m_nameWidth = std::min<std::size_t>(m_nameWidth, m_look.width != 0 && m_look.width < narrow ? 28 : 46);
}

std::vector<Problem> TreePrinter::printRecords(const ByteChain& bytes, std::string_view topic) {
    m_bytes = &bytes;
    m_topic = topic;
    m_noted.clear();
    m_nameWidth = recordFieldWidth + depthIndent * 2;
    std::vector<Problem> problems;
    printSet(0, bytes.size(), 0, problems);
    printProblems(problems);
    return problems;
}

void TreePrinter::printChildren(NodeIndex node, std::size_t depth) {
    const FieldTree& tree = m_message->tree;
    for (NodeIndex child = tree.firstChild(node); child != noNode; child = tree.nextSibling(child))
        printNode(child, depth);
}

void TreePrinter::printNode(NodeIndex node, std::size_t depth) {
    const FieldNode& at = m_message->tree.nodes[node];
    // An empty tag buffer is one byte that says nothing: it is there with the bytes only.
    const bool emptyTags = at.kind == NodeKind::TagBuffer && !m_message->tree.hasChildren(node);
    if (emptyTags && !m_look.hex) return;
    if (at.kind == NodeKind::Lead && !m_look.hex) return; // the line above says it
    if (at.field && at.field->semantic == Semantic::Telemetry && at.isValue()) return printTelemetry(node, depth);
    const bool records = isRecords(at) && beginsWithBatch(*m_bytes, *m_message, node);
    Line line = describe(node, depth);
    if (records) line.length = at.prefix;
    write(line);
    if (!records) return printChildren(node, depth + 1);
    const RecordSetPlace place = recordSetAt(*m_bytes, *m_message, Direction::Request, node);
    m_topic = m_names ? topicText(place, m_names->topics()) : place.topic;
    std::vector<Problem> problems;
    printSet(place.begin, place.end, depth + 1, problems);
    printProblems(problems);
}

TreePrinter::Line TreePrinter::describe(NodeIndex node, std::size_t depth) {
    const FieldNode& at = m_message->tree.nodes[node];
    Line line;
    line.depth = depth;
    line.name = printable(labelText(*m_message, node));
    line.nameRole = nameRole(at);
    const ValueText value = valueText(m_protocol, *m_message, *m_bytes, node, m_texts);
    line.value = printable(value.text);
    line.valueRole = roleOf(value.tone);
    line.offset = at.offset;
    line.length = m_message->tree.hasChildren(node) ? at.prefix : at.length;
    line.masked = value.tone == Tone::Secret;
    if (at.kind == NodeKind::FrameLength) line.note = "How many bytes follow.";
    const bool ownField = at.kind == NodeKind::Field && at.field && at.field->schema;
    if (ownField && m_noted.insert(at.field->schema).second) line.note = at.field->schema->note;
    return line;
}

void TreePrinter::printSet(std::uint32_t begin, std::uint32_t end, std::size_t depth, std::vector<Problem>& problems) {
    const DecodedMessage* outerMessage = m_message;
    const RecordDocument set = m_trees.openSet(*m_bytes, begin, end);
    DecodedMessage shown;
    shown.tree = set.tree;
    if (m_look.hex) m_opener.openRecords(*m_bytes, m_topic, false, shown);
    m_message = &shown;
    m_set.open(*m_bytes, begin, end);
    std::size_t batch = 0;
    for (NodeIndex node = shown.tree.firstChild(0); node != noNode; node = shown.tree.nextSibling(node)) {
        if (batch < set.batches.size() && shown.tree.nodes[node].kind == NodeKind::Batch)
            printBatch(set, batch++, node, depth);
        else
            printNode(node, depth);
    }
    m_message = outerMessage;
    problems = m_look.hex ? set.problems : m_set.problems();
}

// Its header field by field. Its records field by field too with the bytes, else one line each.
void TreePrinter::printBatch(const RecordDocument& set, std::size_t index, NodeIndex node, std::size_t depth) {
    const RecordDocument::BatchAt& at = set.batches[index];
    const FieldTree& tree = m_message->tree;
    const bool inStep = m_set.nextBatch(); // it reads the same batches as the tree shows
    if (inStep) m_set.openBatch();
    Line line;
    line.depth = depth;
    line.name = fmt::format("Batch {}", index);
    line.nameRole = Role::Heading;
    line.value = batchDescription(inStep ? m_set.batch() : at.batch);
    line.valueRole = at.batch.crcValid() == false ? Role::Warning : Role::Plain;
    line.offset = tree.nodes[node].offset;
    line.length = tree.nodes[node].prefix;
    write(line);
    for (NodeIndex child = tree.firstChild(node); child != noNode; child = tree.nextSibling(child)) {
        const bool compressed = at.compressed != noNode && tree.nodes[child].field == recordFields().compressed;
        if ((compressed || tree.hasChildren(child)) && !m_look.hex) continue;
        printNode(child, depth + 1);
        if (compressed) printCompressed(set, index, depth + 2);
    }
    if (!m_look.hex) printRecordLines(depth + 1);
}

void TreePrinter::printCompressed(const RecordDocument& set, std::size_t index, std::size_t depth) {
    const ByteChain* outerBytes = m_bytes;
    const DecodedMessage* outerMessage = m_message;
    RecordDocument document = m_trees.openCompressed(set, index);
    DecodedMessage shown;
    shown.tree = std::move(document.tree);
    m_opener.openRecords(document.bytes, m_topic, set.batches[index].batch.isControl, shown);
    m_bytes = &document.bytes;
    m_message = &shown;
    Line line;
    line.depth = depth;
    line.name = "decompressed";
    line.nameRole = Role::Dim;
    line.value = fmt::format("{}; offsets count in these", countOf(document.bytes.size(), "byte"));
    line.valueRole = Role::Dim;
    write(line);
    printChildren(0, depth);
    m_bytes = outerBytes;
    m_message = outerMessage;
}

void TreePrinter::printRecordLines(std::size_t depth) {
    Line line;
    line.depth = depth;
    while (m_set.nextRecord()) {
        const Record& record = m_set.record();
        line.name = fmt::format("[{}]", record.offset.value_or(m_set.recordIndex()));
        line.nameRole = Role::Dim;
        const bool control = m_set.batch().isControl;
        RecordPayload key, value;
        const bool opensKey = !control && record.key && m_payloads.openKey(m_topic, control, *record.key, key);
        const bool opensValue =
            record.value && m_payloads.openValue(m_topic, control, record.key, *record.value, value);
        line.value = recordDescription(m_set.batch(), record, opensKey ? &key : nullptr, opensValue ? &value : nullptr,
                                       m_look.valueFormat.value_or(ValueFormat::Auto));
        write(line);
        if (opensKey) printPayload("Key", key, depth + 1);
        if (opensValue) printPayload("Value", value, depth + 1);
        if (!opensValue && m_look.valueFormat) printPretty(record.value, depth + 1);
    }
    if (m_set.batchError().empty()) return;
    line.name = "stopped";
    line.nameRole = line.valueRole = Role::Warning;
    line.value = printable(m_set.batchError());
    write(line);
}

// A value that takes more than a line to be read: JSON, a long text.
void TreePrinter::printPretty(const std::optional<Bytes>& value, std::size_t depth) {
    if (!value) return;
    const std::string text = guessValue(*value, {.format = *m_look.valueFormat, .pretty = true}).pretty;
    Line line;
    line.depth = depth;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        line.value = printable(std::string_view(text).substr(begin, end - begin));
        write(line);
        begin = end + 1;
    }
}

// A line for each value, which has no bytes of its own: they lie in what was decompressed.
void TreePrinter::printTelemetry(NodeIndex node, std::size_t depth) {
    Line line = describe(node, depth);
    const std::optional<Telemetry> telemetry = telemetryAt(*m_message, *m_bytes, node);
    if (!telemetry) return write(line);
    line.value = fmt::format("OpenTelemetry MetricsData, {}, {}", countOf(telemetry->metrics.size(), "metric"),
                             countOf(telemetry->bytes, "byte"));
    write(line);
    Line value;
    value.depth = depth + 1;
    for (const std::string& text : telemetryLines(*telemetry)) {
        value.value = printable(text);
        write(value);
    }
    if (telemetry->problem.empty()) return;
    value.name = "stopped";
    value.nameRole = value.valueRole = Role::Warning;
    value.value = telemetry->problem;
    write(value);
}

// The fields of a key or value, whose bytes are not part of the message.
void TreePrinter::printPayload(std::string_view name, const RecordPayload& payload, std::size_t depth) {
    Line line;
    line.depth = depth;
    line.name = name;
    line.nameRole = Role::Name;
    line.value = payloadName(payload);
    write(line);
    const ByteChain* outerBytes = m_bytes;
    const DecodedMessage* outerMessage = m_message;
    m_bytes = &payload.bytes;
    m_message = &payload.message;
    if (payload.message.body != noNode) printChildren(payload.message.body, depth + 1);
    m_bytes = outerBytes;
    m_message = outerMessage;
    printProblems(payload.message.problems);
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
    column += hexWidth();
    // On a terminal a long value ends at its edge, so that the tree keeps its shape; in a file it is whole.
    const std::size_t room = m_look.width > column + 8 ? m_look.width - column : std::string::npos;
    const std::string value = m_look.width != 0 ? elided(line.value, room) : line.value;
    m_style.append(out, line.valueRole, value);
    column += displayWidth(value);
    const bool beside = m_look.width == 0 || column + 2 + displayWidth(line.note) <= m_look.width;
    if (!line.note.empty() && beside) {
        out += value.empty() ? "" : "  ";
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
    const std::string text = wrapText(line.note, width, 0);
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
