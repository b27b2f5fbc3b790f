// SPDX-License-Identifier: Apache-2.0
// `interfaces`: where a live capture could be taken, and where there is traffic.
#include "capture/live_capture.h"
#include "cli/commands/commands.h"
#include "cli/output/table.h"
#include "dissector/message/units.h"
#include "dissector/wire/json_line.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace brokerscope {
namespace {

constexpr std::chrono::milliseconds watched(500);

struct Row {
    LiveInterface interface;
    std::optional<std::uint64_t> bytes;     // in both directions since the interface came up
    std::optional<std::uint64_t> perSecond; // bytes, while they were watched
};

// Nullopt where the system does not tell: "any" is no interface of its own.
std::optional<std::uint64_t> bytesSoFar(const std::string& interface) {
    std::uint64_t total = 0;
    for (const char* direction : {"rx_bytes", "tx_bytes"}) {
        std::ifstream file(fmt::format("/sys/class/net/{}/statistics/{}", interface, direction));
        std::uint64_t bytes = 0;
        if (!(file >> bytes)) return std::nullopt;
        total += bytes;
    }
    return total;
}

std::vector<Row> watch(std::vector<LiveInterface> interfaces) {
    std::vector<Row> rows;
    for (LiveInterface& interface : interfaces)
        rows.push_back({std::move(interface), {}, {}});
    for (Row& row : rows)
        row.bytes = bytesSoFar(row.interface.name);
    std::this_thread::sleep_for(watched);
    for (Row& row : rows) {
        const auto now = bytesSoFar(row.interface.name);
        if (now && row.bytes && *now >= *row.bytes)
            row.perSecond = (*now - *row.bytes) * 1000 / static_cast<std::uint64_t>(watched.count());
        row.bytes = now;
    }
    return rows;
}

void printTable(const std::vector<Row>& rows, Console& console) {
    Table table({{"Interface"}, {"Now/s", true}, {"Since up", true}, {"Addresses", false, 12}}, console.out,
                console.style, console.width);
    for (const Row& row : rows) {
        std::string about = fmt::format("{}", fmt::join(row.interface.addresses, " "));
        if (about.empty()) about = row.interface.description;
        if (!row.interface.up) about += about.empty() ? "down" : ", down";
        table.addRow({{row.interface.name, Role::Name},
                      {row.perSecond ? sizeWords(*row.perSecond) : std::string()},
                      {row.bytes ? sizeWords(*row.bytes) : std::string()},
                      {std::move(about), row.interface.up ? Role::Plain : Role::Dim}});
    }
    table.finish();
}

void printJson(const std::vector<Row>& rows, Console& console) {
    for (const Row& row : rows) {
        JsonLine json;
        json.writer().StartObject();
        json.string("name", row.interface.name);
        json.string("description", row.interface.description);
        json.boolean("up", row.interface.up);
        json.boolean("loopback", row.interface.loopback);
        if (row.bytes) json.number("bytes", static_cast<std::int64_t>(*row.bytes));
        if (row.perSecond) json.number("bytesPerSecond", static_cast<std::int64_t>(*row.perSecond));
        json.key("addresses");
        json.writer().StartArray();
        for (const std::string& address : row.interface.addresses)
            json.value(address);
        json.writer().EndArray();
        json.writer().EndObject();
        console.out.buffer() += json.text();
        console.out.endLine();
    }
}

} // namespace

Ending runInterfaces(const Options& options, Console& console) {
    auto interfaces = listInterfaces();
    if (!interfaces) {
        console.messages.error(interfaces.error());
        return Ending::Unusable;
    }
    const std::vector<Row> rows = watch(std::move(interfaces.value()));
    if (options.format == Format::Ndjson)
        printJson(rows, console);
    else
        printTable(rows, console);
    return Ending::Done;
}

} // namespace brokerscope
