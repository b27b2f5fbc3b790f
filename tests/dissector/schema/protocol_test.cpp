// SPDX-License-Identifier: Apache-2.0
#include "dissector/schema/protocol.h"

#include "dissector/schema/builtin_schemas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <thread>

namespace brokerscope {
namespace {

const Protocol& protocol() {
    return Protocol::builtin();
}

TEST(BuiltinSchemas, parseWithoutErrors) {
    ParsedSchema schema;
    std::vector<SchemaError> errors;
    for (const SchemaText& text : builtinSchemas())
        parseSchema(text, schema, errors);
    checkReferences(schema, errors);
    for (const SchemaError& error : errors)
        ADD_FAILURE() << toString(error);
    EXPECT_FALSE(schema.references.empty());
}

TEST(BuiltinSchemas, holdEveryVersionOfEveryApiThatKafkaEverHad) {
    std::ifstream table(BROKERSCOPE_SOURCE_DIR "/tests/data/vectors/api_table.tsv");
    std::string line;
    ASSERT_TRUE(std::getline(table, line)); // the head
    std::size_t rows = 0;
    for (; std::getline(table, line); ++rows) {
        std::istringstream fields(line);
        int key = 0;
        std::string name, versions, flexible;
        fields >> key >> name >> versions >> flexible;
        const Api* api = protocol().api(static_cast<std::int16_t>(key));
        ASSERT_NE(api, nullptr) << "missing: " << line;
        EXPECT_EQ(api->name, name);
        EXPECT_EQ(toString(api->versions), versions) << name;
        VersionRange wanted = api->flexible;
        if (!wanted.empty()) wanted.last = VersionRange::open;
        EXPECT_EQ(toString(wanted), flexible) << name;
        for (std::int16_t version = api->versions.first; version <= api->versions.last; ++version) {
            EXPECT_NE(protocol().plan(api->key, version, Direction::Request), nullptr) << name << " v" << version;
            EXPECT_NE(protocol().plan(api->key, version, Direction::Response), nullptr) << name << " v" << version;
        }
    }
    EXPECT_EQ(rows, 95u);
    EXPECT_EQ(protocol().apis().size(), rows);
}

TEST(BuiltinSchemas, explainEveryApiAndKnowItsReleases) {
    for (const Api* api : protocol().apis()) {
        EXPECT_THAT(api->note, testing::EndsWith(".")) << api->name;
        EXPECT_FALSE(api->releases.empty()) << api->name;
    }
}

TEST(BuiltinSchemas, explainEveryErrorInOneSentence) {
    std::set<std::string> meanings;
    for (const ErrorCode& error : protocol().errors()) {
        EXPECT_THAT(error.meaning, testing::EndsWith(".")) << error.name;
        EXPECT_TRUE(meanings.insert(error.meaning).second) << error.name << " is explained like another";
    }
    for (std::int16_t code = -1; code <= 136; ++code)
        EXPECT_NE(protocol().error(code), nullptr) << code;
    EXPECT_EQ(protocol().error(137), nullptr);
    EXPECT_EQ(protocol().error(3)->name, "UNKNOWN_TOPIC_OR_PARTITION");
    EXPECT_TRUE(protocol().error(3)->retriable);
    EXPECT_FALSE(protocol().error(10)->retriable);
}

TEST(Protocol, findsAnApiByAnySpellingOfItsNameItsFormerNameAndItsKey) {
    for (const char* spelling : {"ApiVersions", "API_VERSIONS", "api-versions", "apiversions", "18"}) {
        ASSERT_NE(protocol().apiByName(spelling), nullptr) << spelling;
        EXPECT_EQ(protocol().apiByName(spelling)->key, 18);
    }
    EXPECT_EQ(protocol().apiByName("ElectPreferredLeaders")->name, "ElectLeaders");
    EXPECT_EQ(protocol().apiByName("nothing"), nullptr);
    EXPECT_EQ(protocol().apiByName("-1"), nullptr);
    EXPECT_EQ(protocol().apiByName("95"), nullptr);
    EXPECT_EQ(protocol().apiByName("99999999999"), nullptr);
    EXPECT_EQ(protocol().api(68)->enumName, "CONSUMER_GROUP_HEARTBEAT");
}

TEST(Protocol, headerVersionsFollowFlexibilityButForTheKnownExceptions) {
    const Api& fetch = *protocol().api(1);
    EXPECT_EQ(fetch.requestHeaderVersion(11), 1);
    EXPECT_EQ(fetch.requestHeaderVersion(12), 2);
    EXPECT_EQ(fetch.responseHeaderVersion(11), 0);
    EXPECT_EQ(fetch.responseHeaderVersion(12), 1);
    EXPECT_EQ(fetch.requestHeaderVersion(99), 2) << "a newer version is flexible too";
    const Api& apiVersions = *protocol().api(18);
    EXPECT_EQ(apiVersions.requestHeaderVersion(3), 2);
    EXPECT_EQ(apiVersions.responseHeaderVersion(3), 0);
    EXPECT_EQ(apiVersions.responseHeaderVersion(99), 0);
    EXPECT_EQ(apiVersions.fallbackVersion, 0);
    EXPECT_EQ(apiVersions.fallbackError, 35);
    const Api& controlledShutdown = *protocol().api(7);
    EXPECT_EQ(controlledShutdown.requestHeaderVersion(0), 0);
    EXPECT_EQ(controlledShutdown.requestHeaderVersion(1), 1);
    EXPECT_EQ(controlledShutdown.responseHeaderVersion(3), 1);
    EXPECT_EQ(protocol().api(17)->requestHeaderVersion(1), 1) << "SaslHandshake is never flexible";
}

TEST(Protocol, knowsNoPlanOutsideOfTheVersions) {
    EXPECT_EQ(protocol().plan(1, 19, Direction::Request), nullptr);
    EXPECT_EQ(protocol().plan(1, -1, Direction::Request), nullptr);
    EXPECT_EQ(protocol().plan(95, 0, Direction::Request), nullptr);
    EXPECT_EQ(protocol().plan(-1, 0, Direction::Response), nullptr);
    EXPECT_EQ(protocol().nestedPlan("OffsetCommitValue", 5), nullptr);
    EXPECT_EQ(protocol().nestedPlan("Nothing", 0), nullptr);
}

TEST(Protocol, givesThePlanThatOneThreadCompiledToAll) {
    const auto fresh = Protocol::withAdditions("", "nothing.schema");
    ASSERT_TRUE(fresh);
    const Protocol& shared = *fresh.value();
    std::vector<std::thread> threads;
    std::vector<std::vector<const Plan*>> seen(4);
    for (std::vector<const Plan*>& mine : seen)
        threads.emplace_back([&] {
            for (const Api* api : shared.apis())
                for (std::int16_t version = 0; version <= api->versions.last; ++version)
                    mine.push_back(shared.plan(api->key, version, Direction::Response));
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const auto& other : seen)
        EXPECT_EQ(other, seen.front());
}

TEST(Protocol, takesAdditionsFromText) {
    const auto added = Protocol::withAdditions("api 10007 Vendor 0-1 flex 1+\n"
                                               "request\n"
                                               "  Name: string ~topic\n"
                                               "response\n"
                                               "  ErrorCode: i16 ~error\n"
                                               "api 12 Heartbeat 0-9 flex 4+\n"
                                               "request\n"
                                               "  Everything: bytes\n"
                                               "response\n"
                                               "  Everything: bytes\n",
                                               "vendor.schema");
    ASSERT_TRUE(added) << toString(added.error());
    const Protocol& extended = *added.value();
    EXPECT_EQ(extended.apiByName("vendor")->key, 10007);
    EXPECT_NE(extended.plan(10007, 1, Direction::Response), nullptr);
    EXPECT_EQ(extended.plan(12, 9, Direction::Request)->fields.at(1).type, FieldType::Bytes);
    EXPECT_EQ(extended.apis().size(), 96u);
    EXPECT_EQ(protocol().api(10007), nullptr);
}

TEST(Protocol, refusesAdditionsThatDoNotParse) {
    const auto refused = Protocol::withAdditions("api 10007 Vendor 0\nrequest\n  A: nonsense\n", "vendor.schema");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().what, testing::HasSubstr("vendor.schema:3:6: there is no type \"nonsense\""));
}

TEST(Protocol, findsNestedMessagesByTheNumberInFrontOfThem) {
    EXPECT_EQ(protocol().nestedByType("offsets-key", 2)->name, "GroupMetadataKey");
    EXPECT_EQ(protocol().nestedByType("offsets-value", 2)->name, "GroupMetadataValue");
    EXPECT_EQ(protocol().nestedByType("cluster-metadata", 3)->name, "PartitionRecord");
    EXPECT_EQ(protocol().nestedByType("control", 1)->name, "EndTxnMarker");
    EXPECT_EQ(protocol().nestedByType("cluster-metadata", 99), nullptr);
    EXPECT_EQ(protocol().nested("PartitionRecord")->lead, Lead::Frame);
    EXPECT_GT(protocol().nestedMessages().size(), 90u);
}

TEST(Protocol, namesValuesOfEnumerations) {
    EXPECT_EQ(protocol().enumName("IsolationLevel", 1), "READ_COMMITTED");
    EXPECT_EQ(protocol().enumName("ListOffsetsTimestamp", -1), "LATEST");
    EXPECT_EQ(protocol().enumName("IsolationLevel", 7), "");
    EXPECT_EQ(protocol().enumName("Nothing", 1), "");
    EXPECT_EQ(protocol().enumeration("Nothing"), nullptr);
}

} // namespace
} // namespace brokerscope
