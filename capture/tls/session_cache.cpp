// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/session_cache.h"

#include <openssl/evp.h>

#include <array>

namespace brokerscope {

namespace {

// Tickets are long; their hash is enough of a name. Empty when there is nothing to hash.
std::string keyOf(Bytes name) {
    std::array<std::uint8_t, EVP_MAX_MD_SIZE> hash{};
    unsigned int size = 0;
    if (name.empty() || EVP_Digest(name.data(), name.size(), hash.data(), &size, EVP_sha256(), nullptr) != 1) return {};
    return {reinterpret_cast<const char*>(hash.data()), size};
}

} // namespace

void SessionCache::remember(Bytes name, const Secret& master) {
    std::string key = keyOf(name);
    if (key.empty()) return;
    if (!m_sessions.insert_or_assign(key, master).second) return;
    m_order.push_back(std::move(key));
    if (m_order.size() > m_maxSessions) {
        m_sessions.erase(m_order.front());
        m_order.pop_front();
    }
}

std::optional<Secret> SessionCache::find(Bytes name) const {
    const std::string key = keyOf(name);
    const auto found = key.empty() ? m_sessions.end() : m_sessions.find(key);
    if (found == m_sessions.end()) return std::nullopt;
    return found->second;
}

} // namespace brokerscope
