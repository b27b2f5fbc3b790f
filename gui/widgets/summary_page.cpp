// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/summary_page.h"

#include "gui/models/texts.h"

#include <QAbstractTextDocumentLayout>
#include <QFileInfo>
#include <QScrollBar>
#include <QTextCursor>
#include <QTextDocument>
#include <QUrl>

#include <utility>

namespace brokerscope {

namespace {

constexpr std::size_t mostLines = 30;
constexpr int pageMargin = 16;

QString milliseconds(const std::optional<Duration>& time) {
    return time ? texts::milliseconds(*time) : QString();
}

QString number(std::uint64_t value) {
    return value ? texts::grouped(value) : QStringLiteral("–");
}

QString cell(const QString& content, bool right = false) {
    return QStringLiteral("<td%1>%2</td>").arg(right ? QStringLiteral(" align='right'") : QString(), content);
}

// Of a number with its unit, or a title: not to be broken at the space.
QString unbroken(QString text) {
    return text.replace(u' ', QChar::Nbsp);
}

QString headCell(const QString& content, bool right = false) {
    return QStringLiteral("<th align='%1'>%2</th>")
        .arg(right ? QStringLiteral("right") : QStringLiteral("left"), unbroken(content));
}

const QString tableBegin = QStringLiteral("<table cellspacing='0' cellpadding='4'>");

} // namespace

QStringList damageLines(const CaptureReport& report, const ExchangeIndex::Counts& counts) {
    QStringList lines;
    for (const Error& error : report.info.damage)
        lines << QString::fromStdString(toString(error));
    if (report.bytesLost)
        lines << SummaryPage::tr("%1 of Kafka's streams are not in the capture.").arg(texts::bytes(report.bytesLost));
    if (report.bytesPassedOver)
        lines << SummaryPage::tr("%1 stood where a message should begin and made no sense.")
                     .arg(texts::bytes(report.bytesPassedOver));
    if (report.info.cutPackets)
        lines << SummaryPage::tr("%1 packets were cut by the snap length.").arg(texts::grouped(report.info.cutPackets));
    for (const auto& unknown : report.packets.unknownLinkTypes)
        lines << SummaryPage::tr("%1 packets of link type %2 could not be looked into.")
                     .arg(texts::grouped(unknown.packets), QString::fromStdString(unknown.name));
    if (report.packets.malformed)
        lines << SummaryPage::tr("%1 packets have headers that contradict themselves.")
                     .arg(texts::grouped(report.packets.malformed));
    if (counts.damaged)
        lines << SummaryPage::tr("%1 exchanges are damaged: a gap, a cut or a malformed body.")
                     .arg(texts::grouped(counts.damaged));
    return lines;
}

SummaryPage::SummaryPage(const Theme& theme, QWidget* parent) : QTextBrowser(parent), m_theme(theme) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Summary"));
    setMinimumSize(80, 60);
    setWordWrapMode(QTextOption::WordWrap);
    m_makeMore.setInterval(0);
    connect(&m_makeMore, &QTimer::timeout, this, &SummaryPage::addPart);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (url.scheme() == QStringLiteral("damage")) return Q_EMIT damageWished();
        Q_EMIT filterWished(url.path(QUrl::FullyDecoded));
    });
    connect(&theme, &Theme::changed, this, &SummaryPage::render);
}

void SummaryPage::showNothing() {
    disposeLater(std::move(m_capture));
    m_summary.reset();
    m_report.reset();
    m_makeMore.stop();
    clear();
}

void SummaryPage::show(const Capture& capture, std::shared_ptr<const CaptureSummary> summary,
                       std::shared_ptr<const CaptureReport> report) {
    m_capture = capture;
    m_summary = std::move(summary);
    m_report = std::move(report);
    render();
}

QString SummaryPage::link(const QString& filter, const QString& text) const {
    QUrl url;
    url.setScheme(QStringLiteral("filter"));
    url.setPath(filter);
    return QStringLiteral("<a href='%1' style='color:%2;text-decoration:none'>%3</a>")
        .arg(url.toString(QUrl::FullyEncoded).toHtmlEscaped(), m_theme.colours().link.name(), text.toHtmlEscaped());
}

