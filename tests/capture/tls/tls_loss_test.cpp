// SPDX-License-Identifier: Apache-2.0
// Laws that hold for any segmentation and any damage: the same bytes give the same plaintext, and a damaged capture
// gives a part of it, never something else.
#include "tests/capture/tls/tls_layer_fixture.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace brokerscope::test {
namespace {

struct Kind {
    const char* name;
    int version;
    const char* cipher;
    bool sizesAreExact; // of holes whose record borders were lost

    friend void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }
};

class TlsLoss : public TlsLayerTest, public testing::WithParamInterface<Kind> {
  protected:
    TlsSettings settings() const {
        TlsSettings settings;
        settings.minVersion = settings.maxVersion = GetParam().version;
        (GetParam().version == TLS1_3_VERSION ? settings.cipherSuites : settings.cipherList) = GetParam().cipher;
        return settings;
    }

    // What was said up to the end of the handshake, and what behind it.
    struct Conversation {
        std::vector<Segment> handshake, data;
        TlsRecording truth;
    };

    Conversation converse(unsigned rounds) const {
        Conversation conversation;
        TlsPeers peers(settings());
        EXPECT_TRUE(peers.shakeHands());
        conversation.handshake = peers.recording().segments;
        for (unsigned round = 0; round < rounds; ++round) {
            peers.write(Side::First, TlsPeers::text(20 + 331 * round % 5000, 2 * round));
            peers.write(Side::Second, TlsPeers::text(100 + 3571 * round % 40000, 2 * round + 1));
        }
        conversation.truth = peers.recording();
        conversation.data.assign(conversation.truth.segments.begin() +
                                     static_cast<std::ptrdiff_t>(conversation.handshake.size()),
                                 conversation.truth.segments.end());
        return conversation;
    }

    std::vector<Segment> cut(const std::vector<Segment>& segments, std::size_t maxSize) {
        std::vector<Segment> parts;
        for (const Segment& segment : segments) {
            for (std::size_t at = 0; at < segment.bytes.size();) {
                const std::size_t size = std::min(1 + random() % maxSize, segment.bytes.size() - at);
                const auto begin = segment.bytes.begin() + static_cast<std::ptrdiff_t>(at);
                parts.push_back({segment.from, {begin, begin + static_cast<std::ptrdiff_t>(size)}});
                at += size;
            }
        }
        return parts;
    }

    // A stream whose first bytes are lost or damaged may be taken for one without TLS, which passes through.
    bool isPastStart(const Segment& segment) {
        std::size_t& sent = startSent[segment.from];
        const bool past = sent >= 10;
        sent += segment.bytes.size();
        return past;
    }

    void restart(const Conversation& conversation) {
        startSent.clear();
        ++id;
        keys.addText(conversation.truth.keyLog);
        open(true, id);
    }

    void sendAll(const std::vector<Segment>& segments) {
        for (const Segment& segment : segments)
            send(segment, Hole::None, id);
    }

