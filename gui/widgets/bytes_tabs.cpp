// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/bytes_tabs.h"

#include "gui/models/texts.h"

#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace brokerscope {

BytesTabs::BytesTabs(FieldTreeModel& model, const Theme& theme, QWidget* parent)
    : QWidget(parent), m_model(model), m_tabs(new QTabBar(this)), m_pane(new BytePane(theme, this)) {
    m_tabs->setDocumentMode(true);
    m_tabs->setExpanding(false);
    m_tabs->setElideMode(Qt::ElideMiddle);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setDrawBase(false);
    m_tabs->setAccessibleName(tr("Whose bytes"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabs);
    column->addWidget(m_pane, 1);

    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        if (tab < 0 || tab >= static_cast<int>(m_entries.size())) return;
        show(m_entries[static_cast<std::size_t>(tab)].part);
    });
    connect(m_tabs, &QTabBar::tabCloseRequested, this, [this](int tab) {
        m_entries.erase(m_entries.begin() + tab);
        rebuild();
    });
    connect(m_pane, &BytePane::byteChosen, this, &BytesTabs::chooseByte);
    connect(m_pane, &BytePane::rangeChosen, this, &BytesTabs::chooseRange);
    connect(m_pane, &BytePane::hovered, this, &BytesTabs::hover);
    connect(m_pane, &BytePane::hoverLeft, this, [this] {
        m_pane->underline({});
        Q_EMIT hoverText({});
    });
    connect(m_pane, &BytePane::previousFieldWished, this, [this] { stepField(-1); });
    connect(m_pane, &BytePane::nextFieldWished, this, [this] { stepField(1); });
    connect(m_pane, &BytePane::selectFieldWished, this, [this] { chooseByte(m_pane->cursor()); });
}

void BytesTabs::detailChanged() {
    m_entries.clear();
    if (m_model.part(requestPart)) m_entries.push_back({requestPart, false});
    if (m_model.part(responsePart)) m_entries.push_back({responsePart, false});
    m_field = {};
    m_shown = factsPart;
    rebuild();
    const PartNumber wanted = m_model.part(m_kind) ? m_kind : requestPart;
    show(m_model.part(wanted) ? wanted : responsePart);
}

void BytesTabs::partOpened(PartNumber number) {
    const Part part = m_model.part(number);
    if (!part || !part->ownBytes) return;
    m_entries.push_back({number, true});
    const auto isBatch = [](const Tab& tab) { return tab.closable; };
    if (std::count_if(m_entries.begin(), m_entries.end(), isBatch) > static_cast<std::ptrdiff_t>(mostBatches))
        m_entries.erase(std::find_if(m_entries.begin(), m_entries.end(), isBatch));
    rebuild();
}

void BytesTabs::rebuild() {
    const QSignalBlocker quiet(m_tabs);
    while (m_tabs->count() > 0)
        m_tabs->removeTab(0);
    m_tabs->setTabsClosable(true);
    for (const Tab& tab : m_entries) {
        const Part part = m_model.part(tab.part);
        const QString title =
            tab.closable ? part->title : QStringLiteral("%1 %2").arg(part->title, texts::grouped(part->bytes.size()));
        const int at = m_tabs->addTab(title);
        m_tabs->setTabToolTip(at, tab.closable ? tr("Decompressed records: %1").arg(title) : title);
        if (!tab.closable)
            for (QTabBar::ButtonPosition side : {QTabBar::LeftSide, QTabBar::RightSide})
                m_tabs->setTabButton(at, side, nullptr);
    }
    const bool there =
        std::any_of(m_entries.begin(), m_entries.end(), [this](const Tab& tab) { return tab.part == m_shown; });
    if (!there && !m_entries.empty() && m_shown != factsPart) show(m_entries.front().part);
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (m_entries[i].part == m_shown) m_tabs->setCurrentIndex(static_cast<int>(i));
}

std::vector<ByteRange> BytesTabs::maskedIn(PartNumber number) const {
    std::vector<ByteRange> ranges;
    if (const Part part = m_model.part(number))
        for (const auto& [begin, end] : part->secrets)
            ranges.push_back({begin, end});
    return ranges;
}

