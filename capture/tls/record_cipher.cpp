// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/record_cipher.h"

#include "capture/tls/key_schedule.h"
#include "capture/tls/openssl_pointers.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace brokerscope {

namespace {

constexpr std::size_t aesBlock = 16;
constexpr std::size_t nonceSize = 12;

struct CipherParameters {
    const EVP_CIPHER* cipher;
    std::size_t keySize;
    std::size_t tagSize; // 0 for CBC
    bool ccm;
};

std::optional<CipherParameters> parametersOf(BulkCipher cipher) {
    switch (cipher) {
    case BulkCipher::Unsupported:
        return std::nullopt;
    case BulkCipher::Aes128Gcm:
        return CipherParameters{EVP_aes_128_gcm(), 16, 16, false};
    case BulkCipher::Aes256Gcm:
        return CipherParameters{EVP_aes_256_gcm(), 32, 16, false};
    case BulkCipher::Aes128Ccm:
        return CipherParameters{EVP_aes_128_ccm(), 16, 16, true};
    case BulkCipher::Aes256Ccm:
        return CipherParameters{EVP_aes_256_ccm(), 32, 16, true};
    case BulkCipher::Aes128Ccm8:
        return CipherParameters{EVP_aes_128_ccm(), 16, 8, true};
    case BulkCipher::Aes256Ccm8:
        return CipherParameters{EVP_aes_256_ccm(), 32, 8, true};
    case BulkCipher::ChaCha20Poly1305:
        return CipherParameters{EVP_chacha20_poly1305(), 32, 16, false};
    case BulkCipher::Aes128Cbc:
        return CipherParameters{EVP_aes_128_cbc(), 16, 0, false};
    case BulkCipher::Aes256Cbc:
        return CipherParameters{EVP_aes_256_cbc(), 32, 0, false};
    }
    return std::nullopt;
}

// What stands before the data in the AAD and the MAC of TLS up to 1.2: sequence number, type, version, length.
std::array<std::uint8_t, 13> pseudoHeader(const SealedRecord& record, std::uint64_t sequence, std::size_t length) {
    std::array<std::uint8_t, 13> header{};
    for (std::size_t i = 0; i < 8; ++i)
        header[i] = static_cast<std::uint8_t>(sequence >> (56 - 8 * i));
    header[8] = record.type;
    header[9] = static_cast<std::uint8_t>(record.version >> 8);
    header[10] = static_cast<std::uint8_t>(record.version);
    header[11] = static_cast<std::uint8_t>(length >> 8);
    header[12] = static_cast<std::uint8_t>(length);
    return header;
}

enum class Nonce : std::uint8_t {
    Implicit, // the fixed part XOR the sequence number
    Explicit, // 4 fixed bytes, the other 8 in front of each record
};

class AeadCipher : public RecordCipher {
  public:
    AeadCipher(const CipherParameters& parameters, Bytes key, Bytes iv, Nonce nonce, bool tls13)
        : m_parameters(parameters), m_key(key.begin(), key.end()), m_nonce(nonce), m_tls13(tls13) {
        std::ranges::copy(iv.first(std::min(iv.size(), nonceSize)), m_iv.begin());
    }

    bool prepare() {
        m_context.reset(EVP_CIPHER_CTX_new());
        return m_context && EVP_DecryptInit_ex(m_context.get(), m_parameters.cipher, nullptr, nullptr, nullptr) == 1 &&
               EVP_CIPHER_CTX_ctrl(m_context.get(), EVP_CTRL_AEAD_SET_IVLEN, nonceSize, nullptr) == 1 &&
               (m_parameters.ccm || EVP_DecryptInit_ex(m_context.get(), nullptr, nullptr, m_key.data(), nullptr) == 1);
    }

