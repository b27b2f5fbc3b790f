// SPDX-License-Identifier: Apache-2.0
#include "cli/options/option_table.h"

#include "cli/commands/column_names.h"
#include "dissector/analysis/findings/finding.h"

#include <algorithm>
#include <array>
#include <limits>

namespace brokerscope {
namespace {

constexpr auto tableNdjsonCsv = std::to_array<std::string_view>({"table", "ndjson", "csv"});
constexpr auto tableNdjson = std::to_array<std::string_view>({"table", "ndjson"});
constexpr auto treeJson = std::to_array<std::string_view>({"tree", "json"});
constexpr auto timeWords = std::to_array<std::string_view>({"rel", "abs", "epoch", "delta"});
constexpr auto whenWords = std::to_array<std::string_view>({"auto", "always", "never"});
constexpr auto diagrams = std::to_array<std::string_view>({"text", "mermaid", "plantuml"});
constexpr auto levels = std::to_array<std::string_view>({"note", "warning", "error"});
constexpr auto shells = std::to_array<std::string_view>({"bash", "zsh", "fish"});

template<auto Member>
constexpr Choice choice(std::span<const std::string_view> words) {
    return {words, [](Options& options, std::size_t index) {
                using Field = std::remove_reference_t<decltype(options.*Member)>;
                if constexpr (std::is_enum_v<Field>)
                    options.*Member = static_cast<Field>(index);
                else
                    options.*Member = static_cast<typename Field::value_type>(index);
            }};
}

// Those of dissector/payloads/value_guess, which a test compares.
constexpr std::array<std::string_view, 12> valueFormatNames{"auto",  "json",   "text",      "short",    "int",  "long",
                                                            "float", "double", "confluent", "protobuf", "avro", "hex"};

using enum CommandId;
constexpr CommandSet inventories = in(Connections) | in(Topics) | in(Groups) | in(Transactions) | in(Cluster);
constexpr CommandSet readers =
    in(Summary) | in(List) | in(Show) | in(Records) | in(Stats) | inventories | in(Check) | in(Join) | in(Flow);
constexpr CommandSet live =
    in(Summary) | in(List) | in(Records) | in(Stats) | inventories | in(Check) | in(Flow) | in(Capture);
constexpr CommandSet all =
    readers | in(Export) | in(Capture) | in(Interfaces) | in(Decode) | in(Completions) | in(Help);

constexpr auto commands = std::to_array<CommandRow>({
    {Summary,
     "summary",
     "FILE...",
     "what is in a capture, on one screen",
     "Time span, brokers, clients with their software, topics, requests and latency by api, errors by name, what was "
     "damaged and what was not Kafka. It is also what you get without a command: brokerscope FILE.",
     1,
     4096,
     Complete::File,
     {},
     "summary orders.pcapng"},
    {List,
     "list",
     "FILE...",
     "one line an exchange: request, response, latency, error",
     "The table is for people and fits your terminal; ndjson and csv are stable and meant for scripts. In ndjson the "
     "header, request and response are what an Apache Kafka broker writes to its own request log.",
     1,
     4096,
     Complete::File,
     {},
     "list --format ndjson orders.pcapng | jq .totalTimeMs"},
    {Show,
     "show",
     "FILE... N[,N..|N-M]",
     "the whole field tree of exchanges; --hex adds the bytes",
     "Exchanges are chosen by the numbers that list prints (17, or 3,5,9, or 10-20), by -Y, or by both. Record sets "
     "are opened down to their records; with --hex every field of every record is there. Bytes fields of known formats "
     "open too: group subscriptions and assignments, SASL tokens, forwarded requests, records of internal topics.",
     1,
     4096,
     Complete::File,
     {},
     "show --hex orders.pcapng 17"},
    {Records,
     "records",
     "FILE...",
     "one line a record: topic, partition, offset, time, key, value, headers",
     "Every record of every Produce request and Fetch response, decompressed.",
     1,
     4096,
     Complete::File,
     {},
     "records --format csv orders.pcapng"},
    {Check,
     "check",
     "FILE...",
     "findings: why it fails, why it is slow, what may hurt later",
     "Reads the whole capture and says what a person should look at: what was seen, in which exchanges, why it matters "
     "and what to do. Long polls, rebalances and the like are known and no findings. Exit status 1 when there are "
     "findings of --level or above, so it can stand in a test. help findings lists all kinds.",
     1,
     4096,
     Complete::File,
     {},
     "check --level error --ignore acks-0 orders.pcapng"},
    {Join,
     "join",
     "FILE [FILE]",
     "where the time was lost, by the broker's request log or captures of both ends",
     "With --broker-log: every exchange is found in the log that the broker's logger kafka.request.logger writes (text "
     "or JSON lines, also .gz; DEBUG is enough), and its time is split into waiting behind the request before it "
     "on the connection, network, request queue, local, remote (replication, purgatory), throttle, response queue and "
     "send.\n\n"
     "With two captures of the same traffic, the client's first and the broker's second: the way there, the broker, "
     "the "
     "way back. The offset of the two clocks is worked out from the exchanges and stated.\n\n"
     "What does not match on one of the sides is listed. ndjson and csv have a line for each exchange.",
     1,
     2,
     Complete::File,
     {},
     "join orders.pcapng --broker-log kafka-request.log.gz"},
    {Flow,
     "flow",
     "FILE...",
     "who talks to whom in which order, as a ladder",
     "Clients and brokers are lanes, requests and answers arrows between them. Choose what is shown with --group, "
     "--transactional-id, --connection or -Y. mermaid and plantuml are for documents.",
     1,
     4096,
     Complete::File,
     {},
     "flow --group orders-readers orders.pcapng"},
    {Stats,
     "stats",
     "FILE...",
     "latency, sizes, rates and errors by api, topic, client",
     "One row for each api, or for each combination of what --by names. Percentiles are of the exchanges in which the "
     "broker did not wait by design (long polls, rebalances, throttling), off by less than 0.5 %. --show parts says "
     "where the time went, --show traffic how much was sent, --show records how well batches are filled; ndjson and "
     "csv hold all of it (records when asked for).",
     1,
     4096,
     Complete::File,
     {},
     "stats --by topic,clientId --interval 10s orders.pcapng"},
    {Connections,
     "connections",
     "FILE...",
     "who is connected to whom: software, TLS, SASL, losses",
     "One line a connection, Kafka or not: client ids and software, API versions in use, SASL and TLS, exchanges and "
     "errors, bytes, and what TCP tells (round trip, bytes sent again or lost, closed windows, resets). ndjson and csv "
     "hold all columns. --details adds the clients: software, connections, and the version of each API that they "
     "negotiated, with the versions that the brokers offered.",
     1,
     4096,
     Complete::File,
     {},
     "connections orders.pcapng"},
    {Topics,
     "topics",
     "FILE...",
     "who writes and reads each topic, how much, and the lag",
     "--details adds each partition (leader, replicas, ISR, high watermark, positions) and each client with its "
     "software "
     "and version. The lag is that of the reader that is farthest behind, as far as the capture shows it: of groups by "
     "what they committed, of other consumers by what they asked for. The partitioner is the rule that explains where "
     "keyed records went: murmur2 (Java and most others), crc32 (librdkafka), fnv1a (Sarama), or other (the "
     "application "
     "chose).",
     1,
     4096,
     Complete::File,
     {},
     "topics --details orders.pcapng"},
    {Groups,
     "groups",
     "FILE...",
     "what happened in each group: members, rebalances, commits",
     "Classic, consumer (KIP-848), share and streams groups: who joined and left, why each rebalance began and how "
     "long it took, who got which partitions, what was committed. The commits of a member are one line for each "
     "generation; --details shows them apart.",
     1,
     4096,
     Complete::File,
     {},
     "groups -Y 'group == billing' orders.pcapng"},
    {Transactions,
     "transactions",
     "FILE...",
     "what each transaction wrote and how it ended",
     "And of idempotent producers whether their sequence numbers go on without gaps. --details adds every step: init, "
     "partitions, produce, offsets, end, markers.",
     1,
     4096,
     Complete::File,
     {},
     "transactions --details orders.pcapng"},
    {Cluster,
     "cluster",
     "FILE...",
     "the brokers, changes of leaders and ISR, KRaft elections",
     "",
     1,
     4096,
     Complete::File,
     {},
     "cluster kraft.pcapng"},
    {Export,
     "export",
     "FILE...",
     "a capture, or part of it, into a file: pcapng, ndjson, csv",
     "Copies packets with their times, interfaces and comments to the pcapng file that -w names, compressed where its "
     "name ends in .gz or .zst. Several files become one, in the order of time. A name that ends in .ndjson or .csv, "
     "or in these and .gz or .zst, gets the exchanges instead, as `list --format` prints them.\n\n"
     "With -Y only the packets of the exchanges that fit are copied, with the handshakes of their connections, and the "
     "first packet of each exchange gets a comment that Wireshark shows: Fetch v17 12.3 ms NOT_LEADER_OR_FOLLOWER. Of "
     "TLS connections everything is copied, as a part of them cannot be decrypted.\n\n"
     "--embed-secrets puts the secrets of --keylog into the file, but only those of connections that are in the "
     "capture: from then on it can be read without the key log, by other programs too. --strip-secrets leaves out "
     "secrets that are in the capture, so that it can be given to others.",
     1,
     4096,
     Complete::File,
     {},
     "export orders.pcap --embed-secrets --keylog keys.txt -w orders-readable.pcapng"},
    {Capture,
     "capture",
     "",
     "live capture to a file or a ring of files",
     "Takes packets from interfaces and writes pcapng (also compressed, as the name says: .gz, .zst) until a limit is "
     "reached or Ctrl-C is pressed. What was written can be read at any time; a kill costs at most a second. SIGHUP or "
     "SIGUSR1 begin a new file. With --keylog, TLS secrets go into the file as they come.\n\n"
     "Files of a ring are named as dumpcap does, kafka_00001_20261129165703.pcapng; a name with % is made by strftime "
     "as for tcpdump -G. Packets that the kernel or a full queue dropped are counted, shown, and noted in the file.\n\n"
     "Needs the right to capture; without it a line says how to get it. It is given up once the interfaces are open.",
     0,
     0,
     Complete::Nothing,
     {},
     "capture -i eth0 -f 'tcp port 9092' --ring 10x100MB -w kafka.pcapng"},
    {Interfaces,
     "interfaces",
     "",
     "where a live capture can be taken",
     "Each interface with its addresses, the bytes that it carries in a second just now, and those since it came up: "
     "where there is traffic, there is something to capture.",
     0,
     0,
     Complete::Nothing,
     {},
     "interfaces"},
    {Decode,
     "decode",
     "WHAT [HEX|-]",
     "decode pasted bytes, no capture needed",
     "WHAT is request, response, body, records, control-record, metadata-record, or the name of a message inside a "
     "bytes field (OffsetCommitValue, ConsumerProtocolSubscription, ...). HEX may hold spaces, colons, line breaks "
     "and 0x; - reads it from standard input. A request says itself what it is; a response and a body need --api and "
     "--api-version.",
     1,
     65536,
     Complete::Nothing,
     {},
     "decode response --api Heartbeat --api-version 0 '00000008 0000'"},
    {Completions, "completions", "SHELL", "completions for bash, zsh or fish", "Prints a script for the shell to read.",
     1, 1, Complete::Choices, shells, "completions bash > ~/.local/share/bash-completion/completions/brokerscope"},
    {Help,
     "help",
     "[COMMAND]",
     "what a command does and which options it has",
     "",
     0,
     1,
     Complete::Command,
     {},
     "help list"},
});

// The kinds that --ignore takes: the analysers' own list.
std::span<const std::string_view> findingNames() {
    static const auto names = [] {
        std::vector<std::string_view> all;
        for (const FindingKind& kind : findingKinds())
            all.push_back(kind.name);
        return all;
    }();
    return names;
}

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

const auto& rows() {
    static const auto table = std::to_array<OptionRow>({
        {"schema", 0, "FILE", OptionGroup::Input, Complete::File, readers | in(Decode),
         "more of the protocol, in the notation of docs/schema-notation.md: adds or replaces APIs", &Options::schema},
        {"port", 0, "N", OptionGroup::Input, Complete::Nothing, readers | in(Export),
         "take what runs over this port for Kafka",
         Number{1, 65535, [](Options& o, std::uint64_t n) { o.ports.push_back(static_cast<std::uint16_t>(n)); }}},
        {"keylog", 0, "FILE", OptionGroup::Input, Complete::File, readers | in(Export) | in(Capture),
         "secrets of TLS in the NSS key log format, followed while it grows; also $SSLKEYLOGFILE", &Options::keyLogs},

        {"broker-log", 0, "FILE", OptionGroup::Input, Complete::File, in(Join),
         "the broker's request log (kafka.request.logger), also .gz; several may be given", &Options::brokerLogs},

        {"interface", 'i', "IFACE", OptionGroup::Live, Complete::Nothing, live,
         "capture from this interface instead of reading files; several may be given; any: all of them",
         &Options::interfaces},
        {"capture-filter", 'f', "BPF", OptionGroup::Live, Complete::Nothing, live,
         "only packets that fit, in tcpdump's language (tcp)", &Options::captureFilter},
        {"snaplen", 0, "BYTES", OptionGroup::Live, Complete::Nothing, live, "keep only so much of each packet (262144)",
         Number{64, 262144, [](Options& o, std::uint64_t n) { o.snapLength = n; }}},
        {"promiscuous", 0, "", OptionGroup::Live, Complete::Nothing, live, "also packets that are for other hosts",
         &Options::promiscuous},
        {"kernel-buffer", 0, "MIB", OptionGroup::Live, Complete::Nothing, live, "room for packets in the kernel (16)",
         Number{1, 1024, [](Options& o, std::uint64_t n) { o.kernelBuffer = n << 20; }}},
        {"immediate", 0, "", OptionGroup::Live, Complete::Nothing, live,
         "each packet at once instead of within 10 ms; the kernel then has room for far fewer", &Options::immediate},
        {"duration", 0, "SECONDS", OptionGroup::Live, Complete::Nothing, live, "end after so long",
         Number{1, unlimited, [](Options& o, std::uint64_t n) { o.duration = n; }}},
        {"count", 0, "N", OptionGroup::Live, Complete::Nothing, live, "end after so many packets",
         Number{1, unlimited, [](Options& o, std::uint64_t n) { o.count = n; }}},
        {"max-size", 0, "MB", OptionGroup::Live, Complete::Nothing, live, "end after so many megabytes were written",
         Number{1, 1'000'000'000, [](Options& o, std::uint64_t n) { o.maxSize = n * 1'000'000; }}},
        {"metrics-listen", 0, "ADDR:PORT", OptionGroup::Live, Complete::Nothing, readers,
         "serve counts and times to Prometheus at /metrics while reading", &Options::metricsListen},
        {"metrics-file", 0, "FILE", OptionGroup::Output, Complete::File, readers,
         "write the same as text: at the end, and every 10 s while live", &Options::metricsFile},
        {"narrow", 0, "SECONDS", OptionGroup::Live, Complete::Nothing, live,
         "after so long, capture only what goes to or from the brokers found so far",
         Number{1, unlimited, [](Options& o, std::uint64_t n) { o.narrowAfter = n; }}},
        {"list", 0, "", OptionGroup::Live, Complete::Nothing, in(Capture), "print the exchanges too, as list does",
         &Options::liveList},
        {"ring", 0, "NxSIZE", OptionGroup::Live, Complete::Nothing, live,
         "with -w, a ring of N files of a size or time each: 10x100MB, 24x3600s; without Nx all are kept",
         &Options::ring},
        {"comment", 0, "TEXT", OptionGroup::Live, Complete::Nothing, live, "with -w, a comment on the file",
         &Options::comment},
        {"write", 'w', "FILE", OptionGroup::Output, Complete::File, in(Export) | live,
         "where to (of a live capture: what is captured); - is standard output", &Options::output},
        {"embed-secrets", 0, "", OptionGroup::Output, Complete::Nothing, in(Export),
         "put the TLS secrets of --keylog into the file", &Options::embedSecrets},
        {"strip-secrets", 0, "", OptionGroup::Output, Complete::Nothing, in(Export),
         "leave TLS secrets out that are in the capture", &Options::stripSecrets},

        {"filter", 'Y', "EXPR", OptionGroup::Selection, Complete::Nothing, readers | in(Export),
         "only exchanges that fit, as in Wireshark: 'api == Fetch and latency > 100ms'", &Options::filter},
        {"by", 0, "A,B", OptionGroup::Selection, Complete::Choices, in(Stats), "a row for each of these (api)",
         Words{&Options::by, statsKeyNames}},
        {"interval", 0, "TIME", OptionGroup::Selection, Complete::Nothing, in(Stats),
         "rows for each stretch of so long: 1s, 500ms, 5min", &Options::interval},
        {"limit", 0, "N", OptionGroup::Selection, Complete::Nothing, in(List) | in(Records) | in(Stats) | inventories,
         "stop after N lines", Number{0, unlimited, [](Options& o, std::uint64_t n) { o.limit = n; }}},
        {"group", 0, "GROUP", OptionGroup::Selection, Complete::Nothing, in(Flow), "only requests of this group",
         &Options::group},
        {"transactional-id", 0, "ID", OptionGroup::Selection, Complete::Nothing, in(Flow),
         "only requests of this transactional id", &Options::transactionalId},
        {"connection", 0, "N", OptionGroup::Selection, Complete::Nothing, in(Flow), "only this connection",
         Number{1, unlimited, [](Options& o, std::uint64_t n) { o.connection = n; }}},
        {"limit", 0, "N", OptionGroup::Selection, Complete::Nothing, in(Flow), "stop after N exchanges",
         Number{0, unlimited, [](Options& o, std::uint64_t n) { o.limit = n; }}},
        {"limit", 0, "N", OptionGroup::Selection, Complete::Nothing, in(Join), "list the slowest N exchanges (10)",
         Number{0, 100'000, [](Options& o, std::uint64_t n) { o.limit = n; }}},

        {"format", 0, "FORMAT", OptionGroup::Output, Complete::Choices,
         in(List) | in(Records) | in(Stats) | in(Join) | inventories, "for people, or for programs",
         choice<&Options::format>(tableNdjsonCsv)},
        {"format", 0, "FORMAT", OptionGroup::Output, Complete::Choices,
         in(Summary) | in(Show) | in(Interfaces) | in(Check), "for people, or for programs",
         choice<&Options::format>(tableNdjson)},
        {"format", 0, "FORMAT", OptionGroup::Output, Complete::Choices, in(Flow), "a ladder, or the text of a diagram",
         choice<&Options::diagram>(diagrams)},
        {"ascii", 0, "", OptionGroup::Output, Complete::Nothing, in(Flow), "draw with ASCII characters",
         &Options::ascii},
        {"format", 0, "FORMAT", OptionGroup::Output, Complete::Choices, in(Decode), "for people, or for programs",
         choice<&Options::format>(treeJson)},
        {"level", 0, "LEVEL", OptionGroup::Selection, Complete::Choices, in(Check),
         "findings of this severity and above: note, warning (the default), error",
         Choice{levels, [](Options& o, std::size_t index) { o.level = index; }}},
        {"ignore", 0, "A,B,C", OptionGroup::Selection, Complete::Choices, in(Check),
         "no findings of these kinds; help findings names them", Words{&Options::ignore, findingNames()}},

        {"columns", 0, "A,B,C", OptionGroup::Output, Complete::Choices, in(List), "which columns, in which order",
         Words{&Options::columns, listColumnNames}},
        {"columns", 0, "A,B,C", OptionGroup::Output, Complete::Choices, in(Records), "which columns, in which order",
         Words{&Options::columns, recordColumnNames}},
        {"columns", 0, "A,B,C", OptionGroup::Output, Complete::Choices, in(Stats), "which columns, in which order",
         Words{&Options::columns, statsColumnNames}},
        {"show", 0, "WHAT", OptionGroup::Output, Complete::Choices, in(Stats), "which of the tables",
         choice<&Options::statsView>(statsViewNames)},
        {"details", 0, "", OptionGroup::Output, Complete::Nothing,
         in(Connections) | in(Topics) | in(Groups) | in(Transactions), "all that is known of each", &Options::details},
        {"histogram", 0, "", OptionGroup::Output, Complete::Nothing, in(Stats), "draw how the latencies are spread",
         &Options::histogram},
        {"time", 0, "FORM", OptionGroup::Output, Complete::Choices, readers,
         "since the first packet, as a date (UTC), since 1970, or since the line before",
         choice<&Options::time>(timeWords)},
        {"no-bodies", 0, "", OptionGroup::Output, Complete::Nothing, in(List) | in(Export),
         "leave request and response out (faster)", &Options::noBodies},
        {"records", 0, "", OptionGroup::Output, Complete::Nothing, in(List) | in(Export), "open the record sets",
         &Options::records},
        {"hex", 'x', "", OptionGroup::Output, Complete::Nothing, in(Show), "show the bytes beside each field",
         &Options::hex},
        {"expand", 0, "", OptionGroup::Output, Complete::Nothing, in(List) | in(Show) | in(Decode) | in(Export),
         "in json, open bytes fields and records of known formats instead of base64", &Options::expand},
        {"value-format", 0, "FORMAT", OptionGroup::Output, Complete::Choices, in(Show) | in(Records),
         "what keys and values are: auto guesses, others force it",
         Choice{valueFormatNames, [](Options& o, std::size_t i) { o.valueFormat = valueFormatNames[i]; }}},
        {"notes", 0, "", OptionGroup::Output, Complete::Nothing, in(Show) | in(Decode),
         "say what every field means, below it where there is no room beside it", &Options::notes},
        {"show-secrets", 0, "", OptionGroup::Output, Complete::Nothing, readers | in(Decode),
         "print passwords, tokens and salts instead of (masked)", &Options::showSecrets},
        {"color", 0, "WHEN", OptionGroup::Output, Complete::Choices, readers | in(Interfaces) | in(Decode),
         "auto: on a terminal, unless NO_COLOR is set", choice<&Options::color>(whenWords)},
        {"progress", 0, "WHEN", OptionGroup::Output, Complete::Choices, readers | in(Export) | in(Capture),
         "on standard error; auto: on a terminal, for work over one second", choice<&Options::progress>(whenWords)},
        {"quiet", 'q', "", OptionGroup::Output, Complete::Nothing, readers | in(Export) | in(Capture) | in(Decode),
         "no notes, only data and errors", &Options::quiet},

        {"api", 0, "API", OptionGroup::Decoding, Complete::Nothing, in(Decode),
         "the api of a response or body: a name in any spelling, or a number", &Options::api},
        {"topic", 0, "NAME", OptionGroup::Decoding, Complete::Nothing, in(Decode),
         "the topic of the records: those of internal topics open further", &Options::topic},
        {"api-version", 0, "N", OptionGroup::Decoding, Complete::Nothing, in(Decode), "its version",
         Number{0, 32767, [](Options& o, std::uint64_t n) { o.apiVersion = static_cast<std::int16_t>(n); }}},
        {"request", 0, "", OptionGroup::Decoding, Complete::Nothing, in(Decode), "the body is a request's",
         &Options::asRequest},
        {"response", 0, "", OptionGroup::Decoding, Complete::Nothing, in(Decode), "the body is a response's",
         &Options::asResponse},
        {"base64", 0, "", OptionGroup::Decoding, Complete::Nothing, in(Decode), "the input is base64, not hex",
         &Options::base64},
        {"raw", 0, "", OptionGroup::Decoding, Complete::Nothing, in(Decode), "the input is the bytes themselves",
         &Options::raw},

        {"man", 0, "", OptionGroup::General, Complete::Nothing, in(Help), "print the manual page (roff)",
         &Options::man},
        {"help", 'h', "", OptionGroup::General, Complete::Nothing, all, "print this help", &Options::help},
        {"version", 0, "", OptionGroup::General, Complete::Nothing, in(Summary), "print the version",
         &Options::version},
    });
    return table;
}

} // namespace

std::span<const CommandRow> commandRows() {
    return commands;
}

std::span<const OptionRow> optionRows() {
    return rows();
}

std::string_view heading(OptionGroup group) {
    switch (group) {
    case OptionGroup::Input:
        return "Input";
    case OptionGroup::Live:
        return "Live capture";
    case OptionGroup::Selection:
        return "Selection";
    case OptionGroup::Output:
        return "Output";
    case OptionGroup::Decoding:
        return "What the bytes are";
    case OptionGroup::General:
        return "General";
    }
    return {};
}

const CommandRow& commandRow(CommandId id) {
    return *std::ranges::find(commands, id, &CommandRow::id);
}

const CommandRow* commandNamed(std::string_view name) {
    const auto* found = std::ranges::find(commands, name, &CommandRow::name);
    return found == commands.end() ? nullptr : found;
}

std::vector<const OptionRow*> optionsOf(CommandId id) {
    std::vector<const OptionRow*> result;
    for (const OptionRow& row : rows())
        if (row.commands & in(id)) result.push_back(&row);
    return result;
}

std::span<const std::string_view> shellNames() {
    return shells;
}

std::span<const std::string_view> wordsOf(const OptionRow& row) {
    if (const auto* one = std::get_if<Choice>(&row.target)) return one->words;
    if (const auto* several = std::get_if<Words>(&row.target)) return several->words;
    return {};
}

} // namespace brokerscope
