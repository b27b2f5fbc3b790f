// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/key_log.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace brokerscope {
namespace {

using std::chrono::milliseconds;

std::string hex(std::uint8_t value, std::size_t count) {
    std::string text;
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", value);
    while (count-- > 0)
        text += digits;
    return text;
}

ClientRandom randomOf(std::uint8_t value) {
    ClientRandom random;
    random.fill(value);
    return random;
}

std::string line(const std::string& label, std::uint8_t random, std::uint8_t secret, std::size_t size = 32) {
    return label + " " + hex(random, 32) + " " + hex(secret, size);
}

class KeyLogTest : public testing::Test {
  protected:
    KeyLogTest() {
        std::string pattern = (std::filesystem::temp_directory_path() / "keylog-XXXXXX").string();
        folder = mkdtemp(pattern.data());
        path = folder + "/keys.txt";
    }
    ~KeyLogTest() override { std::filesystem::remove_all(folder); }

    void append(const std::string& text) const { std::ofstream(path, std::ios::app) << text; }

    KeyLog::Options options() {
        KeyLog::Options options;
        options.now = [this] { return now; };
        return options;
    }

    std::string folder, path;
    KeyLog::Clock::time_point now{std::chrono::hours(1)};
};

TEST_F(KeyLogTest, FindsEachKindOfSecretByItsClientRandom) {
    KeyLog log;
    log.addText(line("CLIENT_RANDOM", 1, 2, 48) + "\n" + line("CLIENT_EARLY_TRAFFIC_SECRET", 3, 4) + "\n" +
                line("CLIENT_HANDSHAKE_TRAFFIC_SECRET", 3, 5, 48) + "\n" +
                line("SERVER_HANDSHAKE_TRAFFIC_SECRET", 3, 6) + "\n" + line("CLIENT_TRAFFIC_SECRET_0", 3, 7) + "\n" +
                line("SERVER_TRAFFIC_SECRET_0", 3, 8));
    EXPECT_EQ(log.counts().secrets, 6U);
    const auto master = log.find(SecretLabel::Master, randomOf(1));
    ASSERT_TRUE(master);
    EXPECT_EQ(master->size(), 48U);
    EXPECT_EQ(master->bytes()[47], 2);
    EXPECT_EQ(log.find(SecretLabel::ClientEarly, randomOf(3))->bytes()[0], 4);
    EXPECT_EQ(log.find(SecretLabel::ClientHandshake, randomOf(3))->size(), 48U);
    EXPECT_EQ(log.find(SecretLabel::ServerHandshake, randomOf(3))->bytes()[0], 6);
    EXPECT_EQ(log.find(SecretLabel::ClientTraffic, randomOf(3))->bytes()[0], 7);
    EXPECT_EQ(log.find(SecretLabel::ServerTraffic, randomOf(3))->bytes()[0], 8);
    EXPECT_FALSE(log.find(SecretLabel::Master, randomOf(3)));
    EXPECT_FALSE(log.find(SecretLabel::ServerTraffic, randomOf(1)));
}

TEST_F(KeyLogTest, GivesBackAsTextWhatItKnows) {
    const std::string master = line("CLIENT_RANDOM", 1, 11, 48) + "\n";
    const std::string traffic = line("SERVER_TRAFFIC_SECRET_0", 2, 22) + "\n";
    const std::string session = "RSA Session-ID:" + hex(3, 20) + " Master-Key:" + hex(33, 48) + "\n";
    KeyLog log(options());
    log.addText("# a comment\n" + master + "EXPORTER_SECRET " + hex(1, 32) + " " + hex(2, 32) + "\n");
    EXPECT_EQ(log.text(), master);
    const std::uint64_t before = log.stored();
    log.addText(master + traffic + session);
    EXPECT_EQ(log.text(), master + traffic + session);
    EXPECT_EQ(log.text(before), traffic + session);
    EXPECT_EQ(log.text(log.stored()), "");
    KeyLog again(options());
    again.addText(log.text());
    EXPECT_EQ(again.text(), log.text());
}

TEST_F(KeyLogTest, TellsWhichSecretsWereOfUse) {
    const std::string used = line("CLIENT_RANDOM", 1, 11, 48) + "\n";
    const std::string session = "RSA Session-ID:" + hex(3, 32) + " Master-Key:" + hex(33, 48) + "\n";
    KeyLog log(options());
    log.addText(line("CLIENT_RANDOM", 2, 22, 48) + "\n" + used + session);
    EXPECT_EQ(log.usedText(), "");
    log.find(SecretLabel::Master, randomOf(1));
    log.find(SecretLabel::Master, randomOf(9));
    EXPECT_EQ(log.usedText(), used);
    log.findSession(randomOf(3));
    EXPECT_EQ(log.usedText(), used + session);
}

TEST_F(KeyLogTest, GivesNoTextOfSecretsThatLeft) {
    KeyLog::Options few = options();
    few.maxSecrets = 2;
    KeyLog log(few);
    for (const std::uint8_t value : {1, 2, 3})
        log.addText(line("CLIENT_RANDOM", value, value, 48) + "\n");
    EXPECT_EQ(log.stored(), 3u);
    EXPECT_EQ(log.text(), line("CLIENT_RANDOM", 2, 2, 48) + "\n" + line("CLIENT_RANDOM", 3, 3, 48) + "\n");
}

TEST_F(KeyLogTest, FindsMasterSecretsBySessionId) {
    KeyLog log;
    log.addText("RSA Session-ID:" + hex(0xab, 32) + " Master-Key:" + hex(1, 48) + "\nRSA Session-ID:" + hex(2, 16) +
                " Master-Key:" + hex(3, 48) + "\nRSA Session-ID:" + hex(4, 33) + " Master-Key:" + hex(5, 48) +
                "\nRSA Session-ID: Master-Key:" + hex(5, 48) + "\nRSA Session-ID:" + hex(6, 32) +
                " Master-Key:" + hex(7, 32));
    EXPECT_EQ(log.findSession(randomOf(0xab))->bytes()[0], 1);
    EXPECT_EQ(log.findSession(Bytes(randomOf(2)).first(16))->bytes()[47], 3);
    EXPECT_FALSE(log.findSession(randomOf(2)));
    EXPECT_FALSE(log.findSession({}));
    EXPECT_EQ(log.counts().secrets, 2U);
    EXPECT_EQ(log.counts().junk, 3U);
}

TEST_F(KeyLogTest, CountsCommentsOtherSecretsAndJunkAndStepsOverThem) {
    KeyLog log;
    log.addText("# a comment\n\n   \n" + line("EXPORTER_SECRET", 1, 1) + "\nRSA 0123456789abcdef " + hex(1, 48) +
                "\nnonsense\n" + line("CLIENT_RANDOM", 1, 1, 32) + "\nCLIENT_RANDOM xyz " + hex(1, 48) + "\n" +
                line("CLIENT_RANDOM", 1, 1, 48) + " more\n" + std::string(5000, 'x') + "\n" + std::string(3, '\0') +
                "\n" + line("CLIENT_RANDOM", 9, 9, 48) + "\n");
    EXPECT_EQ(log.counts().comments, 3U);
    EXPECT_EQ(log.counts().ignored, 2U);
    EXPECT_EQ(log.counts().junk, 6U);
    EXPECT_EQ(log.counts().secrets, 1U);
    EXPECT_TRUE(log.find(SecretLabel::Master, randomOf(9)));
}

TEST_F(KeyLogTest, TakesWindowsLineEndsUpperCaseHexAndSpaces) {
    KeyLog log;
    log.addText("  CLIENT_RANDOM\t" + hex(0xab, 32) + "  " + hex(0xcd, 48) + " \r\n");
    log.addText("CLIENT_RANDOM ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAC " + hex(1, 48));
    EXPECT_TRUE(log.find(SecretLabel::Master, randomOf(0xab)));
    EXPECT_EQ(log.size(), 2U);
}

TEST_F(KeyLogTest, ASecretThatComesAgainIsOneSecret) {
    KeyLog log;
    log.addText(line("CLIENT_RANDOM", 1, 2, 48) + "\n" + line("CLIENT_RANDOM", 1, 3, 48));
    EXPECT_EQ(log.counts().secrets, 1U);
    EXPECT_EQ(log.find(SecretLabel::Master, randomOf(1))->bytes()[0], 3);
}

TEST_F(KeyLogTest, TheOldestSecretsLeaveWhenThereAreTooMany) {
    KeyLog::Options few = options();
    few.maxSecrets = 3;
    KeyLog log(few);
    for (std::uint8_t i = 1; i <= 5; ++i)
        log.addText(line("CLIENT_RANDOM", i, i, 48));
    EXPECT_EQ(log.size(), 3U);
    EXPECT_FALSE(log.find(SecretLabel::Master, randomOf(2)));
    EXPECT_TRUE(log.find(SecretLabel::Master, randomOf(3)));
}

TEST_F(KeyLogTest, ReadsAFileAndFollowsItWhileItGrows) {
    append(line("CLIENT_RANDOM", 1, 1, 48) + "\n");
    KeyLog log(options());
    const auto added = log.addFile(path);
    ASSERT_TRUE(added);
    EXPECT_EQ(added.value(), 1U);
    append(line("CLIENT_RANDOM", 2, 2, 48) + "\n");
    EXPECT_TRUE(log.find(SecretLabel::Master, randomOf(2)));
}

TEST_F(KeyLogTest, LooksForNewsOnceInAnIntervalAndWheneverAsked) {
    append("");
    KeyLog log(options());
    ASSERT_TRUE(log.addFile(path));
    EXPECT_FALSE(log.find(SecretLabel::Master, randomOf(1)));
    append(line("CLIENT_RANDOM", 1, 1, 48) + "\n");
    now += milliseconds(4);
    EXPECT_FALSE(log.find(SecretLabel::Master, randomOf(1)));
    now += milliseconds(1);
    EXPECT_TRUE(log.find(SecretLabel::Master, randomOf(1)));
    append(line("CLIENT_RANDOM", 2, 2, 48) + "\n");
    log.refresh();
    EXPECT_EQ(log.size(), 2U);
}

TEST_F(KeyLogTest, AHalfWrittenLineWaitsForItsRest) {
    const std::string whole = line("SERVER_TRAFFIC_SECRET_0", 1, 7, 48);
    append(whole.substr(0, 20));
    KeyLog log(options());
    ASSERT_TRUE(log.addFile(path));
    append(whole.substr(20, 40));
    log.refresh();
    EXPECT_EQ(log.size(), 0U);
    append(whole.substr(60) + "\n");
    log.refresh();
    EXPECT_EQ(log.find(SecretLabel::ServerTraffic, randomOf(1))->size(), 48U);
    EXPECT_EQ(log.counts().junk, 0U);
}

TEST_F(KeyLogTest, ALastLineWithoutALineBreakCounts) {
    append(line("CLIENT_RANDOM", 1, 1, 48));
    KeyLog log(options());
    ASSERT_TRUE(log.addFile(path));
    EXPECT_TRUE(log.find(SecretLabel::Master, randomOf(1)));
    append("\n" + line("CLIENT_RANDOM", 2, 2, 48));
    log.refresh();
    EXPECT_EQ(log.counts().secrets, 2U);
    EXPECT_EQ(log.counts().junk, 0U);
}

TEST_F(KeyLogTest, ATruncatedOrReplacedFileIsReadFromItsStart) {
    append(line("CLIENT_RANDOM", 1, 1, 48) + "\n" + line("CLIENT_RANDOM", 2, 2, 48) + "\n");
    KeyLog log(options());
    ASSERT_TRUE(log.addFile(path));
    std::filesystem::resize_file(path, 0);
    append(line("CLIENT_RANDOM", 3, 3, 48) + "\n");
    log.refresh();
    EXPECT_TRUE(log.find(SecretLabel::Master, randomOf(3)));
    std::filesystem::rename(path, folder + "/old.txt");
    append(line("CLIENT_RANDOM", 4, 4, 48) + "\n" + line("CLIENT_RANDOM", 5, 5, 48) + "\n");
    log.refresh();
    EXPECT_TRUE(log.find(SecretLabel::Master, randomOf(4)));
    EXPECT_EQ(log.size(), 5U);
}

TEST_F(KeyLogTest, AMissingFileIsAnErrorUnlessItMayAppear) {
    KeyLog log(options());
    const auto missing = log.addFile(path);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().where, path);
    EXPECT_EQ(missing.error().what, "cannot read the key log: No such file or directory");
    ASSERT_TRUE(log.addFile(path, KeyLog::Missing::MayAppear));
    append(line("CLIENT_RANDOM", 1, 1, 48) + "\n");
    now += milliseconds(10);
    EXPECT_TRUE(log.find(SecretLabel::Master, randomOf(1)));
}

