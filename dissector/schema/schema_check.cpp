// SPDX-License-Identifier: Apache-2.0
#include "dissector/schema/schema_check.h"

#include "dissector/schema/schema_words.h"

#include <fmt/format.h>

namespace brokerscope {

namespace {

bool overlap(VersionRange a, VersionRange b) {
    return a.first <= b.last && b.first <= a.last;
}

bool isNumber(const SchemaField& field) {
    return !field.isArray && field.type >= FieldType::Int8 && field.type <= FieldType::Float64;
}

void checkDefault(const SchemaField& field, std::vector<std::string>& complaints) {
    if (!field.defaultText) return;
    const std::string& text = *field.defaultText;
    const bool fits = text == "null" ? !field.nullable.empty()
                      : !field.isArray && field.type == FieldType::Bool
                          ? text == "true" || text == "false"
                          : isNumber(field) && numberFromWord(text).has_value();
    if (!fits) complaints.push_back(fmt::format("{}: \"{}\" is no default for this type", field.name, text));
}

void checkField(const SchemaField& field, VersionRange flexible, std::vector<std::string>& complaints) {
    if (field.type == FieldType::Struct && field.children.empty())
        complaints.push_back(fmt::format("{}: a struct needs fields", field.name));
    if (field.tag >= 0 && (field.versions.first < flexible.first || field.versions.last > flexible.last))
        complaints.push_back(fmt::format("{}: tagged in versions that are not flexible", field.name));
    const bool variableSize = field.isArray || field.type >= FieldType::String;
    if (!field.nullable.empty() && !variableSize)
        complaints.push_back(fmt::format("{}: {} cannot be null", field.name, name(field.type)));
    checkDefault(field, complaints);
}

} // namespace

void checkFields(const std::vector<SchemaField>& fields, VersionRange flexible, std::vector<std::string>& complaints) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const SchemaField& field = fields[i];
        checkField(field, flexible, complaints);
        for (std::size_t j = 0; j < i; ++j) {
            if (!overlap(field.versions, fields[j].versions)) continue;
            if (field.jsonName == fields[j].jsonName)
                complaints.push_back(fmt::format("{} stands here twice in one version", field.name));
            if (field.tag >= 0 && field.tag == fields[j].tag)
                complaints.push_back(fmt::format("{}: tag {} is taken by {}", field.name, field.tag, fields[j].name));
        }
        checkFields(field.children, flexible, complaints);
    }
}

} // namespace brokerscope
