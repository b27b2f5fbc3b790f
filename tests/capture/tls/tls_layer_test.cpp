// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/tls/tls_layer_fixture.h"

#include <gmock/gmock.h>

#include <string>
#include <string_view>

namespace brokerscope::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Bytes bytesOf(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// As bytes, with the zeros that a string literal would end at.
template<std::size_t size>
Bytes literal(const char (&text)[size]) {
    return bytesOf({text, size - 1});
}

TlsSettings tls12() {
    TlsSettings settings;
    settings.minVersion = settings.maxVersion = TLS1_2_VERSION;
    return settings;
}

// ---- without TLS

TEST_F(TlsLayerTest, ConnectionsWithoutTlsPassThroughAsTheyAre) {
    open();
    send(Side::First, literal("\0\0\0\x1c\0\x12\0\3"));
    send(Side::First, literal("lost"), Hole::Lost);
    send(Side::Second, literal("\0\0\1\x30"));
    close();
    ASSERT_EQ(stream(Side::First).slices.size(), 2U);
    EXPECT_EQ(stream(Side::First).slices[0].data, kept.front().data());
    EXPECT_EQ(stream(Side::First).slices[1].hole, Hole::Lost);
    EXPECT_EQ(stream(Side::Second).slices[0].packet, PacketNumber{3});
    EXPECT_TRUE(stream(Side::Second).end);
    EXPECT_TRUE(connection().closed);
    EXPECT_EQ(told().announcements, 0);
    EXPECT_EQ(layer.facts(ConnectionId{1}), nullptr);
}

TEST_F(TlsLayerTest, BytesThatOnlyBeginLikeTlsAreHandedOnWhenThatIsKnown) {
    open();
    send(Side::First, literal("\x16\3"));
    EXPECT_TRUE(stream(Side::First).slices.empty());
    send(Side::First, literal("\1\1\1\7x"));
    EXPECT_EQ(data(Side::First), std::string("\x16\3\1\1\1\7x"));
    EXPECT_EQ(stream(Side::First).slices.size(), 2U);
}

TEST_F(TlsLayerTest, BytesThatOnlyBeginLikeTlsAreHandedOnAtTheEndOfTheStream) {
    open();
    send(Side::First, literal("\x16\3\1"));
    close();
    EXPECT_EQ(data(Side::First), "\x16\3\1");
}

TEST_F(TlsLayerTest, StreamsOfHolesOnlyAreHandedOnWithoutDelay) {
    open();
    for (int i = 0; i < 100; ++i) {
        send(Side::First, literal("0123456789"), Hole::Cut);
        EXPECT_EQ(holes(Side::First), 10U * (i + 1));
    }
}

// ---- without keys

TEST_F(TlsLayerTest, WithoutKeysNothingIsHandedOnAndTheHandshakeIsStillShown) {
    TlsSettings settings = tls12();
    settings.protocols = {"first/1", "second/2"};
    settings.cipherList = "ECDHE-RSA-AES256-GCM-SHA384";
    const TlsRecording recording = recordConversation(settings);
    play(recording);
    EXPECT_TRUE(stream(Side::First).slices.empty());
    EXPECT_TRUE(stream(Side::Second).slices.empty());
    EXPECT_TRUE(connection().closed);
    EXPECT_EQ(told().finalAnnouncements, 1);

    EXPECT_EQ(facts().client, Side::First);
    EXPECT_EQ(facts().version, 0x0303);
    EXPECT_EQ(facts().cipherName, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");
    EXPECT_EQ(facts().serverName, "broker.example");
    EXPECT_THAT(facts().offeredProtocols, ElementsAre("first/1", "second/2"));
    EXPECT_EQ(facts().protocol, "second/2");
    EXPECT_EQ(facts().resumption, TlsResumption::None);
    EXPECT_EQ(facts().decryption, TlsDecryption::NoKeys);
    EXPECT_EQ(facts().clientHello, PacketNumber{1});
    EXPECT_EQ(facts().serverHello, PacketNumber{2});
    ASSERT_EQ(facts().serverCertificates.size(), 1U);
    EXPECT_EQ(facts().serverCertificates[0].subject, "CN=broker-1,O=Example");
    EXPECT_EQ(facts().serverCertificates[0].notAfter,
              std::chrono::sys_days(std::chrono::year(2099) / 6 / 7) + std::chrono::seconds(8 * 3600 + 9 * 60 + 10));
    EXPECT_THAT(facts().serverCertificates[0].names, ElementsAre("broker.example", "*.brokers.example", "10.77.0.11"));
    EXPECT_THAT(facts().clientCertificates, IsEmpty());
}

TEST_F(TlsLayerTest, EncryptedVolumeAndTimesAreCountedWithoutKeys) {
    TlsPeers peers(tls12());
    ASSERT_TRUE(peers.shakeHands());
    open();
    for (const Segment& segment : peers.recording().segments)
        send(segment);
    const std::uint64_t before = layer.facts(ConnectionId{1})->second.protectedBytes;
    peers.recording().segments.clear();
    peers.write(Side::Second, TlsPeers::text(1000));
    packets = 100;
    send(peers.recording().segments.at(0));
    const TlsDirection& direction = layer.facts(ConnectionId{1})->second;
    EXPECT_EQ(direction.protectedBytes - before, peers.recording().segments.at(0).bytes.size());
    EXPECT_EQ(direction.lastProtected, PacketNumber{101});
    EXPECT_EQ(direction.lastProtectedTime, Timestamp(std::chrono::milliseconds(101)));
    EXPECT_EQ(direction.plaintextBytes, 0U);
}

TEST_F(TlsLayerTest, AlertsThatStayEncryptedAreNotedBeforeTls13) {
    play(recordConversation(tls12()));
    ASSERT_EQ(facts().alerts.size(), 2U);
    EXPECT_EQ(facts().alerts[0].code, std::nullopt);
    EXPECT_EQ(facts().alerts[0].level, 0);
}

TEST_F(TlsLayerTest, KeysOfAnotherConnectionAreNoKeys) {
    keys.addText(recordConversation({}).keyLog);
    const TlsRecording recording = recordConversation({});
    play(recording);
    EXPECT_TRUE(stream(Side::First).slices.empty());
    EXPECT_EQ(facts().decryption, TlsDecryption::NoKeys);
}

TEST_F(TlsLayerTest, WrongKeysOpenNothingAndAreCalledWrong) {
    TlsRecording recording = recordConversation({});
    // The secrets under their labels, but of each other's directions.
    for (const char* side : {"CLIENT", "SERVER"}) {
        std::size_t at = 0;
        while ((at = recording.keyLog.find(side, at)) != std::string::npos)
            recording.keyLog.replace(at, 6, side[0] == 'C' ? "sERVER" : "CLIENT");
    }
    for (std::size_t at = 0; (at = recording.keyLog.find("sERVER", at)) != std::string::npos;)
        recording.keyLog[at] = 'S';
    keys.addText(recording.keyLog);
    play(recording);
    EXPECT_TRUE(stream(Side::First).slices.empty());
    EXPECT_TRUE(stream(Side::Second).slices.empty());
    EXPECT_EQ(facts().decryption, TlsDecryption::WrongKeys);
}

// ---- keys that come late

TEST_F(TlsLayerTest, RecordsWaitForKeysThatComeLater) {
    const TlsRecording recording = recordConversation({});
    open();
    for (const Segment& segment : recording.segments)
        send(segment);
    EXPECT_TRUE(stream(Side::First).slices.empty());
    keys.addText(recording.keyLog);
    layer.retry();
    expectAll(recording);
    // In the order of the wire, with the packets that carried them.
    EXPECT_LT(stream(Side::First).slices[0].packet.value, stream(Side::Second).slices[0].packet.value);
    EXPECT_THAT(told().reasons, ElementsAre(TlsDecryption::NotNeeded, TlsDecryption::NoKeys, TlsDecryption::Decrypted));
}

TEST_F(TlsLayerTest, TheNextPacketOfAConnectionFindsLateKeysByItself) {
    const TlsRecording recording = recordConversation({});
    open();
    for (std::size_t i = 0; i + 1 < recording.segments.size(); ++i)
        send(recording.segments[i]);
    keys.addText(recording.keyLog);
    send(recording.segments.back());
    expectAll(recording);
}

TEST_F(TlsLayerTest, WaitingForKeysEndsAfterAMebibyte) {
    TlsPeers peers;
    ASSERT_TRUE(peers.shakeHands());
    for (unsigned i = 0; i < 100; ++i)
        peers.write(Side::Second, TlsPeers::text(16000, i));
    open();
    for (const Segment& segment : peers.recording().segments)
        send(segment);
    keys.addText(peers.recording().keyLog);
    layer.retry();
    EXPECT_TRUE(stream(Side::Second).slices.empty());
    EXPECT_EQ(layer.facts(ConnectionId{1})->decryption, TlsDecryption::NoKeys);
}

TEST_F(TlsLayerTest, WaitingForKeysEndsAfterTenSecondsOfCaptureTime) {
    const TlsRecording recording = recordConversation({});
    open();
    for (const Segment& segment : recording.segments) {
        packets += 4000; // milliseconds
        send(segment);
    }
    keys.addText(recording.keyLog);
    layer.retry();
    EXPECT_TRUE(stream(Side::First).slices.empty());
}

TEST_F(TlsLayerTest, AServerHelloThatIsCapturedLateHoldsUpOnlyUntilItCame) {
    const TlsRecording recording = recordConversation({});
    keys.addText(recording.keyLog);
    ASSERT_EQ(recording.segments[1].from, Side::Second);
    open();
    for (const Side side : {Side::First, Side::Second}) // each stream by itself is in order
        for (const Segment& segment : recording.segments)
            if (segment.from == side) send(segment);
    close();
    expectAll(recording);
}

// ---- the parts of the protocol

TEST_F(TlsLayerTest, CertificatesOfTls13AreShownWhenDecrypted) {
    TlsSettings settings;
    settings.clientAuthenticates = true;
    const TlsRecording recording = recordConversation(settings);
    keys.addText(recording.keyLog);
    play(recording);
    expectAll(recording);
    ASSERT_EQ(facts().serverCertificates.size(), 1U);
    ASSERT_EQ(facts().clientCertificates.size(), 1U);
    EXPECT_EQ(facts().serverCertificates[0].issuer, "CN=broker-1,O=Example");
}

TEST_F(TlsLayerTest, AProtocolChosenInTls13IsShownWhenDecrypted) {
    TlsSettings settings;
    settings.protocols = {"a", "b"};
    const TlsRecording recording = recordConversation(settings);
    keys.addText(recording.keyLog);
    play(recording);
    EXPECT_EQ(facts().protocol, "b");
    EXPECT_THAT(facts().offeredVersions, ElementsAre(0x0304));
}

TEST_F(TlsLayerTest, ResumptionOfTls13ByPreSharedKeyIsNoted) {
    TlsPeers peers;
    ASSERT_TRUE(peers.shakeHands());
    peers.connect();
    ASSERT_TRUE(peers.shakeHands());
    ASSERT_TRUE(peers.resumed());
    peers.write(Side::First, "again");
    keys.addText(peers.recording().keyLog);
    play(peers.recording());
    expectAll(peers.recording());
    EXPECT_EQ(facts().resumption, TlsResumption::Psk);
    EXPECT_THAT(facts().serverCertificates, IsEmpty());
}

class ResumptionOfTls12 : public TlsLayerTest, public testing::WithParamInterface<bool> {};

TEST_P(ResumptionOfTls12, IsNotedAndDecryptedWithTheKeysOfTheFullHandshake) {
    TlsSettings settings = tls12();
    settings.tickets = GetParam();
    TlsPeers peers(settings);
    ASSERT_TRUE(peers.shakeHands());
    peers.write(Side::First, "once");
    keys.addText(peers.recording().keyLog); // knows the first connection only
    play(peers.recording(), 1);
    peers.connect();
    ASSERT_TRUE(peers.shakeHands());
    ASSERT_TRUE(peers.resumed());
    peers.write(Side::First, "again");
    peers.write(Side::Second, "and again");
    play(peers.recording(), 2);
    expectAll(peers.recording(), 2);
    EXPECT_EQ(facts(1).resumption, TlsResumption::None);
    EXPECT_EQ(facts(2).resumption, GetParam() ? TlsResumption::Ticket : TlsResumption::SessionId);
}

INSTANTIATE_TEST_SUITE_P(SessionIdOrTicket, ResumptionOfTls12, testing::Bool());

TEST_F(TlsLayerTest, KeyUpdatesOfBothSidesAreFollowed) {
    TlsPeers peers;
    ASSERT_TRUE(peers.shakeHands());
    for (unsigned i = 0; i < 5; ++i) {
        peers.write(Side::First, TlsPeers::text(100, i));
        peers.updateKeys(i % 2 == 0 ? Side::First : Side::Second);
        peers.write(Side::Second, TlsPeers::text(3000, i));
        peers.write(Side::First, "more");
    }
    keys.addText(peers.recording().keyLog);
    play(peers.recording());
    expectAll(peers.recording());
    EXPECT_EQ(facts().first.keyUpdates, 5U);
    EXPECT_EQ(facts().second.keyUpdates, 5U);
}

TEST_F(TlsLayerTest, AHelloRetryRequestIsNotedAndGoneThrough) {
    TlsSettings settings;
    settings.clientGroups = "X25519:P-256";
    settings.serverGroups = "P-256";
    const TlsRecording recording = recordConversation(settings);
    keys.addText(recording.keyLog);
    play(recording);
    expectAll(recording);
    EXPECT_TRUE(facts().helloRetried);
    EXPECT_EQ(facts().renegotiations, 0U);
}

TEST_F(TlsLayerTest, PaddingOfTls13IsTakenOff) {
    TlsSettings settings;
    settings.padding = 512;
    const TlsRecording recording = recordConversation(settings);
    keys.addText(recording.keyLog);
    play(recording);
    expectAll(recording);
}

TEST_F(TlsLayerTest, RenegotiationIsFollowed) {
    TlsPeers peers(tls12());
    ASSERT_TRUE(peers.shakeHands());
    peers.write(Side::First, "before");
    ASSERT_TRUE(peers.renegotiate());
    peers.write(Side::First, "behind");
    peers.write(Side::Second, "answer");
    keys.addText(peers.recording().keyLog);
    play(peers.recording());
    expectAll(peers.recording());
    EXPECT_EQ(facts().renegotiations, 1U);
}

TEST_F(TlsLayerTest, EarlyDataIsNotedAndLeavesAHoleOfItsSize) {
    TlsSettings settings;
    settings.earlyData = true;
    TlsPeers peers(settings);
    ASSERT_TRUE(peers.shakeHands());
    peers.connect();
    ASSERT_TRUE(peers.writeEarly("early bird"));
    ASSERT_TRUE(peers.shakeHands());
    peers.write(Side::First, "regular");
    peers.write(Side::Second, "answer");
    keys.addText(peers.recording().keyLog);
    play(peers.recording());
    EXPECT_EQ(stream(Side::First).bytes, "??????????regular");
    EXPECT_EQ(data(Side::Second), "answer");
    EXPECT_TRUE(facts().earlyDataOffered);
    EXPECT_TRUE(facts().earlyDataAccepted);
    EXPECT_EQ(facts().first.earlyDataRecords, 1U);
    EXPECT_EQ(facts().first.damagedRecords, 0U);
}

TEST_F(TlsLayerTest, EarlyDataWithoutItsSecretDoesNotStopTheRest) {
    TlsSettings settings;
    settings.earlyData = true;
    TlsPeers peers(settings);
    ASSERT_TRUE(peers.shakeHands());
    peers.connect();
    ASSERT_TRUE(peers.writeEarly("early bird"));
    ASSERT_TRUE(peers.shakeHands());
    peers.write(Side::First, "regular");
    std::string keyLog = peers.recording().keyLog;
    const std::size_t early = keyLog.find("CLIENT_EARLY");
    ASSERT_NE(early, std::string::npos);
    keys.addText(keyLog.erase(early, keyLog.find('\n', early) - early));
    play(peers.recording());
    EXPECT_EQ(data(Side::First), "regular");
    EXPECT_GE(facts().first.earlyDataRecords, 1U);
    EXPECT_EQ(facts().first.damagedRecords, 0U);
}

TEST_F(TlsLayerTest, AKeyLogWithoutHandshakeSecretsStillOpensTheData) {
    TlsRecording recording = recordConversation({});
    for (const char* label : {"CLIENT_HANDSHAKE", "SERVER_HANDSHAKE"})
        recording.keyLog.replace(recording.keyLog.find(label), 3, "xxx");
    keys.addText(recording.keyLog);
    play(recording);
    expectAll(recording);
    EXPECT_EQ(facts().second.damagedRecords, 0U);
}

TEST_F(TlsLayerTest, ACipherThatCannotBeOpenedIsNamedAsTheReason) {
    TlsSettings settings = tls12();
    settings.cipherList = "ECDHE-ECDSA-CAMELLIA256-SHA384:ECDHE-ARIA256-GCM-SHA384";
    const TlsRecording recording = recordConversation(settings);
    keys.addText(recording.keyLog);
    play(recording);
    EXPECT_TRUE(stream(Side::First).slices.empty());
    EXPECT_EQ(facts().decryption, TlsDecryption::UnsupportedCipher);
    EXPECT_EQ(facts().cipherName.substr(0, 2), "0x");
}

// ---- alerts and mismatches

TEST_F(TlsLayerTest, AnAlertInTheClearIsToldWithDirectionAndPacket) {
    TlsSettings settings = tls12();
    settings.clientTrustsServer = false;
    TlsPeers peers(settings);
    ASSERT_FALSE(peers.shakeHands());
    play(peers.recording());
    ASSERT_GE(facts().alerts.size(), 1U);
    const TlsAlert& alert = facts().alerts[0];
    EXPECT_EQ(alert.from, Side::First);
    EXPECT_EQ(alert.level, 2);
    EXPECT_EQ(alert.code, 48);
    EXPECT_EQ(tlsAlertName(*alert.code), "unknown_ca");
    EXPECT_EQ(alert.packet, PacketNumber{3});
    EXPECT_EQ(facts().decryption, TlsDecryption::NotNeeded);
}

TEST_F(TlsLayerTest, AnAlertUnderTheHandshakeKeysOfTls13IsRead) {
    TlsSettings settings;
    settings.clientTrustsServer = false;
    TlsPeers peers(settings);
    peers.shakeHands();
    // A failed handshake has no secrets of application data; the key log of the client ends before them.
    keys.addText(peers.recording().keyLog.substr(0, peers.recording().keyLog.find("_TRAFFIC_SECRET_0")));
    play(peers.recording());
    ASSERT_GE(facts().alerts.size(), 1U);
    EXPECT_EQ(facts().alerts[0].from, Side::First);
    EXPECT_EQ(facts().alerts[0].code, 48);
    EXPECT_EQ(facts().decryption, TlsDecryption::Decrypted);
}

TEST_F(TlsLayerTest, PlaintextThatIsAnsweredByAnAlertIsPlaintextOnATlsPort) {
    open();
    send(Side::First, literal("\0\0\0\x05hello"));
    send(Side::Second, literal("\x15\3\3\0\2\2\x50"));
    close();
    EXPECT_EQ(data(Side::First).size(), 9U);
    EXPECT_TRUE(stream(Side::Second).slices.empty());
    EXPECT_EQ(facts().mismatch, TlsMismatch::PlaintextToTls);
    ASSERT_EQ(facts().alerts.size(), 1U);
    EXPECT_EQ(facts().alerts[0].code, 80);
    EXPECT_EQ(facts().client, std::nullopt);
}

TEST_F(TlsLayerTest, AHelloThatIsAnsweredByPlaintextIsTlsOnAPlaintextPort) {
    TlsPeers peers;
    peers.shakeHands();
    open();
    send(peers.recording().segments.at(0));
    send(Side::Second, literal("HTTP/1.1 400 Bad Request\r\n"));
    close();
    EXPECT_EQ(facts().mismatch, TlsMismatch::TlsToPlaintext);
    EXPECT_EQ(data(Side::Second), "HTTP/1.1 400 Bad Request\r\n");
    EXPECT_TRUE(stream(Side::First).slices.empty());
}

TEST_F(TlsLayerTest, AHelloAfterWhichTheOtherSideHangsUpIsTlsOnAPlaintextPort) {
    TlsPeers peers;
    peers.shakeHands();
    open();
    send(peers.recording().segments.at(0));
    end(Side::Second);
    EXPECT_EQ(facts().mismatch, TlsMismatch::TlsToPlaintext);
}

TEST_F(TlsLayerTest, AHelloWhoseSenderHangsUpFirstProvesNothing) {
    TlsPeers peers;
    peers.shakeHands();
    open();
    send(peers.recording().segments.at(0));
    close();
    EXPECT_EQ(facts().mismatch, TlsMismatch::None);
}

// ---- captures that begin in the middle

TEST_F(TlsLayerTest, TlsIsFoundInAConnectionOlderThanTheCapture) {
    const TlsRecording recording = recordConversation({});
    keys.addText(recording.keyLog);
    open(false);
    for (std::size_t i = 6; i < recording.segments.size(); ++i)
        send(recording.segments[i]);
    close();
    EXPECT_TRUE(stream(Side::First).slices.empty());
    EXPECT_TRUE(stream(Side::Second).slices.empty());
    EXPECT_EQ(facts().decryption, TlsDecryption::HandshakeMissed);
    EXPECT_GT(facts().second.protectedBytes, 0U);
}

TEST_F(TlsLayerTest, AStreamThatBeginsInsideARecordIsTlsWhenTheOtherSideIs) {
    const TlsRecording recording = recordConversation({});
    open(false);
    bool first = true;
    for (std::size_t i = 6; i < recording.segments.size(); ++i) {
        const Segment& segment = recording.segments[i];
        const std::size_t skip =
            segment.from == Side::Second && std::exchange(first, segment.from != Side::Second) ? 100 : 0;
        send(segment.from, Bytes(segment.bytes).subspan(skip));
    }
    close();
    // What came before the first record was recognised had to be handed on.
    EXPECT_LE(stream(Side::Second).slices.size(), 1U);
    EXPECT_GT(facts().second.protectedRecords, 1U);
}

TEST_F(TlsLayerTest, SeveralConnectionsAreKeptApart) {
    const TlsRecording one = recordConversation({});
    const TlsRecording two = recordConversation(tls12());
    keys.addText(one.keyLog);
    keys.addText(two.keyLog);
    open(true, 1);
    open(true, 2);
    for (std::size_t i = 0; i < std::max(one.segments.size(), two.segments.size()); ++i) {
        if (i < one.segments.size()) send(one.segments[i], Hole::None, 1);
        if (i < two.segments.size()) send(two.segments[i], Hole::None, 2);
    }
    close(1);
    close(2);
    expectAll(one, 1);
    expectAll(two, 2);
}

TEST_F(TlsLayerTest, PlaintextThatCannotBeStoredBecomesHoles) {
    const TlsRecording recording = recordConversation({});
    TlsLayer elsewhere(recorder, keys, nullptr, "/nonexistent-folder");
    keys.addText(recording.keyLog);
    Connection connection;
    connection.id = ConnectionId{1};
    connection.handshakeSeen = true;
    elsewhere.connectionOpened(connection);
    for (const Segment& segment : recording.segments) {
        Slice slice;
        slice.data = segment.bytes.data();
        slice.length = static_cast<std::uint32_t>(segment.bytes.size());
        slice.packet = PacketNumber{++packets};
        elsewhere.bytes(connection.id, segment.from, slice);
    }
    EXPECT_TRUE(data(Side::First).empty());
    EXPECT_EQ(holes(Side::First), recording.sentBy(Side::First).size());
    EXPECT_TRUE(elsewhere.storeError().has_value());
}

} // namespace
} // namespace brokerscope::test
