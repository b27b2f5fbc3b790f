// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/dictionary.h"

#include <vector>

namespace brokerscope {

NodeIndex DictionaryReader::entry(NodeIndex node) {
    const NodeIndex dictionary = dictionaryOf(node);
    if (dictionary == noNode) return noNode;
    if (!m_entries.contains(dictionary)) read(dictionary);
    std::vector<std::uint8_t> scratch;
    const auto index = readValue(m_bytes, m_tree.nodes[node], scratch);
    const auto& entries = m_entries[dictionary];
    const auto at = index ? entries.find(index->integer) : entries.end();
    return at == entries.end() ? noNode : at->second;
}

NodeIndex DictionaryReader::dictionaryOf(NodeIndex node) const {
    const std::string& name = m_tree.nodes[node].field->schema->enumName;
    for (NodeIndex outer = m_tree.nodes[node].parent; outer != noNode; outer = m_tree.nodes[outer].parent) {
        if (m_tree.nodes[outer].isArray()) continue;
        if (const NodeIndex found = m_tree.child(outer, name); found != noNode) return found;
    }
    return noNode;
}

// An entry is a number and a text.
void DictionaryReader::read(NodeIndex dictionary) {
    auto& entries = m_entries[dictionary];
    std::vector<std::uint8_t> scratch;
    for (NodeIndex entry = m_tree.firstChild(dictionary); entry != noNode; entry = m_tree.nextSibling(entry)) {
        const NodeIndex number = m_tree.firstChild(entry);
        const NodeIndex text = number == noNode ? noNode : m_tree.nextSibling(number);
        const auto index = text == noNode ? std::nullopt : readValue(m_bytes, m_tree.nodes[number], scratch);
        if (index) entries.emplace(index->integer, text);
    }
}

} // namespace brokerscope
