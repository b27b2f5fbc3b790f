// SPDX-License-Identifier: Apache-2.0
#include "dissector/schema/plan.h"

#include "dissector/schema/schema_words.h"

#include <algorithm>

namespace brokerscope {

namespace {

bool collected(const SchemaField& field) {
    switch (field.semantic) {
    case Semantic::Topic:
    case Semantic::TopicId:
    case Semantic::Partition:
    case Semantic::Group:
    case Semantic::TransactionalId:
    case Semantic::Error:
    case Semantic::ThrottleTime:
    case Semantic::Acks:
    case Semantic::MaxWait:
    case Semantic::MinBytes:
    case Semantic::SoftwareName:
    case Semantic::SoftwareVersion:
    case Semantic::Mechanism:
        return true;
    default:
        return field.type == FieldType::Records;
    }
}

class PlanCompiler {
  public:
    PlanCompiler(Plan& plan) : m_plan(plan) {}

    void run(const std::vector<SchemaField>& fields) {
        m_plan.fields.emplace_back();
        children(0, fields);
        measure(0);
    }

  private:
    void children(std::size_t parent, const std::vector<SchemaField>& fields);
    PlanField make(const SchemaField& field) const;
    void measure(std::size_t index);
    void findRuns(PlanField& parent);

    Plan& m_plan;
};

PlanField PlanCompiler::make(const SchemaField& field) const {
    PlanField result;
    result.schema = &field;
    result.type = field.type;
    result.semantic = field.semantic;
    result.isArray = field.isArray;
    result.nullable = field.nullable.contains(m_plan.version);
    result.tag = field.tag;
    const bool hasLength = field.isArray || field.type >= FieldType::String;
    const bool ofJava = !field.isArray && (field.type == FieldType::JavaText || field.type == FieldType::Utf16);
    result.compact = hasLength && !field.neverCompact && !ofJava && (m_plan.flexible || field.tag >= 0);
    if (field.defaultText) {
        result.defaultNull = *field.defaultText == "null";
        if (*field.defaultText == "true")
            result.defaultNumber = 1;
        else
            result.defaultNumber = numberFromWord(*field.defaultText).value_or(0);
    }
    return result;
}

// The block of a struct's children lies in one piece; their own children follow behind.
void PlanCompiler::children(std::size_t parent, const std::vector<SchemaField>& fields) {
    std::vector<const SchemaField*> wire, tagged;
    for (const SchemaField& field : fields)
        if (field.versions.contains(m_plan.version)) (field.tag >= 0 ? tagged : wire).push_back(&field);
    std::sort(tagged.begin(), tagged.end(), [](const SchemaField* a, const SchemaField* b) { return a->tag < b->tag; });
    const bool namesTopic = std::any_of(wire.begin(), wire.end(), [](const SchemaField* field) {
        return field->semantic == Semantic::Topic && !field->isArray;
    });

    const std::size_t begin = m_plan.fields.size();
    for (const SchemaField* field : wire)
        m_plan.fields.push_back(make(*field));
    const std::size_t taggedBegin = m_plan.fields.size();
    for (const SchemaField* field : tagged)
        m_plan.fields.push_back(make(*field));
    const std::size_t end = m_plan.fields.size();
    for (std::size_t i = begin; i < end; ++i) {
        PlanField& field = m_plan.fields[i];
        field.countsTopic = field.semantic == Semantic::Topic || (field.semantic == Semantic::TopicId && !namesTopic);
    }
    m_plan.fields[parent].childBegin = static_cast<std::uint32_t>(begin);
    m_plan.fields[parent].taggedBegin = static_cast<std::uint32_t>(taggedBegin);
    m_plan.fields[parent].childEnd = static_cast<std::uint32_t>(end);
    for (std::size_t i = begin; i < end; ++i)
        if (m_plan.fields[i].type == FieldType::Struct) children(i, m_plan.fields[i].schema->children);
}

// Sizes and `wanted`, from the leaves up.
void PlanCompiler::measure(std::size_t index) {
    PlanField& field = m_plan.fields[index];
    field.wanted = field.schema && collected(*field.schema);
    if (field.isArray && field.semantic == Semantic::Partition) {
        field.countsPartitions = true; // their number is all that is wanted
        field.wanted = false;
    }
    if (field.type != FieldType::Struct) {
        field.fixedSize = sizeOf(field.type);
        const bool shortLength = field.type == FieldType::String || field.type == FieldType::JavaText;
        field.minSize = field.fixedSize ? field.fixedSize : m_plan.flexible || field.compact ? 1 : shortLength ? 2 : 4;
        return;
    }
    std::uint32_t least = 0;
    bool fixed = !m_plan.flexible && !(field.nullable && !field.isArray);
    for (std::size_t i = field.childBegin; i < field.childEnd; ++i) {
        measure(i);
        PlanField& child = m_plan.fields[i];
        if (field.isArray && child.semantic == Semantic::Partition && !child.isArray) {
            field.countsPartitions = true;
            child.wanted = false;
        }
        field.wanted = field.wanted || child.wanted || child.countsPartitions;
        if (child.tagged()) continue;
        const bool one = !child.isArray && child.fixedSize > 0;
        fixed = fixed && one;
        least += child.isArray                                       ? (child.compact ? 1 : 4)
                 : child.nullable && child.type == FieldType::Struct ? 1
                                                                     : child.minSize;
    }
    field.minSize = std::max<std::uint32_t>(least + (m_plan.flexible ? 1 : 0), 1);
    field.fixedSize = fixed ? least : 0;
    findRuns(field);
}

void PlanCompiler::findRuns(PlanField& parent) {
    for (std::size_t i = parent.taggedBegin; i-- > parent.childBegin;) {
        PlanField& field = m_plan.fields[i];
        if (field.wanted || field.isArray || field.fixedSize == 0) continue;
        field.skipFields = 1;
        field.skipBytes = field.fixedSize;
        if (i + 1 == parent.taggedBegin) continue;
        const PlanField& next = m_plan.fields[i + 1];
        field.skipFields = static_cast<std::uint16_t>(field.skipFields + next.skipFields);
        field.skipBytes += next.skipBytes;
    }
    const PlanField& first = m_plan.fields[parent.childBegin];
    const std::uint32_t all = parent.taggedBegin - parent.childBegin;
    if (all > 0 && first.skipFields == all) parent.runBytes = first.skipBytes;
}

} // namespace

std::uint32_t sizeOf(FieldType type) {
    switch (type) {
    case FieldType::Bool:
    case FieldType::Int8:
        return 1;
    case FieldType::Int16:
    case FieldType::Uint16:
        return 2;
    case FieldType::Int32:
    case FieldType::Uint32:
        return 4;
    case FieldType::Int64:
    case FieldType::Float64:
        return 8;
    case FieldType::Uuid:
        return 16;
    default:
        return 0;
    }
}

Plan compilePlan(const SchemaMessage& message, std::int16_t version, const SchemaMessage::Variant* variant) {
    Plan plan;
    plan.message = &message;
    plan.version = version;
    plan.flexible = (variant ? variant->flexible : message.flexible).contains(version);
    if (variant) plan.seenIn = variant->seenIn;
    PlanCompiler(plan).run(variant ? variant->fields : message.fields);
    return plan;
}

} // namespace brokerscope
