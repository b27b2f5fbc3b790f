// SPDX-License-Identifier: Apache-2.0
// What the notation's grammar cannot hold: that the fields of a message make sense together in every version.
#pragma once

#include "dissector/schema/schema.h"

#include <string>
#include <vector>

namespace brokerscope {

// Adds a sentence for everything that is wrong among `fields` and below: names twice in one version, tags twice or
// outside of flexible versions, structs without fields, defaults that do not fit the type.
void checkFields(const std::vector<SchemaField>& fields, VersionRange flexible, std::vector<std::string>& complaints);

} // namespace brokerscope
