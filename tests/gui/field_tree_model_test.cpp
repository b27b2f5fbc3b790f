// SPDX-License-Identifier: Apache-2.0
#include "gui/models/field_tree_model.h"

#include "dissector/index/indexed_subject.h"
#include "gui/loader/detail_maker.h"
#include "gui/loader/part_maker.h"
#include "tests/gui/loaded.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace brokerscope {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Opens what was asked for when its turn comes, as the detail thread does.
class OpeningModel : public FieldTreeModel {
  public:
    using FieldTreeModel::value;
    OpeningModel() {
        connect(this, &FieldTreeModel::recordsWished, this, [this](FieldRef field) { m_wished.push_back(field); });
    }
    void openWished() {
        for (FieldRef field : std::exchange(m_wished, {}))
            addOpened(openRecords(m_capture, *part(field.part), field));
    }
    void show(const Capture& capture, std::uint32_t row) {
        FieldSurroundings around;
        around.topicName = [&index = capture->index](const TopicId& id) { return index.topicName(id); };
        setSurroundings(std::move(around));
        m_wished.clear(); // of the detail before
        m_capture = capture;
        setDetail(makeDetail(capture, row));
    }
    std::string value(const std::string& path) {
        const FoundPath found = foundPath(path);
        return found.whole ? FieldTreeModel::value(indexOf(found.field)).text.toStdString()
                           : "(not found: " + path + ")";
    }
    // Opens batches on the way.
    FoundPath foundPath(const std::string& path) {
        FoundPath found = findPathText(QString::fromStdString(path));
        for (int i = 0; i < 4 && found.closed; ++i) {
            fetchMore(indexOf(found.closed));
            openWished();
            found = findPathText(QString::fromStdString(path));
        }
        return found;
    }
    // All rows, opened to the depth.
    int expandAll(const QModelIndex& parent, int depth) {
        if (canFetchMore(parent)) fetchMore(parent);
        openWished();
        int rows = 0;
        for (int row = 0; row < rowCount(parent) && depth > 0; ++row)
            rows += 1 + expandAll(index(row, 0, parent), depth - 1);
        return rows;
    }

  private:
    Capture m_capture;
    std::vector<FieldRef> m_wished;
};

std::uint32_t firstOf(const Capture& capture, std::int16_t api, std::uint32_t from = 0) {
    for (std::uint32_t row = from; row < capture->index.size(); ++row)
        if (capture->index.row(row).hasHeader() && capture->index.row(row).apiKey() == api) return row;
    return 0;
}

TEST(FieldTree, isAWellFormedModelForExchangesOfEverySample) {
    for (const std::string& path : allSamples()) {
        const Capture capture = load({path}).capture;
        OpeningModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        for (std::uint32_t row = 0; row < capture->index.size(); row += 23) {
            model.show(capture, row);
            ASSERT_EQ(model.rowCount(), 3);
            model.expandAll({}, 12);
        }
        model.setShowLengths(true);
        model.expandAll({}, 5);
        model.setDetail(nullptr);
        EXPECT_EQ(model.rowCount(), 0);
    }
}

// From each byte to its field, to its row, and back to the byte; record sets are open.
TEST(FieldTree, leadsFromEveryByteToAFieldAndBack) {
    for (const std::string& path : allSamples()) {
        const Capture capture = load({path}).capture;
        OpeningModel model;
        for (std::uint32_t row = 0; row < capture->index.size(); row += 7) {
            model.show(capture, row);
            model.expandAll({}, 30);
            for (PartNumber number = requestPart; number < model.parts(); ++number) {
                const Part part = model.part(number);
                if (!part || !part->ownBytes) continue;
                for (std::uint32_t at = 0; at < part->bytes.size(); ++at) {
                    const FieldRef field = model.fieldOfByte(number, at);
                    ASSERT_TRUE(field) << path << " " << row << " part " << number << " byte " << at;
                    ASSERT_EQ(model.bytesOf(field.part), number);
                    const FieldNode& node = model.part(field.part)->tree.nodes[field.node];
                    ASSERT_LE(node.offset, at);
                    ASSERT_GT(node.offset + node.length, at);
                    const QModelIndex index = model.indexOf(field);
                    ASSERT_TRUE(index.isValid());
                    const FieldRef shown = model.fieldAt(index);
                    const FieldNode& shownNode = model.part(shown.part)->tree.nodes[shown.node];
                    if (model.bytesOf(shown.part) == number) {
                        ASSERT_LE(shownNode.offset, at);
                        ASSERT_GT(shownNode.offset + shownNode.length, at);
                    }
                }
            }
        }
    }
}

TEST(FieldTree, findsTheSameFieldInAnotherExchangeOfTheApi) {
    const Capture capture = loadSample("errors.pcap.zst");
    OpeningModel model;
    const std::uint32_t first = firstOf(capture, 3), second = firstOf(capture, 3, first + 1);
    model.show(capture, first);
    const QModelIndex before = model.indexOf(model.foundPath("response.topics[0].errorCode").field);
    ASSERT_TRUE(before.isValid());
    const FieldTreeModel::Path path = model.pathOf(before);
    EXPECT_EQ(model.find(path), before);
    model.show(capture, second);
    EXPECT_EQ(model.name(model.find(path)).toStdString(), "ErrorCode");
}

