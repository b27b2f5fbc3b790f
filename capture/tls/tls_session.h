// SPDX-License-Identifier: Apache-2.0
// The TLS of one connection: takes the records of both sides, follows the handshake, opens what there are keys for and
// hands the application data on, one slice a record.
//
// Bytes:  plaintext is put into the PlaintextStore and lives as long as that. Records are looked at during the call, or
//         copied while they wait for keys (see HeldRecords).
// Holes:  a record with missing bytes, or one that no key opens, becomes a hole of the size of its plaintext, handed on
//         before the next data of that side.
#pragma once

#include "capture/tls/handshake_assembler.h"
#include "capture/tls/handshake_state.h"
#include "capture/tls/held_records.h"
#include "capture/tls/key_log.h"
#include "capture/tls/plaintext_store.h"
#include "capture/tls/record_reader.h"
#include "capture/tls/session_cache.h"
#include "capture/tls/stream_decryptor.h"
#include "capture/types/stream.h"
#include "capture/types/tls_facts.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace brokerscope {

// What the sessions of one capture share.
struct TlsServices {
    KeyLog& keys;
    PlaintextStore& store;
    StreamSink& next;
    TlsFactsSink* facts = nullptr; // may be null
    SessionCache sessions;
    std::size_t heldBytes = 0;
};

class TlsSession : public TlsRecordSink {
  public:
    // `handshakeMissed`: the capture began after the connection, so there is no hello to wait for.
    TlsSession(ConnectionId connection, bool handshakeMissed, TlsServices& services);

    void record(Side from, const TlsRecord& record) override;
    // Looks again for keys that records wait for.
    void retry();
    // No more records of this side will come: `last` tells packet and time.
    void ended(Side from, const Slice& last);
    // Gives up waiting for keys, and says the final facts.
    void close();

    const TlsFacts& facts() const { return m_facts; }
    void mismatched(TlsMismatch mismatch);

  private:
    struct Direction {
        HandshakeAssembler handshake;
        StreamDecryptor decryptor;
        bool cipherChanged = false; // up to TLS 1.2: after ChangeCipherSpec
        bool needsCipher = false;   // up to TLS 1.2: and the keys are still to be found
        std::uint64_t earlyBytes = 0;
        Hole hole = Hole::Lost; // why the latest bytes are missing
    };

    Direction& direction(Side side) { return side == Side::First ? m_first : m_second; }
    const Direction& direction(Side side) const { return side == Side::First ? m_first : m_second; }
    bool isProtected(Side from, const TlsRecord& record) const;
    bool hopeless() const;

    void protectedRecord(Side from, const TlsRecord& record);
    void openRecord(Side from, const TlsRecord& record);
    void releaseHeld();
    void giveUp();
    void unreadable(Side from, const TlsRecord& record);
    void lost(Side from, Hole why);

    bool ready(Side from);
    void startTls13();
    bool findTls12Cipher(Side from);
    std::optional<Secret> masterSecret();

    void clearRecord(Side from, const TlsRecord& record);
    void content(Side from, std::uint8_t type, Bytes content, const TlsRecord& record);
    void handshakeMessage(const HandshakePlace& place, std::uint8_t type, Bytes body);
    void addAlert(const TlsAlert& alert);
    void changeCipher(Side from);
    void applicationData(Side from, Bytes content, const TlsRecord& record);
    void handOnHole(Side from, std::uint64_t length, const Slice& place);

    void count(Side from, const TlsRecord& record, bool isProtected);
    void judge();
    void announce(bool final = false);

    ConnectionId m_connection;
    TlsServices& m_services;
    TlsFacts m_facts;
    HandshakeState m_handshake{m_facts};
    Direction m_first, m_second;
    HeldRecords m_held;
    bool m_tls13Started = false;
    bool m_handshakeMissed;
    bool m_gaveUp = false;
    bool m_keysFound = false;
    bool m_changed = false;
};

} // namespace brokerscope
