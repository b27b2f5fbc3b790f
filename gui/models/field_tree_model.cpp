// SPDX-License-Identifier: Apache-2.0
#include "gui/models/field_tree_model.h"

#include "gui/models/texts.h"

#include "dissector/records/record_fields.h"

#include <QRegularExpression>

#include <algorithm>

namespace brokerscope {

namespace {

constexpr int messageRoots = 3;

bool isEntry(const FieldNode& node) {
    return node.kind == NodeKind::Element || node.kind == NodeKind::Batch || node.kind == NodeKind::Record ||
           node.kind == NodeKind::RecordHeader || node.kind == NodeKind::UnknownTag;
}

// What a node is called in a Path: the same for every entry of a list.
std::string stepOf(const FieldNode& node) {
    if (node.kind == NodeKind::Element) return "[]";
    if (node.field && node.field->schema && !isEntry(node)) return node.field->schema->jsonName;
    return std::to_string(static_cast<int>(node.kind)); // no name of a field is a number
}

} // namespace

FieldTreeModel::FieldTreeModel(QObject* parent) : QAbstractItemModel(parent) {}
FieldTreeModel::~FieldTreeModel() = default;

void FieldTreeModel::setDetail(std::shared_ptr<const Detail> detail) {
    beginResetModel();
    m_detail = std::move(detail);
    m_opened.clear();
    m_openedAt.clear();
    m_waiting.clear();
    m_rebuilt.clear();
    endResetModel();
}

void FieldTreeModel::setSurroundings(FieldSurroundings around) {
    beginResetModel();
    m_around = std::move(around);
    endResetModel();
}

void FieldTreeModel::setShowLengths(bool show) {
    beginResetModel();
    m_showLengths = show;
    m_rebuilt.clear();
    endResetModel();
}

Part FieldTreeModel::part(PartNumber number) const {
    if (!m_detail || number == factsPart) return nullptr;
    if (number == requestPart) return m_detail->request;
    if (number == responsePart) return m_detail->response;
    const std::size_t at = number - firstOpenedPart;
    return at < m_opened.size() ? m_opened[at] : nullptr;
}

PartNumber FieldTreeModel::bytesOf(PartNumber number) const {
    for (Part its = part(number); its && !its->ownBytes; its = part(number))
        number = its->openedFrom.part;
    return number;
}

const FieldRows* FieldTreeModel::rowsOf(PartNumber number) const {
    const Part its = part(number);
    if (!its) return nullptr;
    if (!m_showLengths) return &its->rows;
    auto& rebuilt = const_cast<FieldTreeModel*>(this)->m_rebuilt;
    const auto known = rebuilt.find(number);
    if (known != rebuilt.end()) return &known->second;
    return &rebuilt.emplace(number, FieldRows(its->tree, true)).first->second;
}

// ---- opening record sets

bool FieldTreeModel::opened(FieldRef field) const {
    return m_openedAt.contains(keyOf(field));
}

std::optional<PartNumber> FieldTreeModel::addOpened(Part opened) {
    const FieldRef from = opened->openedFrom;
    m_waiting.erase(keyOf(from));
    if (!part(from.part) || this->opened(from)) return std::nullopt;
    const QModelIndex at = indexOf(from);
    const int before = ownRowCount(placeOf(at)), count = static_cast<int>(opened->rows.rows()[0].childCount);
    const PartNumber number = parts();
    const auto add = [&] {
        m_opened.push_back(std::move(opened));
        m_openedAt.emplace(keyOf(from), number);
    };
    if (count > 0) {
        beginInsertRows(at, before, before + count - 1);
        add();
        endInsertRows();
    } else {
        add();
    }
    Q_EMIT dataChanged(at, at.siblingAtColumn(fieldColumns - 1));
    return number;
}

void FieldTreeModel::openFailed(FieldRef field) {
    m_waiting.erase(keyOf(field));
}

std::optional<PartNumber> FieldTreeModel::openedAt(Place place) const {
    const FieldRows* rows = rowsOf(place.part);
    if (!rows || rows->rows()[place.row].isLength) return std::nullopt;
    const auto found = m_openedAt.find({place.part, rows->rows()[place.row].node});
    return found == m_openedAt.end() ? std::nullopt : std::optional(found->second);
}

bool FieldTreeModel::canFetchMore(const QModelIndex& parent) const {
    const FieldRef field = fieldAt(parent);
    if (!field || field.part == factsPart || !part(field.part)) return false;
    return texts(field.part).opens(field.node) && !opened(field) && !waiting(field);
}

void FieldTreeModel::fetchMore(const QModelIndex& parent) {
    if (!canFetchMore(parent)) return;
    const FieldRef field = fieldAt(parent);
    m_waiting[keyOf(field)] = true;
    Q_EMIT recordsWished(field);
}

// ---- the tree's shape

std::vector<std::uint32_t> FieldTreeModel::childFacts(std::uint32_t fact) const {
    std::vector<std::uint32_t> children;
    for (std::uint32_t i = 1; m_detail && i < m_detail->facts.size(); ++i)
        if (m_detail->facts[i].parent == fact) children.push_back(i);
    return children;
}

int FieldTreeModel::ownRowCount(Place place) const {
    if (place.part == factsPart) return static_cast<int>(childFacts(place.row).size());
    const FieldRows* rows = rowsOf(place.part);
    return rows && !rows->empty() ? static_cast<int>(rows->rows()[place.row].childCount) : 0;
}

int FieldTreeModel::rowCount(const QModelIndex& parent) const {
    if (!m_detail || parent.column() > 0) return 0;
    if (!parent.isValid()) return messageRoots;
    const Place place = placeOf(parent);
    int count = ownRowCount(place);
    if (const auto opened = openedAt(place)) count += ownRowCount({*opened, 0});
    return count;
}

int FieldTreeModel::columnCount(const QModelIndex&) const {
    return fieldColumns;
}

bool FieldTreeModel::hasChildren(const QModelIndex& parent) const {
    if (!parent.isValid()) return m_detail != nullptr;
    if (parent.column() > 0) return false;
    if (rowCount(parent) > 0) return true;
    const FieldRef field = fieldAt(parent);
    return field && field.part != factsPart && part(field.part) && !opened(field) &&
           texts(field.part).opens(field.node);
}

QModelIndex FieldTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (row < 0 || column < 0 || column >= fieldColumns || row >= rowCount(parent)) return {};
    if (!parent.isValid()) return createIndex(row, column, idOf({static_cast<PartNumber>(row), 0}));
    const Place place = placeOf(parent);
    if (place.part == factsPart)
        return createIndex(row, column, idOf({factsPart, childFacts(place.row)[static_cast<std::size_t>(row)]}));
    const int own = ownRowCount(place);
    if (row < own)
        return createIndex(
            row, column,
            idOf({place.part, rowsOf(place.part)->rows()[place.row].firstChild + static_cast<std::uint32_t>(row)}));
    const PartNumber opened = *openedAt(place);
    return createIndex(row, column,
                       idOf({opened, rowsOf(opened)->rows()[0].firstChild + static_cast<std::uint32_t>(row - own)}));
}

