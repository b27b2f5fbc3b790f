// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target without a fuzzer:   TARGET [--changes N] FILE|FOLDER...
// Every file is given as it is, and N times changed a little: a byte altered, a piece left out, doubled or overwritten
// by another, the end cut off. The changes follow from the file's content alone, so every run is the same.
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using Octets = std::vector<std::uint8_t>;
namespace fs = std::filesystem;

constexpr std::size_t largest = 256u << 10; // of a file; the rest adds time and no new paths

// For the handler of a crash: what was being run. Only written while nothing runs.
struct Running {
    std::string name; // for people
    const Octets* bytes = nullptr;
} running;

constexpr const char* failedInput = "failed-input";

void say(const char* text) {
    [[maybe_unused]] auto written = write(STDERR_FILENO, text, std::strlen(text));
}

extern "C" void tellWhatRan(int signal) {
    say(running.name.c_str());
    int file = open(failedInput, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && write(file, running.bytes->data(), running.bytes->size()) >= 0) {
        say(": failed, kept as ");
        say(failedInput);
    }
    say("\n");
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void give(const Octets& bytes, std::string name) {
    running = {std::move(name), &bytes};
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

Octets read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    Octets bytes{std::istreambuf_iterator<char>(file), {}};
    bytes.resize(std::min(bytes.size(), largest));
    return bytes;
}

Octets changed(Octets bytes, std::minstd_rand& random) {
    auto below = [&random](std::size_t limit) { return limit ? random() % limit : 0; };
    for (std::size_t changes = 1 + below(3); changes > 0 && !bytes.empty(); --changes) {
        std::size_t begin = below(bytes.size());
        std::size_t length = 1 + below(std::min<std::size_t>(bytes.size() - begin, 64));
        auto first = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
        auto last = first + static_cast<std::ptrdiff_t>(length);
        switch (below(6)) {
        case 0:
            *first = static_cast<std::uint8_t>(random());
            break;
        case 1: // numbers that lengths and counts are afraid of
            std::fill(first, last, below(2) ? 0xff : 0);
            break;
        case 2:
            bytes.erase(first, last);
            break;
        case 3: {
            Octets piece(first, last);
            bytes.insert(first, piece.begin(), piece.end());
            break;
        }
        case 4: {
            Octets piece(first, last);
            auto target = bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size() - length + 1));
            std::copy(piece.begin(), piece.end(), target);
            break;
        }
        default:
            bytes.resize(begin);
        }
    }
    return bytes;
}

void run(const fs::path& path, unsigned changes) {
    const Octets whole = read(path);
    give(whole, path.string());
    std::minstd_rand random(static_cast<unsigned>(whole.size()) + 1);
    for (unsigned change = 1; change <= changes; ++change)
        give(changed(whole, random), path.string() + ", change " + std::to_string(change));
}

std::vector<fs::path> filesOf(const fs::path& path) {
    if (!fs::is_directory(path)) return {path};
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(path))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

int main(int argc, char** argv) {
    unsigned changes = 0;
    std::vector<fs::path> files;
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--changes" && i + 1 < argc) {
            std::string_view number = argv[++i];
            std::from_chars(number.data(), number.data() + number.size(), changes);
        } else {
            auto more = filesOf(argv[i]);
            files.insert(files.end(), more.begin(), more.end());
        }
    }
    for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
        std::signal(signal, tellWhatRan);
    for (const fs::path& file : files)
        run(file, changes);
    std::printf("%zu files, each with %u changes\n", files.size(), changes);
    return files.empty() ? 1 : 0;
}
