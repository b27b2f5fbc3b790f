// SPDX-License-Identifier: Apache-2.0
// Holds docs/field-tree.md to what the decoder does: its bytes must give its table.
#include "dissector/message/decoder.h"
#include "dissector/message/value_text.h"
#include "tests/support/vectors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

namespace brokerscope {
namespace {

// The indented lines below a line that begins with `title`.
std::vector<std::string> block(const std::string& title) {
    std::ifstream page(BROKERSCOPE_SOURCE_DIR "/docs/field-tree.md");
    std::vector<std::string> lines;
    std::string line;
    while (std::getline(page, line) && !line.starts_with(title)) {
    }
    while (std::getline(page, line) && (line.empty() || line.starts_with("    ")))
        if (!line.empty()) lines.push_back(line.substr(4));
    return lines;
}

TEST(FieldTreePage, itsBytesGiveItsTable) {
    const std::vector<std::string> hexLines = block("A Heartbeat request");
    ASSERT_EQ(hexLines.size(), 1u);
    std::string hex = hexLines.front();
    std::erase(hex, ' ');
    const std::vector<std::uint8_t> frame = bytesOfHex(hex);
    const ByteChain bytes = ByteChain::of(frame);
    DecodedMessage message;
    decodeMessage(Protocol::builtin(), bytes, {}, message);
    EXPECT_TRUE(message.problems.empty());

    std::vector<std::string> expected = {"node  offset  length  prefix  end  what"};
    for (NodeIndex node = 0; node < message.tree.nodes.size(); ++node) {
        const FieldNode& at = message.tree.nodes[node];
        std::size_t depth = 0;
        for (NodeIndex up = at.parent; up != noNode; up = message.tree.nodes[up].parent)
            ++depth;
        const std::string value = valueText(Protocol::builtin(), message, bytes, node, {}).text;
        expected.push_back(fmt::format("{:4}  {:6}  {:6}  {:6}  {:3}  {}{}{}{}", node, at.offset, at.length, at.prefix,
                                       at.end, std::string(2 * depth, ' '), labelText(message, node),
                                       value.empty() ? "" : "  ", value));
    }
    EXPECT_EQ(block("and its tree"), expected);
}

} // namespace
} // namespace brokerscope