QModelIndex FieldTreeModel::indexOfPlace(Place place, int column) const {
    if (place.part < messageRoots && place.row == 0)
        return createIndex(static_cast<int>(place.part), column, idOf(place));
    if (place.part == factsPart) {
        const auto siblings = childFacts(m_detail->facts[place.row].parent);
        const auto at = std::find(siblings.begin(), siblings.end(), place.row) - siblings.begin();
        return createIndex(static_cast<int>(at), column, idOf(place));
    }
    const FieldRow& row = rowsOf(place.part)->rows()[place.row];
    int number = static_cast<int>(row.place);
    if (place.part >= firstOpenedPart && row.parent == 0) {
        const FieldRef from = part(place.part)->openedFrom;
        number += ownRowCount({from.part, rowsOf(from.part)->rowOf(from.node)});
    }
    return createIndex(number, column, idOf(place));
}

QModelIndex FieldTreeModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || !m_detail) return {};
    const Place place = placeOf(child);
    if (place.row == 0 && place.part < messageRoots) return {};
    if (place.part == factsPart) return indexOfPlace({factsPart, m_detail->facts[place.row].parent}, 0);
    const std::uint32_t above = rowsOf(place.part)->rows()[place.row].parent;
    if (above == 0 && place.part >= firstOpenedPart) return indexOf(part(place.part)->openedFrom);
    return indexOfPlace({place.part, above}, 0);
}

