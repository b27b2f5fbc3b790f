// SPDX-License-Identifier: Apache-2.0
#include "capture/ip_defragmenter.h"

#include "capture/stream_reader.h"
#include "tests/support/memory_source.h"
#include "tests/support/stream_recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

namespace brokerscope::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class Defragmentation : public testing::Test {
  protected:
    IpFragment part(std::uint32_t offset, const std::string& text, bool more, std::uint32_t id = 1) {
        IpFragment f;
        f.source = address("10.0.0.1");
        f.destination = address("10.0.0.2");
        f.id = id;
        f.protocol = 6;
        f.offset = offset;
        f.more = more;
        f.bytes = m_kept.emplace_back(octets(text));
        return f;
    }
    // The content of the datagram that this fragment makes whole, or "".
    std::string add(const IpFragment& fragment, IpDefragmenter& into) {
        m_whole = into.add(fragment, now);
        return m_whole ? std::string(m_whole->bytes.begin(), m_whole->bytes.end()) : "";
    }
    std::string add(const IpFragment& fragment) { return add(fragment, defragmenter); }

    IpDefragmenter defragmenter;
    Timestamp now{seconds{1'700'000'000}};
    std::optional<IpDatagram> m_whole;

  private:
    std::deque<Octets> m_kept;
};

TEST_F(Defragmentation, fragmentsInAnyOrderMakeTheDatagram) {
    std::vector<IpFragment> parts{part(0, "01234567", true), part(8, "89abcdef", true), part(16, "last", false)};
    std::uint32_t id = 1;
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
    do {
        std::string whole;
        for (IpFragment f : parts) {
            f.id = id;
            EXPECT_EQ(whole, "");
            whole = add(f);
        }
        EXPECT_EQ(whole, "0123456789abcdeflast");
        EXPECT_EQ(toString(m_whole->source), "10.0.0.1");
        EXPECT_EQ(m_whole->protocol, 6);
        ++id;
    } while (std::next_permutation(parts.begin(), parts.end(),
                                   [](const auto& a, const auto& b) { return a.offset < b.offset; }));
    EXPECT_EQ(id, 7u);
    EXPECT_EQ(defragmenter.unfinished(), 0u);
}

TEST_F(Defragmentation, datagramsStayWhereTheyAre) {
    add(part(0, "01234567", true));
    add(part(8, "first", false));
    const Bytes first = m_whole->bytes;
    for (std::uint32_t id = 2; id < 200; ++id) {
        add(part(0, std::string(8192, 'x'), true, id));
        add(part(8192, "y", false, id));
    }
    EXPECT_EQ(std::string(first.begin(), first.end()), "01234567first");
}

TEST_F(Defragmentation, senderReceiverIdAndProtocolKeepDatagramsApart) {
    add(part(0, "01234567", true));
    IpFragment other = part(8, "89", false);
    other.id = 2;
    EXPECT_EQ(add(other), "");
    other = part(8, "89", false);
    other.protocol = 17;
    EXPECT_EQ(add(other), "");
    other = part(8, "89", false);
    other.source = address("10.0.0.3");
    EXPECT_EQ(add(other), "");
    EXPECT_EQ(add(part(8, "89", false)), "0123456789");
}

TEST_F(Defragmentation, repeatedFragmentsChangeNothingBeforeAndAfterTheEnd) {
    for (const IpFragment& f : {part(0, "01234567", true), part(8, "89abcdef", true)}) {
        EXPECT_EQ(add(f), "");
        EXPECT_EQ(add(f), "");
    }
    EXPECT_EQ(add(part(16, "last", false)), "0123456789abcdeflast");
    EXPECT_EQ(add(part(16, "last", false)), "");
    EXPECT_EQ(add(part(0, "01234567", true)), "");
    EXPECT_EQ(defragmenter.givenUp() + defragmenter.unfinished(), 0u);
}

TEST_F(Defragmentation, overlapsWithTheSameBytesAreTaken) {
    add(part(0, "0123456789abcdef", true));
    EXPECT_EQ(add(part(8, "89abcdefghij", false)), "0123456789abcdefghij");
}

TEST_F(Defragmentation, aFragmentThatContradictsBeginsALaterDatagram) {
    add(part(0, "01234567", true));
    add(part(0, "ABCDEFGH", true));
    EXPECT_EQ(defragmenter.givenUp(), 1u);
    EXPECT_EQ(add(part(8, "I", false)), "ABCDEFGHI");
    // The identification is used again at once.
    EXPECT_EQ(add(part(0, "abcdefgh", true)), "");
    EXPECT_EQ(add(part(8, "i", false)), "abcdefghi");
    EXPECT_EQ(defragmenter.givenUp(), 1u);
}

TEST_F(Defragmentation, twoDifferentEndsAreTwoDatagrams) {
    add(part(16, "end", false));
    EXPECT_EQ(add(part(8, "end", false)), "");
    EXPECT_EQ(add(part(0, "01234567", true)), "01234567end");
    EXPECT_EQ(defragmenter.givenUp(), 1u);
}

TEST_F(Defragmentation, afterTheTimeOfRepetitionsTheSameFragmentsAreANewDatagram) {
    for (int i = 0; i < 2; ++i) {
        add(part(0, "01234567", true));
        EXPECT_EQ(add(part(8, "89", false)), "0123456789");
        now += seconds{2};
    }
}

TEST_F(Defragmentation, whatStaysIncompleteIsGivenUpAfterAWhile) {
    add(part(0, "01234567", true));
    now += seconds{6};
    EXPECT_EQ(add(part(8, "89", false)), "");
    EXPECT_EQ(defragmenter.givenUp(), 1u);
    EXPECT_EQ(defragmenter.unfinished(), 1u);
}

TEST_F(Defragmentation, theOldestGoesWhenThereAreTooMany) {
    IpDefragmenter small({}, {.datagrams = 2});
    add(part(0, "01234567", true, 1), small);
    add(part(0, "01234567", true, 2), small);
    add(part(0, "01234567", true, 3), small);
    EXPECT_EQ(small.givenUp(), 1u);
    EXPECT_EQ(add(part(8, "89", false, 3), small), "0123456789");
    EXPECT_EQ(add(part(8, "89", false, 2), small), "0123456789");
    EXPECT_EQ(add(part(8, "89", false, 1), small), "");
}

TEST_F(Defragmentation, aDatagramOfTooManyFragmentsIsGivenUp) {
    IpDefragmenter small({}, {.fragments = 10});
    for (std::uint32_t i = 0; i < 11; ++i)
        EXPECT_EQ(add(part(i * 8, "01234567", true), small), "");
    EXPECT_EQ(small.givenUp(), 1u);
    EXPECT_EQ(small.unfinished(), 0u);
}

TEST_F(Defragmentation, fragmentsThatCannotBeAreIgnored) {
    add(part(65528, "01234567", false)); // past the end of any datagram
    add(part(0, "0123", true));          // no multiple of eight
    add(part(0, "", true));
    EXPECT_EQ(defragmenter.unfinished(), 0u);
}

TEST_F(Defragmentation, aCutFragmentEndsWhatIsKnownOfTheDatagram) {
    IpFragment cut = part(8, "89", true);
    cut.cut = 6;
    add(part(0, "01234567", true));
    add(cut);
    EXPECT_EQ(add(part(16, "last", false)), "0123456789");
    EXPECT_EQ(m_whole->cut, 10u);
}

TEST_F(Defragmentation, randomFragmentsNeverMakeWhatWasNotSent) {
    std::mt19937 random(1);
    const std::string content = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH";
    for (int round = 0; round < 2000; ++round) {
        IpDefragmenter fresh;
        std::vector<bool> sent(content.size());
        std::string whole;
        for (int i = 0; i < 12 && whole.empty(); ++i) {
            const std::uint32_t from = random() % 6 * 8;
            const std::uint32_t units = 1 + random() % 3;
            const auto to = std::min<std::uint32_t>(from + units * 8, static_cast<std::uint32_t>(content.size()));
            const bool last = to == content.size();
            std::fill(sent.begin() + from, sent.begin() + to, true);
            whole = add(part(from, content.substr(from, to - from), !last), fresh);
        }
        const bool all = std::find(sent.begin(), sent.end(), false) == sent.end();
        EXPECT_EQ(whole, all ? content : "");
    }
}

// --- with the reader around it ---

void addFragments(MemorySource& source, const Octets& datagram, std::uint16_t id, std::size_t size) {
    for (std::size_t at = 0; at < datagram.size(); at += size) {
        const std::size_t end = std::min(at + size, datagram.size());
        const Octets piece(datagram.begin() + static_cast<std::ptrdiff_t>(at),
                           datagram.begin() + static_cast<std::ptrdiff_t>(end));
        const auto field = static_cast<std::uint16_t>(at / 8 | (end < datagram.size() ? 0x2000 : 0));
        source.add(ethernet(0x0800, ipv4({.id = id, .fragment = field}, piece)));
    }
}

TEST(FragmentedPackets, aStreamOfFragmentedPacketsIsRead) {
    MemorySource source;
    std::string sent;
    for (std::uint16_t i = 0; i < 20; ++i) {
        const std::string text = "segment " + std::to_string(i) + " of the stream, ";
        addFragments(source, tcp({.seq = static_cast<std::uint32_t>(1 + sent.size())}, octets(text)), i, 16);
        sent += text;
    }
    StreamRecorder recorder;
    StreamReader reader(source, recorder);
    reader.readAll();
    ASSERT_EQ(recorder.size(), 1u);
    EXPECT_EQ(recorder.at(0).first(), sent);
    EXPECT_EQ(reader.report().tcp, 20u);
    EXPECT_EQ(reader.report().fragments, reader.report().packets - 20);
    EXPECT_EQ(reader.report().unfinishedDatagrams, 0u);
}

TEST(FragmentedPackets, aTunnelsFragmentsAndFragmentsInsideOfItAreBothPutTogether) {
    MemorySource inner, source;
    const std::string sent = "a segment that is fragmented inside and outside";
    addFragments(inner, tcp({.seq = 1}, octets(sent)), 1, 32);
    Packet packet;
    for (std::uint16_t id = 100; inner.next(packet); ++id) {
        const Octets frame(packet.bytes.begin(), packet.bytes.end());
        const Octets outer = udp(4789, fromHex("08000000 00002a00") + frame);
        for (std::size_t at = 0; at < outer.size(); at += 40) {
            const std::size_t end = std::min(at + 40, outer.size());
            const Octets piece(outer.begin() + static_cast<std::ptrdiff_t>(at),
                               outer.begin() + static_cast<std::ptrdiff_t>(end));
            const auto field = static_cast<std::uint16_t>(at / 8 | (end < outer.size() ? 0x2000 : 0));
            source.add(
                ethernet(0x0800, ipv4({.from = "192.0.2.1", .protocol = 17, .id = id, .fragment = field}, piece)));
        }
    }
    StreamRecorder recorder;
    StreamReader reader(source, recorder);
    reader.readAll();
    ASSERT_EQ(recorder.size(), 1u);
    EXPECT_EQ(recorder.at(0).first(), sent);
}

TEST(FragmentedPackets, ipv6FragmentsArePutTogether) {
    MemorySource source;
    const Octets datagram = tcp({.seq = 1}, octets("over IPv6 in two fragments"));
    const Octets head(datagram.begin(), datagram.begin() + 24), tail(datagram.begin() + 24, datagram.end());
    source.add(ethernet(0x86dd, ipv6({.next = 44}, fromHex("06 00 0001 00000009") + head)));
    source.add(ethernet(0x86dd, ipv6({.next = 44}, fromHex("06 00 0018 00000009") + tail)));
    StreamRecorder recorder;
    StreamReader reader(source, recorder);
    reader.readAll();
    ASSERT_EQ(recorder.size(), 1u);
    EXPECT_EQ(recorder.at(0).first(), "over IPv6 in two fragments");
}

TEST(FragmentedPackets, aMissingFragmentIsReported) {
    MemorySource source;
    source.add(ethernet(0x0800, ipv4({.id = 1, .fragment = 0x2000}, Octets(16))));
    StreamRecorder recorder;
    StreamReader reader(source, recorder);
    reader.readAll();
    EXPECT_EQ(reader.report().unfinishedDatagrams, 1u);
    EXPECT_EQ(reader.report().fragments, 1u);
    EXPECT_EQ(recorder.size(), 0u);
}

TEST(FragmentedPackets, withoutRoomForDatagramsTheReportSaysWhy) {
    MemorySource source;
    addFragments(source, tcp({.seq = 1}, octets("cannot be stored")), 1, 16);
    StreamRecorder recorder;
    ReaderOptions options;
    options.temporaryFolder = "/dev/null/nowhere";
    StreamReader reader(source, recorder, options);
    reader.readAll();
    EXPECT_TRUE(reader.report().datagramsCouldNotBeKept);
    EXPECT_EQ(reader.report().unfinishedDatagrams, 1u);
}

} // namespace
} // namespace brokerscope::test
