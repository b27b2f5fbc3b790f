// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/telemetry.h"

#include "dissector/payloads/protobuf_reader.h"
#include "dissector/wire/utf8.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <string_view>

namespace brokerscope {
namespace {

using Type = ProtobufField::Type;

std::string textOf(Bytes bytes) {
    std::string text;
    appendUtf8(bytes, text);
    return text;
}

// Numbers of fields in OpenTelemetry's metrics.proto: where a metric has its data, and a point its attributes.
struct DataKind {
    std::uint64_t field;
    std::string_view name;
    std::uint64_t attributes;
    bool isNumber;
};
constexpr std::array<DataKind, 5> dataKinds{{{5, "gauge", 7, true},
                                             {7, "sum", 7, true},
                                             {9, "histogram", 9, false},
                                             {10, "exponential histogram", 1, false},
                                             {11, "summary", 7, false}}};

class MetricsReader {
  public:
    explicit MetricsReader(Telemetry& out) : m_out(out) {}

    // Each level calls the next for the fields that it knows.
    bool metricsData(Bytes bytes) {
        return each(bytes, [this](const ProtobufField& f) { return f.number != 1 || resourceMetrics(f.content); });
    }

  private:
    template<class Use>
    static bool each(Bytes bytes, Use use) {
        ProtobufReader reader(bytes);
        ProtobufField field;
        while (!reader.atEnd())
            if (!reader.next(field) || !use(field)) return false;
        return true;
    }

    bool resourceMetrics(Bytes bytes) {
        return each(bytes, [this](const ProtobufField& f) {
            if (f.number == 1) return attributes(f.content, 1, m_out.resource);
            return f.number != 2 || scopeMetrics(f.content);
        });
    }

    bool scopeMetrics(Bytes bytes) {
        return each(bytes, [this](const ProtobufField& f) { return f.number != 2 || metric(f.content); });
    }

    bool metric(Bytes bytes) {
        TelemetryMetric& metric = m_out.metrics.emplace_back();
        return each(bytes, [&](const ProtobufField& f) {
            if (f.number == 1) metric.name = textOf(f.content);
            if (f.number == 3) metric.unit = textOf(f.content);
            for (const DataKind& kind : dataKinds) {
                if (f.number != kind.field || f.type != Type::Sized) continue;
                metric.kind = kind.name;
                return each(f.content, [&](const ProtobufField& point) {
                    return point.number != 1 || point.type != Type::Sized || dataPoint(point.content, kind, metric);
                });
            }
            return true;
        });
    }

    bool dataPoint(Bytes bytes, const DataKind& kind, TelemetryMetric& metric) {
        if (++m_points > Telemetry::maxPoints) {
            m_out.problem = fmt::format("more than {} values", Telemetry::maxPoints);
            return false;
        }
        TelemetryPoint& point = metric.points.emplace_back();
        return each(bytes, [&](const ProtobufField& f) {
            if (f.number == kind.attributes && f.type == Type::Sized) return attribute(f.content, point.attributes);
            if (f.type != Type::Fixed64) return true;
            if (f.number == 3) point.timeUnixNano = static_cast<std::int64_t>(f.value);
            if (kind.isNumber && f.number == 4) point.value = fmt::format("{}", std::bit_cast<double>(f.value));
            if (kind.isNumber && f.number == 6) point.value = fmt::format("{}", static_cast<std::int64_t>(f.value));
            if (!kind.isNumber && f.number == 4) point.value = fmt::format("count {}", f.value);
            if (!kind.isNumber && f.number == 5) point.value += fmt::format(" sum {}", std::bit_cast<double>(f.value));
            return true;
        });
    }

    // A message whose field `number` holds key-value pairs.
    bool attributes(Bytes bytes, std::uint64_t number, TelemetryAttributes& out) {
        return each(bytes, [&](const ProtobufField& f) { return f.number != number || attribute(f.content, out); });
    }

    bool attribute(Bytes bytes, TelemetryAttributes& out) {
        std::pair<std::string, std::string> pair;
        const bool good = each(bytes, [&](const ProtobufField& f) {
            if (f.number == 1) pair.first = textOf(f.content);
            return f.number != 2 || anyValue(f.content, pair.second);
        });
        out.push_back(std::move(pair));
        return good;
    }

