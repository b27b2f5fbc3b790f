// SPDX-License-Identifier: Apache-2.0
#include "tests/dissector/analysis/findings/story.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using enum FindingId;

constexpr auto beat = R"({"groupId":"g","memberId":"m"})";
constexpr auto fetchAll = R"({"maxWaitMs":500,"minBytes":1})";

ConnectionFacts resetBy(Side side) {
    ConnectionFacts facts;
    facts.from(side).resets = 1;
    return facts;
}

TEST(UnansweredRule, namesWhoResetAConnectionWithRequestsOpen) {
    Story story;
    story.unanswered(apikey::Heartbeat, 4, beat, NoAnswerReason::ConnectionReset);
    story.connectionOver(resetBy(Side::Second));
    EXPECT_EQ(story.severityOf(RequestsReset), Severity::Error);
    EXPECT_THAT(story.find(RequestsReset)->seen, HasSubstr("by the broker while 1 request (Heartbeat) waited"));
}

TEST(UnansweredRule, onlyNotesAClientThatLeavesItsLongPoll) {
    Story story;
    story.unanswered(apikey::Fetch, 12, fetchAll, NoAnswerReason::ConnectionClosed);
    story.connectionOver(resetBy(Side::First));
    EXPECT_EQ(story.severityOf(RequestsClosed), Severity::Note);
}

TEST(UnansweredRule, warnsOfARequestThatWasPassedOver) {
    Story story;
    story.unanswered(apikey::Heartbeat, 4, beat, NoAnswerReason::LaterAnswered);
    story.connectionOver();
    EXPECT_EQ(story.severityOf(Unanswered), Severity::Error);
}

TEST(UnansweredRule, onlyNotesItWhereTheCaptureBeginsInsideTheConnection) {
    Story story;
    story.handshakeSeen = false;
    story.unanswered(apikey::Heartbeat, 4, beat, NoAnswerReason::LaterAnswered);
    story.connectionOver();
    EXPECT_EQ(story.severityOf(Unanswered), Severity::Note);
    EXPECT_THAT(story.find(Unanswered)->seen, HasSubstr("begins inside the connection"));
}

TEST(FailedConnectRule, tellsRefusedFromSilent) {
    Story refused, silent, open;
    ConnectionFacts facts = resetBy(Side::Second);
    facts.from(Side::Second).packets = 1;
    refused.connectionOver(facts, false);
    EXPECT_EQ(refused.severityOf(ConnectionRefused), Severity::Error);

    facts = {};
    facts.from(Side::First).packets = 4;
    silent.connectionOver(facts, false);
    EXPECT_EQ(silent.severityOf(ConnectionTimeout), Severity::Error);

    facts.synToSynAck = 1ms;
    open.connectionOver(facts, false);
    EXPECT_TRUE(open.findings().empty());
}

TEST(FailedConnectRule, leavesPortsAloneThatAreNotKafkas) {
    Story story;
    story.broker.port = 5432;
    story.connectionOver(resetBy(Side::Second), false);
    EXPECT_TRUE(story.findings().empty());
}

void manyConnections(Story& story, int count, int exchangesEach) {
    for (int i = 0; i < count; ++i) {
        ++story.connection;
        for (int k = 0; k < exchangesEach; ++k)
            story.exchange(apikey::Heartbeat, 4, beat, "{}");
        ConnectionFacts facts;
        facts.lastTime = story.now;
        story.connectionOver(facts);
    }
}

TEST(ReconnectRule, findsManyShortConnections) {
    Story loop, few, longLived;
    manyConnections(loop, 20, 2);
    manyConnections(few, 19, 2);
    manyConnections(longLived, 20, 5);
    EXPECT_EQ(loop.severityOf(ReconnectLoop), Severity::Warning);
    EXPECT_FALSE(few.severityOf(ReconnectLoop));
    EXPECT_FALSE(longLived.severityOf(ReconnectLoop));
}

TEST(TcpRule, findsClosedWindowsAndRetransmissions) {
    Story bad, good;
    ConnectionFacts facts;
    facts.from(Side::First).packets = 100;
    facts.from(Side::First).zeroWindows = 3;
    facts.from(Side::Second).packets = 100;
    facts.from(Side::Second).retransmittedSegments = 5;
    bad.connectionOver(facts);
    EXPECT_EQ(bad.severityOf(ZeroWindow), Severity::Warning);
    EXPECT_EQ(bad.severityOf(Retransmissions), Severity::Warning);
    EXPECT_THAT(bad.find(Retransmissions)->seen, HasSubstr("5 of 100 packets sent again (5.0 %)"));

    facts.from(Side::First).zeroWindows = 2;
    facts.from(Side::Second).packets = 1000;
    good.connectionOver(facts);
    EXPECT_TRUE(good.findings().empty());
}

