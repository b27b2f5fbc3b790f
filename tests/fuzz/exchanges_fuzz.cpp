// SPDX-License-Identifier: Apache-2.0
// Any bytes as the two streams of a connection. The law: however streams of frames are cut into packets, the same
// exchanges come out. (Streams with garbage between frames are searched while their bytes come; what is found first may
// hang on the packets.) In front: a byte that says how they are cut, and the size of the first stream.
#include "dissector/exchange/exchange_assembler.h"
#include "dissector/schema/protocol.h"
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

using namespace brokerscope;

namespace {

class Story : public ExchangeSink {
  public:
    void exchangeEnded(Exchange&& exchange) override {
        require(exchange.id && (exchange.request || exchange.response));
        const auto [at, first] = m_exchanges.emplace(exchange.id, std::string(name(exchange.status)));
        require(first);
        std::string& told = at->second;
        auto tell = [&told](std::string_view part) { (told += '|') += part; };
        tell(std::to_string(exchange.correlationId));
        if (exchange.header) {
            tell(std::to_string(exchange.header->apiKey));
            tell(std::to_string(exchange.header->apiVersion));
            tell(exchange.header->clientId.value_or("(null)"));
        }
        for (const auto* frame : {&exchange.request, &exchange.response})
            if (*frame) tell(std::to_string((*frame)->bytes.size() * 2 + (*frame)->complete));
        for (const Problem& problem : exchange.problems)
            tell(problem.text);
    }
    void foreignConnection(const Connection&, std::string_view protocol) override { m_rest += protocol; }
    // In how many calls is of no interest.
    void bytesPassedOver(KafkaConnectionId, Side side, std::uint64_t count, Hole) override {
        m_passedOver[static_cast<std::size_t>(side)] += count;
    }

    bool hasGarbage() const { return m_passedOver[0] || m_passedOver[1]; }
    bool operator==(const Story& other) const {
        return m_exchanges == other.m_exchanges && m_rest == other.m_rest && m_passedOver == other.m_passedOver;
    }

  private:
    std::map<ExchangeId, std::string> m_exchanges; // they end in an order that hangs on the packets
    std::string m_rest;
    std::array<std::uint64_t, 2> m_passedOver{};
};

Story exchanges(Bytes first, Bytes second, std::size_t piece) {
    Story story;
    ExchangeAssembler assembler(Protocol::builtin(), story);
    Connection connection;
    connection.id = ConnectionId{1};
    connection.handshakeSeen = true;
    assembler.connectionOpened(connection);
    for (Side side : {Side::First, Side::Second}) {
        const Bytes stream = side == Side::First ? first : second;
        for (std::size_t at = 0; at < stream.size(); at += piece) {
            Slice slice;
            slice.data = stream.data() + at;
            slice.length = static_cast<std::uint32_t>(std::min(piece, stream.size() - at));
            slice.packet = PacketNumber{1};
            assembler.bytes(connection.id, side, slice);
        }
    }
    for (Side side : {Side::First, Side::Second})
        assembler.streamEnded(connection.id, side, StreamEnd::Fin, PacketNumber{1}, {});
    assembler.connectionClosed(connection.id);
    assembler.finish();
    return story;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t front = 3;
    if (size < front) return 0;
    const Bytes streams{data + front, size - front};
    const std::size_t cut = std::min<std::size_t>(data[1] << 8 | data[2], streams.size());
    const Bytes first = streams.first(cut), second = streams.subspan(cut);
    const Story whole = exchanges(first, second, size);
    const Story cutUp = exchanges(first, second, 1u + data[0]);
    require(whole == cutUp || whole.hasGarbage());
    return 0;
}