    bool open(const SealedRecord& record, std::uint64_t sequence, std::vector<std::uint8_t>& out) override {
        if (record.payload.size() < explicitSize() + m_parameters.tagSize) return false;
        const Bytes sealed = record.payload.subspan(explicitSize());
        const Bytes text = sealed.first(sealed.size() - m_parameters.tagSize);
        const Bytes tag = sealed.last(m_parameters.tagSize);
        const auto nonce = nonceFor(record, sequence);
        out.resize(text.size());

        if (!m_tls13) return decrypt(nonce, pseudoHeader(record, sequence, text.size()), text, tag, out);
        const std::array<std::uint8_t, 5> header = {
            record.type, static_cast<std::uint8_t>(record.version >> 8), static_cast<std::uint8_t>(record.version),
            static_cast<std::uint8_t>(record.payload.size() >> 8), static_cast<std::uint8_t>(record.payload.size())};
        return decrypt(nonce, header, text, tag, out);
    }

    std::uint32_t plaintextLength(Bytes payload, std::uint32_t /*intactFrom*/) override {
        return static_cast<std::uint32_t>(payload.size() - std::min<std::size_t>(payload.size(), overhead()));
    }

    std::uint32_t overhead() const override {
        return static_cast<std::uint32_t>(explicitSize() + m_parameters.tagSize + (m_tls13 ? 1 : 0));
    }

  private:
    std::size_t explicitSize() const { return m_nonce == Nonce::Explicit ? 8 : 0; }

    std::array<std::uint8_t, nonceSize> nonceFor(const SealedRecord& record, std::uint64_t sequence) const {
        auto nonce = m_iv;
        for (std::size_t i = 0; i < 8; ++i) {
            if (m_nonce == Nonce::Explicit)
                nonce[4 + i] = record.payload[i];
            else
                nonce[4 + i] ^= static_cast<std::uint8_t>(sequence >> (56 - 8 * i));
        }
        return nonce;
    }

    bool decrypt(const std::array<std::uint8_t, nonceSize>& nonce, Bytes aad, Bytes text, Bytes tag,
                 std::vector<std::uint8_t>& out) {
        EVP_CIPHER_CTX* context = m_context.get();
        const auto size = static_cast<int>(text.size());
        int done = 0;
        if (EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, static_cast<int>(tag.size()),
                                const_cast<std::uint8_t*>(tag.data())) != 1)
            return false;
        // CCM takes tag, key and total length anew for every record, and verifies in the update.
        const std::uint8_t* key = m_parameters.ccm ? m_key.data() : nullptr;
        if (EVP_DecryptInit_ex(context, nullptr, nullptr, key, nonce.data()) != 1) return false;
        if (m_parameters.ccm && EVP_DecryptUpdate(context, nullptr, &done, nullptr, size) != 1) return false;
        if (EVP_DecryptUpdate(context, nullptr, &done, aad.data(), static_cast<int>(aad.size())) != 1) return false;
        std::uint8_t none = 0; // an empty vector may have no address, which EVP takes for additional data
        std::uint8_t* target = out.empty() ? &none : out.data();
        if (EVP_DecryptUpdate(context, target, &done, text.empty() ? &none : text.data(), size) != 1) return false;
        return m_parameters.ccm || EVP_DecryptFinal_ex(context, target + done, &done) == 1;
    }

    CipherParameters m_parameters;
    std::vector<std::uint8_t> m_key;
    std::array<std::uint8_t, nonceSize> m_iv{};
    Nonce m_nonce;
    bool m_tls13;
    CipherContextPointer m_context;
};

class CbcCipher : public RecordCipher {
  public:
    CbcCipher(const CipherParameters& parameters, Digest digest, std::uint16_t version, bool encryptThenMac,
              const DirectionKeys& keys)
        : m_parameters(parameters), m_digest(digest), m_explicitIv(version >= 0x0302), m_encryptThenMac(encryptThenMac),
          m_key(keys.key.begin(), keys.key.end()), m_chain(keys.iv.begin(), keys.iv.end()) {}