// ---- fields and bytes

FieldRef FieldTreeModel::fieldAt(const QModelIndex& index) const {
    if (!index.isValid() || !m_detail) return {};
    const Place place = placeOf(index);
    if (place.part == factsPart) return {factsPart, place.row};
    const FieldRows* rows = rowsOf(place.part);
    return rows && !rows->empty() ? FieldRef{place.part, rows->rows()[place.row].node} : FieldRef{};
}

QModelIndex FieldTreeModel::indexOf(FieldRef field, FieldColumn column) const {
    if (!field || !m_detail) return {};
    if (field.part == factsPart)
        return field.node < m_detail->facts.size() ? indexOfPlace({factsPart, field.node}, static_cast<int>(column))
                                                   : QModelIndex();
    const FieldRows* rows = rowsOf(field.part);
    if (!rows || rows->empty()) return {};
    const std::uint32_t row = rows->rowOf(field.node);
    // The root of an opened part is not shown: what it was opened from stands for it.
    if (row == 0 && field.part >= firstOpenedPart) return indexOf(part(field.part)->openedFrom, column);
    return indexOfPlace({field.part, row}, static_cast<int>(column));
}

FieldRef FieldTreeModel::fieldOfByte(PartNumber number, std::uint32_t offset) const {
    const Part its = part(number);
    if (!its || its->tree.nodes.empty()) return {};
    const FieldRef field{number, its->tree.nodeAt(offset)};
    const auto inside = m_openedAt.find(keyOf(field));
    if (inside == m_openedAt.end() || part(inside->second)->ownBytes) return field;
    const FieldRef deeper = fieldOfByte(inside->second, offset);
    return deeper ? deeper : field;
}

FieldRef FieldTreeModel::fieldAround(PartNumber number, std::uint32_t begin, std::uint32_t end) const {
    FieldRef field = fieldOfByte(number, begin);
    while (field) {
        const Part its = part(field.part);
        const FieldNode& node = its->tree.nodes[field.node];
        if (node.offset <= begin && end <= node.offset + node.length) return field;
        field = node.parent != noNode ? FieldRef{field.part, node.parent} : its->openedFrom;
        if (field && bytesOf(field.part) != bytesOf(number)) return {};
    }
    return field;
}

bool FieldTreeModel::isLengthOf(FieldRef field, std::uint32_t offset) const {
    const Part its = part(field.part);
    if (!its || !field) return false;
    const FieldNode& node = its->tree.nodes[field.node];
    return node.prefix > 0 && offset < node.contentOffset();
}

// ---- places that can be found again

std::pair<std::string, std::uint32_t> FieldTreeModel::stepAt(const QModelIndex& index) const {
    const Place place = placeOf(index);
    if (place.part == factsPart) return {m_detail->facts[place.row].name.toStdString(), 0};
    const FieldNode& node = part(place.part)->tree.nodes[rowsOf(place.part)->rows()[place.row].node];
    return {stepOf(node), isEntry(node) ? node.index : 0};
}

FieldTreeModel::Path FieldTreeModel::pathOf(const QModelIndex& at) const {
    Path path;
    for (QModelIndex index = at; index.isValid(); index = parent(index)) {
        const Place place = placeOf(index);
        if (place.part < messageRoots && place.row == 0) {
            path.part = place.part;
            break;
        }
        auto [name, entry] = stepAt(index);
        path.names.push_back(std::move(name));
        path.indices.push_back(entry);
    }
    std::reverse(path.names.begin(), path.names.end());
    std::reverse(path.indices.begin(), path.indices.end());
    return path;
}

