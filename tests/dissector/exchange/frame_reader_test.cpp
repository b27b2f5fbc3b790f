// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/frame_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace brokerscope {
namespace {

using Numbers = std::vector<std::uint8_t>;

// Finds frames by a magic byte: a frame of these tests always carries 0xfa behind its length.
class Recorder : public FrameReader::Handler {
  public:
    struct Seen {
        std::uint32_t size;
        bool complete;
        std::uint32_t missing;
        bool operator==(const Seen&) const = default;
    };

    void frameStarted(Side, Timestamp) override { ++started; }
    void frameEnded(Side, Frame&& frame) override {
        frames.push_back({frame.bytes.size(), frame.complete, frame.bytes.missingBytes()});
    }
    SearchResult findFrame(Side, const ByteChain& bytes, bool ended) override {
        std::vector<std::uint8_t> scratch;
        for (std::uint32_t at = 0; at + 5 <= bytes.size(); ++at) {
            const auto view = bytes.view(at, 5, scratch);
            if (view && (*view)[0] == 0 && (*view)[1] == 0 && (*view)[2] == 0 && (*view)[4] == 0xfa) return {true, at};
        }
        return {false, ended || bytes.size() < 5 ? 0 : bytes.size() - 4};
    }
    bool lengthPossible(Side, std::uint32_t size) override { return size >= 5 && size < 1000; }
    void passedOver(Side, std::uint64_t count, Hole hole) override { (hole == Hole::None ? garbage : lost) += count; }

    std::vector<Seen> frames;
    int started = 0;
    std::uint64_t garbage = 0, lost = 0;
};

Numbers frameOf(std::uint8_t bodyBytes) {
    Numbers frame(4u + bodyBytes, 0xbb);
    std::fill_n(frame.begin(), 3, std::uint8_t{0});
    frame[3] = bodyBytes;
    frame[4] = 0xfa;
    return frame;
}

Numbers operator+(Numbers left, const Numbers& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

Slice slice(const std::uint8_t* data, std::size_t length) {
    Slice s;
    s.data = data;
    s.length = static_cast<std::uint32_t>(length);
    s.packet = PacketNumber{1};
    return s;
}

Slice hole(std::uint32_t length) {
    Slice s;
    s.length = length;
    s.hole = Hole::Lost;
    s.packet = PacketNumber{1};
    return s;
}

TEST(FrameReader, anySegmentationGivesTheSameFrames) {
    const Numbers stream = frameOf(1) + frameOf(200) + frameOf(7);
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        Recorder recorder;
        FrameReader reader(Side::First, recorder, true);
        for (std::size_t at = 0; at < stream.size();) {
            const std::size_t take = std::min<std::size_t>(1 + random() % 40, stream.size() - at);
            reader.push(slice(stream.data() + at, take));
            at += take;
        }
        reader.end();
        EXPECT_EQ(recorder.frames, (std::vector<Recorder::Seen>{{5, true, 0}, {204, true, 0}, {11, true, 0}}));
        EXPECT_EQ(recorder.started, 3);
    }
}

TEST(FrameReader, aHoleInsideAFrameDoesNotLoseThePlace) {
    const Numbers stream = frameOf(100) + frameOf(3);
    Recorder recorder;
    FrameReader reader(Side::First, recorder, true);
    reader.push(slice(stream.data(), 20));
    reader.push(hole(50));
    reader.push(slice(stream.data() + 70, stream.size() - 70));
    EXPECT_EQ(recorder.frames, (std::vector<Recorder::Seen>{{104, true, 50}, {7, true, 0}}));
    EXPECT_EQ(recorder.lost + recorder.garbage, 0u);
}

TEST(FrameReader, aHoleOverABorderIsSearchedAcross) {
    const Numbers stream = frameOf(20) + frameOf(20) + frameOf(20);
    Recorder recorder;
    FrameReader reader(Side::First, recorder, true);
    reader.push(slice(stream.data(), 10));
    reader.push(hole(30)); // ends inside the second frame
    reader.push(slice(stream.data() + 40, stream.size() - 40));
    reader.end();
    EXPECT_EQ(recorder.frames, (std::vector<Recorder::Seen>{{24, true, 14}, {24, true, 0}}));
    EXPECT_EQ(recorder.lost, 16u);
    EXPECT_EQ(recorder.garbage, 8u);
}

TEST(FrameReader, anImpossibleLengthIsPassedOver) {
    const Numbers stream = Numbers{0xff, 0xff, 0xff, 0xff, 1, 2} + frameOf(2);
    Recorder recorder;
    FrameReader reader(Side::First, recorder, true);
    for (const std::uint8_t& byte : stream)
        reader.push(slice(&byte, 1));
    reader.end();
    EXPECT_EQ(recorder.frames, (std::vector<Recorder::Seen>{{6, true, 0}}));
    EXPECT_EQ(recorder.garbage, 6u);
}

TEST(FrameReader, aFrameThatTheStreamDoesNotFinishHasItsRestAsAHole) {
    const Numbers stream = frameOf(30);
    Recorder recorder;
    FrameReader reader(Side::First, recorder, true);
    reader.push(slice(stream.data(), 12));
    reader.end();
    EXPECT_EQ(recorder.frames, (std::vector<Recorder::Seen>{{34, false, 22}}));
}

TEST(FrameReader, aStreamThatEndsInsideALengthStartsNoFrame) {
    const Numbers stream{0, 0};
    Recorder recorder;
    FrameReader reader(Side::First, recorder, true);
    reader.push(slice(stream.data(), 2));
    reader.end();
    EXPECT_TRUE(recorder.frames.empty());
    EXPECT_EQ(recorder.started, 0);
    EXPECT_EQ(recorder.lost, 2u);
}

TEST(FrameReader, startedInMidStreamItFindsTheNextFrame) {
    const Numbers stream = Numbers(300, 0xbb) + frameOf(2) + frameOf(9);
    Recorder recorder;
    FrameReader reader(Side::First, recorder, false);
    reader.push(slice(stream.data(), 150));
    reader.push(slice(stream.data() + 150, stream.size() - 150));
    reader.end();
    EXPECT_EQ(recorder.frames, (std::vector<Recorder::Seen>{{6, true, 0}, {13, true, 0}}));
    EXPECT_EQ(recorder.garbage, 300u);
}

} // namespace
} // namespace brokerscope
