// SPDX-License-Identifier: Apache-2.0
// `decode`: bytes that somebody pasted, without a capture.
#include "cli/commands/commands.h"
#include "cli/commands/tree_printer.h"
#include "cli/input/byte_text.h"
#include "cli/input/read_all.h"
#include "cli/output/quantity_text.h"
#include "dissector/filter/filter_names.h"
#include "dissector/message/message_json.h"
#include "dissector/payloads/nested_message.h"
#include "dissector/payloads/payload_opener.h"
#include "dissector/payloads/record_payload_json.h"
#include "dissector/records/record_json.h"
#include "dissector/wire/json_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace brokerscope {
namespace {

constexpr std::string_view metadataFamily = "cluster-metadata", controlFamily = "control";

std::string lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

class Decoder {
  public:
    Decoder(const Options& options, Console& console, std::vector<std::uint8_t> bytes)
        : m_options(options), m_console(console), m_protocol(*console.protocol), m_data(std::move(bytes)),
          m_bytes(ByteChain::of(m_data)), m_opener(m_protocol),
          m_printer(m_protocol, {true, options.notes, options.showSecrets, console.width}, nullptr, console.style,
                    console.out) {}

    Ending run(const std::string& what) {
        if (what == "request") return message(Direction::Request);
        if (what == "response") return message(Direction::Response);
        if (what == "body") return body();
        if (what == "records") return records();
        if (what == "metadata-record") return nestedOf(metadataFamily);
        if (what == "control-record") return controlRecord();
        return nested(what);
    }

  private:
    // The api and version that were typed; null, with a message, where they are missing or unknown.
    const Api* typedApi() {
        if (m_options.api.empty() || !m_options.apiVersion) {
            m_console.messages.error("a response or body does not say what it is: give --api and --api-version");
            return nullptr;
        }
        const Api* api = m_protocol.apiByName(m_options.api);
        if (api) return api;
        std::vector<std::string> names;
        for (const Api* known : m_protocol.apis())
            names.push_back(known->name);
        const auto near = nearest(m_options.api, names);
        m_console.messages.error(near.empty() ? fmt::format("no api is called '{}'", m_options.api)
                                              : fmt::format("no api is called '{}'; did you mean {}?", m_options.api,
                                                            fmt::join(near, " or ")));
        return nullptr;
    }

    Ending message(Direction direction) {
        MessageContext context;
        context.direction = direction;
        if (direction == Direction::Response) {
            const Api* api = typedApi();
            if (!api) return Ending::Unusable;
            context.apiKey = api->key;
            context.apiVersion = *m_options.apiVersion;
        }
        context.framed = false;
        decodeMessage(m_protocol, m_bytes, context, m_message);
        // Bytes with the length in front are taken too, where they make more sense so.
        if (beginsWithItsLength() && !m_message.problems.empty()) {
            DecodedMessage framed;
            context.framed = true;
            decodeMessage(m_protocol, m_bytes, context, framed);
            if (framed.problems.size() <= m_message.problems.size()) m_message = std::move(framed);
        }
        open(direction);
        if (m_options.format == Format::Table) return printTree(m_message);
        return printJson([&] {
            writePart("header", m_message.header);
            writePart("body", m_message.body);
            writeTags("header", "body");
        });
    }

    bool beginsWithItsLength() const {
        if (m_data.size() < 4) return false;
        const std::uint32_t length = std::uint32_t{m_data[0]} << 24 | std::uint32_t{m_data[1]} << 16 |
                                     std::uint32_t{m_data[2]} << 8 | std::uint32_t{m_data[3]};
        return length == m_data.size() - 4;
    }

