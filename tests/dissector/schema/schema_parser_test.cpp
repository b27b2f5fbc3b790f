// SPDX-License-Identifier: Apache-2.0
#include "dissector/schema/schema_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace brokerscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Outcome {
    ParsedSchema schema;
    std::vector<std::string> errors;
};

Outcome parse(std::string_view text) {
    Outcome outcome;
    std::vector<SchemaError> errors;
    parseSchema({"test.schema", text}, outcome.schema, errors);
    checkReferences(outcome.schema, errors);
    for (const SchemaError& error : errors)
        outcome.errors.push_back(toString(error));
    return outcome;
}

TEST(SchemaParser, readsEverythingThatAFieldCanSay) {
    const Outcome outcome = parse("enum Color\n"
                                  "  1 RED  -- as a rose\n"
                                  "message Thing 0-9 flex 4+ after version in things 3,4\n"
                                  "  -- A thing\n"
                                  "  -- of beauty.\n"
                                  "  Name: string?2+ @1-8 = null ~topic  -- What it\n"
                                  "      -- is called.\n"
                                  "  isFree: bool @9 = true\n"
                                  "  Parts: [] @4+ #2\n"
                                  "    Color: i8 = -1 ~Color\n"
                                  "    Old: bytes plain ~opens:Thing\n"
                                  "    Inner: {}?\n"
                                  "      Ids: []uuid ~topicid\n"
                                  "  When: i64 ~time ~Color\n");
    ASSERT_THAT(outcome.errors, IsEmpty());
    const SchemaMessage& thing = outcome.schema.messages.front();
    EXPECT_EQ(thing.note, "A thing of beauty.");
    EXPECT_EQ(thing.lead, Lead::Version);
    EXPECT_EQ(thing.family, "things");
    EXPECT_THAT(thing.recordTypes, ElementsAre(3, 4));
    ASSERT_EQ(thing.fields.size(), 4u);

    const SchemaField& name = thing.fields[0];
    EXPECT_EQ(name.jsonName, "name");
    EXPECT_EQ(toString(name.versions), "1-8");
    EXPECT_EQ(toString(name.nullable), "2-8");
    EXPECT_EQ(name.defaultText, "null");
    EXPECT_EQ(name.semantic, Semantic::Topic);
    EXPECT_EQ(name.note, "What it is called.");
    EXPECT_EQ(thing.fields[1].jsonName, "isFree");

    const SchemaField& parts = thing.fields[2];
    EXPECT_TRUE(parts.isArray);
    EXPECT_EQ(parts.tag, 2);
    EXPECT_EQ(toString(parts.versions), "4-9");
    ASSERT_EQ(parts.children.size(), 3u);
    EXPECT_EQ(parts.children[0].semantic, Semantic::Enum);
    EXPECT_EQ(parts.children[0].enumName, "Color");
    EXPECT_TRUE(parts.children[1].neverCompact);
    EXPECT_EQ(parts.children[1].semantic, Semantic::NestedMessage);
    EXPECT_EQ(toString(parts.children[2].nullable), "4-9");
    EXPECT_EQ(parts.children[2].children[0].type, FieldType::Uuid);

    EXPECT_EQ(thing.fields[3].semantic, Semantic::Time);
    EXPECT_EQ(thing.fields[3].enumName, "Color");
    EXPECT_EQ(outcome.schema.enumerations.front().values.front().note, "as a rose");
}

TEST(SchemaParser, reportsEveryErrorWithItsPlace) {
    const Outcome outcome = parse("api x Fetch 0-2\n"
                                  "request\n"
                                  "  A: strng\n"
                                  "  B i32\n"
                                  "\tC: i32\n"
                                  "  D: i32 @5+\n"
                                  "  E: i32 ~nonsense\n"
                                  "  F: i32 ~Color\n"
                                  "    G: i32\n"
                                  "  H: i32 loud\n"
                                  "response\n"
                                  "  I: [] @2-1\n"
                                  "    J: i32\n"
                                  "nonsense\n");
    EXPECT_THAT(outcome.errors,
                ElementsAre("test.schema:1:5: expected a number, found \"x\"",
                            "test.schema:3:6: there is no type \"strng\"",
                            "test.schema:4:3: expected \"Name: type\", found \"B\"",
                            "test.schema:5:1: tabs are not allowed, indent with spaces",
                            "test.schema:6:10: versions 5+ lie outside of 0-2",
                            "test.schema:7:10: there is no meaning \"nonsense\"",
                            "test.schema:9:5: F is no struct and can have no fields",
                            HasSubstr("test.schema:10:10: \"loud\" is not understood"),
                            "test.schema:12:9: \"2-1\" is no range of versions; write 3, 3-5, 3+ or none",
                            HasSubstr("test.schema:14:1: \"nonsense\" is no statement"),
                            "test.schema:8:10: there is no enumeration \"Color\""));
}

