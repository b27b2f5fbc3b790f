// SPDX-License-Identifier: Apache-2.0
#include "cli/output/output_file.h"

#include "cli/output/csv.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace brokerscope {
namespace {

struct Pipe {
    Pipe() { EXPECT_EQ(::pipe(ends), 0); }
    ~Pipe() {
        closeEnd(0);
        closeEnd(1);
    }
    void closeEnd(int which) {
        if (ends[which] >= 0) ::close(ends[which]);
        ends[which] = -1;
    }
    std::string readAll() {
        closeEnd(1);
        std::string all;
        char part[4096];
        for (ssize_t n; (n = ::read(ends[0], part, sizeof part)) > 0;)
            all.append(part, static_cast<std::size_t>(n));
        return all;
    }
    int ends[2] = {-1, -1};
};

TEST(OutputFile, holdsLinesBackUntilItIsFlushed) {
    Pipe pipe;
    {
        OutputFile out(pipe.ends[1]);
        out.write("one");
        out.endLine();
        out.write("two");
    }
    EXPECT_EQ(pipe.readAll(), "one\ntwo");
}

TEST(OutputFile, takesAReaderThatWentAwayForTheEndAndNoError) {
    std::signal(SIGPIPE, SIG_IGN);
    Pipe pipe;
    pipe.closeEnd(0);
    OutputFile out(pipe.ends[1]);
    out.write("nobody reads this");
    EXPECT_FALSE(out.closed());
    out.flush();
    EXPECT_TRUE(out.closed());
    EXPECT_EQ(out.error(), 0);
}

TEST(OutputFile, remembersWhyADiskTookNoMore) {
    const int full = ::open("/dev/full", O_WRONLY);
    ASSERT_GE(full, 0);
    {
        OutputFile out(full);
        out.write("x");
        out.flush();
        EXPECT_TRUE(out.closed());
        EXPECT_EQ(out.error(), ENOSPC);
    }
    ::close(full);
}

TEST(Csv, quotesWhatRfc4180Quotes) {
    Pipe pipe;
    {
        OutputFile out(pipe.ends[1]);
        CsvLine line(out);
        for (const char* text : {"plain", "", "a,b", "say \"hi\"", "two\nlines", " space "})
            line.field(text);
        line.end();
        line.field("next");
        line.end();
    }
    EXPECT_EQ(pipe.readAll(), "plain,,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\", space \r\nnext\r\n");
}

} // namespace
} // namespace brokerscope
