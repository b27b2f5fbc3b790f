// SPDX-License-Identifier: Apache-2.0
// The field tree on screen. What is expanded is remembered by path without indices, and applied to the next exchange of
// the same API; so is the selected field.
// Bounds: expanding all stops at 50,000 fields and says so; restoring stops at 2,000.
// Threads: the GUI's.
#pragma once

#include "gui/models/field_tree_model.h"
#include "gui/widgets/theme.h"

#include <QTreeView>

#include <map>
#include <set>

namespace brokerscope {

class FieldView : public QTreeView {
    Q_OBJECT

  public:
    static constexpr int mostExpanded = 50'000, mostRestored = 2'000;

    FieldView(FieldTreeModel& model, const Theme& theme, QWidget* parent = nullptr);

    // Shows another exchange as the one before was shown; `api` tells which expansion applies.
    void showDetail(std::shared_ptr<const Detail> detail, std::int16_t api);
    void setZoomedWidths();
    void showTypeColumns(bool on);
    void selectField(FieldRef field);
    void expandAllFields();
    void collapseAllFields();
    void expandSubtree();
    void collapseSubtree();
    FieldRef currentField() const { return m_model.fieldAt(currentIndex()); }
    FieldTreeModel& fields() { return m_model; }

  Q_SIGNALS:
    void fieldChosen(brokerscope::FieldRef field);
    void typed(QString text);
    void expandedSome(int shown, int all); // when expanding all stopped early

  protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    using Paths = std::set<FieldTreeModel::Path>;
    void makeRoomFor(const QModelIndex& index);
    void remember(const QModelIndex& index, bool expanded);
    void restore(const QModelIndex& index, const Paths& paths, int& left);
    int expandBelow(const QModelIndex& index, int left);
    FieldTreeModel::Path plainPath(const QModelIndex& index) const;

    FieldTreeModel& m_model;
    std::map<std::int16_t, Paths> m_expanded; // by api
    std::optional<FieldTreeModel::Path> m_selected;
    std::int16_t m_api = -1;
    bool m_restoring = false;
    bool m_sized = false;
};

} // namespace brokerscope