    bool prepare(Bytes macKey) {
        const MacPointer mac(EVP_MAC_fetch(nullptr, "HMAC", nullptr));
        if (!mac) return false;
        m_mac.reset(EVP_MAC_CTX_new(mac.get()));
        const OSSL_PARAM parameters[] = {
            OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, const_cast<char*>(digestName(m_digest)), 0),
            OSSL_PARAM_construct_end(),
        };
        if (!m_mac || EVP_MAC_init(m_mac.get(), macKey.data(), macKey.size(), parameters) != 1) return false;
        m_context.reset(EVP_CIPHER_CTX_new());
        return m_context &&
               EVP_DecryptInit_ex(m_context.get(), m_parameters.cipher, nullptr, m_key.data(), nullptr) == 1 &&
               EVP_CIPHER_CTX_set_padding(m_context.get(), 0) == 1;
    }

    bool open(const SealedRecord& record, std::uint64_t sequence, std::vector<std::uint8_t>& out) override {
        Bytes payload = record.payload;
        const std::size_t macSize = digestSize(m_digest);
        if (m_encryptThenMac) {
            if (payload.size() < macSize) return false;
            const Bytes sealed = payload.first(payload.size() - macSize);
            if (!macFits(pseudoHeader(record, sequence, sealed.size()), sealed, payload.last(macSize))) return false;
            m_verified = sequence;
            // The MAC does not cover the block that TLS 1.0 chains from: it must be that of the record before.
            if (!m_explicitIv && m_chainedBy != sequence) return false;
            payload = sealed;
        }
        if (!decrypt(payload, out)) return false;
        const std::optional<std::size_t> padding = paddingSize(out);
        if (!padding) return false;
        out.resize(out.size() - *padding);
        if (m_encryptThenMac) return true;
        if (out.size() < macSize) return false;
        const Bytes text = Bytes(out).first(out.size() - macSize);
        if (!macFits(pseudoHeader(record, sequence, text.size()), text, Bytes(out).last(macSize))) return false;
        out.resize(text.size());
        return true;
    }

    std::uint32_t plaintextLength(Bytes payload, std::uint32_t intactFrom) override {
        const std::size_t macSize = digestSize(m_digest);
        const std::size_t fixed = macSize + (m_explicitIv ? aesBlock : 0);
        if (payload.size() < fixed + 1) return 0;
        const std::size_t withPadding = payload.size() - fixed;
        // The last block alone tells the padding; it needs the block before it as its IV.
        const std::size_t end = payload.size() - (m_encryptThenMac ? macSize : 0);
        if (end >= 2 * aesBlock && end - 2 * aesBlock >= intactFrom) {
            std::array<std::uint8_t, aesBlock> block{};
            int done = 0;
            const std::uint8_t* iv = payload.data() + end - 2 * aesBlock;
            if (EVP_DecryptInit_ex(m_context.get(), nullptr, nullptr, nullptr, iv) == 1 &&
                EVP_DecryptUpdate(m_context.get(), block.data(), &done, iv + aesBlock, aesBlock) == 1) {
                const std::size_t padding = block.back() + std::size_t{1};
                if (padding <= withPadding) return static_cast<std::uint32_t>(withPadding - padding);
            }
        }
        return static_cast<std::uint32_t>(withPadding - std::min(withPadding, aesBlock));
    }

    std::uint32_t overhead() const override {
        return static_cast<std::uint32_t>(digestSize(m_digest) + 1 + (m_explicitIv ? aesBlock : 0));
    }

    void passed(Bytes payload, std::uint32_t intactFrom) override {
        if (m_explicitIv) return;
        m_chain.clear();
        m_chainedBy.reset();
        const std::optional<std::uint64_t> verified = std::exchange(m_verified, std::nullopt);
        if (m_encryptThenMac && !verified) return;
        if (verified) m_chainedBy = *verified + 1;
        const std::size_t macSize = m_encryptThenMac ? digestSize(m_digest) : 0;
        if (payload.size() < macSize + aesBlock) return;
        const std::size_t start = payload.size() - macSize - aesBlock;
        if (start < intactFrom) return;
        const Bytes last = payload.subspan(start, aesBlock);
        m_chain.assign(last.begin(), last.end());
    }

  private:
    bool decrypt(Bytes payload, std::vector<std::uint8_t>& out) {
        Bytes iv = m_chain;
        if (m_explicitIv) {
            if (payload.size() < aesBlock) return false;
            iv = payload.first(aesBlock);
            payload = payload.subspan(aesBlock);
        }
        if (iv.size() != aesBlock || payload.empty() || payload.size() % aesBlock != 0) return false;
        out.resize(payload.size());
        int done = 0;
        return EVP_DecryptInit_ex(m_context.get(), nullptr, nullptr, nullptr, iv.data()) == 1 &&
               EVP_DecryptUpdate(m_context.get(), out.data(), &done, payload.data(),
                                 static_cast<int>(payload.size())) == 1;
    }

    // With its length byte; none when it is not well-formed.
    static std::optional<std::size_t> paddingSize(Bytes text) {
        const std::size_t size = text.back() + std::size_t{1};
        if (size > text.size()) return std::nullopt;
        const bool same = std::ranges::all_of(text.last(size), [&](std::uint8_t byte) { return byte == text.back(); });
        return same ? std::optional(size) : std::nullopt;
    }

    bool macFits(const std::array<std::uint8_t, 13>& header, Bytes data, Bytes expected) const {
        const MacContextPointer context(EVP_MAC_CTX_dup(m_mac.get()));
        std::array<std::uint8_t, EVP_MAX_MD_SIZE> mac{};
        std::size_t size = 0;
        return context && EVP_MAC_update(context.get(), header.data(), header.size()) == 1 &&
               EVP_MAC_update(context.get(), data.data(), data.size()) == 1 &&
               EVP_MAC_final(context.get(), mac.data(), &size, mac.size()) == 1 && size == expected.size() &&
               CRYPTO_memcmp(mac.data(), expected.data(), size) == 0;
    }

    CipherParameters m_parameters;
    Digest m_digest;
    bool m_explicitIv; // from TLS 1.1
    bool m_encryptThenMac;
    std::vector<std::uint8_t> m_key;
    std::vector<std::uint8_t> m_chain; // TLS 1.0: the last block before this record; empty when it is missing
    // With encrypt-then-MAC: the record that m_chain belongs before, and the one whose MAC fitted last.
    std::optional<std::uint64_t> m_chainedBy = 0, m_verified;
    CipherContextPointer m_context;
    MacContextPointer m_mac;
};

} // namespace

