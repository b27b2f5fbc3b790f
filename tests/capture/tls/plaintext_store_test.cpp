// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/plaintext_store.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace brokerscope {
namespace {

TEST(PlaintextStoreTest, KeepsBytesWhereTheyWerePut) {
    PlaintextStore store;
    const std::vector<std::uint8_t> one(100'000, 1), two(3, 2);
    const std::uint8_t* first = store.append(one, PacketNumber{1});
    const std::uint8_t* second = store.append(two, PacketNumber{2});
    ASSERT_TRUE(first && second);
    EXPECT_EQ(std::memcmp(first, one.data(), one.size()), 0);
    EXPECT_EQ(std::memcmp(second, two.data(), two.size()), 0);
}

TEST(PlaintextStoreTest, GivesBackWhatOlderPacketsCarried) {
    PlaintextStore store;
    const std::vector<std::uint8_t> bytes(1 << 18, 7);
    const std::uint8_t* last = nullptr;
    for (std::uint64_t packet = 1; packet <= 100; ++packet)
        last = store.append(bytes, PacketNumber{packet});
    store.releaseBefore(PacketNumber{1});
    EXPECT_EQ(store.released(), 0U);
    store.releaseBefore(PacketNumber{50});
    EXPECT_LE(store.released(), 49U << 18);
    EXPECT_GT(store.released(), 44U << 18);
    store.releaseBefore(PacketNumber{50});
    store.releaseBefore(PacketNumber{1000});
    EXPECT_LE(store.released(), 100U << 18);
    EXPECT_EQ(std::memcmp(last, bytes.data(), bytes.size()), 0);
}

TEST(PlaintextStoreTest, BytesOfAPacketThatCameLateHoldUpTheRelease) {
    PlaintextStore store;
    const std::vector<std::uint8_t> bytes(1 << 18, 7);
    store.append(bytes, PacketNumber{500});
    for (int i = 0; i < 50; ++i)
        store.append(bytes, PacketNumber{10}); // waited for their keys
    store.releaseBefore(PacketNumber{400});
    EXPECT_EQ(store.released(), 0U);
    store.releaseBefore(PacketNumber{501});
    EXPECT_GT(store.released(), 0U);
}

TEST(PlaintextStoreTest, SaysWhyItCannotKeepAnything) {
    PlaintextStore store("/nonexistent-folder");
    EXPECT_EQ(store.append(std::vector<std::uint8_t>(3, 1), PacketNumber{1}), nullptr);
    ASSERT_TRUE(store.error());
    EXPECT_EQ(store.append(std::vector<std::uint8_t>(3, 1), PacketNumber{2}), nullptr);
    store.releaseBefore(PacketNumber{3});
}

} // namespace
} // namespace brokerscope
