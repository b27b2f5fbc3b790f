// SPDX-License-Identifier: Apache-2.0
// Any bytes as a record set. The laws: cut into packets it gives the same records and says the same about them as in
// one piece; in its trees every byte has one owner. The first byte says where it is cut.
#include "dissector/payloads/payload_opener.h"
#include "dissector/records/record_set.h"
#include "dissector/records/record_tree.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/tree_law.h"

#include <algorithm>
#include <string>

using namespace brokerscope;

namespace {

// So small that a run takes no time; the default is another number, not other code.
constexpr CodecLimits limits{.maxOutput = 4u << 20, .freeOutput = 1u << 20, .maxRatio = 1000};

std::string all(const ByteChain& bytes) {
    static RecordSetReader reader(limits);
    std::string story;
    auto tell = [&story](const auto&... parts) { ((story += parts, story += '|'), ...); };
    auto tellBytes = [&story](const std::optional<Bytes>& part) {
        if (part) story.append(part->begin(), part->end());
        story += part ? ';' : '0';
    };
    reader.open(bytes, 0, bytes.size());
    while (reader.nextBatch()) {
        while (reader.nextRecord()) {
            const Record& record = reader.record();
            tell(std::to_string(record.offset.value_or(-1)), std::to_string(record.timestamp));
            tellBytes(record.key);
            tellBytes(record.value);
            for (const RecordHeader& header : record.headers) {
                tellBytes(header.key);
                tellBytes(header.value);
            }
        }
        tell("batch", reader.batchError());
    }
    require(reader.trailing() <= bytes.size());
    tell(reader.setError(), std::to_string(reader.trailing()));
    for (const Problem& problem : reader.problems())
        tell(problem.at, problem.text);
    return story;
}

void requireTreeLaw(const ByteChain& bytes) {
    static RecordTrees trees(limits);
    const RecordDocument set = trees.openSet(bytes, 0, bytes.size());
    require(brokenLaw(set.tree, 0, bytes.size()).empty());
    const PayloadOpener opener(Protocol::builtin());
    for (const std::string_view topic : {"__consumer_offsets", "__cluster_metadata", "__transaction_state"}) {
        DecodedMessage opened;
        opened.tree = set.tree;
        opener.openRecords(bytes, topic, false, opened);
        require(brokenLaw(opened.tree, 0, bytes.size()).empty());
    }
    for (std::size_t i = 0; i < set.batches.size(); ++i) {
        if (set.batches[i].compressed == noNode) continue;
        const RecordDocument inside = trees.openCompressed(set, i);
        require(brokenLaw(inside.tree, 0, inside.bytes.size()).empty());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::uint32_t piece = 1u + data[0];
    const Bytes set{data + 1, size - 1};
    ByteChain pieces;
    for (std::size_t at = 0; at < set.size(); at += piece) {
        Slice slice;
        slice.data = set.data() + at;
        slice.length = static_cast<std::uint32_t>(std::min<std::size_t>(piece, set.size() - at));
        pieces.append(slice);
    }
    require(all(ByteChain::of(set)) == all(pieces));
    requireTreeLaw(pieces);
    return 0;
}
