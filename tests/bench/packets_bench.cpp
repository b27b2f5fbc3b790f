// SPDX-License-Identifier: Apache-2.0
// The stage "file": from a capture file to packets. The captures are a small one, repeated to about 100 MB.
#include "capture/capture_file.h"
#include "capture/capture_writer.h"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace brokerscope {
namespace {

const std::string sample = BROKERSCOPE_SOURCE_DIR "/tests/data/captures/small/capture.pcap";
constexpr int copies = 4000;

std::string writePcap(const std::string& path) {
    std::ifstream in(sample, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    constexpr std::size_t headerSize = 24;
    std::ofstream out(path, std::ios::binary);
    out << bytes;
    for (int i = 1; i < copies; ++i)
        out.write(bytes.data() + headerSize, static_cast<std::streamsize>(bytes.size() - headerSize));
    return path;
}

// pcapng, compressed as the name says.
std::string writePcapng(const std::string& path) {
    auto writer = std::move(*CaptureWriter::create(path, {}));
    for (int i = 0; i < copies; ++i) {
        auto source = std::move(*openCapture({&sample, 1}));
        if (i == 0) writer->addInterface(source->info().interfaces.front());
        for (Packet packet; source->next(packet);)
            writer->addPacket(0, packet);
    }
    return path;
}

void readCapture(benchmark::State& state, const char* name, std::string (*write)(const std::string&)) {
    const std::string path = write(std::filesystem::temp_directory_path() / name);
    std::uint64_t packets = 0, bytes = 0;
    for (auto _ : state) {
        auto source = std::move(*openCapture({&path, 1}));
        for (Packet packet; source->next(packet);)
            bytes += packet.bytes.size();
        packets += source->info().packets;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(packets));
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
    std::filesystem::remove(path);
}

BENCHMARK_CAPTURE(readCapture, pcap, "brokerscope-bench.pcap", writePcap)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readCapture, pcapng, "brokerscope-bench.pcapng", writePcapng)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readCapture, gzip, "brokerscope-bench.pcapng.gz", writePcapng)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readCapture, zstd, "brokerscope-bench.pcapng.zst", writePcapng)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace brokerscope
