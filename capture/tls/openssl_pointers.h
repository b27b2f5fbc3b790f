// SPDX-License-Identifier: Apache-2.0
// OpenSSL's objects, owned: unique_ptr with the fitting free function.
#pragma once

#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/x509.h>

#include <memory>

namespace brokerscope {

template<auto freeFunction>
struct FreeWith {
    template<class T>
    void operator()(T* object) const {
        freeFunction(object);
    }
};

using KdfPointer = std::unique_ptr<EVP_KDF, FreeWith<EVP_KDF_free>>;
using KdfContextPointer = std::unique_ptr<EVP_KDF_CTX, FreeWith<EVP_KDF_CTX_free>>;
using CipherContextPointer = std::unique_ptr<EVP_CIPHER_CTX, FreeWith<EVP_CIPHER_CTX_free>>;
using MacPointer = std::unique_ptr<EVP_MAC, FreeWith<EVP_MAC_free>>;
using MacContextPointer = std::unique_ptr<EVP_MAC_CTX, FreeWith<EVP_MAC_CTX_free>>;
using X509Pointer = std::unique_ptr<X509, FreeWith<X509_free>>;
using BioPointer = std::unique_ptr<BIO, FreeWith<BIO_free>>;

} // namespace brokerscope
