// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/findings/finding_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace brokerscope {

namespace {

Finding madeOf(FindingId id, const std::string& subject, const std::string& seen, Severity severity,
               const Occurrences& occurrences) {
    Finding finding;
    finding.kind = &kind(id);
    finding.severity = severity;
    finding.subject = subject;
    finding.seen = seen;
    finding.count = occurrences.count;
    finding.exchanges = occurrences.exchanges;
    std::ranges::sort(finding.exchanges);
    if (occurrences.first <= occurrences.last) {
        finding.first = occurrences.first;
        finding.last = occurrences.last;
    }
    return finding;
}

} // namespace

bool FindingReport::room() {
    const bool room = m_counted.size() + m_added.size() < maxFindings;
    m_leftOut += !room;
    return room;
}

FindingReport::Entry* FindingReport::counted(const Key& key, const std::string& seen,
                                             std::optional<Severity> severity) {
    const auto found = m_counted.find(key);
    if (found == m_counted.end() && !room()) return nullptr;
    Entry& entry = m_counted[key];
    if (found == m_counted.end()) entry.seen = seen;
    entry.severity = std::max(entry.severity, severity.value_or(kind(key.first).severity));
    return &entry;
}

void FindingReport::add(FindingId id, std::string subject, std::string seen, const Occurrences& occurrences,
                        std::optional<Severity> severity) {
    if (!room()) return;
    m_added.push_back({{id, std::move(subject)}, {std::move(seen), occurrences, severity.value_or(kind(id).severity)}});
}

void FindingReport::see(FindingId id, const std::string& subject, const Exchange& exchange, const std::string& seen,
                        std::optional<Severity> severity) {
    if (Entry* entry = counted({id, subject}, seen, severity)) entry->occurrences.add(exchange);
}

void FindingReport::see(FindingId id, const std::string& subject, Timestamp time, const std::string& seen,
                        std::optional<Severity> severity) {
    Entry* entry = counted({id, subject}, seen, severity);
    if (!entry) return;
    ++entry->occurrences.count;
    entry->occurrences.at(time);
}

std::vector<Finding> FindingReport::findings() const {
    std::vector<Finding> all;
    for (const auto& [key, entry] : m_counted) {
        const std::uint64_t count = entry.occurrences.count;
        const std::string times = count > 1 ? fmt::format(" ({} times)", count) : std::string();
        all.push_back(madeOf(key.first, key.second, entry.seen + times, entry.severity, entry.occurrences));
    }
    for (const auto& [key, entry] : m_added)
        all.push_back(madeOf(key.first, key.second, entry.seen, entry.severity, entry.occurrences));
    std::ranges::stable_sort(all, [](const Finding& a, const Finding& b) {
        return std::tuple(-static_cast<int>(a.severity), a.kind->aspect, a.first, a.kind->id) <
               std::tuple(-static_cast<int>(b.severity), b.kind->aspect, b.first, b.kind->id);
    });
    return all;
}

} // namespace brokerscope
