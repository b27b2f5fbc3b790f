// SPDX-License-Identifier: Apache-2.0
// Any bytes as the segments of a connection with TLS, and any text as their key log. The laws: no more is handed on
// than came in, in slices that keep their contract; and however the segments are cut, the same plaintext comes out, as
// long as no record border had to be searched (what speaks for a border are the ends of segments).
// The input: the size of the key log in two bytes, the key log, then segments: a byte of flags, a size in two bytes,
// the bytes (none for a hole).
#include "capture/tls/byte_reader.h"
#include "capture/tls/tls_layer.h"
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

using namespace brokerscope;

namespace {

enum Flag : std::uint8_t { FromSecond = 1, IsHole = 2, Midstream = 4 };

struct Plaintext : StreamSink, TlsFactsSink {
    void connectionOpened(const Connection&) override {}
    void bytes(ConnectionId, Side from, const Slice& slice) override {
        require(slice.length > 0 && (slice.data == nullptr) == (slice.hole != Hole::None));
        std::string& stream = streams[static_cast<std::size_t>(from)];
        if (slice.data)
            stream.append(slice.data, slice.data + slice.length);
        else
            stream.append(slice.length, '\0');
    }
    void streamEnded(ConnectionId, Side, StreamEnd, PacketNumber, Timestamp) override {}
    void connectionClosed(ConnectionId) override {}
    void tlsFacts(ConnectionId, const TlsFacts& facts, bool final) override {
        if (final) searched = facts.first.unreadableBytes + facts.second.unreadableBytes > 0;
    }

    std::array<std::string, 2> streams;
    bool searched = false; // for a record border
};

struct Outcome {
    Plaintext plaintext;
    std::array<std::size_t, 2> fed{};
    bool certain = true; // neither holes nor a start in the middle
};

Outcome run(Bytes input, std::size_t piece) {
    Outcome outcome;
    KeyLog keys;
    TlsLayer layer(outcome.plaintext, keys, &outcome.plaintext);
    ByteReader reader(input);
    const Bytes text = reader.vector16();
    keys.addText({reinterpret_cast<const char*>(text.data()), text.size()});
    Connection connection;
    connection.id = ConnectionId{1};
    bool opened = false;
    while (!reader.atEnd()) {
        const std::uint8_t flags = reader.u8();
        const Side from = (flags & FromSecond) != 0 ? Side::Second : Side::First;
        const bool hole = (flags & IsHole) != 0;
        std::size_t left = reader.u16();
        const Bytes bytes = hole ? Bytes{} : reader.take(std::min(left, reader.left()));
        if (!hole) left = bytes.size();
        if (!opened) {
            connection.handshakeSeen = (flags & Midstream) == 0;
            layer.connectionOpened(connection);
            opened = true;
        }
        outcome.certain = outcome.certain && !hole && connection.handshakeSeen;
        outcome.fed[static_cast<std::size_t>(from)] += left;
        for (std::size_t at = 0; at < left; at += piece) {
            Slice slice;
            slice.length = static_cast<std::uint32_t>(std::min(piece, left - at));
            slice.data = hole ? nullptr : bytes.data() + at;
            slice.hole = hole ? Hole::Lost : Hole::None;
            slice.packet = PacketNumber{1};
            layer.bytes(connection.id, from, slice);
        }
    }
    if (!opened) return outcome;
    for (const Side side : {Side::First, Side::Second})
        layer.streamEnded(connection.id, side, StreamEnd::Fin, PacketNumber{1}, {});
    layer.connectionClosed(connection.id);
    return outcome;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes input{data, size};
    const Outcome whole = run(input, 1 << 16);
    const Outcome cutUp = run(input, 1 + size % 97);
    for (std::size_t side = 0; side < 2; ++side) {
        require(whole.plaintext.streams[side].size() <= whole.fed[side]);
        require(cutUp.plaintext.streams[side].size() <= cutUp.fed[side]);
    }
    if (whole.certain && !whole.plaintext.searched && !cutUp.plaintext.searched)
        require(whole.plaintext.streams == cutUp.plaintext.streams);
    return 0;
}
