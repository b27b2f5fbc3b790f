// SPDX-License-Identifier: Apache-2.0
// What was typed, as types. Parsing fills this struct and nothing else: no file is opened, nothing is decided that
// depends on a terminal or on a capture. Plain values; one object a run, owned by main().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brokerscope {

enum class Format : std::uint8_t { Table, Ndjson, Csv };
enum class TimeFormat : std::uint8_t { Relative, Absolute, Epoch, Delta };
enum class When : std::uint8_t { Auto, Always, Never };
enum class Shell : std::uint8_t { Bash, Zsh, Fish };

struct Options {
    std::vector<std::string> arguments; // what stands without a dash, in order

    bool help = false;
    bool version = false;
    bool man = false;

    std::string filter;
    std::vector<std::uint16_t> ports;

    Format format = Format::Table;
    std::optional<TimeFormat> time;
    std::vector<std::string> columns;
    std::optional<std::uint64_t> limit;
    When color = When::Auto;
    When progress = When::Auto;
    bool quiet = false;

    bool noBodies = false;
    bool records = false;
    bool hex = false;
    bool notes = false;
    bool showSecrets = false;

    std::string api;
    std::optional<std::int16_t> apiVersion;
    bool asRequest = false;
    bool asResponse = false;
    bool base64 = false;
    bool raw = false;
};

} // namespace brokerscope