TEST(FieldTree, findsTheFirstErrorOfAResponse) {
    const Capture capture = loadSample("errors.pcap.zst");
    OpeningModel model;
    std::uint32_t looked = 0;
    for (std::uint32_t row = 0; row < capture->index.size(); ++row) {
        if (!capture->index.row(row).hasErrors()) continue;
        model.show(capture, row);
        const QModelIndex error = model.firstError();
        ASSERT_TRUE(error.isValid()) << row;
        EXPECT_EQ(model.value(error).look, FieldLook::Error);
        ++looked;
    }
    EXPECT_GT(looked, 10U);
}

TEST(FieldTree, opensACompressedBatchDownToTheRecord) {
    const Capture capture = loadSample("codecs.pcap");
    OpeningModel model;
    int opened = 0;
    for (std::uint32_t row = 0; row < capture->index.size(); ++row) {
        if (!capture->index.row(row).hasHeader() || capture->index.row(row).apiKey() != 0) continue;
        model.show(capture, row);
        const auto key = model.foundPath("request.topicData[0].partitionData[0].records[0].records[0].value");
        if (!key.whole) continue;
        ++opened;
        EXPECT_THAT(model.value(model.indexOf(key.field)).text.toStdString(), HasSubstr("{"));
        EXPECT_GE(key.field.part, firstOpenedPart);
    }
    EXPECT_GE(opened, 5);
}

TEST(FieldTree, keepsALazyRecordSetClosedUntilItIsAskedFor) {
    const Capture capture = loadSample("codecs.pcap");
    FieldTreeModel model; // nobody opens anything
    QSignalSpy wished(&model, &FieldTreeModel::recordsWished);
    model.setDetail(makeDetail(capture, firstOf(capture, 0)));
    const auto records = model.findPathText(QStringLiteral("request.topicData[0].partitionData[0].records"));
    ASSERT_TRUE(records.whole);
    const QModelIndex index = model.indexOf(records.field);
    EXPECT_TRUE(model.hasChildren(index));
    EXPECT_EQ(model.rowCount(index), 0);
    EXPECT_TRUE(model.canFetchMore(index));
    model.fetchMore(index);
    model.fetchMore(index);
    EXPECT_EQ(wished.count(), 1);
    EXPECT_FALSE(model.canFetchMore(index));
    EXPECT_EQ(model.value(index).text.toStdString(), "Opening…");
    model.openFailed(records.field);
    EXPECT_TRUE(model.canFetchMore(index));
}

TEST(FieldTree, writesValuesAsPeopleReadThem) {
    const Capture capture = loadSample("produce-acks.pcap");
    OpeningModel model;
    model.show(capture, firstOf(capture, 18));
    EXPECT_EQ(model.value("requestHeader.requestApiKey"), "18 ApiVersions");
    EXPECT_THAT(model.value("requestHeader.clientId"), StartsWith("\"prod"));
    EXPECT_EQ(model.value("response.errorCode"), "0 NONE");
    EXPECT_THAT(model.value("response.apiKeys"), HasSubstr("entries"));
    model.show(capture, firstOf(capture, 0));
    EXPECT_EQ(model.value("request.transactionalId"), "null");
    EXPECT_EQ(model.value("request.acks"), "0 NONE");
    EXPECT_EQ(model.value("request.timeoutMs"), "30000 ms (30 s)");
    EXPECT_EQ(model.value("request.topicData"), "1 entry");
    EXPECT_THAT(model.value("request.topicData[0].topicId"), HasSubstr(" → orders"));
    EXPECT_THAT(model.value("request.topicData[0].partitionData[0].records"), HasSubstr("1 batch, "));
    EXPECT_THAT(model.value("request.topicData[0].partitionData[0].records[0]"), HasSubstr("CRC right"));
    EXPECT_THAT(model.value("request.topicData[0].partitionData[0].records[0].records[0]"), StartsWith("offset "));
    EXPECT_THAT(model.value("request.topicData[0].partitionData[0].records[0].maxTimestamp"), HasSubstr(" UTC"));
    EXPECT_EQ(model.value("request.topicData[0].partitionData[0].records[0].producerId"), "-1");
    const QModelIndex entry = model.indexOf(model.foundPath("request.topicData[0].partitionData[0]").field);
    EXPECT_THAT(model.name(entry).toStdString(), StartsWith("[0]  partition "));
}

