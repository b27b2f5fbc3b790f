// SPDX-License-Identifier: Apache-2.0
// A message is written as: head (bits: frame, complete, layout, confidence, problems, timing), then what the head
// announces. Timing is a head again (bits: what is not as usual; whole microseconds), then what that announces.
// A slice is written as: head (hole 2 bits, nine digits, whole microseconds), length, distance of its address to the
// end of the slice before (only when it has bytes), distance of its packet number and of its time to those before.
// All numbers are LEB128, distances zig-zag.
#include "dissector/index/extent_store.h"

#include <cstring>

namespace brokerscope {

namespace {

constexpr std::size_t blockSize = 1024 * 1024;
constexpr unsigned offsetBits = 24;

enum MessageHead : std::uint8_t {
    HasFrame = 1,
    Complete = 2,
    HasLayout = 4,
    HasConfidence = 8,
    HasProblems = 16,
    HasTiming = 32
};
enum TimingHead : std::uint8_t { Think = 1, Blocked = 2, InFlight = 4, SentAgain = 8, RoundTrip = 16, Micro = 32 };

void put(std::vector<std::uint8_t>& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        out.push_back(static_cast<std::uint8_t>(value | 0x80));
    out.push_back(static_cast<std::uint8_t>(value));
}

void putSigned(std::vector<std::uint8_t>& out, std::int64_t value) {
    put(out, static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}

void putText(std::vector<std::uint8_t>& out, std::string_view text) {
    put(out, text.size());
    out.insert(out.end(), text.begin(), text.end());
}

// Reads back what this file wrote; the bytes are our own and need no checks.
class Reader {
  public:
    explicit Reader(const std::uint8_t* at) : m_at(at) {}

    std::uint8_t byte() { return *m_at++; }
    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t part = *m_at++;
            value |= static_cast<std::uint64_t>(part & 0x7f) << shift;
            if (part < 0x80) return value;
        }
    }
    std::int64_t signedNumber() {
        const std::uint64_t value = number();
        return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
    }
    std::string text() {
        const std::size_t size = number();
        std::string result(reinterpret_cast<const char*>(m_at), size);
        m_at += size;
        return result;
    }
    double real() {
        double value;
        std::memcpy(&value, m_at, sizeof value);
        m_at += sizeof value;
        return value;
    }

  private:
    const std::uint8_t* m_at;
};

// What the next slice's distances count from.
struct Before {
    std::uint64_t address, packet;
    std::int64_t time;
};

std::uint64_t addressOf(const Slice& slice) {
    return reinterpret_cast<std::uintptr_t>(slice.data);
}

void putSlice(std::vector<std::uint8_t>& out, const Slice& slice, Before& before) {
    const std::int64_t time = slice.time.time_since_epoch().count();
    const std::int64_t distance = time - before.time;
    const bool micro = distance % 1000 == 0;
    out.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(slice.hole) | (slice.timeDigits == 9 ? 4U : 0U) |
                                            (micro ? 8U : 0U)));
    put(out, slice.length);
    if (slice.data) {
        putSigned(out, static_cast<std::int64_t>(addressOf(slice) - before.address));
        before.address = addressOf(slice) + slice.length;
    }
    putSigned(out, static_cast<std::int64_t>(slice.packet.value - before.packet));
    putSigned(out, micro ? distance / 1000 : distance);
    before.packet = slice.packet.value;
    before.time = time;
}

Slice readSlice(Reader& in, Before& before) {
    Slice slice;
    const std::uint8_t head = in.byte();
    slice.hole = static_cast<Hole>(head & 3);
    slice.timeDigits = head & 4 ? 9 : 6;
    slice.length = static_cast<std::uint32_t>(in.number());
    if (slice.hole == Hole::None) {
        const std::uint64_t address = before.address + static_cast<std::uint64_t>(in.signedNumber());
        slice.data = reinterpret_cast<const std::uint8_t*>(static_cast<std::uintptr_t>(address));
        before.address = address + slice.length;
    }
    before.packet += static_cast<std::uint64_t>(in.signedNumber());
    slice.packet = {before.packet};
    const std::int64_t distance = in.signedNumber();
    before.time += head & 8 ? distance * 1000 : distance;
    slice.time = Timestamp{Duration{before.time}};
    return slice;
}

void putProblems(std::vector<std::uint8_t>& out, const std::vector<Problem>& problems) {
    put(out, problems.size());
    for (const Problem& problem : problems) {
        out.push_back(static_cast<std::uint8_t>(problem.kind));
        put(out, problem.offset);
        putText(out, problem.at);
        putText(out, problem.text);
    }
}

std::vector<Problem> readProblems(Reader& in) {
    std::vector<Problem> problems(in.number());
    for (Problem& problem : problems) {
        problem.kind = static_cast<ProblemKind>(in.byte());
        problem.offset = static_cast<std::uint32_t>(in.number());
        problem.at = in.text();
        problem.text = in.text();
    }
    return problems;
}

