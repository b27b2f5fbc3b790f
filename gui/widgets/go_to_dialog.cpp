// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/go_to_dialog.h"

#include "gui/models/texts.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace brokerscope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("GoToDialog", text);
}

constexpr std::uint32_t mostLookedBack = 20'000;

std::uint64_t firstPacket(const ExchangeIndex& index, std::uint32_t row) {
    const Exchange exchange = index.exchange(row);
    const std::optional<Frame>& frame = exchange.request ? exchange.request : exchange.response;
    return frame ? frame->bytes.pieces().front().slice.packet.value : 0;
}

bool carries(const Exchange& exchange, std::uint64_t packet) {
    for (const std::optional<Frame>* frame : {&exchange.request, &exchange.response})
        if (*frame)
            for (const ByteChain::Piece& piece : (*frame)->bytes.pieces())
                if (piece.slice.packet.value == packet) return true;
    return false;
}

// The exchange that a packet carries bytes of, else the last that had begun then. Exchanges are numbered by their first
// byte, so their first packets ascend; what a later packet belongs to began not long before.
GoToPlace packetPlace(std::uint64_t packet, const ExchangeIndex& index) {
    std::uint32_t low = 0, high = index.size(); // the first that begins behind the packet lies in [low, high]
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (firstPacket(index, middle) <= packet)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return {{}, tr("No exchange has bytes of packet %1").arg(packet)};
    for (std::uint32_t back = 1; back <= std::min(low, mostLookedBack); ++back)
        if (index.row(low - back).known() && carries(index.exchange(low - back), packet))
            return {index.row(low - back).id(), {}};
    return {index.row(low - 1).id(), {}};
}

GoToPlace timePlace(double seconds, const ExchangeIndex& index, Timestamp start) {
    const Timestamp wanted = start + Duration{static_cast<std::int64_t>(seconds * 1e9)};
    for (std::uint32_t row = 0; row < index.size(); ++row)
        if (index.row(row).known() && index.row(row).time() >= wanted) return {index.row(row).id(), {}};
    return {{}, tr("No exchange begins that late")};
}

} // namespace

GoToPlace goToPlace(const QString& text, const ExchangeIndex& index, Timestamp start) {
    static const QRegularExpression number(QStringLiteral("^\\s*(p?)(\\d+)\\s*$"));
    static const QRegularExpression time(QStringLiteral("^\\s*(\\d+(?:\\.\\d*)?|\\.\\d+)\\s*s\\s*$"));
    if (const auto match = number.match(text); match.hasMatch()) {
        const std::uint64_t value = match.captured(2).toULongLong();
        if (!match.captured(1).isEmpty()) return packetPlace(value, index);
        if (value == 0 || value > index.size())
            return {{}, tr("There is no exchange %1; the last is %2").arg(value).arg(index.size())};
        return {ExchangeId{value}, {}};
    }
    if (const auto match = time.match(text); match.hasMatch())
        return timePlace(match.captured(1).toDouble(), index, start);
    return {{}, tr("Write 17 for an exchange, p55 for a packet, 12.5s for a time")};
}

GoToDialog::GoToDialog(QWidget* parent) : QDialog(parent), m_text(new QLineEdit(this)), m_words(new QLabel(this)) {
    setWindowTitle(tr("Go to"));
    auto* label = new QLabel(tr("&Exchange, packet or time"), this);
    label->setBuddy(m_text);
    m_text->setPlaceholderText(tr("17   p55   12.5s"));
    m_words->setWordWrap(true);
    m_words->setText(tr("17: exchange 17 · p55: the exchange with packet 55 · 12.5s: the first at that time"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    auto* column = new QVBoxLayout(this);
    column->addWidget(label);
    column->addWidget(m_text);
    column->addWidget(m_words);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] { Q_EMIT chosen(m_text->text()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setMinimumWidth(360);
}

void GoToDialog::say(const QString& words) {
    m_words->setText(words);
    m_text->selectAll();
    m_text->setFocus();
}

} // namespace brokerscope
