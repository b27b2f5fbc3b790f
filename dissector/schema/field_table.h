// SPDX-License-Identifier: Apache-2.0
// Fields that no schema file describes, because no plan reads them: parts of record sets, numbers in front of nested
// messages, parts of SASL tokens. They are the same kind of thing as the fields of messages, so that nodes point to
// them. Memory: a table owns its fields, which never move. Fill it once, then share it.
#pragma once

#include "dissector/schema/plan.h"

#include <deque>
#include <string_view>

namespace brokerscope {

class FieldTable {
  public:
    const PlanField* add(std::string_view name, FieldType type, std::string_view note,
                         Semantic semantic = Semantic::None, std::string_view enumName = {});
    const PlanField* addNullable(std::string_view name, FieldType type, std::string_view note);
    const PlanField* addArray(std::string_view name, std::string_view note); // of structs

  private:
    std::deque<SchemaField> m_schemas;
    std::deque<PlanField> m_plans;
};

} // namespace brokerscope