TEST(TcpRule, notesALongRoundTrip) {
    Story far, near;
    ConnectionFacts facts;
    facts.synToSynAck = 25ms;
    facts.synAckToAck = 0ms;
    far.connectionOver(facts);
    EXPECT_EQ(far.severityOf(LongRoundTrip), Severity::Note);
    facts.synToSynAck = 5ms;
    near.connectionOver(facts);
    EXPECT_TRUE(near.findings().empty());
}

TEST(TcpRule, takesNoDelayedAcknowledgementForALongRoundTrip) {
    Story story;
    ConnectionFacts facts;
    facts.from(Side::First).leastToAck = 40ms;
    facts.from(Side::Second).leastToAck = 0ms;
    story.connectionOver(facts);
    EXPECT_TRUE(story.findings().empty());
}

TEST(DamageRule, tellsMissingBytesFromWrongOnes) {
    Story lost, wrong;
    lost.analyser.addPassedOver(KafkaConnectionId{1}, 100, Hole::Lost);
    EXPECT_EQ(lost.severityOf(CaptureIncomplete), Severity::Note);
    EXPECT_FALSE(lost.severityOf(MalformedMessage));
    wrong.analyser.addPassedOver(KafkaConnectionId{1}, 100, Hole::None);
    wrong.connectionOver();
    EXPECT_EQ(wrong.severityOf(MalformedMessage), Severity::Error);
}

constexpr auto namesItself = R"({"brokers":[{"nodeId":1,"host":"10.0.0.11","port":9092}]})";
constexpr auto namesAnother = R"({"brokers":[{"nodeId":1,"host":"172.17.0.5","port":9092}]})";
constexpr auto namesLocalhost = R"({"brokers":[{"nodeId":1,"host":"localhost","port":9092}]})";

TEST(AdvertisedListenerRule, findsAddressesThatTheClientCannotReach) {
    Story story;
    story.exchange(apikey::Metadata, 9, "{}", namesAnother);
    const Endpoint bootstrap = story.broker;
    story.broker.address.bytes = {172, 17, 0, 5};
    story.connectionOver({}, false);
    EXPECT_EQ(story.severityOf(AdvertisedListener), Severity::Error);
    EXPECT_THAT(story.find(AdvertisedListener)->seen, HasSubstr(toString(bootstrap)));
}

TEST(AdvertisedListenerRule, knowsThatLocalhostIsTheClientItself) {
    Story story;
    story.exchange(apikey::Metadata, 9, "{}", namesLocalhost);
    EXPECT_EQ(story.severityOf(AdvertisedListener), Severity::Error);
}

TEST(AdvertisedListenerRule, isContentWhenTheNamedAddressIsUsed) {
    Story story;
    story.exchange(apikey::Metadata, 9, "{}", namesItself);
    EXPECT_TRUE(story.findings().empty());
}

TEST(ForeignRule, namesWhatElseSpeaksToABroker) {
    Story story, elsewhere;
    story.analyser.addForeign(story.plainConnection(), "HTTP");
    EXPECT_EQ(story.severityOf(NotKafka), Severity::Warning);
    elsewhere.broker.port = 80;
    elsewhere.analyser.addForeign(elsewhere.plainConnection(), "HTTP");
    EXPECT_TRUE(elsewhere.findings().empty());
}

TEST(TlsRule, findsPlaintextThatMetTls) {
    Story tls, plain;
    TlsFacts facts;
    facts.mismatch = TlsMismatch::TlsToPlaintext;
    tls.analyser.addTls(tls.plainConnection(), facts);
    EXPECT_EQ(tls.severityOf(TlsOnPlaintextPort), Severity::Error);
    facts.mismatch = TlsMismatch::PlaintextToTls;
    plain.analyser.addTls(plain.plainConnection(), facts);
    EXPECT_EQ(plain.severityOf(PlaintextOnTlsPort), Severity::Error);
}

TEST(TlsRule, tellsAlertsFromRegularEnds) {
    Story failed, ended;
    TlsFacts facts;
    facts.alerts.push_back({Side::First, 2, std::uint8_t{48}, {}, {}});
    failed.analyser.addTls(failed.plainConnection(), facts);
    EXPECT_EQ(failed.severityOf(TlsAlertSeen), Severity::Error);
    EXPECT_THAT(failed.find(TlsAlertSeen)->seen, HasSubstr("unknown_ca"));
    facts.alerts.front().code = 0;
    ended.analyser.addTls(ended.plainConnection(), facts);
    EXPECT_TRUE(ended.findings().empty());
}