    // Every byte stands where it stood in what was sent; the rest is holes.
    void expectInPlace(const TlsRecording& truth) {
        for (const Side side : {Side::First, Side::Second}) {
            const std::string found = stream(side, id).bytes;
            const std::string& sent = truth.sentBy(side);
            ASSERT_LE(found.size(), sent.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                ASSERT_TRUE(found[i] == '?' || found[i] == sent[i]) << "at byte " << i << " of " << found.size();
        }
    }

    // Every slice was sent, and in this order.
    void expectPartOf(const TlsRecording& truth) {
        for (const Side side : {Side::First, Side::Second}) {
            std::size_t at = 0;
            for (const Slice& slice : stream(side, id).slices) {
                if (!slice.data) continue;
                const std::string text(slice.data, slice.data + slice.length);
                at = truth.sentBy(side).find(text, at);
                ASSERT_NE(at, std::string::npos) << "bytes that were never sent";
                at += text.size();
            }
        }
    }

    void expectPart(const TlsRecording& truth) {
        if (GetParam().sizesAreExact)
            expectInPlace(truth);
        else
            expectPartOf(truth);
    }

    std::mt19937 random{42};
    std::uint64_t id = 0;
    std::map<Side, std::size_t> startSent;
};

TEST_P(TlsLoss, AnySegmentationGivesTheSamePlaintext) {
    const Conversation conversation = converse(12);
    for (const std::size_t maxSize : {1, 7, 100, 1460, 60'000}) {
        restart(conversation);
        sendAll(cut(conversation.truth.segments, maxSize));
        close(id);
        expectAll(conversation.truth, id);
    }
}

TEST_P(TlsLoss, LostSegmentsLeaveHolesAndTheRestIsDecrypted) {
    const Conversation conversation = converse(40);
    for (int round = 0; round < 5; ++round) {
        restart(conversation);
        sendAll(conversation.handshake);
        std::size_t lost = 0, sent = 0;
        const std::vector<Segment> segments = cut(conversation.data, 1460);
        for (std::size_t i = 0; i < segments.size(); ++i) {
            const bool lose = random() % 20 == 0 && i + 60 < segments.size();
            send(segments[i], lose ? Hole::Lost : Hole::None, id);
            ++(lose ? lost : sent);
        }
        close(id);
        ASSERT_GT(lost, 5U);
        expectPart(conversation.truth);
        const TlsFacts& known = facts(id);
        // TLS 1.0 needs the record before the one to open.
        if (GetParam().version > TLS1_VERSION) {
            EXPECT_EQ(known.first.damagedRecords + known.second.damagedRecords, 0U);
        }
        // What came last is whole in any case.
        const std::string& truth = conversation.truth.sentBy(Side::Second);
        EXPECT_TRUE(data(Side::Second, id).ends_with(truth.substr(truth.size() - 100)));
        if (GetParam().sizesAreExact) {
            EXPECT_EQ(data(Side::Second, id).size() + holes(Side::Second, id), truth.size());
        }
    }
}

TEST_P(TlsLoss, LossesInTheHandshakeNeverMakeUpBytes) {
    const Conversation conversation = converse(10);
    int decrypted = 0;
    for (int round = 0; round < 25; ++round) {
        restart(conversation);
        for (const Segment& segment : cut(conversation.truth.segments, 600))
            send(segment, isPastStart(segment) && random() % 12 == 0 ? Hole::Lost : Hole::None, id);
        close(id);
        expectPartOf(conversation.truth);
        if (facts(id).decryption == TlsDecryption::Decrypted) ++decrypted;
    }
    EXPECT_GT(decrypted, 5);
}

TEST_P(TlsLoss, PacketsCutByASnapLengthLeaveHoles) {
    const Conversation conversation = converse(20);
    restart(conversation);
    sendAll(conversation.handshake);
    for (const Segment& segment : conversation.data) {
        const std::size_t size = std::min<std::size_t>(segment.bytes.size(), 500);
        send(segment.from, Bytes(segment.bytes).first(size), Hole::None, id);
        if (size < segment.bytes.size()) send(segment.from, Bytes(segment.bytes).subspan(size), Hole::Cut, id);
    }
    close(id);
    expectPart(conversation.truth);
    EXPECT_GT(data(Side::First, id).size(), 20U);
    const auto& slices = stream(Side::Second, id).slices;
    EXPECT_TRUE(std::ranges::any_of(slices, [](const Slice& slice) { return slice.hole == Hole::Cut; }));
    EXPECT_TRUE(std::ranges::none_of(slices, [](const Slice& slice) { return slice.hole == Hole::Lost; }));
}

TEST_P(TlsLoss, ADamagedRecordIsAFactAndAHole) {
    const Conversation conversation = converse(10);
    for (std::size_t victim = 0; victim < conversation.data.size(); ++victim) {
        restart(conversation);
        sendAll(conversation.handshake);
        for (std::size_t i = 0; i < conversation.data.size(); ++i) {
            Segment segment = conversation.data[i];
            if (i == victim) segment.bytes[5 + random() % (segment.bytes.size() - 5)] ^= 1U << random() % 8;
            send(segment, Hole::None, id);
        }
        close(id);
        expectPartOf(conversation.truth);
        const Side side = conversation.data[victim].from;
        EXPECT_GE(facts(id).direction(side).damagedRecords + facts(id).direction(side).unreadableBytes, 1U);
        expectSame(stream(other(side), id).bytes, conversation.truth.sentBy(other(side)));
    }
}

TEST_P(TlsLoss, AnyDamageIsGoneThroughWithoutMakingUpBytes) {
    const Conversation conversation = converse(6);
    for (int round = 0; round < 40; ++round) {
        restart(conversation);
        for (Segment segment : cut(conversation.truth.segments, 1 + random() % 3000)) {
            if (!isPastStart(segment)) {
                send(segment, Hole::None, id);
                continue;
            }
            for (unsigned changes = random() % 20 == 0 ? random() % 8 : 0; changes > 0; --changes)
                segment.bytes[random() % segment.bytes.size()] = static_cast<std::uint8_t>(random());
            switch (random() % 40) {
            case 0:
                break; // gone without a trace
            case 1:
                send(segment, Hole::Lost, id);
                break;
            case 2:
                send(segment, Hole::None, id);
                [[fallthrough]]; // twice
            default:
                send(segment, Hole::None, id);
                break;
            }
        }
        close(id);
        expectPartOf(conversation.truth);
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, TlsLoss,
                         testing::Values(Kind{"Gcm13", TLS1_3_VERSION, "TLS_AES_256_GCM_SHA384", true},
                                         Kind{"ChaCha13", TLS1_3_VERSION, "TLS_CHACHA20_POLY1305_SHA256", true},
                                         Kind{"Gcm12", TLS1_2_VERSION, "ECDHE-RSA-AES128-GCM-SHA256", true},
                                         Kind{"ChaCha12", TLS1_2_VERSION, "ECDHE-RSA-CHACHA20-POLY1305", true},
                                         Kind{"Cbc12", TLS1_2_VERSION, "ECDHE-RSA-AES128-SHA", false},
                                         Kind{"Cbc10", TLS1_VERSION, "ECDHE-RSA-AES128-SHA", false}),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST_F(TlsLayerTest, AKeyUpdateThatWasLostIsFoundByTheKeysBehindIt) {
    TlsPeers peers;
    ASSERT_TRUE(peers.shakeHands());
    peers.write(Side::First, "before");
    const std::size_t from = peers.recording().segments.size();
    peers.updateKeys(Side::First);
    const std::size_t to = peers.recording().segments.size();
    peers.write(Side::First, "behind");
    peers.write(Side::Second, "answer");
    keys.addText(peers.recording().keyLog);
    open();
    for (std::size_t i = 0; i < peers.recording().segments.size(); ++i)
        send(peers.recording().segments[i], i >= from && i < to ? Hole::Lost : Hole::None);
    close();
    EXPECT_TRUE(data(Side::First).ends_with("behind"));
    EXPECT_EQ(data(Side::Second), "answer");
    EXPECT_EQ(facts().first.keyUpdates, 1U);
    EXPECT_EQ(facts().second.keyUpdates, 1U);
}

TEST_F(TlsLayerTest, ALostCertificateDoesNotStopDecryption) {
    std::uint64_t id = 0;
    for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        ++id;
        TlsSettings settings;
        settings.minVersion = settings.maxVersion = version;
        const TlsRecording recording = recordConversation(settings);
        keys.addText(recording.keyLog);
        open(true, id);
        for (std::size_t i = 0; i < recording.segments.size(); ++i) {
            const Segment& segment = recording.segments[i];
            if (i != 1) {
                send(segment, Hole::None, id);
                continue;
            }
            // ServerHello is at the beginning, the certificate in the middle.
            const Bytes bytes = segment.bytes;
            send(segment.from, bytes.first(250), Hole::None, id);
            send(segment.from, bytes.subspan(250, 100), Hole::Lost, id);
            send(segment.from, bytes.subspan(350), Hole::None, id);
        }
        close(id);
        expectAll(recording, id);
        EXPECT_TRUE(facts(id).serverCertificates.empty());
        EXPECT_EQ(facts(id).decryption, TlsDecryption::Decrypted);
    }
}

TEST_F(TlsLayerTest, ALostClientHelloMakesDecryptionImpossibleAndIsTheReason) {
    const TlsRecording recording = recordConversation({});
    keys.addText(recording.keyLog);
    open();
    for (std::size_t i = 0; i < recording.segments.size(); ++i)
        send(recording.segments[i], i == 0 ? Hole::Lost : Hole::None);
    close();
    EXPECT_TRUE(stream(Side::Second).slices.empty());
    EXPECT_EQ(facts().decryption, TlsDecryption::LostBytes);
}

TEST_F(TlsLayerTest, RandomBytesAreGoneThrough) {
    std::mt19937 random(3);
    for (std::uint64_t id = 1; id <= 500; ++id) {
        open(id % 2 == 0, id);
        for (int i = 0; i < 10; ++i) {
            std::vector<std::uint8_t> bytes(1 + random() % 200);
            for (std::uint8_t& byte : bytes)
                byte = static_cast<std::uint8_t>(random());
            // Most begin like a record.
            if (random() % 4 != 0 && bytes.size() > 6) {
                bytes[0] = static_cast<std::uint8_t>(20 + random() % 4);
                bytes[1] = 3;
                bytes[2] = static_cast<std::uint8_t>(random() % 5);
                bytes[3] = 0;
                bytes[5] = static_cast<std::uint8_t>(random() % 3);
            }
            send(random() % 2 == 0 ? Side::First : Side::Second, bytes, random() % 10 == 0 ? Hole::Lost : Hole::None,
                 id);
        }
        close(id);
        EXPECT_TRUE(connection(id).closed);
    }
}

} // namespace
} // namespace brokerscope::test
