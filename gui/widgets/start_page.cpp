// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/start_page.h"

#include "gui/models/texts.h"
#include "gui/widgets/icons.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMouseEvent>
#include <QPushButton>
#include <QVBoxLayout>

#include <array>

namespace brokerscope {

namespace {

struct SampleRow {
    const char* file;
    const char* title; // tr()
    const char* about; // tr()
};

#define SAMPLE(text) QT_TRANSLATE_NOOP("samples", text)
constexpr std::array<SampleRow, 15> sampleRows{{
    {"first-steps.pcap", SAMPLE("First steps"),
     SAMPLE("A client asks for versions, learns the cluster, writes a few records and reads them back")},
    {"produce-acks.pcap", SAMPLE("A producer's first second"),
     SAMPLE("acks=0, acks=1, acks=all and an idempotent producer side by side")},
    {"codecs.pcap", SAMPLE("Five compressions"), SAMPLE("The same records plain, gzip, snappy, lz4 and zstd")},
    {"long-poll.pcap", SAMPLE("Waiting is not slow"), SAMPLE("Fetches that take seconds because they were asked to")},
    {"rebalance-classic.pcap.zst", SAMPLE("A rebalance"), SAMPLE("JoinGroup, SyncGroup, a member that dies")},
    {"rebalance-kip848.pcap.zst", SAMPLE("A rebalance of the new kind"),
     SAMPLE("One ConsumerGroupHeartbeat does it all (KIP-848)")},
    {"share-group.pcap", SAMPLE("A share group"), SAMPLE("Records accepted, released, rejected, renewed")},
    {"transactions.pcap", SAMPLE("A transaction"), SAMPLE("Commit, abort, and a producer fenced by its successor")},
    {"errors.pcap.zst", SAMPLE("What goes wrong"), SAMPLE("Errors by name, then a broker stops and returns")},
    {"throttle.pcap.zst", SAMPLE("Quotas"), SAMPLE("Throttled clients, and the broker that falls silent")},
    {"sasl.pcap", SAMPLE("Logging in"), SAMPLE("PLAIN, SCRAM and OAUTHBEARER, good and failed")},
    {"tls13-with-secrets.pcapng", SAMPLE("TLS with its secrets"), SAMPLE("Session secrets lie in the capture itself")},
    {"kraft-cluster.pcap.zst", SAMPLE("A cluster from its first packet"),
     SAMPLE("Controllers vote, brokers register, the controller changes")},
    {"lossy.pcap.zst", SAMPLE("A bad link"), SAMPLE("Lost, repeated and reordered segments, all put right")},
    {"kafka-0.8.pcap", SAMPLE("The protocol of 2014"), SAMPLE("Kafka 0.8: message format 0 and its codecs")},
}};
#undef SAMPLE

// Where they are installed, and where they lie seen from a build inside the source tree.
QStringList sampleFolders() {
    const QString here = QCoreApplication::applicationDirPath();
    QStringList folders{here + QStringLiteral("/../share/brokerscope/samples")};
    for (const char* up : {"/../../samples", "/../../../samples", "/../../../../samples"})
        folders << here + QLatin1String(up);
    return folders;
}

// One click opens, as a link would; so a double click must not open once more.
class OpenList : public QListWidget {
  public:
    using QListWidget::QListWidget;

  protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override { event->accept(); }
};

QListWidget* makeList(const QString& name, QWidget* parent) {
    auto* list = new OpenList(parent);
    list->viewport()->setCursor(Qt::PointingHandCursor);
    list->setAccessibleName(name);
    list->setFrameShape(QFrame::NoFrame);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setTextElideMode(Qt::ElideMiddle);
    list->setUniformItemSizes(true);
    list->setSpacing(2);
    list->setMinimumSize(60, 60);
    return list;
}

QVBoxLayout* column(QLabel* label, QWidget* content) {
    label->setBuddy(content);
    label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* box = new QVBoxLayout;
    box->setSpacing(6);
    box->addWidget(label);
    box->addWidget(content, 1);
    return box;
}

} // namespace

std::vector<Sample> shippedSamples() {
    std::vector<Sample> samples;
    for (const QString& folder : sampleFolders()) {
        for (const SampleRow& row : sampleRows) {
            const QString path = QDir::cleanPath(folder + u'/' + QString::fromLatin1(row.file));
            if (QFileInfo::exists(path))
                samples.push_back({path, QCoreApplication::translate("samples", row.title),
                                   QCoreApplication::translate("samples", row.about)});
        }
        if (!samples.empty()) break;
    }
    return samples;
}

StartPage::StartPage(QWidget* parent) : QWidget(parent) {
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_title = new QLabel(tr("Open a capture of Kafka traffic"), this);
    m_headings = {new QLabel(tr("Recen&t"), this), new QLabel(tr("&Samples (shipped, nothing to download)"), this)};
    auto* open = new QPushButton(icon(Glyph::Open), tr("Open…   Ctrl+O"), this);
    open->setAccessibleName(tr("Open a capture"));
    auto* drop = new QLabel(tr("or drop it here"), this);
    auto* formats = new QLabel(tr("pcap and pcapng, also .gz and .zst"), this);
    for (QLabel* label : {drop, formats})
        label->setForegroundRole(QPalette::PlaceholderText);

    m_recent = makeList(tr("Recent captures"), this);
    m_samples = makeList(tr("Samples"), this);
    for (const Sample& sample : shippedSamples()) {
        auto* item = new QListWidgetItem(QStringLiteral("%1  ·  %2").arg(sample.title, sample.about), m_samples);
        item->setData(Qt::UserRole, sample.path);
        item->setToolTip(QStringLiteral("%1\n%2\n%3")
                             .arg(sample.title, sample.about,
                                  texts::bytesShort(static_cast<std::uint64_t>(QFileInfo(sample.path).size()))));
    }
    m_samples->setTextElideMode(Qt::ElideRight);

    auto* openRow = new QHBoxLayout;
    openRow->addWidget(open);
    openRow->addWidget(drop);
    openRow->addStretch(1);
    auto* lists = new QHBoxLayout;
    lists->setSpacing(32);
    lists->addLayout(column(m_headings[0], m_recent), 2);
    lists->addLayout(column(m_headings[1], m_samples), 3);
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(40, 32, 40, 24);
    page->setSpacing(10);
    page->addWidget(m_title);
    page->addLayout(openRow);
    page->addWidget(formats);
    page->addSpacing(16);
    page->addLayout(lists, 1);

    connect(open, &QPushButton::clicked, this, &StartPage::openWished);
    const auto wish = [this](QListWidgetItem* item) {
        Q_EMIT filesWished(item->data(Qt::UserRole).toString().split(u'\n'));
    };
    for (QListWidget* list : {m_recent, m_samples}) {
        connect(list, &QListWidget::itemClicked, this, wish);
        connect(list, &QListWidget::itemActivated, this, wish); // Enter
    }
    applyFonts();
    setRecent({});
}

void StartPage::applyFonts() {
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    m_title->setFont(large);
    QFont bold = font();
    bold.setBold(true);
    for (QLabel* heading : m_headings)
        heading->setFont(bold);
}

void StartPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) applyFonts();
    QWidget::changeEvent(event);
}

void StartPage::setRecent(const QStringList& recent) {
    m_recent->clear();
    setFocusProxy(recent.isEmpty() ? m_samples : m_recent);
    for (const QString& entry : recent) {
        const QStringList paths = entry.split(u'\n');
        const QFileInfo first(paths.front());
        QString text = first.fileName();
        if (paths.size() > 1) text += tr(" and %1 more").arg(paths.size() - 1);
        const bool found = first.exists();
        if (!found) text += tr(" (not found)");
        auto* item = new QListWidgetItem(text, m_recent);
        item->setData(Qt::UserRole, entry);
        item->setToolTip(entry);
        if (!found) item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    }
    if (recent.isEmpty()) {
        auto* item = new QListWidgetItem(tr("Nothing opened yet"), m_recent);
        item->setFlags(Qt::NoItemFlags);
    }
}

} // namespace brokerscope
