// SPDX-License-Identifier: Apache-2.0
#include "dissector/wire/byte_chain.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace brokerscope {
namespace {

Slice slice(Bytes bytes) {
    Slice s;
    s.data = bytes.data();
    s.length = static_cast<std::uint32_t>(bytes.size());
    return s;
}

Slice hole(std::uint32_t length, Hole kind) {
    Slice s;
    s.length = length;
    s.hole = kind;
    return s;
}

const std::array<std::uint8_t, 6> numbers{1, 2, 3, 4, 5, 6};

TEST(ByteChain, viewsInsideOneSliceAreNotCopied) {
    const ByteChain chain = ByteChain::of(numbers);
    std::vector<std::uint8_t> scratch;
    const auto view = chain.view(2, 3, scratch);
    ASSERT_TRUE(view);
    EXPECT_EQ(view->data(), numbers.data() + 2);
    EXPECT_TRUE(scratch.empty());
}

TEST(ByteChain, viewsAcrossSlicesArePutTogether) {
    ByteChain chain;
    chain.append(slice(Bytes{numbers}.first(2)));
    chain.append(slice(Bytes{numbers}.subspan(2)));
    std::vector<std::uint8_t> scratch;
    const auto view = chain.view(1, 3, scratch);
    ASSERT_TRUE(view);
    EXPECT_EQ(std::vector<std::uint8_t>(view->begin(), view->end()), (std::vector<std::uint8_t>{2, 3, 4}));
}

TEST(ByteChain, holesKeepTheirPlaceAndGiveNoBytes) {
    ByteChain chain;
    chain.append(slice(Bytes{numbers}.first(2)));
    chain.append(hole(3, Hole::Lost));
    chain.append(slice(Bytes{numbers}.subspan(2)));
    std::vector<std::uint8_t> scratch;
    EXPECT_EQ(chain.size(), 9u);
    EXPECT_EQ(chain.missingBytes(), 3u);
    EXPECT_FALSE(chain.view(1, 3, scratch));
    EXPECT_TRUE(chain.view(5, 4, scratch));
    EXPECT_EQ(chain.holeIn(0, 2), Hole::None);
    EXPECT_EQ(chain.holeIn(0, 3), Hole::Lost);
    std::vector<std::uint8_t> available;
    chain.copyAvailable(0, 9, available);
    EXPECT_EQ(available.size(), 2u);
}

TEST(ByteChain, nothingOutsideTheChainIsGiven) {
    const ByteChain chain = ByteChain::of(numbers);
    std::vector<std::uint8_t> scratch;
    EXPECT_FALSE(chain.view(4, 3, scratch));
    EXPECT_FALSE(chain.view(0xffffffff, 2, scratch));
    EXPECT_EQ(chain.part(4, 100).size(), 2u);
    EXPECT_TRUE(chain.part(6, 1).empty());
}

TEST(ByteChain, refusesToGrowPastAFramesOwnLimit) {
    ByteChain chain;
    ASSERT_TRUE(chain.append(hole(std::numeric_limits<std::int32_t>::max(), Hole::Cut)));
    EXPECT_FALSE(chain.append(hole(1, Hole::Cut)));
}

} // namespace
} // namespace brokerscope
