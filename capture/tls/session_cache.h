// SPDX-License-Identifier: Apache-2.0
// Master secrets of TLS 1.2 sessions by session id and ticket, so that a resumed session can be decrypted when the key
// log has a line for the full handshake only.
//
// Bounds: at most `maxSessions` names; the oldest leave first.
#pragma once

#include "capture/tls/secret.h"
#include "capture/types/bytes.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>

namespace brokerscope {

class SessionCache {
  public:
    static constexpr std::size_t defaultMaxSessions = 10'000;

    SessionCache() = default;
    explicit SessionCache(std::size_t maxSessions) : m_maxSessions(maxSessions) {}

    // `name` is a session id or a ticket; an empty one is passed over.
    void remember(Bytes name, const Secret& master);
    std::optional<Secret> find(Bytes name) const;

  private:
    std::size_t m_maxSessions = defaultMaxSessions;
    std::unordered_map<std::string, Secret> m_sessions; // by the SHA-256 of the name
    std::deque<std::string> m_order;                    // oldest first
};

} // namespace brokerscope
