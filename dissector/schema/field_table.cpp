// SPDX-License-Identifier: Apache-2.0
#include "dissector/schema/field_table.h"

#include "dissector/schema/schema_words.h"

namespace brokerscope {

const PlanField* FieldTable::add(std::string_view name, FieldType type, std::string_view note, Semantic semantic,
                                 std::string_view enumName) {
    SchemaField& schema = m_schemas.emplace_back();
    schema.name = name;
    schema.jsonName = jsonNameOf(name);
    schema.type = type;
    schema.note = note;
    schema.semantic = semantic;
    schema.enumName = enumName;
    PlanField& plan = m_plans.emplace_back();
    plan.schema = &schema;
    plan.type = type;
    plan.semantic = semantic;
    plan.fixedSize = sizeOf(type);
    return &plan;
}

const PlanField* FieldTable::addNullable(std::string_view name, FieldType type, std::string_view note) {
    add(name, type, note);
    m_plans.back().nullable = true;
    return &m_plans.back();
}

const PlanField* FieldTable::addArray(std::string_view name, std::string_view note) {
    add(name, FieldType::Struct, note);
    m_schemas.back().isArray = m_plans.back().isArray = true;
    return &m_plans.back();
}

} // namespace brokerscope
