// SPDX-License-Identifier: Apache-2.0
// What the rules have found. A rule that sums up by itself adds; one that tells every case lets the report count.
// Memory: at most maxFindings findings; those beyond are counted in leftOut(). Threads: one.
#pragma once

#include "dissector/analysis/findings/finding.h"
#include "dissector/analysis/findings/occurrences.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace brokerscope {

class FindingReport {
  public:
    static constexpr std::size_t maxFindings = 2000;

    // `severity`: where it is not the kind's usual one.
    void add(FindingId id, std::string subject, std::string seen, const Occurrences& occurrences,
             std::optional<Severity> severity = std::nullopt);
    // For what needs no summing up: the same kind and subject again is counted, the first text stays.
    void see(FindingId id, const std::string& subject, const Exchange& exchange, const std::string& seen,
             std::optional<Severity> severity = std::nullopt);
    // Likewise, for what belongs to a connection and to no exchange.
    void see(FindingId id, const std::string& subject, Timestamp time, const std::string& seen,
             std::optional<Severity> severity = std::nullopt);

    // The gravest first; among equals what fails before what is slow, then by time.
    std::vector<Finding> findings() const;
    std::uint64_t leftOut() const { return m_leftOut; }

  private:
    struct Entry {
        std::string seen;
        Occurrences occurrences;
        Severity severity = Severity::Note;
    };
    using Key = std::pair<FindingId, std::string>; // with the subject
    Entry* counted(const Key& key, const std::string& seen, std::optional<Severity> severity);
    bool room();

    std::map<Key, Entry> m_counted;
    std::vector<std::pair<Key, Entry>> m_added;
    std::uint64_t m_leftOut = 0;
};

} // namespace brokerscope
