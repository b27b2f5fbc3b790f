// SPDX-License-Identifier: Apache-2.0
#include "gui/loader/capture_loader.h"

#include "tests/gui/loaded.h"

#include <QFile>
#include <QTemporaryDir>
#include <QThread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace brokerscope {
namespace {

using testing::HasSubstr;

TEST(CaptureLoader, readsEverySampleToItsEnd) {
    ASSERT_FALSE(allSamples().empty());
    for (const std::string& path : allSamples()) {
        const Loaded loaded = load({path});
        ASSERT_TRUE(loaded.capture) << path << " " << loaded.failure.toStdString();
        EXPECT_GT(loaded.capture->index.size(), 0U) << path;
        EXPECT_FALSE(loaded.report->stopped);
        EXPECT_TRUE(loaded.report->info.damage.empty()) << path;
        for (std::uint32_t row = 0; row < loaded.capture->index.size(); ++row)
            EXPECT_TRUE(loaded.capture->index.row(row).ended()) << path << " " << row;
    }
}

TEST(CaptureLoader, readsSeveralFilesAsOneCapture) {
    const std::uint32_t first = loadSample("first-steps.pcap")->index.size();
    const std::uint32_t second = loadSample("long-poll.pcap")->index.size();
    const Loaded both = load({samplePath("long-poll.pcap"), samplePath("first-steps.pcap")});
    EXPECT_EQ(both.capture->index.size(), first + second);
}

TEST(CaptureLoader, opensTlsWithTheSecretsInTheCapture) {
    const Loaded loaded = load({samplePath("tls13-with-secrets.pcapng")});
    EXPECT_EQ(loaded.report->tlsWithoutKeys, 0U);
    EXPECT_EQ(loaded.capture->index.size(), 72U);
}

TEST(CaptureLoader, namesTopicIdsFromWhatTheCaptureShows) {
    const Capture capture = loadSample("produce-acks.pcap");
    std::uint32_t byId = 0;
    for (std::uint32_t row = 0; row < capture->index.size(); ++row)
        for (Subject::Topic topic : capture->index.row(row).subject().topics) {
            byId += capture->index.topicId(topic).has_value();
            EXPECT_EQ(capture->index.topicName(topic), "orders");
        }
    EXPECT_GT(byId, 0U);
}

TEST(CaptureLoader, saysInOneSentenceWhyAFileCannotBeRead) {
    QTemporaryDir folder;
    const auto written = [&](const char* name, const QByteArray& content) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(content);
        return file.fileName().toStdString();
    };
    for (const std::string& path :
         {written("notes.txt", "Hello"), written("empty.pcap", ""), folder.path().toStdString(),
          folder.filePath(QStringLiteral("missing.pcap")).toStdString()}) {
        const Loaded loaded = load({path});
        EXPECT_FALSE(loaded.capture) << path;
        EXPECT_THAT(loaded.failure.toStdString(),
                    HasSubstr(QFileInfo(QString::fromStdString(path)).fileName().toStdString()));
        EXPECT_FALSE(loaded.failure.contains(u'\n'));
    }
}

TEST(CaptureLoader, keepsWhatStandsInFrontOfDamage) {
    QTemporaryDir folder;
    QFile whole(QString::fromStdString(samplePath("produce-acks.pcap")));
    ASSERT_TRUE(whole.open(QIODevice::ReadOnly));
    QFile cut(folder.filePath(QStringLiteral("cut.pcap")));
    ASSERT_TRUE(cut.open(QIODevice::WriteOnly));
    cut.write(whole.read(50'000));
    cut.close();
    const Loaded loaded = load({cut.fileName().toStdString()});
    ASSERT_TRUE(loaded.capture);
    EXPECT_EQ(loaded.report->info.damage.size(), 1U);
    EXPECT_GT(loaded.capture->index.size(), 10U);
}

// ---- stopping

struct Stopping : testing::Test {
    Stopping() {
        QObject::connect(&loader, &CaptureLoader::opened, &loader,
                         [this](const Capture& capture) { opened = capture; });
        QObject::connect(
            &loader, &CaptureLoader::finished, &loader,
            [this](const Capture&, const std::shared_ptr<const CaptureReport>& report) { reports.push_back(report); });
    }
    void open(const std::string& sample) {
        OpenWish wish;
        wish.paths = {samplePath(sample)};
        loader.open(std::move(wish));
    }

    CaptureLoader loader;
    Capture opened;
    std::vector<std::shared_ptr<const CaptureReport>> reports;
};

TEST_F(Stopping, keepsWhatWasReadAndGoesOnToTheSameEnd) {
    const std::uint32_t all = loadSample("errors.pcap.zst")->index.size();
    std::mt19937 random(11);
    for (int round = 0; round < 20; ++round) {
        reports.clear();
        open("errors.pcap.zst");
        QThread::usleep(random() % 8000);
        loader.stop();
        ASSERT_TRUE(waitFor([this] { return !reports.empty(); }));
        while (reports.back()->stopped) {
            EXPECT_LE(opened->index.size(), all);
            const std::size_t before = reports.size();
            loader.resume();
            ASSERT_TRUE(waitFor([&] { return reports.size() > before; }));
        }
        EXPECT_EQ(opened->index.size(), all);
    }
}

TEST_F(Stopping, openingAnotherFileForgetsTheOneBefore) {
    std::mt19937 random(5);
    for (int round = 0; round < 20; ++round) {
        open("errors.pcap.zst");
        QThread::usleep(random() % 4000);
        if (round % 3 == 0) QCoreApplication::processEvents();
    }
    reports.clear();
    open("first-steps.pcap");
    ASSERT_TRUE(waitFor([this] { return !reports.empty(); }));
    QCoreApplication::processEvents();
    EXPECT_EQ(reports.size(), 1U);
    EXPECT_EQ(opened->wish.paths, std::vector<std::string>{samplePath("first-steps.pcap")});
    EXPECT_FALSE(reports.front()->stopped);
}

TEST_F(Stopping, closingWhileLoadingSaysNothingMore) {
    open("errors.pcap.zst");
    loader.close();
    EXPECT_FALSE(waitFor([this] { return !reports.empty() || opened; }, 300));
}

TEST_F(Stopping, isDestroyedInTheMiddleOfLoading) {
    for (int round = 0; round < 10; ++round) {
        CaptureLoader another;
        OpenWish wish;
        wish.paths = {samplePath("kraft-cluster.pcap.zst")};
        another.open(std::move(wish));
        QThread::usleep(static_cast<unsigned>(round) * 500);
    }
}

} // namespace
} // namespace brokerscope
