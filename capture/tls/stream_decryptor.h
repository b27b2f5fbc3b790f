// SPDX-License-Identifier: Apache-2.0
// Opens the protected records of one side, one after the other: which keys apply, which sequence number is next, and
// how to go on after bytes were lost.
//
// TLS 1.3: goes from the handshake keys to those of the first and the following generations of application data.
// Losses:  sequence numbers count on over records with missing bytes. After a loss of unknown extent the following
//          sequence numbers and the following keys are tried; the tag tells which is right, so nothing is guessed.
// Bounds:  trials for one record decrypt 4 MiB at most.
#pragma once

#include "capture/tls/cipher_suites.h"
#include "capture/tls/record_cipher.h"
#include "capture/tls/record_reader.h"
#include "capture/tls/secret.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace brokerscope {

class StreamDecryptor {
  public:
    enum class Stage : std::uint8_t { Early, Handshake, Application };
    using SecretSource = std::function<std::optional<Secret>(Stage)>;

    enum class Outcome : std::uint8_t {
        Opened,
        Damaged,   // no key that applies opens it
        EarlyData, // TLS 1.3 early data whose secret is not known
        Closed,    // of a stage whose secret is not known, while that of a later one is
    };

    struct Opened {
        Outcome outcome = Outcome::Damaged;
        std::uint8_t type = 0; // of the content
        Bytes content;         // valid until the next call
    };

    // TLS 1.3: records are opened with the secrets of `source`, which is asked when a stage is reached.
    void useSecrets(const CipherSuite& suite, bool earlyDataOffered, SecretSource source);
    // TLS up to 1.2: from here on this cipher, or (null) one that is still to be found.
    void useCipher(std::unique_ptr<RecordCipher> cipher);

    // Whether there are keys for the next record.
    bool ready();
    // What a whole record holds. Needs ready().
    Opened open(const TlsRecord& record);
    // Counts a record that has missing bytes.
    void passIncomplete(const TlsRecord& record);

    // TLS 1.3: the message that ends a stage was read from a record of this stream.
    void endStage();
    void updateKeys();

    bool openedAny() const { return m_openedAny; }
    Stage stage() const { return m_stage; }
    // Generations of keys that began in lost bytes, since the last call.
    std::uint32_t takeMissedKeyUpdates();
    // Application data that was lost before the record opened last, as exactly as can be said, since the last call.
    // With `atEnd` also what was lost behind it.
    std::uint64_t takeLostPlaintext(bool atEnd = false);

  private:
    Opened opened(std::uint64_t sequence, const TlsRecord& record);
    Outcome failed(const TlsRecord& record);
    bool openWith(RecordCipher& cipher, const TlsRecord& record, std::uint64_t first, std::uint64_t last,
                  std::uint64_t& sequence);
    std::uint64_t recordsThatFit(const TlsRecord& record) const;
    bool prepareNext();
    void takeNext();
    void passUnknown(std::uint64_t bytes);
    void addLost(const TlsRecord& record);
    std::uint64_t plaintextOfUnknown(std::uint64_t records) const;

    bool m_tls13 = false;
    const CipherSuite* m_suite = nullptr;
    SecretSource m_source;
    bool m_earlyDataMayCome = false; // and cannot be opened
    Stage m_stage = Stage::Application;
    Secret m_secret; // TLS 1.3: of m_cipher
    std::unique_ptr<RecordCipher> m_cipher;
    std::unique_ptr<RecordCipher> m_next; // TLS 1.3: what comes after m_cipher; made when needed
    Secret m_nextSecret;
    std::uint64_t m_sequence = 0;

    bool m_uncertain = false;          // a record since the one opened last was lost or did not open
    std::uint64_t m_unknownBytes = 0;  // lost since then, with the borders of their records
    std::uint64_t m_pendingLost = 0;   // application data in records that did not open, since then
    std::uint64_t m_lostPlaintext = 0; // the same, before the record opened last
    std::uint32_t m_missedKeyUpdates = 0;
    bool m_openedAny = false;
    std::vector<std::uint8_t> m_plaintext;
};

} // namespace brokerscope
