// SPDX-License-Identifier: Apache-2.0
// What is inside the batches of Produce requests and Fetch responses: sizes, compression, timestamps, checksums,
// sequence numbers, partitions. Headers only, but for a sample of batches that is opened to compare sizes.
#include "dissector/analysis/findings/finding_rule.h"

#include "dissector/message/units.h"
#include "dissector/records/record_set.h"

#include <fmt/format.h>

#include <deque>
#include <tuple>

namespace brokerscope {
namespace {

using enum FindingId;

// How one producer fills its batches, for one topic.
struct Filling {
    Occurrences occurrences;
    std::uint64_t requests = 0, alone = 0; // requests with a record set of one record
    std::uint64_t records = 0, bytes = 0, plainBytes = 0;
    std::uint64_t opened = 0, grew = 0, compressedBytes = 0, contentBytes = 0;
    Codec codec = Codec::None;
    std::uint64_t textSampled = 0, textFound = 0;
};

struct PartitionShare {
    std::uint64_t records = 0;
};

bool looksLikeText(Bytes value) {
    constexpr std::size_t enough = 64;
    const std::size_t look = std::min(value.size(), enough);
    for (std::size_t i = 0; i < look; ++i)
        if (value[i] < 0x20 && value[i] != '\n' && value[i] != '\t' && value[i] != '\r') return false;
    return look >= enough / 4;
}

class BatchRule final : public FindingRule {
  public:
    void exchange(SeenExchange& seen, FindingReport& report) override {
        if (!seen.exchange().header) return;
        if (seen.is(apikey::Produce) && seen.exchange().request) {
            for (const RecordSetPlace& place : seen.requestRecords())
                produced(seen, place, report);
        } else if ((seen.is(apikey::Fetch) || seen.is(apikey::ShareFetch)) && seen.exchange().response) {
            for (const RecordSetPlace& place : seen.responseRecords())
                fetched(seen, place, report);
        }
    }

    void finish(FindingReport& report) override {
        for (auto& [key, filling] : m_fillings)
            judge(report, fmt::format("{}, topic \"{}\"", key.first, key.second), filling);
        for (auto& [topic, partitions] : m_shares)
            judgeShares(report, topic, partitions);
    }

  private:
    static constexpr std::uint64_t mostOpened = 50; // batches of one filling that are decompressed or looked into
    using Partitions = Slots<std::int32_t, PartitionShare, 10'000>;
    struct Sequence {
        std::deque<std::int32_t> last; // base sequences of the last five batches, as a broker remembers them
    };

    void produced(SeenExchange& seen, const RecordSetPlace& place, FindingReport& report) {
        const Exchange& exchange = seen.exchange();
        const std::string topic = seen.topicOf(place);
        Filling* filling = m_fillings[{seen.client(), topic}];
        if (!filling) return;
        m_reader.open(exchange.request->bytes, place.begin, place.end);
        std::uint64_t records = 0;
        while (m_reader.nextBatch()) {
            const Batch& batch = m_reader.batch();
            checkCrc(seen, topic, place, report);
            if (batch.magic < 2) {
                report.see(OldRecordFormat, fmt::format("{}, topic \"{}\"", seen.client(), topic), exchange,
                           fmt::format("batches of format {}", batch.magic));
            } else {
                checkTimes(seen, topic, report);
                checkSequence(seen, topic, place, report);
            }
            const std::uint64_t count = batch.magic == 2 ? std::max(batch.recordCount, 0) : 1;
            records += count;
            filling->bytes += batch.sizeInBytes();
            if (batch.codec == Codec::None) filling->plainBytes += batch.sizeInBytes();
            open(*filling);
        }
        filling->occurrences.add(exchange);
        ++filling->requests;
        filling->alone += records == 1;
        filling->records += records;
        if (Partitions* shares = m_shares[topic]; shares && place.partition)
            if (PartitionShare* share = (*shares)[*place.partition]) share->records += records;
    }

    void fetched(SeenExchange& seen, const RecordSetPlace& place, FindingReport& report) {
        m_reader.open(seen.exchange().response->bytes, place.begin, place.end);
        while (m_reader.nextBatch())
            checkCrc(seen, seen.topicOf(place), place, report);
    }

    void checkCrc(SeenExchange& seen, const std::string& topic, const RecordSetPlace& place, FindingReport& report) {
        const Batch& batch = m_reader.batch();
        if (batch.crcValid().value_or(true)) return;
        report.see(CrcMismatch, fmt::format("topic \"{}\" partition {}", topic, place.partition.value_or(-1)),
                   seen.exchange(),
                   fmt::format("a batch in a {} of {} says {:08x}, its bytes give {:08x}", seen.apiName(),
                               seen.client(), batch.crc, *batch.crcOfBytes));
    }

