// SPDX-License-Identifier: Apache-2.0
#include "dissector/analysis/tls_summary.h"

#include <algorithm>

namespace brokerscope {

namespace {

constexpr std::uint8_t closeNotify = 0;

Duration helloTime(const TlsFacts& facts) {
    const bool both = facts.clientHello && facts.serverHello;
    return both ? facts.serverHelloTime - facts.clientHelloTime : Duration{};
}

Duration protectedTime(const TlsFacts& facts) {
    const TlsDirection& one = facts.first;
    const TlsDirection& two = facts.second;
    if (one.protectedRecords == 0) return two.protectedRecords == 0 ? Duration{} : two.lastProtectedTime - two.firstProtectedTime;
    if (two.protectedRecords == 0) return one.lastProtectedTime - one.firstProtectedTime;
    return std::max(one.lastProtectedTime, two.lastProtectedTime) -
           std::min(one.firstProtectedTime, two.firstProtectedTime);
}

} // namespace

template<class Map>
void TlsSummary::count(Map& map, const typename Map::key_type& key, const Endpoint& server, const TlsFacts& facts) {
    if (map.size() >= maxRows && !map.contains(key)) {
        ++leftOut;
        return;
    }
    Use& use = map[key];
    ++use.connections;
    if (facts.resumption != TlsResumption::None) ++use.resumed;
    use.protectedBytes += facts.first.protectedBytes + facts.second.protectedBytes;
    use.longestHello = std::max(use.longestHello, helloTime(facts));
    use.longestProtected = std::max(use.longestProtected, protectedTime(facts));
    if (use.servers.size() < maxServers) use.servers.insert(server);
}

void TlsSummary::add(const Connection& connection, const TlsFacts& facts) {
    ++connections;
    const Endpoint& server = connection.end(facts.client ? other(*facts.client) : Side::Second);
    if (facts.mismatch == TlsMismatch::None)
        count(sessions, {facts.version, facts.cipherName, facts.decryption}, server, facts);
    else
        count(mismatches, facts.mismatch, server, facts);
    if (!facts.serverName.empty() || !facts.protocol.empty())
        count(names, {facts.serverName, facts.protocol}, server, facts);
    if (!facts.serverCertificates.empty()) {
        const TlsCertificate& own = facts.serverCertificates.front();
        count(certificates, {own.subject, own.issuer, own.notAfter}, server, facts);
    }
    std::set<Alert> seen; // each once a connection
    for (const TlsAlert& alert : facts.alerts) {
        if (!alert.code || *alert.code == closeNotify) continue;
        const Alert key{*alert.code, facts.client ? alert.from == *facts.client : alert.from == Side::First};
        if (seen.insert(key).second) count(alerts, key, server, facts);
    }
}

} // namespace brokerscope
