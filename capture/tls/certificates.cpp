// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/certificates.h"

#include "capture/tls/openssl_pointers.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <string>

namespace brokerscope {

namespace {

constexpr std::size_t maxName = 1024;
constexpr int maxNames = 32;

using GeneralNamesPointer = std::unique_ptr<GENERAL_NAMES, FreeWith<GENERAL_NAMES_free>>;

std::string distinguishedName(const X509_NAME* name) {
    const BioPointer text(BIO_new(BIO_s_mem()));
    if (!name || !text || X509_NAME_print_ex(text.get(), name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB) < 0)
        return {};
    const char* data = nullptr;
    const long size = BIO_get_mem_data(text.get(), &data);
    return size <= 0 ? std::string{} : std::string(data, std::min(static_cast<std::size_t>(size), maxName));
}

// Times beyond what a Timestamp holds (it ends in 2262) become its bounds: certificates that "never" expire say 9999.
Timestamp timeOf(const ASN1_TIME* time) {
    std::tm parts{};
    if (!time || ASN1_TIME_to_tm(time, &parts) != 1) return {};
    const auto seconds = static_cast<std::int64_t>(::timegm(&parts));
    constexpr std::int64_t bound = std::numeric_limits<std::int64_t>::max() / 1'000'000'000 - 1;
    return Timestamp(std::chrono::seconds(std::clamp(seconds, -bound, bound)));
}

std::string addressText(const ASN1_OCTET_STRING* bytes) {
    Address address;
    const int size = ASN1_STRING_length(bytes);
    if (size != 4 && size != 16) return {};
    address.v6 = size == 16;
    std::copy_n(ASN1_STRING_get0_data(bytes), size, address.bytes.begin());
    return toString(address);
}

std::vector<std::string> alternativeNames(const X509* certificate) {
    const GeneralNamesPointer list(
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
    std::vector<std::string> names;
    const int count = list ? std::min(sk_GENERAL_NAME_num(list.get()), maxNames) : 0;
    for (int i = 0; i < count; ++i) {
        const GENERAL_NAME* name = sk_GENERAL_NAME_value(list.get(), i);
        if (name->type == GEN_DNS) {
            const auto size = std::min(static_cast<std::size_t>(ASN1_STRING_length(name->d.dNSName)), maxName);
            names.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName)), size);
        } else if (name->type == GEN_IPADD) {
            names.push_back(addressText(name->d.iPAddress));
        }
    }
    return names;
}

} // namespace

std::optional<TlsCertificate> readCertificate(Bytes der) {
    const unsigned char* start = der.data();
    const X509Pointer certificate(d2i_X509(nullptr, &start, static_cast<long>(der.size())));
    if (!certificate) {
        ERR_clear_error();
        return std::nullopt;
    }
    TlsCertificate facts;
    facts.subject = distinguishedName(X509_get_subject_name(certificate.get()));
    facts.issuer = distinguishedName(X509_get_issuer_name(certificate.get()));
    facts.notBefore = timeOf(X509_get0_notBefore(certificate.get()));
    facts.notAfter = timeOf(X509_get0_notAfter(certificate.get()));
    facts.names = alternativeNames(certificate.get());
    return facts;
}

} // namespace brokerscope
