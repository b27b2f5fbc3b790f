// SPDX-License-Identifier: Apache-2.0
#include "gui/models/record_texts.h"

#include "dissector/payloads/payload_opener.h"
#include "dissector/payloads/record_payload_json.h"
#include "gui/models/byte_formats.h"

#include <QCoreApplication>

#include <algorithm>

#include <rapidjson/prettywriter.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>

namespace brokerscope {

namespace {

constexpr std::size_t mostPretty = 1024 * 1024;
constexpr std::uint32_t mostHex = 64 * 1024;

QString tr(const char* text) {
    return QCoreApplication::translate("RecordTexts", text);
}

QString asText(const std::optional<Bytes>& bytes) {
    if (!bytes) return {};
    return QString::fromUtf8(reinterpret_cast<const char*>(bytes->data()), static_cast<qsizetype>(bytes->size()));
}

// Numbers stay as they are written: RapidJSON's own writer makes texts of raw numbers.
class PrettyWriter : public rapidjson::PrettyWriter<rapidjson::StringBuffer> {
  public:
    using rapidjson::PrettyWriter<rapidjson::StringBuffer>::PrettyWriter;
    bool RawNumber(const char* text, rapidjson::SizeType length, bool /*copy*/) {
        return RawValue(text, length, rapidjson::kNumberType);
    }
};

QString hexDump(Bytes bytes) {
    QString text = formatBytes(ByteChain::of(bytes), 0, std::min(static_cast<std::uint32_t>(bytes.size()), mostHex),
                               ByteFormat::HexDump);
    if (bytes.size() > mostHex) text += tr("… %1 in all").arg(texts::bytes(bytes.size()));
    return text;
}

} // namespace

QString prettyJson(Bytes bytes) {
    if (bytes.empty() || bytes.size() > mostPretty) return {};
    const char first = static_cast<char>(bytes.front());
    if (first != '{' && first != '[') return {};
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    rapidjson::StringBuffer buffer;
    PrettyWriter writer(buffer);
    writer.SetIndent(' ', 2);
    rapidjson::StringStream stream(text.c_str());
    rapidjson::Reader reader;
    constexpr unsigned flags = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag;
    if (!reader.Parse<flags>(stream, writer)) return {};
    return QString::fromUtf8(buffer.GetString(), static_cast<qsizetype>(buffer.GetSize()));
}

// Records are kept with their secrets masked; revealed ones are opened once more.
QString RecordTexts::openedJson(bool ofKey) const {
    const auto& opened = ofKey ? m_record.openedKey : m_record.openedValue;
    if (!m_record.secret || !m_revealed) return opened->json;
    const RecordPayloads payloads(m_protocol);
    const std::string topic = m_topic.name.toStdString();
    RecordPayload payload;
    const bool again = ofKey ? payloads.openKey(topic, m_batch.control, *m_record.key, payload)
                             : payloads.openValue(topic, m_batch.control, m_record.key, *m_record.value, payload);
    return again ? QString::fromStdString(payloadText(m_protocol, payload, true)) : opened->json;
}

QString RecordTexts::key() const {
    return m_record.openedKey ? openedJson(true) : asText(m_record.key);
}

QString RecordTexts::value() const {
    return m_record.openedValue ? openedJson(false) : asText(m_record.value);
}

QString RecordTexts::json() const {
    if (!m_record.openedValue) return m_record.value ? prettyJson(*m_record.value) : QString();
    const std::string json = openedJson(false).toStdString();
    return prettyJson({reinterpret_cast<const std::uint8_t*>(json.data()), json.size()});
}

QString RecordTexts::hex() const {
    if (!m_record.value) return {};
    if (masked()) return tr("(masked, %1)").arg(texts::bytes(m_record.value->size()));
    return texts::hex(*m_record.value, m_record.value->size());
}

QString RecordTexts::body(RecordForm form) const {
    if (!m_record.value) return tr("null: a tombstone");
    const Bytes value = *m_record.value;
    if (form == RecordForm::Json) {
        QString text = json();
        if (m_record.openedValue) text.prepend(m_record.openedValue->type + u'\n');
        if (!text.isEmpty()) return text;
    }
    if (masked()) return tr("(masked: there are secrets in it; Records > Reveal secrets shows them)");
    return form != RecordForm::Hex && texts::printable(value) ? asText(value) : hexDump(value);
}

QString RecordTexts::shown(RecordForm form) const {
    QStringList lines;
    for (const auto& [name, content] : m_record.headers)
        lines << QStringLiteral("%1: %2").arg(
            texts::fromUtf8(name),
            content ? (texts::printable(*content) ? asText(content) : texts::hex(*content, 64)) : tr("null"));
    if (lines.isEmpty()) return body(form);
    return body(form) + u'\n' + tr("\nHeaders\n%1").arg(lines.join(u'\n'));
}

} // namespace brokerscope
