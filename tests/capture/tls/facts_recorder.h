// SPDX-License-Identifier: Apache-2.0
// A TlsFactsSink for tests: keeps what was told about each connection.
#pragma once

#include "capture/types/tls_facts.h"

#include <map>
#include <optional>
#include <vector>

namespace brokerscope::test {

struct FactsRecorder : TlsFactsSink {
    struct Told {
        std::optional<TlsFacts> facts; // the latest
        int announcements = 0, finalAnnouncements = 0;
        std::vector<TlsDecryption> reasons; // each that was told, in order
    };

    void tlsFacts(ConnectionId connection, const TlsFacts& facts, bool final) override {
        Told& known = told[connection];
        ++known.announcements;
        if (final) ++known.finalAnnouncements;
        known.facts = facts;
        if (known.reasons.empty() || known.reasons.back() != facts.decryption)
            known.reasons.push_back(facts.decryption);
    }

    std::map<ConnectionId, Told> told;
};

} // namespace brokerscope::test
