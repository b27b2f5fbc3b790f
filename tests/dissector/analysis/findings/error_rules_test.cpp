// SPDX-License-Identifier: Apache-2.0
#include "tests/dissector/analysis/findings/story.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace brokerscope {
namespace {

using testing::HasSubstr;
using enum FindingId;

void heartbeatsAnswered(Story& story, int code, int times) {
    for (int i = 0; i < times; ++i)
        story.exchange(apikey::Heartbeat, 4, R"({"groupId":"g","memberId":"m"})",
                       fmt::format(R"({{"errorCode":{}}})", code));
}

TEST(FindingKinds, haveDistinctNamesAndSayWhyAndWhatToDo) {
    std::set<std::string_view> names;
    for (const FindingKind& kind : findingKinds()) {
        EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
        EXPECT_FALSE(kind.title.empty() || kind.why.empty() || kind.advice.empty()) << kind.name;
        EXPECT_EQ(kind.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos);
        EXPECT_EQ(findingKindNamed(kind.name), &kind);
    }
    EXPECT_GE(names.size(), 40u);
    EXPECT_EQ(findingKindNamed("no-such-kind"), nullptr);
}

struct CodeCase {
    int code;
    FindingId id;

    friend void PrintTo(const CodeCase& expected, std::ostream* out) { *out << "code " << expected.code; }
};
class ErrorCodes : public testing::TestWithParam<CodeCase> {};

TEST_P(ErrorCodes, becomeTheFindingOfTheirMeaning) {
    Story story;
    heartbeatsAnswered(story, GetParam().code, 1);
    ASSERT_EQ(story.findings().size(), 1u);
    EXPECT_EQ(story.findings().front().kind->id, GetParam().id);
}

INSTANTIATE_TEST_SUITE_P(
    Codes, ErrorCodes,
    testing::Values(CodeCase{-1, ServerError}, CodeCase{2, CorruptMessage}, CodeCase{5, LeaderNotAvailable},
                    CodeCase{7, RequestTimedOut}, CodeCase{10, MessageTooLarge}, CodeCase{17, InvalidTopic},
                    CodeCase{19, NotEnoughReplicas}, CodeCase{23, GroupRefused}, CodeCase{25, MemberThrownOut},
                    CodeCase{30, AuthorizationFailed}, CodeCase{32, InvalidRecord}, CodeCase{33, SaslMechanismRefused},
                    CodeCase{34, SaslStateWrong}, CodeCase{35, UnsupportedVersion}, CodeCase{40, RequestRefused},
                    CodeCase{41, NotController}, CodeCase{42, InvalidRequest}, CodeCase{45, OutOfOrderSequence},
                    CodeCase{47, FencedProducer}, CodeCase{48, InvalidTxnState}, CodeCase{56, StorageError},
                    CodeCase{58, SaslFailed}, CodeCase{59, UnknownProducerId}, CodeCase{70, FetchSessionLost},
                    CodeCase{72, ListenerMissing}, CodeCase{74, StaleLeaderEpoch}, CodeCase{82, MemberFenced},
                    CodeCase{120, TransactionAbortable}, CodeCase{121, ShareRecordState},
                    CodeCase{122, ShareSessionLost}, CodeCase{129, RebootstrapRequired}, CodeCase{130, StreamsTopology},
                    CodeCase{104, OtherError}));

TEST(ErrorRules, stayQuietAboutStepsOfTheProtocol) {
    Story story;
    heartbeatsAnswered(story, 0, 5);
    heartbeatsAnswered(story, 27, 5); // REBALANCE_IN_PROGRESS
    heartbeatsAnswered(story, 79, 5); // MEMBER_ID_REQUIRED
    EXPECT_TRUE(story.findings().empty());
}

TEST(ErrorRules, takeFewCoordinatorErrorsForNormalAndManyNot) {
    Story few, many;
    heartbeatsAnswered(few, 16, 20);
    heartbeatsAnswered(many, 16, 21);
    EXPECT_EQ(few.severityOf(NotCoordinator), Severity::Note);
    EXPECT_EQ(many.severityOf(NotCoordinator), Severity::Warning);
}

TEST(ErrorRules, sayWhoWhatAndHowOften) {
    Story story;
    heartbeatsAnswered(story, 25, 3);
    const Finding* finding = story.find(MemberThrownOut);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->subject, "client \"c1\" (10.0.0.1)");
    EXPECT_THAT(finding->seen, HasSubstr("UNKNOWN_MEMBER_ID in 3 answers (Heartbeat) from 10.0.0.11:9092: g"));
    EXPECT_EQ(finding->count, 3u);
    EXPECT_EQ(finding->exchanges.size(), 3u);
}

constexpr auto unknownTopic = R"({"topics":[{"errorCode":3,"name":"orders"}]})";
constexpr auto knownTopic = R"({"topics":[{"errorCode":0,"name":"orders"}]})";
constexpr auto askForIt = R"({"topics":[{"name":"orders"}]})";

TEST(UnknownTopicRule, warnsOfATopicThatStaysUnknown) {
    Story story;
    story.exchange(apikey::Metadata, 9, askForIt, unknownTopic);
    EXPECT_EQ(story.severityOf(UnknownTopic), Severity::Warning);
    EXPECT_EQ(story.find(UnknownTopic)->subject, "topic \"orders\"");
}

TEST(UnknownTopicRule, onlyNotesATopicThatIsMadeOnDemand) {
    Story story;
    story.exchange(apikey::Metadata, 9, askForIt, unknownTopic);
    story.exchange(apikey::Metadata, 9, askForIt, knownTopic);
    EXPECT_EQ(story.severityOf(UnknownTopic), Severity::Note);
}

} // namespace
} // namespace brokerscope
