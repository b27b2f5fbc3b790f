// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/lost_pages.h"

#include <QTemporaryFile>

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

namespace brokerscope {
namespace {

TEST(LostPages, readAsZerosAndWhatIsStillThereAsItIs) {
    const auto page = static_cast<qsizetype>(sysconf(_SC_PAGESIZE));
    QTemporaryFile file;
    ASSERT_TRUE(file.open());
    file.write(QByteArray(3 * page, 'x'));
    file.flush();
    outliveLostPages();
    void* mapped = mmap(nullptr, static_cast<std::size_t>(3 * page), PROT_READ, MAP_SHARED, file.handle(), 0);
    ASSERT_NE(mapped, MAP_FAILED);
    const auto* bytes = static_cast<const volatile char*>(mapped);
    ASSERT_TRUE(file.resize(page));
    EXPECT_EQ(bytes[page - 1], 'x');
    EXPECT_EQ(bytes[page], '\0');
    EXPECT_EQ(bytes[3 * page - 1], '\0');
    munmap(mapped, static_cast<std::size_t>(3 * page));
}

TEST(LostPagesDeathTest, leavesOtherFaultsAlone) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            outliveLostPages();
            raise(SIGBUS);
            raise(SIGBUS);
        },
        testing::KilledBySignal(SIGBUS), "");
}

} // namespace
} // namespace brokerscope
