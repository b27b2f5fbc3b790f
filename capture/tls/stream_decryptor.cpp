// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/stream_decryptor.h"

#include "capture/tls/key_schedule.h"

#include <algorithm>
#include <utility>

namespace brokerscope {

namespace {

constexpr std::uint64_t trialBudget = 4 * 1024 * 1024; // bytes decrypted in search of one record's sequence number

} // namespace

void StreamDecryptor::useSecrets(const CipherSuite& suite, bool earlyDataOffered, SecretSource source) {
    m_tls13 = true;
    m_suite = &suite;
    m_source = std::move(source);
    m_stage = earlyDataOffered ? Stage::Early : Stage::Handshake;
    m_cipher = nullptr;
    m_next = nullptr;
    m_sequence = 0;
}

void StreamDecryptor::useCipher(std::unique_ptr<RecordCipher> cipher) {
    m_cipher = std::move(cipher);
    m_sequence = 0;
}

bool StreamDecryptor::ready() {
    if (m_cipher || m_next) return true;
    if (!m_tls13) return false;
    std::optional<Secret> secret = m_source(m_stage);
    if (!secret && m_stage == Stage::Early) {
        secret = m_source(Stage::Handshake);
        if (secret) {
            m_stage = Stage::Handshake;
            m_earlyDataMayCome = true;
        }
    }
    if (secret) {
        m_secret = *secret;
        m_cipher = makeTls13Cipher(*m_suite, m_secret);
        return m_cipher != nullptr;
    }
    // A key log without handshake secrets: the records of the handshake stay closed, the rest can be read.
    return m_stage != Stage::Application && prepareNext();
}

StreamDecryptor::Opened StreamDecryptor::open(const TlsRecord& record) {
    if (record.skipped > 0) passUnknown(record.skipped);
    std::uint64_t sequence = 0;
    const std::uint64_t ahead = m_uncertain ? recordsThatFit(record) : 0;
    if (m_cipher && openWith(*m_cipher, record, m_sequence, m_sequence + ahead, sequence))
        return opened(sequence, record);

    const bool mayBeNext = m_uncertain || !m_cipher || m_stage == Stage::Early;
    if (m_tls13 && mayBeNext && prepareNext() && openWith(*m_next, record, 0, ahead, sequence)) {
        takeNext();
        return opened(sequence, record);
    }
    return {failed(record), 0, {}};
}

// Early data without keys does not count for the handshake keys, nor do records of a stage without keys.
StreamDecryptor::Outcome StreamDecryptor::failed(const TlsRecord& record) {
    if (!m_cipher) return Outcome::Closed;
    if (m_earlyDataMayCome && m_stage == Stage::Handshake && m_sequence == 0) return Outcome::EarlyData;
    addLost(record);
    ++m_sequence;
    m_uncertain = true;
    return Outcome::Damaged;
}

// Tries the sequence numbers of [first, last].
bool StreamDecryptor::openWith(RecordCipher& cipher, const TlsRecord& record, std::uint64_t first, std::uint64_t last,
                               std::uint64_t& sequence) {
    const SealedRecord sealed{record.type, record.version, record.payload};
    for (sequence = first; sequence <= last; ++sequence)
        if (cipher.open(sealed, sequence, m_plaintext)) return true;
    return false;
}

// How many records at most lie in the bytes that were lost.
std::uint64_t StreamDecryptor::recordsThatFit(const TlsRecord& record) const {
    const RecordCipher* cipher = m_cipher ? m_cipher.get() : m_next.get();
    const std::uint64_t smallest = tls::recordHeaderSize + 1 + (cipher ? cipher->overhead() : 0);
    const std::uint64_t affordable = trialBudget / (record.payload.size() + 64);
    return std::min(m_unknownBytes / smallest, affordable);
}

StreamDecryptor::Opened StreamDecryptor::opened(std::uint64_t sequence, const TlsRecord& record) {
    Opened result{Outcome::Opened, record.type, m_plaintext};
    if (m_tls13) {
        // The content type is the last byte that is not padding.
        std::size_t size = m_plaintext.size();
        while (size > 0 && m_plaintext[size - 1] == 0)
            --size;
        result.type = size == 0 ? 0 : m_plaintext[size - 1];
        result.content = Bytes(m_plaintext).first(size == 0 ? 0 : size - 1);
    }
    const std::uint64_t lostRecords = sequence - m_sequence;
    m_lostPlaintext += m_pendingLost + plaintextOfUnknown(lostRecords);
    m_pendingLost = 0;
    m_unknownBytes = 0;
    m_uncertain = false;
    m_sequence = sequence + 1;
    m_openedAny = true;
    m_cipher->passed(record.payload, 0);
    return result;
}

void StreamDecryptor::passIncomplete(const TlsRecord& record) {
    if (record.skipped > 0) passUnknown(record.skipped);
    m_uncertain = true;
    if (!m_cipher) return;
    addLost(record);
    ++m_sequence;
}

void StreamDecryptor::passUnknown(std::uint64_t bytes) {
    m_uncertain = true;
    m_unknownBytes += bytes;
    if (m_cipher) m_cipher->passed({}, 0);
}

void StreamDecryptor::addLost(const TlsRecord& record) {
    const bool carriesData = record.type == tls::applicationData && m_stage == Stage::Application;
    if (carriesData) m_pendingLost += m_cipher->plaintextLength(record.payload, record.intactFrom());
    m_cipher->passed(record.payload, record.intactFrom());
}

// Application data in lost bytes of which only the number of records is known.
std::uint64_t StreamDecryptor::plaintextOfUnknown(std::uint64_t records) const {
    if (m_stage != Stage::Application || !m_cipher) return 0;
    const std::uint64_t wrapping = records * (tls::recordHeaderSize + m_cipher->overhead());
    return records == 0 ? 0 : m_unknownBytes - std::min(m_unknownBytes, wrapping);
}

std::uint64_t StreamDecryptor::takeLostPlaintext(bool atEnd) {
    std::uint64_t lost = std::exchange(m_lostPlaintext, 0);
    if (atEnd && m_openedAny) {
        lost += std::exchange(m_pendingLost, 0);
        const std::uint64_t largest = tls::recordHeaderSize + (1 << 14);
        lost += plaintextOfUnknown((m_unknownBytes + largest - 1) / largest);
        m_unknownBytes = 0;
    }
    return lost;
}

// The keys after the present ones: of the handshake after early data, of application data after the handshake, of the
// next generation after a KeyUpdate.
bool StreamDecryptor::prepareNext() {
    if (m_next) return true;
    std::optional<Secret> secret;
    switch (m_stage) {
    case Stage::Early:
        secret = m_source(Stage::Handshake);
        break;
    case Stage::Handshake:
        secret = m_source(Stage::Application);
        break;
    case Stage::Application:
        secret = m_secret;
        if (!nextTrafficSecret(m_suite->digest, *secret)) return false;
        break;
    }
    if (!secret) return false;
    m_nextSecret = *secret;
    m_next = makeTls13Cipher(*m_suite, m_nextSecret);
    return m_next != nullptr;
}

void StreamDecryptor::takeNext() {
    if (m_stage == Stage::Application)
        ++m_missedKeyUpdates;
    else
        m_stage = m_stage == Stage::Early ? Stage::Handshake : Stage::Application;
    m_cipher = std::move(m_next);
    m_secret = m_nextSecret;
    m_sequence = 0;
}

void StreamDecryptor::endStage() {
    if (!m_tls13 || m_stage == Stage::Application) return;
    if (prepareNext()) {
        takeNext();
        return;
    }
    m_stage = m_stage == Stage::Early ? Stage::Handshake : Stage::Application;
    m_cipher = nullptr;
    m_sequence = 0;
}

void StreamDecryptor::updateKeys() {
    if (m_tls13 && m_stage == Stage::Application && prepareNext()) {
        takeNext();
        --m_missedKeyUpdates; // it was not missed
    }
}

std::uint32_t StreamDecryptor::takeMissedKeyUpdates() {
    return std::exchange(m_missedKeyUpdates, 0);
}

} // namespace brokerscope
