// SPDX-License-Identifier: Apache-2.0
// The KRaft quorum: who leads in which epoch, who asks for votes, who reads a snapshot, who is a voter.
#include "dissector/analysis/cluster_map.h"

#include <fmt/format.h>

#include <algorithm>

namespace brokerscope {

void ClusterMap::vote() {
    const FieldView request = m_bodies.request(), response = m_bodies.response();
    const std::int32_t voter = request["voterId"].int32(-1); // not in version 0
    for (const FieldView topic : request["topics"].entries())
        for (const FieldView entry : topic["partitions"].entries()) {
            const bool preVote = entry["preVote"].number(0) != 0;
            // Named ReplicaId today, CandidateId in earlier versions; epochs likewise.
            const std::int32_t candidate = entry["replicaId"].int32(-1), epoch = entry["replicaEpoch"].int32(-1);
            bool granted = false;
            for (const FieldView answered : response["topics"].entries())
                for (const FieldView vote : answered["partitions"].entries()) {
                    granted = granted || vote["voteGranted"].number(0) != 0;
                    quorum(vote["leaderId"].int32(-1), vote["leaderEpoch"].int32(-1));
                }
            ++m_cluster.votes;
            if (!preVote) m_votedEpoch = std::max(m_votedEpoch, epoch);
            const std::string asked = voter < 0 ? std::string() : fmt::format(" node {}", voter);
            if (ClusterChange* change =
                    tell(ClusterChangeKind::Vote, fmt::format("node {} asks{} for a {}vote: {}", candidate, asked,
                                                              preVote ? "pre-" : "", granted ? "granted" : "refused")))
                change->epoch = epoch;
        }
}

void ClusterMap::beginEpoch() {
    for (const FieldView topic : m_bodies.request()["topics"].entries())
        for (const FieldView entry : topic["partitions"].entries())
            quorum(entry["leaderId"].int32(-1), entry["leaderEpoch"].int32(-1), true);
}

void ClusterMap::endEpoch() {
    for (const FieldView topic : m_bodies.request()["topics"].entries())
        for (const FieldView entry : topic["partitions"].entries())
            if (ClusterChange* change =
                    tell(ClusterChangeKind::Resigned, fmt::format("node {} gives up", entry["leaderId"].int32(-1))))
                change->epoch = entry["leaderEpoch"].int32(-1);
}

void ClusterMap::describeQuorum() {
    for (const FieldView topic : m_bodies.response()["topics"].entries())
        for (const FieldView entry : topic["partitions"].entries())
            quorum(entry["leaderId"].int32(-1), entry["leaderEpoch"].int32(-1));
}

// Followers of the metadata log are told the leader in each answer.
void ClusterMap::raftFetch() {
    for (const FieldView topic : m_bodies.response()["responses"].entries())
        for (const FieldView entry : topic["partitions"].entries()) {
            const FieldView leader = entry["currentLeader"];
            quorum(leader["leaderId"].int32(-1), leader["leaderEpoch"].int32(-1));
        }
}

// Read piece by piece; the first piece is told.
void ClusterMap::fetchSnapshot() {
    const FieldView request = m_bodies.request();
    for (const FieldView topic : m_bodies.response()["topics"].entries())
        for (const FieldView entry : topic["partitions"].entries()) {
            const FieldView leader = entry["currentLeader"], snapshot = entry["snapshotId"];
            quorum(leader["leaderId"].int32(-1), leader["leaderEpoch"].int32(-1));
            const std::int32_t node = request["replicaId"].int32(-1);
            if (entry["errorCode"].number(0) != 0 || entry["position"].number(-1) != 0) continue;
            if (ClusterChange* change = tell(ClusterChangeKind::Snapshot,
                                             fmt::format("node {} reads the snapshot up to offset {}, {} bytes", node,
                                                         snapshot["endOffset"].number(-1), entry["size"].number(-1))))
                change->epoch = snapshot["epoch"].int32(-1);
        }
}

void ClusterMap::voters(std::string_view what) {
    if (m_bodies.response()["errorCode"].number(0) != 0) return;
    tell(ClusterChangeKind::Voters,
         fmt::format("node {} is {} the voters", m_bodies.request()["voterId"].int32(-1), what));
}

// The first sign of each epoch's leader. `isNew`: it says itself that its epoch begins.
void ClusterMap::quorum(std::int32_t leader, std::int32_t epoch, bool isNew) {
    if (leader < 0 || (m_cluster.quorumEpoch && epoch <= *m_cluster.quorumEpoch && m_cluster.quorumLeader == leader))
        return;
    if (m_cluster.quorumEpoch && epoch < *m_cluster.quorumEpoch) return;
    const bool elected = isNew || m_cluster.quorumEpoch.has_value() || m_votedEpoch == epoch;
    m_cluster.quorumLeader = leader;
    m_cluster.quorumEpoch = epoch;
    if (elected) ++m_cluster.elections;
    if (ClusterChange* change = tell(elected ? ClusterChangeKind::Elected : ClusterChangeKind::Leads,
                                     fmt::format("node {} leads the quorum", leader)))
        change->epoch = epoch;
}

} // namespace brokerscope