    static bool anyValue(Bytes bytes, std::string& out) {
        return each(bytes, [&](const ProtobufField& f) {
            switch (f.number) {
            case 1:
                out = textOf(f.content);
                break;
            case 2:
                out = f.value ? "true" : "false";
                break;
            case 3:
                out = fmt::format("{}", static_cast<std::int64_t>(f.value));
                break;
            case 4:
                out = fmt::format("{}", std::bit_cast<double>(f.value));
                break;
            default:
                out = fmt::format("({} bytes)", f.content.size());
                break;
            }
            return true;
        });
    }

    Telemetry& m_out;
    std::size_t m_points = 0;
};

std::string attributesText(const TelemetryAttributes& attributes) {
    std::string text;
    for (const auto& [key, value] : attributes)
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, value);
    return text.empty() ? text : fmt::format("  {{{}}}", text);
}

} // namespace

Telemetry readTelemetry(Bytes compressed, Codec codec) {
    Telemetry result;
    RecordDecompressor decompressor;
    Bytes content = compressed;
    if (codec != Codec::None) {
        const Decompressed opened = decompressor.decompress(codec, compressed);
        content = opened.bytes;
        if (opened.failure) result.problem = opened.failure->text;
    }
    result.bytes = content.size();
    if (!MetricsReader(result).metricsData(content) && result.problem.empty())
        result.problem = "the bytes are no OpenTelemetry metrics from here on";
    return result;
}

std::optional<Telemetry> telemetryAt(const DecodedMessage& message, const ByteChain& bytes, NodeIndex node) {
    const FieldNode& at = message.tree.nodes[node];
    std::vector<std::uint8_t> scratch, codecScratch;
    const auto content = bytes.view(at.contentOffset(), at.contentLength(), scratch);
    const NodeIndex type = message.tree.child(at.parent, "compressionType");
    const auto number = type == noNode ? std::nullopt : readValue(bytes, message.tree.nodes[type], codecScratch);
    if (!content || !number) return std::nullopt;
    const std::optional<Codec> codec = codecOf(static_cast<unsigned>(number->integer));
    if (!codec) return std::nullopt;
    return readTelemetry(*content, *codec);
}

void writeTelemetry(const Telemetry& telemetry, JsonWriter& out) {
    const auto member = [&](std::string_view key, std::string_view value) {
        out.plainKey(key);
        out.text(value);
    };
    const auto attributes = [&](std::string_view key, const TelemetryAttributes& pairs) {
        out.plainKey(key);
        out.StartObject();
        for (const auto& [name, value] : pairs) {
            out.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
            out.text(value);
        }
        out.EndObject();
    };
    out.StartObject();
    member("type", "MetricsData");
    out.plainKey("value");
    out.StartObject();
    attributes("resource", telemetry.resource);
    out.plainKey("metrics");
    out.StartArray();
    for (const TelemetryMetric& metric : telemetry.metrics) {
        out.StartObject();
        member("name", metric.name);
        member("kind", metric.kind);
        member("unit", metric.unit);
        out.plainKey("points");
        out.StartArray();
        for (const TelemetryPoint& point : metric.points) {
            out.StartObject();
            member("value", point.value);
            out.plainKey("timeUnixNano");
            out.Int64(point.timeUnixNano);
            attributes("attributes", point.attributes);
            out.EndObject();
        }
        out.EndArray();
        out.EndObject();
    }
    out.EndArray();
    if (!telemetry.problem.empty()) member("problem", telemetry.problem);
    out.EndObject();
    out.EndObject();
}

std::vector<std::string> telemetryLines(const Telemetry& telemetry) {
    std::vector<std::string> lines;
    for (const TelemetryMetric& metric : telemetry.metrics) {
        for (const TelemetryPoint& point : metric.points)
            lines.push_back(fmt::format("{}  {} {}{}{}", metric.name, metric.kind, point.value,
                                        metric.unit.empty() ? "" : " " + metric.unit,
                                        attributesText(point.attributes)));
        if (metric.points.empty()) lines.push_back(fmt::format("{}  {}", metric.name, metric.kind));
    }
    return lines;
}

} // namespace brokerscope
