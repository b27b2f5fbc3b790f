// SPDX-License-Identifier: Apache-2.0
#include "capture/live/packet_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <thread>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;

PacketBatch batchOf(const std::vector<std::string>& texts) {
    PacketBatch batch;
    for (const std::string& text : texts) {
        PacketBatch::Taken taken;
        taken.captured = static_cast<std::uint32_t>(text.size());
        batch.packets.push_back(taken);
        batch.bytes.insert(batch.bytes.end(), text.begin(), text.end());
    }
    return batch;
}

std::string_view textOf(const Packet& packet) {
    return {reinterpret_cast<const char*>(packet.bytes.data()), packet.bytes.size()};
}

SpillSegments store(std::uint64_t segmentBytes = SpillSegments::usualSegment) {
    auto made = SpillSegments::create({}, segmentBytes);
    EXPECT_TRUE(made);
    return std::move(*made);
}

std::size_t refusedOf(PacketQueue& queue, const std::vector<std::string>& texts) {
    const auto refused = queue.push(batchOf(texts));
    EXPECT_TRUE(refused);
    return refused ? refused.value() : 0;
}

TEST(PacketQueue, givesPacketsInTheOrderTheyCame) {
    PacketQueue queue(store(), {});
    EXPECT_EQ(refusedOf(queue, {"a", "", "bcd"}), 0u);
    EXPECT_EQ(refusedOf(queue, {"e"}), 0u);
    Packet packet;
    for (const char* text : {"a", "", "bcd", "e"}) {
        ASSERT_TRUE(queue.pop(packet));
        EXPECT_EQ(textOf(packet), text);
    }
    EXPECT_FALSE(queue.pop(packet));
}

TEST(PacketQueue, refusesAndCountsWhatFindsNoRoomAndTakesAgainWhenThereIsSome) {
    PacketQueue few(store(), {3, 1 << 20});
    EXPECT_EQ(refusedOf(few, {"1", "2", "3", "4", "5"}), 2u);
    Packet packet;
    ASSERT_TRUE(few.pop(packet));
    EXPECT_EQ(refusedOf(few, {"6", "7"}), 1u);
    std::string left;
    while (few.pop(packet))
        left += textOf(packet);
    EXPECT_EQ(left, "236");

    PacketQueue small(store(), {100, 10});
    EXPECT_EQ(refusedOf(small, {"123456", "7890", "x"}), 1u);
    ASSERT_TRUE(small.pop(packet));
    EXPECT_EQ(refusedOf(small, {"abcdef"}), 0u);
}

TEST(PacketQueue, waitsForAPacketNoLongerThanAsked) {
    PacketQueue queue(store(), {});
    EXPECT_FALSE(queue.wait(1ms));
    std::thread other([&] { EXPECT_EQ(refusedOf(queue, {"late"}), 0u); });
    EXPECT_TRUE(queue.wait(10s));
    other.join();
}

TEST(SpillSegments, keepBytesInPlaceOverManySegmentsAndGiveTheirSpaceBack) {
    constexpr std::uint64_t segment = 8 << 20;
    SpillSegments segments = store(segment);
    const std::string piece(1 << 20, 'x');
    std::vector<const std::uint8_t*> places;
    for (int i = 0; i < 40; ++i) {
        std::string marked = piece;
        marked.front() = static_cast<char>(i);
        const auto place = segments.append({reinterpret_cast<const std::uint8_t*>(marked.data()), marked.size()});
        ASSERT_TRUE(place);
        places.push_back(place.value());
    }
    for (int i = 0; i < 40; ++i)
        EXPECT_EQ(*places[static_cast<std::size_t>(i)], i);
    segments.releaseBefore(places[36]);
    for (int i = 36; i < 40; ++i)
        EXPECT_EQ(*places[static_cast<std::size_t>(i)], i);
    EXPECT_LE(segments.bytesOnDisk(), 2 * segment);
    segments.releaseBefore(places[36]); // again, and from elsewhere: nothing happens
    segments.releaseBefore(reinterpret_cast<const std::uint8_t*>(&segments));
    EXPECT_EQ(*places[39], 39);
}

} // namespace
} // namespace brokerscope
