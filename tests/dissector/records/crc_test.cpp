// SPDX-License-Identifier: Apache-2.0
#include "dissector/records/crc.h"
#include "tests/support/record_bytes.h"

#include <gtest/gtest.h>

namespace brokerscope {
namespace {

constexpr std::string_view digits = "123456789"; // whose checksums the catalogues of CRCs give

TEST(Crc, givesTheCheckValuesOfBothPolynomials) {
    const ByteChain chain = ByteChain::of(bytesOf(digits));
    EXPECT_EQ(crc32(chain, 0, 9), 0xcbf43926u);
    EXPECT_EQ(crc32c(chain, 0, 9), 0xe3069283u);
    EXPECT_EQ(crc32(chain, 4, 4), 0u);
    EXPECT_EQ(crc32c(chain, 9, 9), 0u);
}

TEST(Crc, runsOverSlicesAndStartsInsideThem) {
    ByteChain chain;
    for (const std::string_view part : {"xx12", "3", "45678", "9yy"}) {
        Slice slice;
        slice.data = bytesOf(part).data();
        slice.length = static_cast<std::uint32_t>(part.size());
        chain.append(slice);
    }
    EXPECT_EQ(crc32(chain, 2, 11), 0xcbf43926u);
    EXPECT_EQ(crc32c(chain, 2, 11), 0xe3069283u);
}

TEST(Crc, nobodyKnowsItWhereBytesAreMissing) {
    ByteChain chain = ByteChain::of(bytesOf(digits));
    Slice hole;
    hole.length = 1;
    hole.hole = Hole::Lost;
    chain.append(hole);
    EXPECT_EQ(crc32(chain, 0, 10), std::nullopt);
    EXPECT_EQ(crc32c(chain, 0, 10), std::nullopt);
    EXPECT_EQ(crc32c(chain, 0, 11), std::nullopt); // outside
    EXPECT_EQ(crc32c(chain, 0, 9), 0xe3069283u);
}

} // namespace
} // namespace brokerscope