QModelIndex FieldTreeModel::find(const Path& path) const {
    QModelIndex at = index(static_cast<int>(path.part), 0);
    for (std::size_t step = 0; at.isValid() && step < path.names.size(); ++step) {
        QModelIndex best;
        for (int row = 0; row < rowCount(at); ++row) {
            const QModelIndex child = index(row, 0, at);
            const auto [name, entry] = stepAt(child);
            if (name != path.names[step]) continue;
            if (!best.isValid()) best = child;
            if (entry == path.indices[step]) {
                best = child;
                break;
            }
        }
        if (!best.isValid()) break;
        at = best;
    }
    return at;
}

// One step of a path in words: a name, or the n-th entry. Goes through record sets that are open.
FieldTreeModel::FoundPath FieldTreeModel::stepFrom(FieldRef at, const std::string& word,
                                                   std::optional<int> entry) const {
    if (texts(at.part).opens(at.node)) {
        const auto inside = m_openedAt.find(keyOf(at));
        if (inside == m_openedAt.end()) return {at, false, at};
        at = {inside->second, 0};
    }
    const FieldTree& tree = part(at.part)->tree;
    if (entry) {
        NodeIndex child = tree.firstChild(at.node);
        for (int left = *entry; left > 0 && child != noNode; --left)
            child = tree.nextSibling(child);
        return child == noNode ? FoundPath{at, false, {}} : FoundPath{{at.part, child}, true, {}};
    }
    if (const NodeIndex child = tree.child(at.node, word); child != noNode) return {{at.part, child}, true, {}};
    // Compressed records are a leaf of another name; what is inside is called as when they were not compressed.
    for (NodeIndex child = tree.firstChild(at.node); child != noNode; child = tree.nextSibling(child))
        if (tree.nodes[child].field == recordFields().compressed) return stepFrom({at.part, child}, word, entry);
    return {at, false, {}};
}

FieldTreeModel::FoundPath FieldTreeModel::findPathText(const QString& text) const {
    static const QRegularExpression step(QStringLiteral("([A-Za-z0-9]+)|\\[(\\d+)\\]"));
    FoundPath found;
    auto steps = step.globalMatch(text);
    while (steps.hasNext()) {
        const QRegularExpressionMatch match = steps.next();
        const std::string word = match.captured(1).toStdString();
        if (!found.field) {
            found.field.part = word.starts_with("request") ? requestPart : responsePart;
            const Part its = part(found.field.part);
            if (!its) return {};
            found.field.node = word.ends_with("Header") ? its->header : its->body;
            if (found.field.node == noNode) return {};
            continue;
        }
        const auto entry = match.captured(2).isEmpty() ? std::nullopt : std::optional(match.captured(2).toInt());
        const FoundPath next = stepFrom(found.field, word, entry);
        if (!next.whole) return next;
        found = next;
    }
    found.whole = static_cast<bool>(found.field);
    return found;
}

FieldTreeModel::FoundPath FieldTreeModel::findRecord(PartNumber message, std::uint32_t begin, std::uint32_t end,
                                                     std::uint32_t ordinal) const {
    const FieldRef batch = fieldAround(message, begin, end);
    if (!batch) return {};
    if (batch.part == message) return {batch, false, batch}; // the set is not open yet
    const FoundPath records = stepFrom(batch, "records", std::nullopt);
    return records.whole ? stepFrom(records.field, {}, static_cast<int>(ordinal)) : records;
}

QModelIndex FieldTreeModel::firstError() const {
    const Part its = part(responsePart);
    if (!its) return {};
    const FieldTexts texts(*its, m_around);
    for (NodeIndex node = 0; node < its->tree.nodes.size(); ++node)
        if (texts.isError(node)) return indexOf({responsePart, node});
    return {};
}

// ---- texts

FieldTexts FieldTreeModel::texts(PartNumber number) const {
    return FieldTexts(*part(number), m_around);
}

