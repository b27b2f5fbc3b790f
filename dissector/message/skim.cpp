// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/skim.h"

#include "dissector/message/message_reader.h"
#include "dissector/message/wire_number.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

namespace {

constexpr std::size_t maxErrors = 1000;
constexpr std::size_t maxTopics = 64;

template<class Value>
void addDistinct(std::vector<Value>& values, const Value& value) {
    if (values.size() < maxTopics && std::find(values.begin(), values.end(), value) == values.end())
        values.push_back(value);
}

std::int32_t int32At(const std::uint8_t* bytes) {
    return static_cast<std::int32_t>(bigEndian<4>(bytes));
}

std::int16_t int16At(const std::uint8_t* bytes) {
    return static_cast<std::int16_t>(bigEndian<2>(bytes));
}

class Skimmer {
  public:
    static constexpr bool skims = true;
    static constexpr bool explains = true;

    Skimmer(const ByteChain& bytes, Skim& out) : m_bytes(bytes), m_out(out) {}

    void setRootPath(std::string_view path) { m_rootPath = path; }
    void setQuiet(bool quiet) { m_quiet = quiet; }
    void setFrontOnly(bool frontOnly) { m_frontOnly = frontOnly; } // stop at the first entry of an array
    NodeIndex openPart(NodeKind, std::uint32_t, const PlanField*) {
        m_steps[m_depth++] = {nullptr, false, 0};
        return noNode;
    }
    void leafPart(NodeKind, std::uint32_t, std::uint32_t, const PlanField*, bool) {}
    bool contradicted() const { return m_contradicted; }
    void partProblem(ProblemKind kind, std::uint32_t offset, std::string text) {
        m_out.problems.push_back({kind, std::string(m_rootPath), offset, std::move(text)});
    }

    void fixed(const PlanField& field, Place place, const std::uint8_t* bytes, std::uint32_t);
    void text(const PlanField& field, Place, std::uint32_t content, std::uint32_t length);
    void null(const PlanField& field, Place, std::uint32_t) {
        if (field.countsTopic && !field.isArray) ++m_out.topicCount;
    }
    void damaged(const PlanField& field, Place, std::uint32_t, std::uint32_t, std::uint32_t announced) {
        if (field.type == FieldType::Records) m_out.recordBytes += announced;
    }
    void open(const PlanField& field, Place place, std::uint32_t, std::uint32_t) {
        m_steps[m_depth++] = {&field, place.kind == NodeKind::Element, place.index};
    }
    void openTags(std::uint32_t, std::uint32_t) {}
    void emptyTags(std::uint32_t, std::uint32_t) {}
    void close(std::uint32_t, bool) { --m_depth; }
    void unknownTag(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, bool) {}
    void rest(std::uint32_t, std::uint32_t) {}
    static bool countsOnly(const PlanField& field) { return !field.wanted; }
    void counted(const PlanField&, std::uint32_t count) { m_out.partitionCount += count; }
    bool full() const { return m_frontOnly; }
    void problem(ProblemKind kind, const PlanField* field, Place place, std::uint32_t offset, std::string text) {
        if (kind == ProblemKind::Malformed) {
            m_contradicted = true;
            if (m_quiet) return;
        }
        std::string below = pathOf(field, place);
        std::string at(m_rootPath);
        if (!at.empty() && !below.empty()) at += '.';
        m_out.problems.push_back({kind, at + below, offset, std::move(text)});
    }

  private:
    struct Step {
        const PlanField* field; // null: a part of the message, no step of a path
        bool element;
        std::uint32_t index;
    };

    std::string pathOf(const PlanField* field, Place place) const;

