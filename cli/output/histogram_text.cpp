// SPDX-License-Identifier: Apache-2.0
#include "cli/output/histogram_text.h"

#include "cli/output/text_width.h"
#include "cli/output/time_text.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace brokerscope {
namespace {

struct Bin {
    Duration from, to;
    std::uint64_t count = 0;
};

// 1, 2, 5, 10, 20, ... of a unit of time.
Duration nextStep(Duration step) {
    std::int64_t power = 1;
    while (step.count() / power >= 10)
        power *= 10;
    const std::int64_t first = step.count() / power;
    return Duration{power * (first < 2 ? 2 : first < 5 ? 5 : 10)};
}

std::vector<Bin> binsOf(const LatencyHistogram& histogram) {
    std::vector<Bin> bins;
    Bin bin{Duration{0}, std::chrono::microseconds(1), 0};
    std::uint64_t before = 0;
    while (before < histogram.count()) {
        const std::uint64_t below = histogram.countBelow(bin.to);
        bin.count = below - before;
        if (bin.count != 0 || !bins.empty()) bins.push_back(bin);
        before = below;
        bin.from = bin.to;
        bin.to = nextStep(bin.to);
    }
    return bins;
}

std::string bar(double share, std::size_t width) {
    static constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto parts = static_cast<std::size_t>(share * static_cast<double>(width * 8) + 0.5);
    std::string text;
    for (std::size_t i = 0; i < parts / 8; ++i)
        text += "█";
    text += parts == 0 && share > 0 ? eighths[1] : eighths[parts % 8];
    return text;
}

std::string padded(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, displayWidth(text)), ' ') + text;
}

} // namespace

std::vector<std::string> histogramLines(const LatencyHistogram& histogram, std::size_t width, const Style& style) {
    constexpr std::size_t besides = 2 + 7 + 3 + 7 + 2 + 2 + 10 + 2 + 6;
    const std::vector<Bin> bins = binsOf(histogram);
    std::uint64_t most = 1;
    for (const Bin& bin : bins)
        most = std::max(most, bin.count);
    const std::size_t room = std::max<std::size_t>(width, besides + 12) - besides;
    std::vector<std::string> lines;
    for (const Bin& bin : bins) {
        const std::string drawn = bar(static_cast<double>(bin.count) / static_cast<double>(most), room);
        const double percent = 100 * static_cast<double>(bin.count) / static_cast<double>(histogram.count());
        std::string line = fmt::format("  {} to {}  ", padded(bin.from.count() ? durationText(bin.from) : "0", 6),
                                       padded(durationText(bin.to), 6));
        line += style(Role::Key, drawn) + std::string(room - std::min(room, displayWidth(drawn)), ' ');
        line += bin.count ? fmt::format("  {:>10}  {:>4.1f} %", grouped(bin.count), percent) : std::string();
        while (line.ends_with(' '))
            line.pop_back();
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace brokerscope
