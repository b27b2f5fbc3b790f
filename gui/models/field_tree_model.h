// SPDX-License-Identifier: Apache-2.0
// The field tree of one exchange: facts, request, response; record sets and compressed batches open below their field
// when their content arrives. Answers from flat arrays; builds nothing but the rows of what is shown.
//
// Threads: the GUI's. What it shows was made elsewhere (Detail, MessagePart) and does not change.
#pragma once

#include "gui/models/detail.h"
#include "gui/models/field_texts.h"

#include <QAbstractItemModel>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace brokerscope {

enum class FieldColumn : std::uint8_t { Name, Value, Type, Offset, Length };
constexpr int fieldColumns = 5;

class FieldTreeModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Role { LookRole = Qt::UserRole, DamageRole, OpensRole };

    explicit FieldTreeModel(QObject* parent = nullptr);
    ~FieldTreeModel() override;

    void setDetail(std::shared_ptr<const Detail> detail); // null: nothing
    const Detail* detail() const { return m_detail.get(); }
    void setSurroundings(FieldSurroundings around);
    const FieldSurroundings& surroundings() const { return m_around; }
    // Parts keep the rows that they were built with; those shown are built again.
    void setShowLengths(bool show);
    bool showLengths() const { return m_showLengths; }

    // What recordsWished() asked for. Opened from a field that is no longer shown: dropped.
    std::optional<PartNumber> addOpened(Part part);
    bool opened(FieldRef field) const;
    bool waiting(FieldRef field) const { return m_waiting.contains(keyOf(field)); }
    void openFailed(FieldRef field);

    Part part(PartNumber number) const; // null: facts, or no such part
    PartNumber parts() const { return firstOpenedPart + static_cast<PartNumber>(m_opened.size()); }
    // The part whose bytes a part's offsets count in: itself, or the message a record set lies in.
    PartNumber bytesOf(PartNumber number) const;
    FieldRef fieldAt(const QModelIndex& index) const; // facts: node is the fact's number
    QModelIndex indexOf(FieldRef field, FieldColumn column = FieldColumn::Name) const;
    // The deepest field that owns a byte of a part's bytes; looks into record sets that lie in them.
    FieldRef fieldOfByte(PartNumber part, std::uint32_t offset) const;
    // The smallest field around a range.
    FieldRef fieldAround(PartNumber part, std::uint32_t begin, std::uint32_t end) const;
    bool isLengthOf(FieldRef field, std::uint32_t offset) const; // the byte belongs to the field's prefix

    // A place that can be found again in another exchange: names from the root, indices apart.
    struct Path {
        PartNumber part = factsPart;
        std::vector<std::string> names;
        std::vector<std::uint32_t> indices; // of each name that is an entry
        bool operator<(const Path& other) const { return std::tie(part, names) < std::tie(other.part, other.names); }
        bool operator==(const Path&) const = default;
    };
    Path pathOf(const QModelIndex& index) const;
    QModelIndex find(const Path& path) const; // the nearest that is there
    // By its words, as in ndjson: "response.topics[0].errorCode", and on into batches: "...records[0].records[3].key".
    struct FoundPath {
        FieldRef field;     // as far as it led
        bool whole = false; // to the end
        FieldRef closed;    // what has to be opened to go on
    };
    FoundPath findPathText(const QString& path) const;
    // A record by the place of its batch in the bytes of a message.
    FoundPath findRecord(PartNumber message, std::uint32_t begin, std::uint32_t end, std::uint32_t ordinal) const;
    QModelIndex firstError() const;

    FieldTexts texts(PartNumber part) const; // of a part that is there
    QString name(const QModelIndex& index) const;
    FieldText value(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  Q_SIGNALS:
    void recordsWished(brokerscope::FieldRef field);

  private:
    using Key = std::pair<PartNumber, NodeIndex>;
    static Key keyOf(FieldRef field) { return {field.part, field.node}; }
    struct Place {
        PartNumber part = factsPart;
        std::uint32_t row = 0;
    };
    static quintptr idOf(Place place) { return static_cast<quintptr>(place.part) << 32 | place.row; }
    static Place placeOf(const QModelIndex& index) {
        return {static_cast<PartNumber>(index.internalId() >> 32), static_cast<std::uint32_t>(index.internalId())};
    }
    const FieldRows* rowsOf(PartNumber part) const;
    QModelIndex indexOfPlace(Place place, int column) const;
    int ownRowCount(Place place) const;
    std::optional<PartNumber> openedAt(Place place) const;
    std::pair<std::string, std::uint32_t> stepAt(const QModelIndex& index) const; // its name in a Path, its place
    FoundPath stepFrom(FieldRef at, const std::string& word, std::optional<int> entry) const;
    QVariant factData(std::uint32_t fact, int column, int role) const;
    QVariant missingData(PartNumber part, int column, int role) const;
    QVariant fieldData(const FieldTexts& texts, const FieldRow& row, PartNumber part, int column, int role) const;
    QString rootTitle(PartNumber part) const;
    std::vector<std::uint32_t> childFacts(std::uint32_t fact) const;

    std::shared_ptr<const Detail> m_detail;
    FieldSurroundings m_around;
    bool m_showLengths = false;
    std::vector<Part> m_opened;           // part number firstOpenedPart + index
    std::map<Key, PartNumber> m_openedAt; // by the field they were opened from
    std::map<Key, bool> m_waiting;
    std::map<PartNumber, FieldRows> m_rebuilt; // rows with lengths, of what is shown
};

} // namespace brokerscope
