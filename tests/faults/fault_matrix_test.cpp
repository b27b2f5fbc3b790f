// SPDX-License-Identifier: Apache-2.0
// The fault matrix over the shipped captures. With BROKERSCOPE_FAULTS=FOLDER it runs over every capture.pcap below that
// folder, with twenty seeds, and prints what share was found.
#include "tests/faults/fault_matrix.h"

#include "capture/capture_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace brokerscope {
namespace {

std::vector<std::string> captures() {
    std::vector<std::string> paths;
    const char* folder = std::getenv("BROKERSCOPE_FAULTS");
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder ? folder : BROKERSCOPE_SOURCE_DIR "/samples")) {
        const std::string name = entry.path().filename();
        const bool wanted = folder ? name == "capture.pcap" : entry.path().extension() == ".pcap";
        if (wanted) paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::uint64_t seeds() {
    return std::getenv("BROKERSCOPE_FAULTS") ? 20 : 2;
}

Report wholeReport(const std::string& path) {
    auto opened = openCapture(std::span(&path, 1));
    EXPECT_TRUE(opened) << path;
    return opened ? report(**opened) : Report{};
}

void check(const Faults& faults) {
    std::size_t whole = 0, present = 0, found = 0, clean = 0;
    for (const std::string& path : captures()) {
        const Report before = wholeReport(path);
        for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
            Faults seeded = faults;
            seeded.seed = seed;
            const FaultOutcome outcome = compare(path, before, seeded);
            whole += outcome.whole;
            present += outcome.present;
            found += outcome.found;
            clean += outcome.clean;
            // A flipped bit in a length or an id takes neighbours along; then only nothing may be invented.
            EXPECT_TRUE(outcome.missing.empty() || faults.flipBits > 0)
                << path << " " << faults.name << " seed " << seed << ": " << outcome.missing.size() << " of "
                << outcome.present << " missing, first " << outcome.missing.front();
            EXPECT_TRUE(outcome.invented.empty())
                << path << " " << faults.name << " seed " << seed << ": " << outcome.invented.size()
                << " invented, first " << outcome.invented.front();
        }
    }
    EXPECT_GT(whole, 0u);
    if (std::getenv("BROKERSCOPE_FAULTS"))
        fmt::print("{}: {} exchanges whole, {} with all bytes present, {} of these found, {} clean after damage\n",
                   faults.name, whole, present, found, clean);
}

TEST(FaultMatrix, lossOfOneInAThousandPackets) {
    check({.name = "drop 0.1 %", .drop = 0.001});
}
TEST(FaultMatrix, lossOfOneInAHundredPackets) {
    check({.name = "drop 1 %", .drop = 0.01});
}
TEST(FaultMatrix, lossOfOneInTwentyPackets) {
    check({.name = "drop 5 %", .drop = 0.05});
}
TEST(FaultMatrix, packetsThatComeTwice) {
    check({.name = "duplicate 20 %", .duplicate = 0.2});
}
TEST(FaultMatrix, everyPacketTwice) {
    check({.name = "duplicate all", .duplicate = 1});
}
TEST(FaultMatrix, packetsOutOfOrder) {
    check({.name = "reorder 5 %", .reorder = 0.05});
}
TEST(FaultMatrix, smallerSegments) {
    check({.name = "segments of 100 bytes", .segmentBytes = 100});
}
TEST(FaultMatrix, flippedBits) {
    check({.name = "flip bits in 2 %", .flipBits = 0.02});
}
TEST(FaultMatrix, aCaptureThatEndsEarly) {
    check({.name = "keep 100 packets", .keep = 100});
}
// Without the ports that people know the bytes must speak for themselves.
TEST(FaultMatrix, brokersOnStrangePorts) {
    const auto texts = [](const Report& report) {
        std::vector<std::string> result;
        for (const auto& [key, exchange] : report)
            result.push_back(exchange.text);
        std::sort(result.begin(), result.end());
        return result;
    };
    for (const std::string& path : captures()) {
        auto opened = openCapture(std::span(&path, 1));
        ASSERT_TRUE(opened) << path;
        FaultySource source(std::move(*opened), {.name = "strange ports", .portsMoved = 1234});
        EXPECT_EQ(texts(report(source)), texts(wholeReport(path))) << path;
    }
}

// Each packet of a capture is where somebody may have begun to listen. A connection that was under way then is known by
// its second frame at the latest: the first one may prove nothing.
TEST(FaultMatrix, beginningAtEveryPacket) {
    std::size_t present = 0, found = 0;
    for (const char* name : {"/samples/first-steps.pcap", "/samples/kafka-0.8.pcap", "/samples/transactions.pcap"}) {
        const std::string path = std::string(BROKERSCOPE_SOURCE_DIR) + name;
        const Report whole = wholeReport(path);
        std::uint64_t packets = 0;
        for (const auto& [key, exchange] : whole)
            for (const PacketNumber packet : exchange.packets)
                packets = std::max(packets, packet.value);
        for (std::uint64_t first = 1; first < packets; ++first) {
            const FaultOutcome outcome = compare(path, whole, {.name = "begin", .startAt = first});
            present += outcome.present;
            found += outcome.found;
            EXPECT_LE(outcome.missing.size(), 1u) << name << " from packet " << first + 1;
            EXPECT_THAT(outcome.invented, testing::IsEmpty()) << name << " from packet " << first + 1;
        }
    }
    EXPECT_GT(present, 1000u);
    EXPECT_GE(found + 2, present);
    if (std::getenv("BROKERSCOPE_FAULTS"))
        fmt::print("begin at every packet: {} exchanges with all bytes present, {} found\n", present, found);
}

TEST(FaultMatrix, oneClockAhead) {
    check({.name = "skew 3 ms", .skew = std::chrono::milliseconds(3)});
}

} // namespace
} // namespace brokerscope
