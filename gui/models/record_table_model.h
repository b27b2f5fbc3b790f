// SPDX-License-Identifier: Apache-2.0
// The records of a capture, of a topic or of one exchange in one table. Only batches are kept (where they lie, how many
// records they have); a batch is opened when its rows become visible, on a job thread, and forgotten again when too
// many are open. Until its content is there a row says "…".
//
// Memory:  some 80 bytes a batch, and at most `mostOpenBytes` of opened content.
// Threads: the GUI's; content is made elsewhere and does not change.
#pragma once

#include "dissector/analysis/topic_names.h"
#include "dissector/records/record_set.h"
#include "dissector/schema/protocol.h"
#include "gui/models/texts.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <cstdint>
#include <list>
#include <memory>
#include <memory_resource>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace brokerscope {

// A batch, and where it lies.
struct RecordBatchRef {
    std::uint32_t exchange = 0; // row of the index
    bool ofResponse = false;
    std::uint32_t begin = 0, end = 0; // in the message's bytes
    std::uint32_t topic = 0;          // index into the topics
    std::int32_t partition = -1;
    std::int64_t baseOffset = -1, lastOffset = -1;
    std::int64_t producerId = -1;
    std::int16_t producerEpoch = -1;
    Codec codec = Codec::None;
    bool control = false;
    std::uint32_t count = 0;    // records
    std::uint32_t firstRow = 0; // set by the model
};

struct RecordTopic {
    QString name;              // its id in Kafka's writing where the capture tells no name
    std::optional<TopicId> id; // where the message told the topic by it
};

struct OpenedRecord {
    std::optional<std::int64_t> offset;
    std::int64_t timestamp = -1;
    std::optional<Bytes> key, value;
    std::vector<std::pair<std::string, std::optional<Bytes>>> headers;
    // Of internal topics: what key and value are ("OffsetCommitValue v1") and hold, as JSON with secrets masked.
    struct Opened {
        QString type, json;
        QString text(int atMost) const;
    };
    std::optional<Opened> openedKey, openedValue;
    bool secret = false; // they hold something that nobody should see by accident
    std::uint32_t size() const;
};

// The content of one batch. What its records point to lives in `memory`.
struct OpenedBatch {
    std::vector<OpenedRecord> records;
    std::pmr::monotonic_buffer_resource memory;
    std::size_t bytes = 0; // in `memory`
    std::string error;     // why there are no more records

    Bytes keep(Bytes content);
    std::size_t size() const { return bytes + records.size() * sizeof(OpenedRecord); }
};

enum class RecordColumn : std::uint8_t {
    Topic,
    Partition,
    Offset,
    Time,
    Key,
    Value,
    Headers,
    Size,
    Codec,
    Batch,
    Exchange
};
constexpr int recordColumns = 11;

class RecordTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    static constexpr std::size_t mostRows = 5'000'000;
    static constexpr std::size_t mostOpenBytes = 32 * 1024 * 1024;
    static constexpr int textAtMost = 120;
    enum Role { DimRole = Qt::UserRole, HitRole };

    explicit RecordTableModel(QObject* parent = nullptr);

    void clear();
    // More batches; their topics are indices into `topics`, which replaces the list. False: no more rows are taken.
    bool append(std::vector<RecordBatchRef> batches, std::vector<RecordTopic> topics);
    bool full() const { return m_full; }
    void setContent(std::size_t batch, std::shared_ptr<const OpenedBatch> content);
    void setSearch(const QString& text, bool inKeys, bool inValues); // hits are told by HitRole

    const std::vector<RecordBatchRef>& batches() const { return m_batches; }
    const std::vector<RecordTopic>& topics() const { return m_topics; }
    struct Place {
        std::size_t batch = 0;
        std::uint32_t ordinal = 0;
    };
    std::optional<Place> placeOf(int row) const;
    int rowOf(Place place) const;
    // Null: not opened yet; it will be asked for when `ask`.
    std::shared_ptr<const OpenedBatch> content(std::size_t batch, bool ask) const;
    const OpenedRecord* record(int row) const;       // null: not opened, or not readable
    bool asking() const { return m_ask.isActive(); } // batchesWished will come

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static QString keyText(const RecordBatchRef& batch, const OpenedRecord& record, int atMost);
    static QString valueText(const RecordBatchRef& batch, const OpenedRecord& record, int atMost);

  Q_SIGNALS:
    void batchesWished(const std::vector<std::size_t>& batches); // visible, and not open

  private:
    QString text(int row, RecordColumn column) const;

    std::vector<RecordBatchRef> m_batches;
    std::vector<RecordTopic> m_topics;
    std::uint32_t m_rows = 0;
    bool m_full = false;
    struct Open {
        std::size_t batch;
        std::shared_ptr<const OpenedBatch> content;
    };
    mutable std::list<Open> m_open; // the one used last in front
    mutable std::unordered_map<std::size_t, std::list<Open>::iterator> m_openOf;
    std::size_t m_openBytes = 0;
    mutable std::set<std::size_t> m_wanted;
    mutable QTimer m_ask; // collects what one painting wants
    QString m_search;
    bool m_searchKeys = true, m_searchValues = true;
};

// Whether a text stands in its key or value, without regard to case; in opened ones as they are shown.
bool keyContains(const OpenedRecord& record, const QString& text);
bool valueContains(const OpenedRecord& record, const QString& text);

} // namespace brokerscope
