// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/cipher_suites.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace brokerscope {

namespace {

using enum BulkCipher;
using enum Digest;

// By number. Suites that no broker of this century accepts are left out; they show as numbers.
constexpr CipherSuite suites[] = {
    {0x0004, "TLS_RSA_WITH_RC4_128_MD5", Unsupported, Sha256},
    {0x0005, "TLS_RSA_WITH_RC4_128_SHA", Unsupported, Sha1},
    {0x000a, "TLS_RSA_WITH_3DES_EDE_CBC_SHA", Unsupported, Sha1},
    {0x0016, "TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA", Unsupported, Sha1},
    {0x002f, "TLS_RSA_WITH_AES_128_CBC_SHA", Aes128Cbc, Sha1},
    {0x0032, "TLS_DHE_DSS_WITH_AES_128_CBC_SHA", Aes128Cbc, Sha1},
    {0x0033, "TLS_DHE_RSA_WITH_AES_128_CBC_SHA", Aes128Cbc, Sha1},
    {0x0034, "TLS_DH_anon_WITH_AES_128_CBC_SHA", Aes128Cbc, Sha1},
    {0x0035, "TLS_RSA_WITH_AES_256_CBC_SHA", Aes256Cbc, Sha1},
    {0x0038, "TLS_DHE_DSS_WITH_AES_256_CBC_SHA", Aes256Cbc, Sha1},
    {0x0039, "TLS_DHE_RSA_WITH_AES_256_CBC_SHA", Aes256Cbc, Sha1},
    {0x003a, "TLS_DH_anon_WITH_AES_256_CBC_SHA", Aes256Cbc, Sha1},
    {0x003c, "TLS_RSA_WITH_AES_128_CBC_SHA256", Aes128Cbc, Sha256},
    {0x003d, "TLS_RSA_WITH_AES_256_CBC_SHA256", Aes256Cbc, Sha256},
    {0x0040, "TLS_DHE_DSS_WITH_AES_128_CBC_SHA256", Aes128Cbc, Sha256},
    {0x0067, "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256", Aes128Cbc, Sha256},
    {0x006a, "TLS_DHE_DSS_WITH_AES_256_CBC_SHA256", Aes256Cbc, Sha256},
    {0x006b, "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256", Aes256Cbc, Sha256},
    {0x006c, "TLS_DH_anon_WITH_AES_128_CBC_SHA256", Aes128Cbc, Sha256},
    {0x006d, "TLS_DH_anon_WITH_AES_256_CBC_SHA256", Aes256Cbc, Sha256},
    {0x008c, "TLS_PSK_WITH_AES_128_CBC_SHA", Aes128Cbc, Sha1},
    {0x008d, "TLS_PSK_WITH_AES_256_CBC_SHA", Aes256Cbc, Sha1},
    {0x009c, "TLS_RSA_WITH_AES_128_GCM_SHA256", Aes128Gcm, Sha256},
    {0x009d, "TLS_RSA_WITH_AES_256_GCM_SHA384", Aes256Gcm, Sha384},
    {0x009e, "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", Aes128Gcm, Sha256},
    {0x009f, "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384", Aes256Gcm, Sha384},
    {0x00a2, "TLS_DHE_DSS_WITH_AES_128_GCM_SHA256", Aes128Gcm, Sha256},
    {0x00a3, "TLS_DHE_DSS_WITH_AES_256_GCM_SHA384", Aes256Gcm, Sha384},
    {0x00a6, "TLS_DH_anon_WITH_AES_128_GCM_SHA256", Aes128Gcm, Sha256},
    {0x00a7, "TLS_DH_anon_WITH_AES_256_GCM_SHA384", Aes256Gcm, Sha384},
    {0x00a8, "TLS_PSK_WITH_AES_128_GCM_SHA256", Aes128Gcm, Sha256},
    {0x00a9, "TLS_PSK_WITH_AES_256_GCM_SHA384", Aes256Gcm, Sha384},
    {0x1301, "TLS_AES_128_GCM_SHA256", Aes128Gcm, Sha256},
    {0x1302, "TLS_AES_256_GCM_SHA384", Aes256Gcm, Sha384},
    {0x1303, "TLS_CHACHA20_POLY1305_SHA256", ChaCha20Poly1305, Sha256},
    {0x1304, "TLS_AES_128_CCM_SHA256", Aes128Ccm, Sha256},
    {0x1305, "TLS_AES_128_CCM_8_SHA256", Aes128Ccm8, Sha256},
    {0xc008, "TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA", Unsupported, Sha1},
    {0xc009, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", Aes128Cbc, Sha1},
    {0xc00a, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", Aes256Cbc, Sha1},
    {0xc011, "TLS_ECDHE_RSA_WITH_RC4_128_SHA", Unsupported, Sha1},
    {0xc012, "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", Unsupported, Sha1},
    {0xc013, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", Aes128Cbc, Sha1},
    {0xc014, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", Aes256Cbc, Sha1},
    {0xc023, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", Aes128Cbc, Sha256},
    {0xc024, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", Aes256Cbc, Sha384},
    {0xc027, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", Aes128Cbc, Sha256},
    {0xc028, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384", Aes256Cbc, Sha384},
    {0xc02b, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", Aes128Gcm, Sha256},
    {0xc02c, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", Aes256Gcm, Sha384},
    {0xc02f, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", Aes128Gcm, Sha256},
    {0xc030, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", Aes256Gcm, Sha384},
    {0xc09c, "TLS_RSA_WITH_AES_128_CCM", Aes128Ccm, Sha256},
    {0xc09d, "TLS_RSA_WITH_AES_256_CCM", Aes256Ccm, Sha256},
    {0xc09e, "TLS_DHE_RSA_WITH_AES_128_CCM", Aes128Ccm, Sha256},
    {0xc09f, "TLS_DHE_RSA_WITH_AES_256_CCM", Aes256Ccm, Sha256},
    {0xc0a0, "TLS_RSA_WITH_AES_128_CCM_8", Aes128Ccm8, Sha256},
    {0xc0a1, "TLS_RSA_WITH_AES_256_CCM_8", Aes256Ccm8, Sha256},
    {0xc0a2, "TLS_DHE_RSA_WITH_AES_128_CCM_8", Aes128Ccm8, Sha256},
    {0xc0a3, "TLS_DHE_RSA_WITH_AES_256_CCM_8", Aes256Ccm8, Sha256},
    {0xc0ac, "TLS_ECDHE_ECDSA_WITH_AES_128_CCM", Aes128Ccm, Sha256},
    {0xc0ad, "TLS_ECDHE_ECDSA_WITH_AES_256_CCM", Aes256Ccm, Sha256},
    {0xc0ae, "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8", Aes128Ccm8, Sha256},
    {0xc0af, "TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8", Aes256Ccm8, Sha256},
    {0xcca8, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", ChaCha20Poly1305, Sha256},
    {0xcca9, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", ChaCha20Poly1305, Sha256},
    {0xccaa, "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256", ChaCha20Poly1305, Sha256},
};
static_assert(std::ranges::is_sorted(suites, {}, &CipherSuite::id));

} // namespace

const CipherSuite* findCipherSuite(std::uint16_t id) {
    const auto found = std::ranges::lower_bound(suites, id, {}, &CipherSuite::id);
    return found != std::end(suites) && found->id == id ? found : nullptr;
}

std::string cipherSuiteName(std::uint16_t id) {
    const CipherSuite* suite = findCipherSuite(id);
    return suite ? std::string(suite->name) : fmt::format("0x{:04x}", id);
}

std::size_t digestSize(Digest digest) {
    switch (digest) {
    case Digest::Sha1:
        return 20;
    case Digest::Sha256:
        return 32;
    case Digest::Sha384:
        return 48;
    }
    return 0;
}

const char* digestName(Digest digest) {
    switch (digest) {
    case Digest::Sha1:
        return "SHA1";
    case Digest::Sha256:
        return "SHA256";
    case Digest::Sha384:
        return "SHA384";
    }
    return "";
}

} // namespace brokerscope