void BytesTabs::show(PartNumber number) {
    if (number == requestPart || number == responsePart) m_kind = number;
    const Part part = m_model.part(number);
    if (m_shown == number && part && m_pane->bytes() == &part->bytes) return;
    m_shown = number;
    if (!part) return m_pane->setDocument(nullptr, nullptr, {});
    m_pane->setDocument(part, &part->bytes, maskedIn(number));
    const QSignalBlocker quiet(m_tabs);
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (m_entries[i].part == number) m_tabs->setCurrentIndex(static_cast<int>(i));
    if (m_field && m_model.bytesOf(m_field.part) == number) showField(m_field);
}

ByteRange BytesTabs::rangeOf(FieldRef field) const {
    const Part part = m_model.part(field.part);
    if (!part || field.node >= part->tree.nodes.size()) return {};
    const FieldNode& node = part->tree.nodes[field.node];
    return {node.offset, node.offset + node.length};
}

void BytesTabs::showField(FieldRef field) {
    m_field = field;
    if (!field || field.part == factsPart) return m_pane->markField({}, {}, false);
    const PartNumber owner = m_model.bytesOf(field.part);
    const bool known =
        std::any_of(m_entries.begin(), m_entries.end(), [owner](const Tab& tab) { return tab.part == owner; });
    if (!known && m_model.part(owner)) {
        if (owner < firstOpenedPart) return m_pane->markField({}, {}, false);
        partOpened(owner); // its tab was closed
    }
    if (m_shown != owner) show(owner);
    const Part part = m_model.part(field.part);
    if (!part) return m_pane->markField({}, {}, false);
    const NodeIndex above = part->tree.nodes[field.node].parent;
    const bool message = field.node == 0 || above == noNode;
    const ByteRange parent = message ? ByteRange{} : rangeOf({field.part, above});
    m_pane->markField(rangeOf(field), above == 0 ? ByteRange{} : parent, true, part->tree.hasChildren(field.node));
}

void BytesTabs::chooseByte(std::uint32_t offset) {
    const FieldRef field = m_model.fieldOfByte(m_shown, offset);
    if (!field) return;
    const bool onLength = m_model.isLengthOf(field, offset);
    m_field = field;
    Q_EMIT fieldWished(field, onLength);
    const Part part = m_model.part(field.part);
    const FieldNode& node = part->tree.nodes[field.node];
    const ByteRange whole = rangeOf(field);
    // On a length or tag byte that is what is marked, its field around it.
    if (onLength)
        m_pane->markField({node.offset, node.contentOffset()}, whole, false);
    else
        m_pane->markField(
            whole, node.parent == noNode || node.parent == 0 ? ByteRange{} : rangeOf({field.part, node.parent}), false);
}

void BytesTabs::chooseRange(std::uint32_t begin, std::uint32_t end) {
    const FieldRef field = m_model.fieldAround(m_shown, begin, end);
    if (!field) return;
    m_field = field;
    Q_EMIT fieldWished(field, false);
}

void BytesTabs::hover(std::uint32_t offset) {
    const FieldRef field = m_model.fieldOfByte(m_shown, offset);
    if (!field) return;
    m_pane->underline(rangeOf(field));
    const FieldTexts texts = m_model.texts(field.part);
    Q_EMIT hoverText(QStringLiteral("%1  %2").arg(texts.name(field.node), texts.value(field.node).text));
}

void BytesTabs::stepField(int direction) {
    const ByteRange marked = m_pane->markedField();
    const std::int64_t size = m_pane->bytes() ? m_pane->bytes()->size() : 0;
    const std::int64_t to =
        direction > 0 ? std::int64_t{std::max(marked.end, marked.begin + 1)} : std::int64_t{marked.begin} - 1;
    if (to >= 0 && to < size) m_pane->setCursorTo(static_cast<std::uint32_t>(to));
}

void BytesTabs::setRevealed(bool revealed) {
    m_pane->setRevealed(revealed);
}

void BytesTabs::jumpToOther() {
    const PartNumber other = m_shown == responsePart ? requestPart : responsePart;
    if (!m_model.part(other)) return;
    show(other);
    Q_EMIT fieldWished({other, 0}, false);
}

} // namespace brokerscope