    Ending body() {
        const Api* api = typedApi();
        if (!api) return Ending::Unusable;
        if (m_options.asRequest == m_options.asResponse) {
            m_console.messages.error("say whose body it is: --request or --response");
            return Ending::Unusable;
        }
        const Direction direction = m_options.asRequest ? Direction::Request : Direction::Response;
        const Plan* plan = m_protocol.plan(api->key, *m_options.apiVersion, direction);
        if (!plan) {
            m_console.messages.error(fmt::format("{} has no version {}; known are {} to {}", api->name,
                                                 *m_options.apiVersion, api->versions.first, api->versions.last));
            return Ending::Unusable;
        }
        decodeBody(*plan, m_bytes, 0, "", m_message);
        open(direction);
        if (m_options.format == Format::Table) return printTree(m_message);
        return printJson([&] {
            m_json.key("header");
            m_json.writer().Null();
            writePart("body", m_message.body);
            writeTags("header", "body");
        });
    }

    Ending records() {
        if (m_options.format == Format::Table) return judge(m_printer.printRecords(m_bytes, m_options.topic));
        RecordSetReader set;
        set.open(m_bytes, 0, m_bytes.size());
        m_json.clear();
        PayloadExpander payloads(m_protocol, {m_options.expand, m_options.showSecrets});
        payloads.setTopic(m_options.topic);
        writeRecordSet(set, m_json.writer(), &payloads);
        m_console.out.write(m_json.text());
        m_console.out.endLine();
        return judge(set.problems());
    }

    Ending nestedOf(std::string_view family) {
        decodeNestedOf(m_protocol, family, m_bytes, m_nested);
        return printNested();
    }

    Ending nested(const std::string& what) {
        std::vector<std::string> names;
        for (const SchemaMessage* schema : m_protocol.nestedMessages()) {
            if (lowered(schema->name) != lowered(what)) {
                names.push_back(schema->name);
                continue;
            }
            decodeNested(m_protocol, *schema, m_bytes, m_nested);
            return printNested();
        }
        names.insert(names.end(), {"request", "response", "body", "records", "metadata-record", "control-record"});
        const auto near = nearest(what, names);
        m_console.messages.error(
            near.empty() ? fmt::format("'{}' cannot be decoded; see brokerscope help decode", what)
                         : fmt::format("'{}' cannot be decoded; did you mean {}?", what, fmt::join(near, " or ")));
        return Ending::Unusable;
    }

    // The key of a control record is int16 version and int16 type; its value follows.
    Ending controlRecord() {
        if (m_data.size() < 4) {
            m_console.messages.error("a control record begins with the 4 bytes of its key: version and type");
            return Ending::Damaged;
        }
        const auto type = static_cast<std::int16_t>(m_data[2] << 8 | m_data[3]);
        const SchemaMessage* schema = m_protocol.nestedByType(controlFamily, type);
        if (m_data.size() == 4) schema = m_protocol.nested("ControlRecordTypeSchema");
        if (!schema) {
            m_console.messages.error(fmt::format("control record type {} is not known here", type));
            return Ending::Damaged;
        }
        if (m_data.size() > 4) m_bytes = m_bytes.part(4, m_bytes.size() - 4);
        decodeNested(m_protocol, *schema, m_bytes, m_nested);
        return printNested();
    }

    Ending printNested() {
        m_message = std::move(m_nested.message);
        open(Direction::Request);
        const std::string name = m_nested.schema ? m_nested.schema->name : std::string();
        if (m_options.format == Format::Table) {
            if (!name.empty()) {
                m_console.style.append(m_console.out.buffer(), Role::Heading, name);
                m_console.out.buffer() += fmt::format(" version {}", m_nested.version);
                m_console.out.endLine();
            }
            return printTree(m_message);
        }
        return printJson([&] {
            m_json.string("type", name);
            m_json.number("version", m_nested.version);
            writePart("value", m_message.body);
            writeTags("header", "value");
        });
    }

    // In JSON bytes are base64 unless asked otherwise, as in Kafka's own.
    void open(Direction direction) {
        if (m_options.format != Format::Table && !m_options.expand) return;
        PayloadContext context;
        context.direction = direction;
        m_opener.open(m_bytes, "", context, m_message);
    }

