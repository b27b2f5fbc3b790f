// SPDX-License-Identifier: Apache-2.0
#include "gui/models/byte_formats.h"

#include <QByteArray>
#include <QStringList>

#include <algorithm>
#include <optional>
#include <vector>

namespace brokerscope {

namespace {

using MaybeByte = std::optional<std::uint8_t>; // nothing where the capture has none

std::vector<MaybeByte> collect(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end) {
    std::vector<MaybeByte> result;
    const ByteChain part = bytes.part(begin, end - begin);
    result.reserve(part.size());
    for (const ByteChain::Piece& piece : part.pieces())
        for (std::uint32_t i = 0; i < piece.slice.length; ++i)
            result.push_back(piece.slice.data ? MaybeByte(piece.slice.data[i]) : std::nullopt);
    return result;
}

QString pair(MaybeByte byte) {
    return byte ? QStringLiteral("%1").arg(*byte, 2, 16, QLatin1Char('0')) : QStringLiteral("..");
}

QChar shown(MaybeByte byte) {
    return byte && *byte >= 0x20 && *byte < 0x7f ? QChar(ushort{*byte}) : QChar(u'.');
}

QString hexDump(const std::vector<MaybeByte>& bytes, std::uint32_t begin) {
    QString text;
    for (std::size_t line = 0; line < bytes.size(); line += 16) {
        text += QStringLiteral("%1  ").arg(begin + line, 6, 16, QLatin1Char('0'));
        QString right;
        for (std::size_t i = line; i < line + 16; ++i) {
            text += i < bytes.size() ? pair(bytes[i]) + u' ' : QStringLiteral("   ");
            if (i % 8 == 7) text += u' ';
            if (i < bytes.size()) right += shown(bytes[i]);
        }
        text += right + u'\n';
    }
    return text;
}

QByteArray present(const std::vector<MaybeByte>& bytes) {
    QByteArray result;
    for (MaybeByte byte : bytes)
        if (byte) result.append(static_cast<char>(*byte));
    return result;
}

} // namespace

QString formatBytes(const ByteChain& bytes, std::uint32_t begin, std::uint32_t end, ByteFormat format) {
    const std::vector<MaybeByte> part = collect(bytes, begin, std::min(end, begin + mostCopied));
    QStringList words;
    switch (format) {
    case ByteFormat::Hex:
        for (MaybeByte byte : part)
            words << pair(byte);
        return words.join(u' ');
    case ByteFormat::HexDump:
        return hexDump(part, begin);
    case ByteFormat::Text:
        return QString::fromUtf8(present(part));
    case ByteFormat::Base64:
        return QString::fromLatin1(present(part).toBase64());
    case ByteFormat::CArray:
        for (MaybeByte byte : part)
            words << (byte ? QStringLiteral("0x") + pair(byte) : QStringLiteral("0x00 /* missing */"));
        return QStringLiteral("{%1}").arg(words.join(QStringLiteral(", ")));
    }
    return {};
}

} // namespace brokerscope
