// SPDX-License-Identifier: Apache-2.0
// The text of dissector/protocol/*.schema as it is compiled into the program.
#pragma once

#include "dissector/schema/schema_parser.h"

#include <span>

namespace brokerscope {

std::span<const SchemaText> builtinSchemas();

} // namespace brokerscope