    Ending printTree(const DecodedMessage& message) {
        m_printer.print(m_bytes, message);
        m_printer.printProblems(message.problems);
        return judge(message.problems);
    }

    template<class Parts>
    Ending printJson(Parts parts) {
        m_json.clear();
        m_json.writer().StartObject();
        parts();
        m_json.array("problems", m_message.problems, [&](const Problem& problem) {
            m_json.string("kind", row(problem.kind).name);
            m_json.string("at", problem.at);
            m_json.number("offset", problem.offset);
            m_json.string("text", problem.text);
        });
        m_json.writer().EndObject();
        m_console.out.write(m_json.text());
        m_console.out.endLine();
        return judge(m_message.problems);
    }

    void writePart(std::string_view name, NodeIndex node) {
        m_json.key(name);
        JsonOptions json;
        json.showSecrets = m_options.showSecrets;
        if (node == noNode)
            m_json.writer().Null();
        else
            writeJson(m_protocol, m_message, m_bytes, node, json, m_json.writer());
    }

    void writeTags(std::string_view headerName, std::string_view bodyName) {
        const auto tags = unknownTags(m_message, m_bytes, headerName, bodyName);
        if (tags.empty()) return;
        m_json.array("unknownTags", tags, [&](const UnknownTag& tag) {
            m_json.string("path", tag.path);
            m_json.number("tag", tag.tag);
            m_json.string("hex", tag.hex);
        });
    }

    // What is unusual but whole (a newer version, bytes left over) is decoded all the same.
    Ending judge(const std::vector<Problem>& problems) {
        const auto bad = std::ranges::find_if(problems, [](const Problem& problem) {
            return row(problem.kind).damage || problem.kind == ProblemKind::Trailing ||
                   problem.kind == ProblemKind::UnknownApi;
        });
        if (bad == problems.end()) return Ending::Done;
        std::string text = fmt::format("{} at byte {}", row(bad->kind).name, bad->offset);
        if (!bad->at.empty()) text += fmt::format(", {}", bad->at);
        m_console.messages.error(fmt::format("{}: {}", text, bad->text));
        return Ending::Damaged;
    }

    const Options& m_options;
    Console& m_console;
    const Protocol& m_protocol;
    std::vector<std::uint8_t> m_data;
    ByteChain m_bytes;
    PayloadOpener m_opener;
    TreePrinter m_printer;
    JsonLine m_json;
    DecodedMessage m_message;
    NestedMessage m_nested;
};

// What stands behind WHAT, from the command line or from standard input, as bytes.
Result<std::vector<std::uint8_t>> input(const Options& options) {
    std::string text;
    const auto& arguments = options.arguments;
    const bool fromInput = arguments.size() == 1 || (arguments.size() == 2 && arguments[1] == "-");
    if (fromInput) {
        Result<std::string> read = readAll(0);
        if (!read) return read.error();
        text = std::move(read.value());
    }
    for (std::size_t i = 1; !fromInput && i < arguments.size(); ++i)
        text += arguments[i] + ' ';
    if (options.raw) {
        if (!fromInput)
            return Error{"--raw bytes come from standard input: brokerscope decode WHAT --raw - < FILE", {}, {}};
        return std::vector<std::uint8_t>(text.begin(), text.end());
    }
    return options.base64 ? bytesFromBase64(text) : bytesFromHex(text);
}

} // namespace

Ending runDecode(const Options& options, Console& console) {
    auto bytes = input(options);
    if (!bytes) {
        console.messages.error(bytes.error());
        return Ending::Unusable;
    }
    if (bytes.value().empty()) {
        console.messages.error("there are no bytes to decode");
        return Ending::Unusable;
    }
    return Decoder(options, console, std::move(bytes.value())).run(options.arguments.front());
}

} // namespace brokerscope
