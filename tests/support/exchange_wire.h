// SPDX-License-Identifier: Apache-2.0
// A connection whose bytes a test writes by hand, and what the ExchangeAssembler makes of them.
#pragma once

#include "dissector/exchange/exchange_assembler.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace brokerscope::test {

// Big-endian bytes by the number of octets each value takes.
struct Part {
    std::int64_t value;
    int size;
};
inline std::string octets(std::initializer_list<Part> parts) {
    std::string result;
    for (const Part& part : parts)
        for (int i = part.size - 1; i >= 0; --i)
            result += static_cast<char>(part.value >> (8 * i));
    return result;
}

inline std::string framed(const std::string& body) {
    return octets({{static_cast<std::int64_t>(body.size()), 4}}) + body;
}

inline std::string request(int api, int version, int id, const std::string& body, const std::string& client = "cli") {
    return framed(octets({{api, 2}, {version, 2}, {id, 4}, {static_cast<std::int64_t>(client.size()), 2}}) + client +
                  body);
}
inline std::string response(int id, const std::string& body) {
    return framed(octets({{id, 4}}) + body);
}

// Heartbeat v0: group, generation, member; its answer is an error code.
inline std::string heartbeat(int id) {
    return request(12, 0, id, octets({{1, 2}}) + "g" + octets({{7, 4}, {1, 2}}) + "m");
}
inline std::string beat(int id, int error = 0) {
    return response(id, octets({{error, 2}}));
}

class Recorder : public ExchangeSink {
  public:
    void exchangeEnded(Exchange&& exchange) override { exchanges.push_back(std::move(exchange)); }
    void tlsSeen(const Connection&, KafkaConnectionId id, const TlsFacts& facts) override {
        tls.emplace_back(id.value, facts.cipherName);
    }
    void foreignConnection(const Connection&, std::string_view protocol) override { foreign.emplace_back(protocol); }
    void bytesPassedOver(KafkaConnectionId, Side, std::uint64_t count, Hole) override { passedOver += count; }

    std::vector<ExchangeStatus> statuses() const {
        std::vector<ExchangeStatus> result;
        for (const Exchange& exchange : exchanges)
            result.push_back(exchange.status);
        return result;
    }

    std::vector<Exchange> exchanges;
    std::vector<std::string> foreign;
    std::vector<std::pair<std::uint64_t, std::string>> tls; // connection, cipher
    std::uint64_t passedOver = 0;
};

// One connection whose bytes a test writes; each call is a packet.
class Wire {
  public:
    explicit Wire(bool handshake = true, std::vector<std::uint16_t> forcedPorts = {})
        : m_assembler(Protocol::builtin(), seen, std::move(forcedPorts)) {
        Connection connection;
        connection.id = ConnectionId{1};
        connection.first.port = 40000;
        connection.second.port = 9092;
        connection.handshakeSeen = handshake;
        m_assembler.connectionOpened(connection);
    }

    Wire& client(const std::string& bytes) { return push(Side::First, bytes); }
    Wire& broker(const std::string& bytes) { return push(Side::Second, bytes); }
    Wire& lost(Side side, std::uint32_t count) {
        Slice slice;
        slice.length = count;
        slice.hole = Hole::Lost;
        slice.packet = PacketNumber{++m_packets};
        m_assembler.bytes(ConnectionId{1}, side, slice);
        return *this;
    }
    Wire& tls(const TlsFacts& facts) {
        m_assembler.tlsFacts(ConnectionId{1}, facts, false);
        return *this;
    }
    // A segment came once more, with the packet before.
    Wire& sentAgain() {
        m_assembler.sentAgain(ConnectionId{1}, Side::Second, Timestamp(std::chrono::milliseconds(m_packets)));
        return *this;
    }
    Wire& roundTrip(Duration time) {
        m_assembler.roundTripSeen(ConnectionId{1}, time);
        return *this;
    }
    Wire& end(StreamEnd how) {
        for (const Side side : {Side::First, Side::Second})
            m_assembler.streamEnded(ConnectionId{1}, side, how, PacketNumber{m_packets}, Timestamp{});
        m_assembler.connectionClosed(ConnectionId{1});
        return *this;
    }

    Recorder seen;

  private:
    Wire& push(Side side, const std::string& bytes) {
        m_kept.push_back(bytes);
        Slice slice;
        slice.data = reinterpret_cast<const std::uint8_t*>(m_kept.back().data());
        slice.length = static_cast<std::uint32_t>(bytes.size());
        slice.packet = PacketNumber{++m_packets};
        slice.time = Timestamp(std::chrono::milliseconds(m_packets));
        m_assembler.bytes(ConnectionId{1}, side, slice);
        return *this;
    }

    ExchangeAssembler m_assembler;
    std::deque<std::string> m_kept;
    std::uint64_t m_packets = 0;
};

} // namespace brokerscope::test
