// SPDX-License-Identifier: Apache-2.0
// Which values nobody should see by accident: passwords, tokens, proofs, keys. One rule for every face.
#pragma once

#include "dissector/message/field_tree.h"
#include "dissector/schema/protocol.h"

#include <string_view>

namespace brokerscope {

constexpr std::string_view maskedText = "(masked)";

// Whether the value of a node must be masked. Config values are judged by what stands beside them: IsSensitive, or,
// where nobody says that, a name like ssl.key.password. A forwarded request is secret when its API can carry secrets, a
// forwarded response always, as it does not say what it answers. Null and empty values are no secrets.
bool isSecret(const Protocol& protocol, const FieldTree& tree, const ByteChain& bytes, NodeIndex node);

constexpr bool mayBeSecret(Semantic semantic) {
    return semantic == Semantic::Secret || semantic == Semantic::ConfigValue || semantic == Semantic::SaslToken ||
           semantic == Semantic::EmbeddedRequest || semantic == Semantic::EmbeddedResponse;
}

// By the name of a configuration key.
bool isSecretConfig(std::string_view name);

} // namespace brokerscope