TEST(TlsRule, looksAtTheDatesOfCertificates) {
    const auto found = [](Duration left) {
        Story story;
        TlsFacts facts;
        facts.serverCertificates.push_back({"CN=b", "CN=ca", story.now - 1h, story.now + left, {}});
        story.analyser.addTls(story.plainConnection(), facts);
        return story.severityOf(CertificateExpired);
    };
    EXPECT_EQ(found(-1min), Severity::Error);
    EXPECT_EQ(found(24h), Severity::Warning);
    EXPECT_FALSE(found(24h * 365));
}

TEST(TlsRule, notesWhatCouldNotBeRead) {
    Story closed, open;
    TlsFacts facts;
    facts.decryption = TlsDecryption::NoKeys;
    closed.analyser.addTls(closed.plainConnection(), facts);
    EXPECT_EQ(closed.severityOf(TlsUnreadable), Severity::Note);
    facts.decryption = TlsDecryption::Decrypted;
    open.analyser.addTls(open.plainConnection(), facts);
    EXPECT_TRUE(open.findings().empty());
}

TEST(VersionRules, holdRequestsAgainstWhatTheBrokerTold) {
    Story story;
    const auto offer = R"({"apiKeys":[{"apiKey":12,"minVersion":0,"maxVersion":3}]})";
    story.exchange(apikey::ApiVersions, 2, "{}", offer);
    story.exchange(apikey::Heartbeat, 3, beat, "{}");
    Story above = {};
    above.exchange(apikey::ApiVersions, 2, "{}", offer);
    above.exchange(apikey::Heartbeat, 4, beat, "{}");
    EXPECT_FALSE(story.severityOf(VersionOutOfRange));
    EXPECT_EQ(above.severityOf(VersionOutOfRange), Severity::Error);
}

TEST(VersionRules, noteWhatKafka4NoLongerKnows) {
    Story old, recent;
    old.exchange(apikey::Fetch, 3, fetchAll, "{}");
    EXPECT_EQ(old.severityOf(RemovedInKafka4), Severity::Note);
    recent.exchange(apikey::Fetch, 4, fetchAll, "{}");
    EXPECT_TRUE(recent.findings().empty());
}

TEST(SlowRequestRule, leavesLongPollsOut) {
    Story slow, waiting;
    slow.wait = waiting.wait = 1500ms;
    slow.gap = 2s;
    for (int i = 0; i < 3; ++i)
        slow.exchange(apikey::Heartbeat, 4, beat, "{}");
    EXPECT_EQ(slow.severityOf(SlowRequests), Severity::Warning);
    EXPECT_EQ(slow.find(SlowRequests)->count, 3u);
    waiting.exchange(apikey::Fetch, 12, R"({"maxWaitMs":1500,"minBytes":1})", "{}");
    EXPECT_TRUE(waiting.findings().empty());
}

TEST(SlowBrokerRule, comparesBrokersWithTheirEquals) {
    const auto found = [](Duration slowWait) {
        Story story;
        for (const std::uint8_t last : {std::uint8_t{11}, std::uint8_t{12}}) {
            story.broker = Story::endpoint(last, 9092);
            story.connection = last;
            story.wait = last == 12 ? slowWait : Duration(5ms);
            story.gap = story.wait * 2;
            for (int i = 0; i < 20; ++i)
                story.exchange(apikey::Heartbeat, 4, beat, "{}");
        }
        return story.severityOf(SlowBroker);
    };
    EXPECT_EQ(found(60ms), Severity::Warning);
    EXPECT_FALSE(found(12ms));
}

TEST(ThrottleRule, findsThrottlingAndClientsThatIgnoreIt) {
    Story obedient, deaf;
    for (Story* story : {&obedient, &deaf})
        story->exchange(apikey::Heartbeat, 4, beat, R"({"throttleTimeMs":500})");
    obedient.gap = 600ms;
    deaf.gap = 100ms;
    for (Story* story : {&obedient, &deaf}) {
        story->exchange(apikey::Heartbeat, 4, beat, "{}");
        EXPECT_EQ(story->severityOf(Throttled), Severity::Warning);
    }
    EXPECT_FALSE(obedient.severityOf(ThrottleIgnored));
    EXPECT_EQ(deaf.severityOf(ThrottleIgnored), Severity::Warning);
}

TEST(HeadOfLineRule, findsAnswersHeldUpByTheOneBefore) {
    const auto found = [](std::uint64_t secondConnection) {
        Story story;
        story.wait = 500ms;
        story.exchange(apikey::Fetch, 12, R"({"maxWaitMs":500,"minBytes":1})", "{}");
        story.connection = secondConnection;
        story.wait = 491ms;
        story.exchange(apikey::Heartbeat, 4, beat, "{}");
        return story.severityOf(HeadOfLine);
    };
    EXPECT_EQ(found(1), Severity::Note);
    EXPECT_FALSE(found(2));
}

} // namespace
} // namespace brokerscope
