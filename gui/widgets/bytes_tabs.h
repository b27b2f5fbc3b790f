// SPDX-License-Identifier: Apache-2.0
// The byte pane with its tabs: Request, Response, and one for each opened batch (closable, the eight last are kept).
// Which kind of tab is shown stays when the exchange changes.
// Threads: the GUI's.
#pragma once

#include "gui/models/field_tree_model.h"
#include "gui/widgets/byte_pane.h"

#include <QTabBar>
#include <QWidget>

#include <vector>

namespace brokerscope {

class BytesTabs : public QWidget {
    Q_OBJECT

  public:
    static constexpr std::size_t mostBatches = 8;

    BytesTabs(FieldTreeModel& model, const Theme& theme, QWidget* parent = nullptr);

    BytePane& pane() { return *m_pane; }
    const BytePane& pane() const { return *m_pane; }
    QTabBar& tabs() { return *m_tabs; }
    void detailChanged();        // the model shows another exchange
    void partOpened(PartNumber); // it may have bytes of its own
    void showField(FieldRef field);
    void setRevealed(bool revealed);
    PartNumber shownPart() const { return m_shown; }
    void jumpToOther(); // request <-> response

  Q_SIGNALS:
    void fieldWished(brokerscope::FieldRef field, bool onLength);
    void hoverText(QString text); // empty: nothing is hovered

  private:
    struct Tab {
        PartNumber part = factsPart;
        bool closable = false;
    };
    void rebuild();
    void show(PartNumber part);
    void chooseByte(std::uint32_t offset);
    void chooseRange(std::uint32_t begin, std::uint32_t end);
    void hover(std::uint32_t offset);
    void stepField(int direction);
    ByteRange rangeOf(FieldRef field) const;
    std::vector<ByteRange> maskedIn(PartNumber part) const;

    FieldTreeModel& m_model;
    QTabBar* m_tabs;
    BytePane* m_pane;
    std::vector<Tab> m_entries;
    PartNumber m_shown = requestPart;
    PartNumber m_kind = requestPart; // the message that was looked at last
    FieldRef m_field;
};

} // namespace brokerscope