KeyBlockLayout keyBlockLayout(const CipherSuite& suite, std::uint16_t version) {
    const auto parameters = parametersOf(suite.cipher);
    if (!parameters) return {};
    if (suite.isCbc()) return {digestSize(suite.digest), parameters->keySize, version < 0x0302 ? aesBlock : 0};
    return {0, parameters->keySize, suite.cipher == BulkCipher::ChaCha20Poly1305 ? nonceSize : 4};
}

std::unique_ptr<RecordCipher> makeTls13Cipher(const CipherSuite& suite, const Secret& trafficSecret) {
    const auto parameters = parametersOf(suite.cipher);
    if (!parameters || parameters->tagSize == 0) return nullptr;
    std::vector<std::uint8_t> key(parameters->keySize);
    std::array<std::uint8_t, nonceSize> iv{};
    if (!expandLabel(suite.digest, trafficSecret.bytes(), "key", key) ||
        !expandLabel(suite.digest, trafficSecret.bytes(), "iv", iv))
        return nullptr;
    auto cipher = std::make_unique<AeadCipher>(*parameters, key, iv, Nonce::Implicit, true);
    if (!cipher->prepare()) return nullptr;
    return cipher;
}

std::unique_ptr<RecordCipher> makeTls12Cipher(const CipherSuite& suite, std::uint16_t version, bool encryptThenMac,
                                              const DirectionKeys& keys) {
    const auto parameters = parametersOf(suite.cipher);
    if (!parameters) return nullptr;
    if (suite.isCbc()) {
        auto cipher = std::make_unique<CbcCipher>(*parameters, suite.digest, version, encryptThenMac, keys);
        if (!cipher->prepare(keys.macKey)) return nullptr;
        return cipher;
    }
    const Nonce nonce = suite.cipher == BulkCipher::ChaCha20Poly1305 ? Nonce::Implicit : Nonce::Explicit;
    auto cipher = std::make_unique<AeadCipher>(*parameters, keys.key, keys.iv, nonce, false);
    if (!cipher->prepare()) return nullptr;
    return cipher;
}

} // namespace brokerscope
