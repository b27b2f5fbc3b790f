// SPDX-License-Identifier: Apache-2.0
// X.509 certificates as facts for people. OpenSSL parses the DER.
#pragma once

#include "capture/types/bytes.h"
#include "capture/types/tls_facts.h"

#include <optional>

namespace brokerscope {

// nullopt when the bytes are not a certificate.
std::optional<TlsCertificate> readCertificate(Bytes der);

} // namespace brokerscope
