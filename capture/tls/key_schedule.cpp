// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/key_schedule.h"

#include "capture/tls/openssl_pointers.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <string>
#include <vector>

namespace brokerscope {

namespace {

bool derive(const char* algorithm, std::span<const OSSL_PARAM> parameters, std::span<std::uint8_t> out) {
    const KdfPointer kdf(EVP_KDF_fetch(nullptr, algorithm, nullptr));
    if (!kdf) return false;
    const KdfContextPointer context(EVP_KDF_CTX_new(kdf.get()));
    return context && EVP_KDF_derive(context.get(), out.data(), out.size(), parameters.data()) > 0;
}

// OSSL_PARAM wants pointers to non-const, but the KDFs only read.
OSSL_PARAM octets(const char* name, Bytes bytes) {
    return OSSL_PARAM_construct_octet_string(name, const_cast<std::uint8_t*>(bytes.data()), bytes.size());
}

OSSL_PARAM text(const char* name, const char* value) {
    return OSSL_PARAM_construct_utf8_string(name, const_cast<char*>(value), 0);
}

} // namespace

bool expandLabel(Digest digest, Bytes secret, std::string_view label, std::span<std::uint8_t> out) {
    constexpr std::string_view prefix = "tls13 ";
    std::vector<std::uint8_t> info;
    info.push_back(static_cast<std::uint8_t>(out.size() >> 8));
    info.push_back(static_cast<std::uint8_t>(out.size()));
    info.push_back(static_cast<std::uint8_t>(prefix.size() + label.size()));
    info.insert(info.end(), prefix.begin(), prefix.end());
    info.insert(info.end(), label.begin(), label.end());
    info.push_back(0); // no context

    int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY;
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
        text(OSSL_KDF_PARAM_DIGEST, digestName(digest)),
        octets(OSSL_KDF_PARAM_KEY, secret),
        octets(OSSL_KDF_PARAM_INFO, info),
        OSSL_PARAM_construct_end(),
    };
    return derive("HKDF", parameters, out);
}

bool nextTrafficSecret(Digest digest, Secret& secret) {
    Secret next(secret.size());
    if (!expandLabel(digest, secret.bytes(), "traffic upd", next.writable())) return false;
    secret = next;
    return true;
}

bool deriveKeyBlock(std::uint16_t version, Digest digest, const Secret& master,
                    const std::array<std::uint8_t, 32>& clientRandom, const std::array<std::uint8_t, 32>& serverRandom,
                    std::span<std::uint8_t> out) {
    constexpr std::string_view label = "key expansion";
    std::vector<std::uint8_t> seed(label.begin(), label.end());
    seed.insert(seed.end(), serverRandom.begin(), serverRandom.end());
    seed.insert(seed.end(), clientRandom.begin(), clientRandom.end());

    const OSSL_PARAM parameters[] = {
        text(OSSL_KDF_PARAM_DIGEST, version < 0x0303 ? "MD5-SHA1" : digestName(digest)),
        octets(OSSL_KDF_PARAM_SECRET, master.bytes()),
        octets(OSSL_KDF_PARAM_SEED, seed),
        OSSL_PARAM_construct_end(),
    };
    return derive("TLS1-PRF", parameters, out);
}

} // namespace brokerscope