TEST(SchemaParser, refusesWhatIsInItsPlaceButMakesNoSense) {
    EXPECT_THAT(parse("api 1 A 0\nrequest\n").errors, ElementsAre(HasSubstr("A needs a request and a response")));
    EXPECT_THAT(parse("request\n").errors, ElementsAre("test.schema:1:1: request and response follow an api line"));
    EXPECT_THAT(parse("variant 0 seen 3.5\n").errors, ElementsAre(HasSubstr("a variant follows the request")));
    EXPECT_THAT(parse("  A: i32\n").errors, ElementsAre("test.schema:1:3: nothing may be indented here"));
    EXPECT_THAT(parse("message A 0\n  B: i32\n  b: i32\n").errors, ElementsAre(HasSubstr("b stands here twice")));
    EXPECT_THAT(parse("message A 0-1\n  B: i32 @0\n  B: i64 @1\n").errors, IsEmpty());
    EXPECT_THAT(parse("message A 0\n  B: i32 #0\n").errors, ElementsAre(HasSubstr("tagged in versions that are not")));
    EXPECT_THAT(parse("message A 0 flex 0\n  B: i32 #0\n  C: i32 #0\n").errors,
                ElementsAre(HasSubstr("tag 0 is taken")));
    EXPECT_THAT(parse("message A 0\n  B: []\n").errors, ElementsAre(HasSubstr("a struct needs fields")));
    EXPECT_THAT(parse("message A 0\n  B: i32?\n").errors, ElementsAre(HasSubstr("int32 cannot be null")));
    EXPECT_THAT(parse("message A 0\n  B: i32 = red\n").errors, ElementsAre(HasSubstr("no default for this type")));
    EXPECT_THAT(parse("message A 0\n  B: string = null\n").errors, ElementsAre(HasSubstr("no default for this type")));
    EXPECT_THAT(parse("message A 0\n  B: i32 ~bits\n").errors, ElementsAre(HasSubstr("a name must follow")));
    EXPECT_THAT(parse("message A 0\n  B: i32 ~topic:X\n").errors, ElementsAre(HasSubstr("no name may follow")));
    EXPECT_THAT(parse("message A 0\n  B: bytes ~opens:C\n").errors,
                ElementsAre(HasSubstr("there is no message \"C\"")));
}

TEST(SchemaParser, survivesAnyDamageOfItsInput) {
    const std::string text =
        "api 1 A 0-3 flex 2+ was B\n  releases 2.2 0-1, 3.0 none\nrequest header 0 @0\n  X: []?1+ @1+ "
        "= null -- n\n    Y: i32 #1 ~time ~E\nresponse fallback 0 error 35\nvariant 0 seen 3\n";
    for (std::size_t cut = 0; cut < text.size(); ++cut) {
        parse(text.substr(0, cut));
        for (const char with : {' ', '\n', ':', '-', '9', '[', '~', '\t', '\0'}) {
            std::string changed = text;
            changed[cut] = with;
            parse(changed);
        }
    }
    EXPECT_FALSE(parse(text).errors.empty()) << "E does not exist";
}

TEST(SchemaNotationPage, itsExampleParses) {
    std::ifstream page(BROKERSCOPE_SOURCE_DIR "/docs/schema-notation.md");
    std::string line, example;
    while (std::getline(page, line) && line != "## Statements")
        if (line.starts_with("    "))
            example += line.substr(4) + "\n";
        else if (line.empty())
            example += "\n";
    const Outcome outcome = parse(example);
    EXPECT_THAT(outcome.errors, IsEmpty());
    ASSERT_EQ(outcome.schema.apis.size(), 1u);
    EXPECT_EQ(outcome.schema.apis.front().name, "Heartbeat");
    EXPECT_EQ(outcome.schema.apis.front().releases.size(), 3u);
}

} // namespace
} // namespace brokerscope
