// SPDX-License-Identifier: Apache-2.0
// The stage between TCP reassembly and what looks into streams: finds TLS on any port and hands on what is inside.
//
// - Connections without TLS pass through as they come, without a copy.
// - TLS with keys: the application data of each side, one slice a record, with number and time of the packet that
//   completed the record. What cannot be read is a hole (see TlsSession).
// - TLS without keys: nothing is handed on but that the connection opens and ends.
// - What the handshake showed goes to a TlsFactsSink in either case.
//
// Bytes:   plaintext lives in a temporary file as long as this object; everything else is as the source handed it in.
// Bounds:  see TlsDetector, TlsRecordReader, HeldRecords, SessionCache.
// Threads: one.
#pragma once

#include "capture/tls/key_log.h"
#include "capture/tls/plaintext_store.h"
#include "capture/tls/record_reader.h"
#include "capture/tls/tls_detector.h"
#include "capture/tls/tls_session.h"
#include "capture/types/stream.h"
#include "capture/types/tls_facts.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace brokerscope {

class TlsLayer : public StreamSink {
  public:
    // All must outlive this object; `facts` may be null. The key log may get more sources at any time. Temporary files
    // go to `folder` (see SpillFile).
    TlsLayer(StreamSink& next, KeyLog& keys, TlsFactsSink* facts, std::string folder = {});

    // Looks again for keys that records wait for: after news, or from time to time in a live capture.
    void retry();

    void connectionOpened(const Connection& connection) override;
    void bytes(ConnectionId connection, Side from, const Slice& slice) override;
    void streamEnded(ConnectionId connection, Side from, StreamEnd how, PacketNumber packet, Timestamp time) override;
    void sentAgain(ConnectionId connection, Side from, Timestamp time) override {
        m_next->sentAgain(connection, from, time);
    }
    void roundTripSeen(ConnectionId connection, Duration time) override { m_next->roundTripSeen(connection, time); }
    void connectionClosed(ConnectionId connection) override;

    // No decrypted byte of a packet before this one will be looked at again. For captures that run for days.
    void releaseBefore(PacketNumber packet) { m_store.releaseBefore(packet); }

    // What was seen of a connection that is not closed yet; null when it is none with TLS.
    const TlsFacts* facts(ConnectionId connection) const;
    // Why decrypted data could not be kept (it is handed on as holes then).
    const std::optional<Error>& storeError() const { return m_store.error(); }

  private:
    struct Stream {
        explicit Stream(bool atStart) : detector(atStart) {}

        TlsDetector detector;
        TlsDetector::Verdict verdict = TlsDetector::Verdict::Undecided;
        std::unique_ptr<TlsRecordReader> reader; // of a TLS stream
        bool ended = false, silent = true;
    };
    struct State {
        State(ConnectionId connection, bool startSeen)
            : id(connection), handshakeSeen(startSeen), first(startSeen), second(startSeen) {}
        Stream& stream(Side side) { return side == Side::First ? first : second; }

        ConnectionId id;
        bool handshakeSeen;
        Stream first, second;
        std::unique_ptr<TlsSession> session;
    };

    void loseStart(State& state, Side side);
    void detect(State& state, Side from, const Slice& slice);
    void becomeTls(State& state, Side side, bool atBorder);
    void becomePlain(State& state, Side side);

    PlaintextStore m_store;
    StreamSink* m_next;
    TlsServices m_services;
    std::unordered_map<ConnectionId, State> m_connections;
};

} // namespace brokerscope
