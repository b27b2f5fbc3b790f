// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/sasl_token.h"

#include "dissector/message/value_text.h"
#include "tests/support/record_bytes.h"
#include "tests/support/tree_law.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::ElementsAre;

// The step's name, then "Part value" for each part, with secrets masked or not.
std::vector<std::string> read(std::string_view token, Direction direction, std::string_view mechanism = {},
                              bool showSecrets = false) {
    const auto data = bytesOf(token);
    const std::optional<SaslStep> step = decodeSaslToken(data, direction, mechanism);
    if (!step) return {};
    EXPECT_EQ(brokenLaw(step->message.tree, 0, static_cast<std::uint32_t>(data.size())), "");
    std::vector<std::string> lines = {step->name};
    TextOptions options;
    options.showSecrets = showSecrets;
    for (NodeIndex node = 1; node < step->message.tree.nodes.size(); ++node)
        lines.push_back(labelText(step->message, node) + " " +
                        valueText(Protocol::builtin(), step->message, ByteChain::of(data), node, options).text);
    return lines;
}

constexpr Direction client = Direction::Request, broker = Direction::Response;

TEST(SaslToken, plainHasThreePartsAndMasksThePassword) {
    using namespace std::string_view_literals;
    EXPECT_THAT(read("\0alice\0wonderland"sv, client),
                ElementsAre("PLAIN message", "AuthorizationId \"\"", "User \"alice\"", "Password (masked, 10 bytes)"));
    EXPECT_THAT(read("bob\0alice\0wonderland"sv, client, "PLAIN", true),
                ElementsAre("PLAIN message", "AuthorizationId \"bob\"", "User \"alice\"", "Password \"wonderland\""));
}

TEST(SaslToken, scramStepsAreNamedAndTheirSecretsMasked) {
    EXPECT_THAT(read("n,,n=alice,r=abc", client),
                ElementsAre("SCRAM client-first-message", "ChannelBinding \"n\"", "User \"alice\"", "Nonce \"abc\""));
    EXPECT_THAT(read("n,a=bob,n=id,r=abc,tokenauth=true", client),
                ElementsAre("SCRAM client-first-message", "ChannelBinding \"n\"", "AuthorizationId \"bob\"",
                            "User \"id\"", "Nonce \"abc\"", "TokenAuth \"true\""));
    EXPECT_THAT(
        read("r=abcdef,s=c2FsdA==,i=4096", broker),
        ElementsAre("SCRAM server-first-message", "Nonce \"abcdef\"", "Salt (masked, 8 bytes)", "Iterations \"4096\""));
    EXPECT_THAT(read("c=biws,r=abcdef,p=cHJvb2Y=", client),
                ElementsAre("SCRAM client-final-message", "ChannelBinding \"biws\"", "Nonce \"abcdef\"",
                            "Proof (masked, 8 bytes)"));
    EXPECT_THAT(read("v=c2ln", broker), ElementsAre("SCRAM server-final-message", "ServerSignature (masked, 4 bytes)"));
    EXPECT_THAT(read("e=invalid-proof", broker), ElementsAre("SCRAM server-final-message", "Error \"invalid-proof\""));
}

TEST(SaslToken, bearerTokensAreMaskedTheirExtensionsAreNot) {
    EXPECT_THAT(read("n,,\x01"
                     "auth=Bearer eyJ0.e30.\x01"
                     "tenant=blue\x01\x01",
                     client),
                ElementsAre("OAUTHBEARER client message", "ChannelBinding \"n\"", "Token (masked, 9 bytes)",
                            "Extension \"tenant=blue\"", "End 0 bytes"));
    EXPECT_THAT(read("{\"status\":\"invalid_token\"}", broker, "OAUTHBEARER"),
                ElementsAre("OAUTHBEARER error", "Error \"{\\\"status\\\":\\\"invalid_token\\\"}\""));
    EXPECT_THAT(read("\x01", client), ElementsAre("OAUTHBEARER client accepts the error", "End 0 bytes"));
}

TEST(SaslToken, kerberosTokensAreNamedByTheirFrame) {
    using namespace std::string_view_literals;
    const auto ticket = "\x60\x15\x06\x09\x2a\x86\x48\x86\xf7\x12\x01\x02\x02\x01\x00ticket!!"sv;
    EXPECT_EQ(read(ticket, client).at(0), "GSSAPI client's ticket (AP-REQ)");
    EXPECT_EQ(read(ticket, client).back(), "Content (masked, 8 bytes)");
    const auto wrapped = "\x05\x04\x01\xff\x00\x0c\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x01\x00\x00\x00"sv;
    EXPECT_EQ(read(wrapped, broker).at(0), "GSSAPI broker's offer of security layers");
}

TEST(SaslToken, whatIsNoTokenStaysClosed) {
    using namespace std::string_view_literals;
    EXPECT_TRUE(read("", client).empty());
    EXPECT_TRUE(read("hello", client).empty());
    EXPECT_TRUE(read("n,,nothing", client).empty());
    EXPECT_TRUE(read("r=abc,", broker).empty());
    EXPECT_TRUE(read("\x60\x05\x04"sv, client).empty());
    EXPECT_TRUE(read("\0user\0pass\xff"sv, client).empty()); // no UTF-8
}

// Cut and changed tokens: the law holds, nothing is read beyond the end.
TEST(SaslToken, anyDamageKeepsTheLaw) {
    for (const std::string_view token :
         {"n,,n=alice,r=abc", "c=biws,r=abcdef,p=cHJvb2Y=", "n,a=b,\x01z=Bearer x\x01\x01"})
        for (std::size_t size = 0; size <= token.size(); ++size)
            for (const char change : {',', '=', '\x01', '\x60'}) {
                std::string cut(token.substr(0, size));
                if (!cut.empty()) cut[size / 2] = change;
                read(cut, client);
                read(cut, broker);
            }
}

} // namespace
} // namespace brokerscope