TEST(FieldTree, masksSecretsUntilTheyAreRevealed) {
    const Capture capture = loadSample("sasl.pcap");
    OpeningModel model;
    model.show(capture, firstOf(capture, 36)); // SaslAuthenticate, with PLAIN
    EXPECT_EQ(model.value("request.authBytes"), "PLAIN message, 15 bytes");
    EXPECT_EQ(model.value("request.authBytes.user"), "\"alice\"");
    EXPECT_EQ(model.value("request.authBytes.password"), "(masked, 8 bytes)");
    const FieldRef password = model.foundPath("request.authBytes.password").field;
    const Part request = model.part(requestPart);
    const FieldNode& node = request->tree.nodes[password.node];
    ASSERT_EQ(request->secrets.size(), 1U);
    EXPECT_EQ(request->secrets.front(), std::pair(node.contentOffset(), node.offset + node.length));
    EXPECT_THAT(model.texts(requestPart).toolTip(password.node).toStdString(), testing::Not(HasSubstr(": 61 6c")));
    const FieldRef token = model.foundPath("request.authBytes").field;
    EXPECT_EQ(model.texts(requestPart).valueToCopy(token.node).toStdString(), "PLAIN message, 15 bytes");
    FieldSurroundings around;
    around.revealSecrets = true;
    model.setSurroundings(around);
    EXPECT_THAT(model.value("request.authBytes.password"), StartsWith("\"alice-"));
}

TEST(FieldTree, opensWhatHidesInBytesFields) {
    const Capture capture = loadSample("rebalance-classic.pcap.zst");
    OpeningModel model;
    model.show(capture, firstOf(capture, 11)); // JoinGroup
    EXPECT_EQ(model.value("request.protocols[0].metadata"), "ConsumerProtocolSubscription v3, 28 bytes");
    EXPECT_EQ(model.value("request.protocols[0].metadata.topics[0]"), "\"clicks\"");
    const FieldRef inside = model.foundPath("request.protocols[0].metadata.generationId").field;
    EXPECT_EQ(model.value("request.protocols[0].metadata.generationId"), "-1");
    EXPECT_EQ(model.fieldOfByte(requestPart, model.part(requestPart)->tree.nodes[inside.node].offset), inside);
    EXPECT_EQ(model.texts(requestPart).filterName(inside.node).toStdString(), "");
}

TEST(FieldTree, opensRecordsOfInternalTopics) {
    const Capture capture = loadSample("kraft-cluster.pcap.zst");
    OpeningModel model;
    int control = 0, opened = 0;
    for (std::uint32_t row = 0; row < capture->index.size() && (control == 0 || opened == 0); ++row) {
        if (capture->index.row(row).apiKey() != 1 || capture->index.row(row).responseBytes() < 400) continue;
        model.show(capture, row);
        const std::string set = "response.responses[0].partitions[0].records";
        const auto batch = model.foundPath(set + "[0]");
        if (!batch.whole) continue;
        EXPECT_THAT(model.value(set + "[0]"), HasSubstr("CRC right")) << row;
        const std::string record = model.value(set + "[0].records[0]");
        control += record.find("control record, LeaderChangeMessage v") != std::string::npos;
        opened += model.value(set + "[0].records[0].value").find("Record v") != std::string::npos;
    }
    EXPECT_GT(control, 0);
    EXPECT_GT(opened, 0);
}

TEST(FieldTree, makesFiltersOfFieldsThatFitTheirExchange) {
    const Capture capture = loadSample("produce-acks.pcap");
    OpeningModel model;
    IndexedSubject subject(capture->index, capture->protocol, {});
    for (std::uint32_t row = 0; row < capture->index.size(); row += 3) {
        model.show(capture, row);
        for (PartNumber number : {requestPart, responsePart}) {
            const Part part = model.part(number);
            if (!part) continue;
            const FieldTexts texts = model.texts(number);
            for (NodeIndex node = 0; node < part->tree.nodes.size(); ++node) {
                const std::string expression = texts.filterExpression(node).toStdString();
                if (expression.empty()) continue;
                auto compiled = Filter::compile(expression, Protocol::builtin());
                ASSERT_TRUE(std::holds_alternative<Filter>(compiled)) << expression;
                ASSERT_TRUE(subject.assign(row));
                EXPECT_TRUE(std::get<Filter>(compiled).matches(subject)) << row << " " << expression;
            }
        }
    }
}

TEST(FieldTree, saysInTheToolTipWhatAFieldIs) {
    const Capture capture = loadSample("long-poll.pcap");
    OpeningModel model;
    model.show(capture, firstOf(capture, 1));
    const FieldRef field = model.foundPath("request.maxWaitMs").field;
    const std::string tip = model.texts(requestPart).toolTip(field.node).toStdString();
    EXPECT_THAT(tip, StartsWith("MaxWaitMs: int32\n4 bytes at "));
    EXPECT_THAT(tip, HasSubstr("packet "));
    EXPECT_THAT(tip, HasSubstr("Filter name: request.maxWaitMs"));
}

TEST(FieldTree, showsLengthsOnlyWhenAskedFor) {
    const Capture capture = loadSample("first-steps.pcap");
    OpeningModel model;
    model.show(capture, 0);
    const int plain = model.expandAll({}, 10);
    model.setShowLengths(true);
    const int withLengths = model.expandAll({}, 10);
    EXPECT_GT(withLengths, plain);
    model.setShowLengths(false);
    EXPECT_EQ(model.expandAll({}, 10), plain);
}

} // namespace
} // namespace brokerscope
