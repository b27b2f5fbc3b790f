// SPDX-License-Identifier: Apache-2.0
// Opens the protected records of one direction under one set of keys: AEAD suites of TLS 1.2 and 1.3, AES-CBC with HMAC
// of TLS 1.0 to 1.2 (also encrypt-then-MAC). OpenSSL's EVP does all cryptography.
//
// A record opens only when its tag or MAC fits: open() never hands out bytes that were not authenticated. Sequence
// numbers are the caller's, so that it can try several after a loss.
#pragma once

#include "capture/tls/cipher_suites.h"
#include "capture/tls/secret.h"
#include "capture/types/bytes.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace brokerscope {

// A record as it was sent, without its header.
struct SealedRecord {
    std::uint8_t type = 0;
    std::uint16_t version = 0; // of the record header
    Bytes payload;
};

class RecordCipher {
  public:
    virtual ~RecordCipher() = default;

    // True when the record is authentic; its plaintext is in `out` then. In TLS 1.3 that is the inner plaintext, with
    // content type and padding at its end.
    virtual bool open(const SealedRecord& record, std::uint64_t sequence, std::vector<std::uint8_t>& out) = 0;

    // How much application data a record carries of which bytes are missing, all before offset `intactFrom`. Exact for
    // AEAD suites without padding; exact for CBC when its last two blocks are there, else short by up to 15 bytes.
    virtual std::uint32_t plaintextLength(Bytes payload, std::uint32_t intactFrom) = 0;

    // Bytes that protection adds at least.
    virtual std::uint32_t overhead() const = 0;

    // The caller is done with a record, opened or not; an empty one stands for any number of lost records. (TLS 1.0
    // chains records by their last block.)
    virtual void passed(Bytes /*payload*/, std::uint32_t /*intactFrom*/) {}
};

// The keys of one direction, cut out of the key block of TLS 1.0 to 1.2.
struct DirectionKeys {
    Bytes macKey, key, iv;
};

struct KeyBlockLayout {
    std::size_t macKey = 0, key = 0, iv = 0;

    std::size_t total() const { return 2 * (macKey + key + iv); }
    DirectionKeys client(Bytes block) const { return cut(block, 0); }
    DirectionKeys server(Bytes block) const { return cut(block, 1); }

  private:
    DirectionKeys cut(Bytes block, std::size_t which) const {
        return {block.subspan(which * macKey, macKey), block.subspan(2 * macKey + which * key, key),
                block.subspan(2 * (macKey + key) + which * iv, iv)};
    }
};

KeyBlockLayout keyBlockLayout(const CipherSuite& suite, std::uint16_t version);

// All return null when the suite cannot be opened or OpenSSL refuses.
std::unique_ptr<RecordCipher> makeTls13Cipher(const CipherSuite& suite, const Secret& trafficSecret);
std::unique_ptr<RecordCipher> makeTls12Cipher(const CipherSuite& suite, std::uint16_t version, bool encryptThenMac,
                                              const DirectionKeys& keys);

} // namespace brokerscope