QString SummaryPage::head() const {
    const LoadProgress& progress = m_capture->progress;
    const ExchangeIndex::Counts& counts = m_summary->counts;
    QStringList names;
    for (const std::string& path : m_capture->wish.paths)
        names << QFileInfo(QString::fromStdString(path)).fileName();
    QString text = QStringLiteral("<h2>%1</h2>").arg(names.join(QStringLiteral(", ")).toHtmlEscaped());
    text += QStringLiteral("<p>");
    text += tr("%1 packets over %2, %3 to %4 UTC.")
                .arg(texts::grouped(progress.packets), texts::span(m_capture->span()),
                     texts::date(m_capture->start(), progress.timeDigits, false),
                     texts::clock(m_capture->start() + m_capture->span(), progress.timeDigits, false));
    text += QStringLiteral("<br>");
    text += tr("%1 in %2 Kafka connections: %3, %4, %5.")
                .arg(link({}, texts::plural(counts.exchanges, tr("1 exchange"), tr("%1 exchanges"))),
                     texts::grouped(m_summary->connections),
                     link(QStringLiteral("error"), texts::plural(counts.errors, tr("1 error"), tr("%1 errors"))),
                     link(QStringLiteral("slow"), tr("%1 slow").arg(texts::grouped(counts.slow))),
                     link(QStringLiteral("status == unanswered"),
                          tr("%1 unanswered").arg(texts::grouped(counts.unanswered))));
    if (m_report && m_report->foreignConnections) {
        QStringList protocols;
        for (const ForeignConnection& foreign : m_report->foreign) {
            const QString name = foreign.protocol.empty() ? tr("unknown") : QString::fromStdString(foreign.protocol);
            if (!protocols.contains(name)) protocols << name;
        }
        text += QStringLiteral("<br>") + tr("%1 connections are not Kafka (%2).")
                                             .arg(texts::grouped(m_report->foreignConnections),
                                                  protocols.join(QStringLiteral(", ")).toHtmlEscaped());
    }
    return text + QStringLiteral("</p>");
}

// A latency, with a link to what took at least as long.
QString SummaryPage::notShorter(const QString& filter, const std::optional<Duration>& time) const {
    if (!time) return {};
    return link(QStringLiteral("%1 and latency >= %2ns").arg(filter).arg(time->count()), texts::milliseconds(*time));
}

QString SummaryPage::apiTable() const {
    QString text = QStringLiteral("<h3>%1</h3>").arg(tr("APIs")) + tableBegin + QStringLiteral("<tr>");
    const std::vector<std::pair<QString, bool>> titles = {
        {tr("API"), false},       {tr("Versions"), false}, {tr("Exchanges"), true}, {tr("Errors"), true},
        {tr("Unanswered"), true}, {tr("Slow"), true},      {tr("Median ms"), true}, {tr("p99 ms"), true},
        {tr("Longest ms"), true}, {tr("Asked"), true},     {tr("Answered"), true},
    };
    for (const auto& [title, right] : titles)
        text += headCell(title, right);
    text += QStringLiteral("</tr>");
    for (const CaptureSummary::ApiLine& api : m_summary->apis) {
        const auto count = [&](std::uint32_t value, const QString& what) {
            return cell(value ? link(api.filter + QStringLiteral(" and ") + what, number(value)) : number(0), true);
        };
        text += QStringLiteral("<tr>") + cell(link(api.filter, api.name)) + cell(api.versions) +
                cell(link(api.filter, number(api.exchanges)), true) + count(api.errors, QStringLiteral("error")) +
                count(api.unanswered, QStringLiteral("status == unanswered")) +
                count(api.slow, QStringLiteral("slow")) + cell(milliseconds(api.median), true) +
                cell(notShorter(api.filter, api.p99), true) + cell(notShorter(api.filter, api.longest), true) +
                cell(unbroken(texts::bytesShort(api.requestBytes)), true) +
                cell(unbroken(texts::bytesShort(api.responseBytes)), true) + QStringLiteral("</tr>");
    }
    return text + QStringLiteral("</table>");
}