    void checkTimes(SeenExchange& seen, const std::string& topic, FindingReport& report) {
        constexpr Duration future = std::chrono::minutes(1), past = std::chrono::hours(1);
        const Batch& batch = m_reader.batch();
        if (batch.timestampType != TimestampType::Create || batch.maxTimestamp < 0 || batch.isControl) return;
        constexpr std::int64_t farthest = 4'102'444'800'000; // 2100: beyond it no clock is meant
        const Timestamp written = seen.exchange().request->begin;
        const Timestamp stamp{std::chrono::milliseconds(std::min(batch.maxTimestamp, farthest))};
        const Duration ahead = stamp - written;
        if (ahead < future && ahead > -past) return;
        report.see(ClockSkew, fmt::format("{}, topic \"{}\"", seen.client(), topic), seen.exchange(),
                   ahead > Duration{} ? fmt::format("timestamps {} in the future", spanWords(ahead))
                                      : fmt::format("timestamps {} in the past", spanWords(-ahead)),
                   ahead > Duration{} ? Severity::Warning : Severity::Note);
    }

    void checkSequence(SeenExchange& seen, const std::string& topic, const RecordSetPlace& place,
                       FindingReport& report) {
        constexpr std::size_t remembered = 5;
        const Batch& batch = m_reader.batch();
        if (batch.producerId < 0 || batch.baseSequence < 0) return;
        Sequence* sequence = m_sequences[{batch.producerId, batch.producerEpoch, topic, place.partition.value_or(-1)}];
        if (!sequence) return;
        if (std::ranges::find(sequence->last, batch.baseSequence) != sequence->last.end())
            report.see(DuplicateBatch, fmt::format("{}, producer id {}", seen.client(), batch.producerId),
                       seen.exchange(),
                       fmt::format("sequence {} of topic \"{}\" partition {} again", batch.baseSequence, topic,
                                   place.partition.value_or(-1)));
        sequence->last.push_back(batch.baseSequence);
        if (sequence->last.size() > remembered) sequence->last.pop_front();
    }

    // Compares sizes of compressed batches, looks whether uncompressed ones are text.
    void open(Filling& filling) {
        const Batch& batch = m_reader.batch();
        if (batch.codec == Codec::None) {
            if (filling.textSampled >= mostOpened || !m_reader.nextRecord()) return;
            ++filling.textSampled;
            filling.textFound += m_reader.record().value && looksLikeText(*m_reader.record().value);
            return;
        }
        if (filling.opened >= mostOpened || batch.magic < 2) return;
        m_reader.openBatch();
        if (m_reader.content().empty()) return;
        const std::uint64_t compressed = batch.sizeInBytes() - batchHeaderSize;
        ++filling.opened;
        filling.codec = batch.codec;
        filling.grew += compressed > m_reader.content().size();
        filling.compressedBytes += compressed;
        filling.contentBytes += m_reader.content().size();
    }

    static void judge(FindingReport& report, const std::string& subject, const Filling& filling) {
        constexpr std::uint64_t manyRequests = 100, muchText = 1 << 20, manyOpened = 10;
        constexpr Duration quick =
            std::chrono::milliseconds(20); // from one request to the next: slower ones cost little
        if (filling.requests >= manyRequests && filling.alone * 10 >= filling.requests * 8)
            report.add(TinyBatches, subject,
                       fmt::format("{} of {} carry a single record, {} a request on average, within {}", filling.alone,
                                   counted(filling.requests, "Produce request"),
                                   sizeWords(filling.bytes / filling.requests), spanWords(filling.occurrences.span())),
                       filling.occurrences,
                       filling.occurrences.span() < quick * filling.requests ? std::nullopt
                                                                             : std::optional(Severity::Note));
        if (filling.plainBytes >= muchText && filling.textFound * 10 >= filling.textSampled * 8)
            report.add(NoCompression, subject,
                       fmt::format("{} of text in batches without compression", sizeWords(filling.plainBytes)),
                       filling.occurrences);
        if (filling.opened >= manyOpened && filling.grew * 2 > filling.opened)
            report.add(CompressionGrew, subject,
                       fmt::format("{} of {} batches looked into are larger with {} than without; {} became {}",
                                   filling.grew, filling.opened, name(filling.codec), sizeWords(filling.contentBytes),
                                   sizeWords(filling.compressedBytes)),
                       filling.occurrences);
    }

    static void judgeShares(FindingReport& report, const std::string& topic, Partitions& partitions) {
        constexpr std::uint64_t manyRecords = 1000;
        std::uint64_t all = 0, most = 0;
        std::int32_t hottest = -1;
        for (auto& [partition, share] : partitions) {
            all += share.records;
            if (share.records <= most) continue;
            most = share.records;
            hottest = partition;
        }
        const bool hot =
            partitions.size() >= 3 && all >= manyRecords && most * 10 >= all * 6 && most * partitions.size() >= all * 2;
        if (!hot) return;
        Occurrences occurrences;
        occurrences.count = most;
        report.add(HotPartition, fmt::format("topic \"{}\"", topic),
                   fmt::format("partition {} got {} of {} written to {} partitions ({:.0f} %)", hottest, grouped(most),
                               counted(all, "record"), partitions.size(),
                               100.0 * static_cast<double>(most) / static_cast<double>(all)),
                   occurrences);
    }

    RecordSetReader m_reader;
    Slots<std::pair<std::string, std::string>, Filling> m_fillings;
    Slots<std::string, Partitions, 200> m_shares;
    Slots<std::tuple<std::int64_t, std::int16_t, std::string, std::int32_t>, Sequence, 10'000> m_sequences;
};

} // namespace

void addBatchRules(FindingRules& rules) {
    rules.push_back(std::make_unique<BatchRule>());
}

} // namespace brokerscope
