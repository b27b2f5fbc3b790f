// SPDX-License-Identifier: Apache-2.0
#include "dissector/index/extent_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;

std::array<std::uint8_t, 4096> memory{};
const Timestamp noon{1764429301s};

Slice sliceAt(std::size_t offset, std::uint32_t length, std::uint64_t packet, Duration after) {
    Slice slice;
    slice.data = memory.data() + offset;
    slice.length = length;
    slice.packet = {packet};
    slice.time = noon + after;
    return slice;
}

Slice hole(Hole kind, std::uint32_t length, std::uint64_t packet) {
    Slice slice = sliceAt(0, length, packet, 3s);
    slice.data = nullptr;
    slice.hole = kind;
    return slice;
}

void expectSame(const StoredMessage& a, const StoredMessage& b) {
    ASSERT_EQ(a.frame.has_value(), b.frame.has_value());
    EXPECT_EQ(a.layoutVersion, b.layoutVersion);
    EXPECT_EQ(a.confidence, b.confidence);
    EXPECT_EQ(a.timing, b.timing);
    ASSERT_EQ(a.problems.size(), b.problems.size());
    for (std::size_t i = 0; i < a.problems.size(); ++i) {
        EXPECT_EQ(a.problems[i].kind, b.problems[i].kind);
        EXPECT_EQ(a.problems[i].at, b.problems[i].at);
        EXPECT_EQ(a.problems[i].offset, b.problems[i].offset);
        EXPECT_EQ(a.problems[i].text, b.problems[i].text);
    }
    if (!a.frame) return;
    EXPECT_EQ(a.frame->begin, b.frame->begin);
    EXPECT_EQ(a.frame->end, b.frame->end);
    EXPECT_EQ(a.frame->complete, b.frame->complete);
    ASSERT_EQ(a.frame->bytes.pieces().size(), b.frame->bytes.pieces().size());
    for (std::size_t i = 0; i < a.frame->bytes.pieces().size(); ++i) {
        const Slice& left = a.frame->bytes.pieces()[i].slice;
        const Slice& right = b.frame->bytes.pieces()[i].slice;
        EXPECT_EQ(left.data, right.data);
        EXPECT_EQ(left.length, right.length);
        EXPECT_EQ(left.hole, right.hole);
        EXPECT_EQ(left.timeDigits, right.timeDigits);
        EXPECT_EQ(left.packet, right.packet);
        EXPECT_EQ(left.time, right.time);
    }
}

TEST(ExtentStore, givesBackSlicesHolesAndTimesAsTheyWere) {
    ExtentStore store;
    StoredMessage message;
    Frame& frame = message.frame.emplace();
    frame.complete = true;
    frame.append(sliceAt(100, 50, 17, 0ns));
    frame.append(sliceAt(300, 20, 18, 1500us));
    frame.append(hole(Hole::Lost, 600, 21));
    Slice nano = sliceAt(20, 30, 20, 1234567ns); // out of order, and a file of nine digits
    nano.timeDigits = 9;
    frame.append(nano);
    expectSame(store.read(store.write(message, noon), noon), message);
}

TEST(ExtentStore, givesBackWhatIsRare) {
    ExtentStore store;
    StoredMessage message;
    message.layoutVersion = 0;
    message.confidence = 0.75;
    message.problems = {{ProblemKind::Gap, "response.topics[3]", 1234, "412 bytes lost"},
                        {ProblemKind::Clock, "", 0, ""}};
    expectSame(store.read(store.write(message, noon), noon), message);
}

TEST(ExtentStore, givesBackTimingToTheNanosecond) {
    ExtentStore store;
    StoredMessage message;
    for (const Duration unit : {Duration{1us}, Duration{1ns}}) {
        message.timing = {7'000'001 * unit, 3 * unit, 5, 2, 12'345 * unit};
        expectSame(store.read(store.write(message, noon), noon), message);
        message.timing = {std::nullopt, {}, 1, 0, 8 * unit};
        expectSame(store.read(store.write(message, noon), noon), message);
    }
}

TEST(ExtentStore, writesNothingForAMessageThatSaysNothing) {
    ExtentStore store;
    EXPECT_EQ(store.write(StoredMessage{}, noon), 0U);
    EXPECT_TRUE(store.read(0, noon).saysNothing());
    EXPECT_EQ(store.memoryBytes(), 0U);
}

TEST(ExtentStore, keepsManyMessagesApartOverManyBlocks) {
    ExtentStore store;
    std::mt19937 random(7);
    std::vector<StoredMessage> written;
    std::vector<ExtentStore::Ref> refs;
    for (int i = 0; i < 60'000; ++i) {
        StoredMessage message;
        Frame& frame = message.frame.emplace();
        for (unsigned pieces = 1 + random() % 4; pieces > 0; --pieces)
            frame.append(sliceAt(random() % 4000, 1 + random() % 90, 1 + random() % 1000000,
                                 Duration{static_cast<std::int64_t>(random()) * 1000}));
        refs.push_back(store.write(message, noon));
        written.push_back(std::move(message));
    }
    EXPECT_GT(store.memoryBytes(), 1024U * 1024U);
    for (std::size_t i = 0; i < refs.size(); i += 97)
        expectSame(store.read(refs[i], noon), written[i]);
}

TEST(ExtentStore, givesAMessageOfHugeSizeABlockOfItsOwn) {
    ExtentStore store;
    StoredMessage small, huge;
    small.frame.emplace().append(sliceAt(0, 10, 1, 0ns));
    huge.frame.emplace();
    for (int i = 0; i < 40'000; ++i)
        huge.frame->append(sliceAt(static_cast<std::size_t>(i) % 4000, 10, 2, 0ns));
    const auto before = store.write(small, noon);
    const auto big = store.write(huge, noon);
    const auto after = store.write(small, noon);
    expectSame(store.read(before, noon), small);
    expectSame(store.read(big, noon), huge);
    expectSame(store.read(after, noon), small);
}

TEST(ExtentStore, needsFewBytesForTheUsualMessage) {
    ExtentStore store;
    std::size_t last = 0;
    ExtentStore::Ref ref = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        StoredMessage message;
        message.frame.emplace().append(sliceAt(i % 4000, 90, 2 * i + 1, 0ns));
        const ExtentStore::Ref next = store.write(message, noon);
        if (ref) last = static_cast<std::size_t>(next - ref);
        ref = next;
    }
    EXPECT_LE(last, 14U);
}

} // namespace
} // namespace brokerscope