QString SummaryPage::errorTable() const {
    if (m_summary->errors.empty()) return {};
    QString text = QStringLiteral("<h3>%1</h3>").arg(tr("Errors")) + tableBegin;
    text += QStringLiteral("<tr>") + headCell(tr("Error")) + headCell(tr("Exchanges"), true) +
            headCell(tr("Times"), true) + headCell(tr("Meaning")) + QStringLiteral("</tr>");
    for (const CaptureSummary::ErrorLine& error : m_summary->errors)
        text += QStringLiteral("<tr>") + cell(link(error.filter, error.name)) +
                cell(link(error.filter, number(error.exchanges)), true) + cell(number(error.count), true) +
                cell(error.meaning.toHtmlEscaped()) + QStringLiteral("</tr>");
    return text + QStringLiteral("</table>");
}

QString SummaryPage::nameTable(const QString& title, const std::vector<CaptureSummary::NamedLine>& lines,
                               const QString& detail) const {
    if (lines.empty()) return {};
    QString text = QStringLiteral("<h3>%1</h3>").arg(title) + tableBegin + QStringLiteral("<tr>") + headCell(title) +
                   headCell(tr("Exchanges"), true) + headCell(tr("With errors"), true);
    if (!detail.isEmpty()) text += headCell(detail);
    text += QStringLiteral("</tr>");
    for (std::size_t i = 0; i < lines.size() && i < mostLines; ++i) {
        const CaptureSummary::NamedLine& line = lines[i];
        const QString shown = line.name.isEmpty() ? QStringLiteral("\"\"") : line.name;
        text +=
            QStringLiteral("<tr>") + cell(link(line.filter, shown)) +
            cell(link(line.filter, number(line.exchanges)), true) +
            cell(line.errors ? link(line.filter + QStringLiteral(" and error"), number(line.errors)) : number(0), true);
        if (!detail.isEmpty()) text += cell(line.detail.toHtmlEscaped());
        text += QStringLiteral("</tr>");
    }
    text += QStringLiteral("</table>");
    if (lines.size() > mostLines) text += tr("<p>and %1 more</p>").arg(lines.size() - mostLines);
    return text;
}

QString SummaryPage::damageList() const {
    if (!m_report) return {};
    const QStringList lines = damageLines(*m_report, m_summary->counts);
    if (lines.isEmpty()) return QStringLiteral("<h3>%1</h3><p>%2</p>").arg(tr("Damage"), tr("None."));
    QString text = QStringLiteral("<h3>%1</h3><ul>").arg(tr("Damage"));
    for (const QString& line : lines)
        text += QStringLiteral("<li>%1</li>").arg(line.toHtmlEscaped());
    text += QStringLiteral("</ul>");
    if (m_summary->counts.damaged) text += link(QStringLiteral("damaged"), tr("Show the damaged exchanges"));
    return text;
}

void SummaryPage::render() {
    if (!m_capture || !m_summary) return;
    m_parts = {head(),
               apiTable(),
               errorTable(),
               nameTable(tr("Brokers"), m_summary->brokers, {}),
               nameTable(tr("Clients"), m_summary->clients, tr("Software, addresses")),
               nameTable(tr("Topics"), m_summary->topics, {}),
               nameTable(tr("Groups"), m_summary->groups, {}),
               damageList()};
    m_parts.removeAll(QString());
    // As the page will show it, so that nothing is laid out again when it does.
    delete m_making;
    m_making = new QTextDocument(this);
    m_making->setDocumentMargin(pageMargin);
    m_making->setDefaultFont(font());
    QTextOption wrapping = m_making->defaultTextOption();
    wrapping.setWrapMode(QTextOption::WordWrap); // names are never broken: a narrow page scrolls
    m_making->setDefaultTextOption(wrapping);
    m_making->documentLayout()->setPaintDevice(viewport());
    m_making->setPageSize(QSizeF(viewport()->width(), -1));
    m_makeMore.start();
}

void SummaryPage::addPart() {
    if (!m_parts.isEmpty()) {
        QTextCursor end(m_making);
        end.movePosition(QTextCursor::End);
        if (!m_making->isEmpty()) {
            QTextBlockFormat apart;
            apart.setTopMargin(fontMetrics().height());
            end.insertBlock(apart, QTextCharFormat());
        }
        end.insertHtml(m_parts.takeFirst());
        m_making->documentLayout()->documentSize(); // lays it out
        return;
    }
    m_makeMore.stop();
    const int at = verticalScrollBar()->value();
    QTextDocument* shown = std::exchange(m_made, std::exchange(m_making, nullptr));
    setDocument(m_made);
    delete shown;
    verticalScrollBar()->setValue(at);
}

} // namespace brokerscope