QString FieldTreeModel::rootTitle(PartNumber number) const {
    return number == requestPart ? tr("Request") : tr("Response");
}

QString FieldTreeModel::name(const QModelIndex& index) const {
    return data(index.siblingAtColumn(0), Qt::DisplayRole).toString();
}

FieldText FieldTreeModel::value(const QModelIndex& index) const {
    return {data(index.siblingAtColumn(1), Qt::DisplayRole).toString(),
            static_cast<FieldLook>(data(index.siblingAtColumn(1), LookRole).toInt())};
}

QVariant FieldTreeModel::factData(std::uint32_t number, int column, int role) const {
    const Fact& fact = m_detail->facts[number];
    if (role == DamageRole) return fact.damage;
    if (role == LookRole) return static_cast<int>(fact.damage ? FieldLook::Damage : FieldLook::Plain);
    if (role == Qt::ToolTipRole) return fact.toolTip.isEmpty() ? QVariant() : QVariant(fact.toolTip);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
    if (column == 0) return fact.name;
    return column == 1 ? QVariant(fact.value) : QVariant();
}

QVariant FieldTreeModel::missingData(PartNumber number, int column, int role) const {
    if (role == LookRole) return static_cast<int>(FieldLook::Dim);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
    if (column == 0) return rootTitle(number);
    if (column == 1) return number == requestPart ? m_detail->requestSummary : m_detail->responseSummary;
    return {};
}

QVariant FieldTreeModel::fieldData(const FieldTexts& texts, const FieldRow& row, PartNumber number, int column,
                                   int role) const {
    const bool root = row.node == 0 && number < messageRoots && !row.isLength;
    const FieldNode& node = part(number)->tree.nodes[row.node];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        switch (static_cast<FieldColumn>(column)) {
        case FieldColumn::Name:
            if (root)
                return QStringLiteral("%1  %2").arg(rootTitle(number), number == requestPart ? m_detail->requestTitle
                                                                                             : m_detail->responseTitle);
            return row.isLength ? texts.lengthName(row.node) : texts.name(row.node);
        case FieldColumn::Value:
            if (root) return number == requestPart ? m_detail->requestSummary : m_detail->responseSummary;
            if (waiting({number, row.node})) return tr("Opening…");
            return row.isLength ? texts.length(row.node).text : texts.value(row.node).text;
        case FieldColumn::Type:
            return root || row.isLength ? QString() : texts.type(row.node);
        case FieldColumn::Offset:
            return QString::number(node.offset);
        case FieldColumn::Length:
            return QString::number(row.isLength ? node.prefix : node.length);
        }
        return {};
    case Qt::ToolTipRole:
        return root ? QVariant() : QVariant(texts.toolTip(row.node));
    case LookRole:
        if (root) return static_cast<int>(FieldLook::Plain);
        return static_cast<int>(row.isLength ? FieldLook::Dim : texts.value(row.node).look);
    case DamageRole:
        return node.damaged && !root;
    case OpensRole:
        return texts.opens(row.node);
    default:
        return {};
    }
}

QVariant FieldTreeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_detail) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(
            Qt::AlignVCenter |
            (index.column() >= static_cast<int>(FieldColumn::Offset) ? Qt::AlignRight : Qt::AlignLeft));
    const Place place = placeOf(index);
    if (place.part == factsPart) return factData(place.row, index.column(), role);
    const FieldRows* rows = rowsOf(place.part);
    if (!rows || rows->empty()) return missingData(place.part, index.column(), role);
    return fieldData(texts(place.part), rows->rows()[place.row], place.part, index.column(), role);
}

QVariant FieldTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)) return {};
    switch (static_cast<FieldColumn>(section)) {
    case FieldColumn::Name:
        return tr("Field");
    case FieldColumn::Value:
        return tr("Value");
    case FieldColumn::Type:
        return tr("Type");
    case FieldColumn::Offset:
        return tr("Offset");
    case FieldColumn::Length:
        return tr("Length");
    }
    return {};
}

} // namespace brokerscope