    const ByteChain& m_bytes;
    Skim& m_out;
    std::vector<std::uint8_t> m_scratch;
    std::array<Step, 128> m_steps; // at most two a level of the schema, whose nesting is bounded
    std::size_t m_depth = 0;
    std::string_view m_rootPath;
    bool m_quiet = false;
    bool m_frontOnly = false;
    bool m_contradicted = false;
};

std::string Skimmer::pathOf(const PlanField* field, Place place) const {
    std::string path;
    const auto step = [&](const PlanField* of, bool element, std::uint32_t index) {
        if (element) {
            path += fmt::format("[{}]", index);
        } else if (of) {
            if (!path.empty()) path += '.';
            path += of->schema->jsonName;
        }
    };
    for (std::size_t i = 0; i < m_depth; ++i)
        step(m_steps[i].field, m_steps[i].element, m_steps[i].index);
    step(field, place.kind == NodeKind::Element, place.index);
    return path;
}

void Skimmer::fixed(const PlanField& field, Place place, const std::uint8_t* bytes, std::uint32_t) {
    switch (field.semantic) {
    case Semantic::Error:
        if (const std::int16_t code = int16At(bytes); code != 0 && m_out.errors.size() < maxErrors)
            m_out.errors.push_back({code, pathOf(&field, place)});
        break;
    case Semantic::Partition:
        ++m_out.partitionCount;
        break;
    case Semantic::TopicId: {
        if (field.countsTopic) ++m_out.topicCount;
        std::array<std::uint8_t, 16> id{};
        std::copy_n(bytes, id.size(), id.begin());
        if (id != std::array<std::uint8_t, 16>{}) addDistinct(m_out.topicIds, id);
        break;
    }
    case Semantic::ThrottleTime:
        m_out.throttleMs = int32At(bytes);
        break;
    case Semantic::MaxWait:
        m_out.maxWaitMs = int32At(bytes);
        break;
    case Semantic::MinBytes:
        m_out.minBytes = int32At(bytes);
        break;
    case Semantic::Acks:
        m_out.acks = int16At(bytes);
        break;
    default:
        break;
    }
}

void Skimmer::text(const PlanField& field, Place, std::uint32_t content, std::uint32_t length) {
    if (field.type == FieldType::Records) {
        m_out.recordBytes += length;
        return;
    }
    const auto read = [&]() -> std::string {
        const std::optional<Bytes> view = m_bytes.view(content, length, m_scratch);
        return view ? std::string(view->begin(), view->end()) : std::string();
    };
    const auto first = [&](std::string& place) {
        if (place.empty()) place = read();
    };
    switch (field.semantic) {
    case Semantic::Topic:
        ++m_out.topicCount;
        if (m_out.topics.size() < maxTopics) addDistinct(m_out.topics, read());
        break;
    case Semantic::Group:
        first(m_out.group);
        break;
    case Semantic::TransactionalId:
        first(m_out.transactionalId);
        break;
    case Semantic::SoftwareName:
        first(m_out.softwareName);
        break;
    case Semantic::SoftwareVersion:
        first(m_out.softwareVersion);
        break;
    case Semantic::Mechanism:
        first(m_out.mechanism);
        break;
    default:
        break;
    }
}

} // namespace

void Skim::clear() {
    errors.clear();
    topics.clear();
    topicIds.clear();
    topicCount = partitionCount = 0;
    for (std::string* text : {&group, &transactionalId, &softwareName, &softwareVersion, &mechanism})
        text->clear();
    throttleMs.reset();
    maxWaitMs.reset();
    minBytes.reset();
    acks.reset();
    recordBytes = 0;
    whole = true;
    problems.clear();
}

void skimMessage(const Protocol& protocol, const ByteChain& bytes, const MessageContext& context, Skim& out) {
    out.clear();
    Skimmer skimmer(bytes, out);
    MessageReader reader(protocol, bytes, context, skimmer);
    reader.run();
    out.whole = reader.whole;
}

std::optional<std::int16_t> skimAcks(const Protocol& protocol, const ByteChain& bytes, const MessageContext& context) {
    Skim skim;
    Skimmer skimmer(bytes, skim);
    skimmer.setFrontOnly(true);
    MessageReader(protocol, bytes, context, skimmer).run();
    return skim.acks;
}

} // namespace brokerscope
