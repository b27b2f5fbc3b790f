// SPDX-License-Identifier: Apache-2.0
// The table of cipher suites: what each is called and, for those that can be opened, what its records are made with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace brokerscope {

enum class BulkCipher : std::uint8_t {
    Unsupported, // the suite has a name here, but its records cannot be opened
    Aes128Gcm,
    Aes256Gcm,
    Aes128Ccm,
    Aes256Ccm,
    Aes128Ccm8, // with a tag of 8 bytes
    Aes256Ccm8,
    ChaCha20Poly1305,
    Aes128Cbc,
    Aes256Cbc,
};

enum class Digest : std::uint8_t { Sha1, Sha256, Sha384 };

struct CipherSuite {
    std::uint16_t id;
    std::string_view name; // IANA's
    BulkCipher cipher;
    Digest digest; // of the key derivation; for CBC of the records' HMAC (see prfDigest)

    bool isCbc() const { return cipher == BulkCipher::Aes128Cbc || cipher == BulkCipher::Aes256Cbc; }
    // The hash of the key derivation: CBC suites with SHA-1 derive with SHA-256 in TLS 1.2.
    Digest prfDigest() const { return digest == Digest::Sha1 ? Digest::Sha256 : digest; }
};

const CipherSuite* findCipherSuite(std::uint16_t id); // null when it is not in the table
std::string cipherSuiteName(std::uint16_t id);        // the number in hex when it is not in the table

std::size_t digestSize(Digest digest);
const char* digestName(Digest digest); // as OpenSSL calls it

} // namespace brokerscope