void putTiming(std::vector<std::uint8_t>& out, const ExchangeTiming& timing) {
    const Duration think = timing.think.value_or(Duration{}), trip = timing.roundTrip.value_or(Duration{});
    const bool micro = think.count() % 1000 == 0 && trip.count() % 1000 == 0 && timing.blocked.count() % 1000 == 0;
    unsigned head = micro ? Micro : 0;
    if (timing.think) head |= Think;
    if (timing.blocked != Duration{}) head |= Blocked;
    if (timing.inFlight != 1) head |= InFlight;
    if (timing.sentAgain != 0) head |= SentAgain;
    if (timing.roundTrip) head |= RoundTrip;
    out.push_back(static_cast<std::uint8_t>(head));
    const auto length = [&](Duration duration) {
        put(out, static_cast<std::uint64_t>(micro ? duration.count() / 1000 : duration.count()));
    };
    if (head & Think) length(think);
    if (head & Blocked) length(timing.blocked);
    if (head & InFlight) put(out, timing.inFlight);
    if (head & SentAgain) put(out, timing.sentAgain);
    if (head & RoundTrip) length(trip);
}

ExchangeTiming readTiming(Reader& in) {
    ExchangeTiming timing;
    const std::uint8_t head = in.byte();
    const auto length = [&] { return Duration{static_cast<std::int64_t>(in.number()) * (head & Micro ? 1000 : 1)}; };
    if (head & Think) timing.think = length();
    if (head & Blocked) timing.blocked = length();
    if (head & InFlight) timing.inFlight = static_cast<std::uint32_t>(in.number());
    if (head & SentAgain) timing.sentAgain = static_cast<std::uint32_t>(in.number());
    if (head & RoundTrip) timing.roundTrip = length();
    return timing;
}

std::uint8_t headOf(const StoredMessage& message) {
    unsigned head = 0;
    if (message.frame) head |= message.frame->complete ? HasFrame | Complete : HasFrame;
    if (message.layoutVersion >= 0) head |= HasLayout;
    if (message.confidence) head |= HasConfidence;
    if (!message.problems.empty()) head |= HasProblems;
    if (message.timing != ExchangeTiming{}) head |= HasTiming;
    return static_cast<std::uint8_t>(head);
}

} // namespace

ExtentStore::Ref ExtentStore::write(const StoredMessage& message, Timestamp near) {
    if (message.saysNothing()) return 0;
    // The block decides what distances count from, and the size decides the block: a guess from above for the size.
    std::size_t bound = 128;
    if (message.frame) bound += message.frame->bytes.pieces().size() * 36;
    for (const Problem& problem : message.problems)
        bound += 24 + problem.at.size() + problem.text.size();
    const std::uint32_t index = blockFor(bound, message);
    const Block& block = m_blocks[index];

    std::vector<std::uint8_t>& out = m_scratch;
    out.clear();
    out.push_back(headOf(message));
    if (message.frame) {
        put(out, message.frame->bytes.pieces().size());
        Before before{block.address, block.packet, near.time_since_epoch().count()};
        for (const ByteChain::Piece& piece : message.frame->bytes.pieces())
            putSlice(out, piece.slice, before);
    }
    if (message.layoutVersion >= 0) put(out, static_cast<std::uint64_t>(message.layoutVersion));
    if (message.confidence) {
        std::uint8_t raw[sizeof(double)];
        std::memcpy(raw, &*message.confidence, sizeof raw);
        out.insert(out.end(), raw, raw + sizeof raw);
    }
    if (!message.problems.empty()) putProblems(out, message.problems);
    if (message.timing != ExchangeTiming{}) putTiming(out, message.timing);

    const std::size_t offset = index == m_current ? m_used : 0;
    std::memcpy(block.bytes.get() + offset, out.data(), out.size());
    if (index == m_current) m_used += out.size();
    return (static_cast<Ref>(index) << offsetBits | offset) + 1;
}

std::uint32_t ExtentStore::blockFor(std::size_t size, const StoredMessage& message) {
    if (m_blocks.size() > 0 && size <= m_room - m_used) return m_current;
    Block block;
    if (message.frame && !message.frame->bytes.empty()) {
        const Slice& first = message.frame->bytes.pieces().front().slice;
        block.address = addressOf(first);
        block.packet = first.packet.value;
    }
    const bool huge = size > blockSize; // a block of its own; the current one is filled further
    const std::size_t room = huge ? size : blockSize;
    block.bytes = std::make_unique_for_overwrite<std::uint8_t[]>(room);
    m_bytes += room;
    const bool noneYet = m_blocks.size() == 0;
    const std::uint32_t index = m_blocks.push(std::move(block));
    if (!huge || noneYet) {
        m_current = index;
        m_used = 0;
        m_room = room;
    }
    return index;
}

StoredMessage ExtentStore::read(Ref ref, Timestamp near) const {
    StoredMessage message;
    if (ref == 0) return message;
    const Block& block = m_blocks[static_cast<std::uint32_t>((ref - 1) >> offsetBits)];
    Reader in(block.bytes.get() + ((ref - 1) & ((1U << offsetBits) - 1)));
    const std::uint8_t head = in.byte();
    if (head & HasFrame) {
        Frame& frame = message.frame.emplace();
        frame.complete = head & Complete;
        Before before{block.address, block.packet, near.time_since_epoch().count()};
        for (std::uint64_t left = in.number(); left > 0; --left)
            frame.append(readSlice(in, before));
    }
    if (head & HasLayout) message.layoutVersion = static_cast<std::int16_t>(in.number());
    if (head & HasConfidence) message.confidence = in.real();
    if (head & HasProblems) message.problems = readProblems(in);
    if (head & HasTiming) message.timing = readTiming(in);
    return message;
}

} // namespace brokerscope
