// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/secrets.h"

#include "dissector/wire/cursor.h"

#include <algorithm>
#include <array>
#include <optional>

namespace brokerscope {

namespace {

bool carriesSecrets(const std::vector<SchemaField>& fields) {
    return std::any_of(fields.begin(), fields.end(), [](const SchemaField& field) {
        return mayBeSecret(field.semantic) || carriesSecrets(field.children);
    });
}

// What the broker says, beside the value or (for its synonyms) further out; nullopt: nothing.
std::optional<bool> isCalledSensitive(const FieldTree& tree, const ByteChain& bytes, NodeIndex node) {
    std::vector<std::uint8_t> scratch;
    for (NodeIndex at = tree.nodes[node].parent; at != noNode; at = tree.nodes[at].parent) {
        const NodeIndex flag = tree.child(at, "isSensitive");
        if (flag == noNode) continue;
        const auto value = readValue(bytes, tree.nodes[flag], scratch);
        return !value || value->integer != 0;
    }
    return std::nullopt;
}

// The broker knows which of its configs are sensitive; elsewhere the name decides. What cannot be told is a secret.
bool isSecretConfigValue(const FieldTree& tree, const ByteChain& bytes, NodeIndex node) {
    if (const std::optional<bool> told = isCalledSensitive(tree, bytes, node)) return *told;
    const NodeIndex parent = tree.nodes[node].parent;
    const NodeIndex name = parent == noNode ? noNode : tree.child(parent, "name");
    if (name == noNode) return true;
    std::vector<std::uint8_t> scratch;
    const auto value = readValue(bytes, tree.nodes[name], scratch);
    if (!value || value->kind != FieldValue::Kind::Text) return true;
    return isSecretConfig({reinterpret_cast<const char*>(value->bytes.data()), value->bytes.size()});
}

} // namespace

bool isSecretConfig(std::string_view name) {
    static constexpr std::array<std::string_view, 10> parts{"password",    "passwd",    "secret",     "credential",
                                                            "jaas.config", "token",     "access.key", "keystore.key",
                                                            "private.key", "passphrase"};
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

bool isSecret(const Protocol& protocol, const FieldTree& tree, const ByteChain& bytes, NodeIndex node) {
    const FieldNode& at = tree.nodes[node];
    if (!at.field || at.isNull || at.contentLength() == 0) return false;
    switch (at.field->semantic) {
    case Semantic::Secret:
    case Semantic::SaslToken:
    case Semantic::EmbeddedResponse:
        return true;
    case Semantic::ConfigValue:
        return isSecretConfigValue(tree, bytes, node);
    case Semantic::EmbeddedRequest: {
        Cursor cursor(bytes, at.contentOffset(), at.offset + at.length);
        const Api* api = protocol.api(cursor.readI16());
        return !cursor.ok() || !api || carriesSecrets(api->request->fields);
    }
    default:
        return false;
    }
}

} // namespace brokerscope
