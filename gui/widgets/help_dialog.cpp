// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/help_dialog.h"

#include "dissector/filter/filter_names.h"
#include "gui/models/texts.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QScreen>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

namespace brokerscope {

HelpDialog::HelpDialog(const QString& title, const QString& html, QWidget* parent) : QDialog(parent) {
    setWindowTitle(title);
    auto* text = new QTextBrowser(this);
    text->setHtml(html);
    text->setAccessibleName(title);
    text->document()->setDocumentMargin(12);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(text, 1);
    column->addWidget(buttons);
    // As high as the text is, within reason.
    const int width = fontMetrics().averageCharWidth() * 100;
    text->document()->setTextWidth(width);
    const int most = fontMetrics().height() * 32;
    const int around = buttons->sizeHint().height() + fontMetrics().height() * 3;
    resize(QSize(width, std::min(most, static_cast<int>(text->document()->size().height()) + around))
               .boundedTo(screen()->availableSize()));
}

QString filterPage() {
    QString page = QCoreApplication::translate(
        "help",
        "<p>A filter is made of tests, joined with <b>and</b>, <b>or</b>, <b>not</b> and parentheses. A bare "
        "name asks whether there is such a value. A name with several values fits when any of them does.</p>"
        "<p>Operators: <b>== != &lt; &lt;= &gt; &gt;= contains matches in {a, b, 1..5}</b>. Units: ns us ms s min, "
        "KiB MiB kB MB. Texts with spaces stand in quotes.</p>");
    page += QStringLiteral("<p></p><table cellspacing='0' cellpadding='3'>");
    for (const FilterNameRow& row : filterNames())
        page += QStringLiteral("<tr><td><b>%1</b></td><td>%2</td><td><tt>%3</tt></td></tr>")
                    .arg(texts::fromUtf8(row.name).toHtmlEscaped(), texts::fromUtf8(row.help).toHtmlEscaped(),
                         texts::fromUtf8(row.example).toHtmlEscaped());
    return page + QStringLiteral("</table>");
}

QString aboutPage() {
    return QCoreApplication::translate(
               "help",
               "<h2>Brokerscope %1</h2><p>An analyzer for the Apache Kafka protocol: exchanges with latency and "
               "errors, every field and its bytes, batches opened down to the record.</p><p>Apache License 2.0. "
               "Apache Kafka is a trademark of the Apache Software Foundation; this project is not part of "
               "it.</p><p>Qt %2</p>")
        .arg(QCoreApplication::applicationVersion(), QLatin1String(qVersion()));
}

} // namespace brokerscope
