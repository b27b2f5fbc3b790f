// SPDX-License-Identifier: Apache-2.0
// From the secrets of a key log to the keys of records: HKDF-Expand-Label of TLS 1.3 (RFC 8446, 7.1) and the PRF of
// TLS 1.0 to 1.2 (RFC 5246, 5). OpenSSL's EVP_KDF does the cryptography; a function returns false when it refuses.
#pragma once

#include "capture/tls/cipher_suites.h"
#include "capture/tls/secret.h"
#include "capture/types/bytes.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace brokerscope {

// Fills `out` with HKDF-Expand-Label(secret, label, "", out.size()).
bool expandLabel(Digest digest, Bytes secret, std::string_view label, std::span<std::uint8_t> out);

// The traffic secret after a KeyUpdate.
bool nextTrafficSecret(Digest digest, Secret& secret);

// Fills `out` with the key block of TLS 1.0 to 1.2. `version` is the negotiated one: before 0x0303 the PRF is that of
// MD5 with SHA-1, whatever the suite.
bool deriveKeyBlock(std::uint16_t version, Digest digest, const Secret& master,
                    const std::array<std::uint8_t, 32>& clientRandom, const std::array<std::uint8_t, 32>& serverRandom,
                    std::span<std::uint8_t> out);

} // namespace brokerscope
