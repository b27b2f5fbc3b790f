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
enum class StatsView : std::uint8_t { Latency, Parts, Traffic, Records };
enum class Diagram : std::uint8_t { Text, Mermaid, PlantUml };
enum class Shell : std::uint8_t { Bash, Zsh, Fish };

struct Options {
    std::vector<std::string> arguments; // what stands without a dash, in order

    bool help = false;
    bool version = false;
    bool man = false;

    std::string filter;
    std::vector<std::uint16_t> ports;
    std::vector<std::string> keyLogs; // files

    // A live capture, instead of files.
    std::vector<std::string> interfaces;
    std::string captureFilter;                             // libpcap's language; empty: TCP
    std::optional<std::uint64_t> snapLength, kernelBuffer; // bytes
    bool promiscuous = false;
    bool immediate = false;
    std::optional<std::uint64_t> duration;    // seconds
    std::optional<std::uint64_t> count;       // packets
    std::optional<std::uint64_t> narrowAfter; // seconds; then only brokers found so far
    bool liveList = false;                    // capture: print exchanges too

    std::string output;                   // -w
    bool embedSecrets = false;            // of --keylog, into the written file
    bool stripSecrets = false;            // leave those out that are in the capture
    std::string ring;                     // "10x100MB", "24x3600s", "100MB"
    std::string comment;                  // on the written file
    std::optional<std::uint64_t> maxSize; // bytes

    Format format = Format::Table;
    std::optional<TimeFormat> time;
    std::vector<std::string> columns;
    std::optional<std::uint64_t> limit;
    std::vector<std::string> by;
    std::string interval; // "10s"
    StatsView statsView = StatsView::Latency;
    bool histogram = false;
    bool details = false;
    When color = When::Auto;
    When progress = When::Auto;
    bool quiet = false;

    bool noBodies = false;
    bool records = false;
    bool expand = false;
    bool hex = false;
    bool notes = false;
    bool showSecrets = false;

    std::string valueFormat; // of record keys and values; empty: as the output does it

    std::string schema; // a file with more of the protocol

    std::size_t level = 1;           // of findings: an index into note, warning, error
    std::vector<std::string> ignore; // names of findings

    std::vector<std::string> brokerLogs; // files

    std::string group, transactionalId;
    std::optional<std::uint64_t> connection;
    Diagram diagram = Diagram::Text;
    bool ascii = false;

    std::string metricsListen; // address:port
    std::string metricsFile;

    std::string api;
    std::string topic; // of pasted records
    std::optional<std::int16_t> apiVersion;
    bool asRequest = false;
    bool asResponse = false;
    bool base64 = false;
    bool raw = false;
};

} // namespace brokerscope