TEST_F(KeyLogTest, AFolderIsNoKeyLog) {
    KeyLog log;
    EXPECT_FALSE(log.addFile(folder));
    EXPECT_FALSE(log.addFile(folder, KeyLog::Missing::MayAppear));
}

TEST_F(KeyLogTest, SeveralSourcesAreOneKeyLog) {
    append(line("CLIENT_RANDOM", 1, 1, 48) + "\n");
    std::ofstream(folder + "/second.txt") << line("CLIENT_RANDOM", 2, 2, 48) << "\n";
    KeyLog log(options());
    ASSERT_TRUE(log.addFile(path));
    ASSERT_TRUE(log.addFile(folder + "/second.txt"));
    log.addText(line("CLIENT_RANDOM", 3, 3, 48));
    for (std::uint8_t i = 1; i <= 3; ++i)
        EXPECT_TRUE(log.find(SecretLabel::Master, randomOf(i)));
}

TEST_F(KeyLogTest, APipeIsReadAsFarAsItIsFilled) {
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    KeyLog log(options());
    ASSERT_TRUE(log.addFile(path));
    append(line("CLIENT_RANDOM", 1, 1, 48) + "\n");
    log.refresh();
    EXPECT_EQ(log.size(), 1U);
}

TEST_F(KeyLogTest, ALineWithoutEndDoesNotGrowInMemory) {
    append(std::string(3 << 20, 'x'));
    KeyLog log(options());
    ASSERT_TRUE(log.addFile(path));
    append("\n" + line("CLIENT_RANDOM", 1, 1, 48) + "\n");
    log.refresh();
    EXPECT_EQ(log.counts().junk, 1U);
    EXPECT_EQ(log.size(), 1U);
}

} // namespace
} // namespace brokerscope
