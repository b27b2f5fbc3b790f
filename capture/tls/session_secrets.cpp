// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/session_secrets.h"

#include "capture/stream_reader.h"
#include "capture/tls/tls_layer.h"

namespace brokerscope {

namespace {

class Nowhere final : public StreamSink {
  public:
    void connectionOpened(const Connection&) override {}
    void bytes(ConnectionId, Side, const Slice&) override {}
    void streamEnded(ConnectionId, Side, StreamEnd, PacketNumber, Timestamp) override {}
    void connectionClosed(ConnectionId) override {}
};

class Count final : public TlsFactsSink {
  public:
    explicit Count(SessionSecrets& counts) : m_counts(counts) {}

    void tlsFacts(ConnectionId, const TlsFacts& facts, bool final) override {
        if (!final) return;
        ++m_counts.connections;
        m_counts.decrypted += facts.decryption == TlsDecryption::Decrypted;
    }

  private:
    SessionSecrets& m_counts;
};

} // namespace

SessionSecrets secretsOfSessions(PacketSource& source, KeyLog& keys, const std::function<void()>& step) {
    constexpr std::uint64_t packetsAStep = 4096;
    SessionSecrets result;
    Count count(result);
    Nowhere nowhere;
    TlsLayer layer(nowhere, keys, &count);
    StreamReader reader(source, layer);
    std::uint64_t packets = 0;
    while (reader.step(packetsAStep)) {
        packets += packetsAStep;
        layer.releaseBefore(PacketNumber{packets});
        if (step) step();
    }
    result.keyLog = keys.usedText();
    return result;
}

} // namespace brokerscope
