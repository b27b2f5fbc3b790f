// SPDX-License-Identifier: Apache-2.0
// The TLS of a capture in few rows: what was negotiated and whether it could be read, which names were asked for, the
// brokers' certificates, alerts, and where plaintext met TLS.
//
// Memory:  at most maxRows rows of each kind (the rest is counted in leftOut).
// Threads: one.
#pragma once

#include "capture/types/stream.h"
#include "capture/types/tls_facts.h"

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace brokerscope {

struct TlsSummary {
    static constexpr std::size_t maxRows = 1000;
    static constexpr std::size_t maxServers = 16;

    struct Session {
        std::uint16_t version = 0; // 0: no ServerHello was seen
        std::string cipherName;
        TlsDecryption decryption = TlsDecryption::NotNeeded;
        auto operator<=>(const Session&) const = default;
    };
    struct Name {
        std::string serverName; // SNI; empty: not sent
        std::string protocol;   // ALPN; empty: none was chosen
        auto operator<=>(const Name&) const = default;
    };
    struct Certificate { // the server's own
        std::string subject, issuer;
        Timestamp notAfter;
        auto operator<=>(const Certificate&) const = default;
    };
    struct Alert { // but for the regular ends
        std::uint8_t code = 0;
        bool fromClient = false;
        auto operator<=>(const Alert&) const = default;
    };
    struct Use {
        std::uint64_t connections = 0;
        std::uint64_t resumed = 0;
        std::uint64_t protectedBytes = 0;
        Duration longestHello{};     // from the ClientHello to the ServerHello
        Duration longestProtected{}; // from the first protected record to the last
        std::set<Endpoint> servers; // at most maxServers
    };

    std::uint64_t connections = 0;
    std::map<Session, Use> sessions;
    std::map<Name, Use> names;
    std::map<Certificate, Use> certificates;
    std::map<Alert, Use> alerts;
    std::map<TlsMismatch, Use> mismatches;
    std::uint64_t leftOut = 0;

    void add(const Connection& connection, const TlsFacts& facts);

  private:
    template<class Map>
    void count(Map& map, const typename Map::key_type& key, const Endpoint& server, const TlsFacts& facts);
};

} // namespace brokerscope
