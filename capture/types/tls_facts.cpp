// SPDX-License-Identifier: Apache-2.0
#include "capture/types/tls_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace brokerscope {

namespace {

struct AlertText {
    std::uint8_t code;
    std::string_view name;
    std::string_view meaning;
};

constexpr AlertText alertTexts[] = {
    {0, "close_notify", "the sender will send nothing more; the regular end of a TLS connection"},
    {10, "unexpected_message", "a message came that does not belong here; also sent when the peer does not speak TLS"},
    {20, "bad_record_mac", "a record failed its integrity check: damaged on the way, or the keys differ"},
    {21, "decryption_failed", "a record could not be decrypted (an alert of old TLS versions)"},
    {22, "record_overflow", "a record is longer than TLS allows; often the peer does not speak TLS"},
    {30, "decompression_failure", "compressed data could not be unpacked"},
    {40, "handshake_failure",
     "no common cipher suite, group or signature scheme, or a required client certificate "
     "is missing"},
    {41, "no_certificate", "the client has no certificate (SSL 3.0)"},
    {42, "bad_certificate",
     "the certificate is damaged or its signature does not verify; servers also send it when a "
     "client shows none"},
    {43, "unsupported_certificate", "the certificate is of a kind that the receiver cannot use"},
    {44, "certificate_revoked", "the certificate was revoked by its issuer"},
    {45, "certificate_expired", "the certificate is past its end date or not valid yet; check it and both clocks"},
    {46, "certificate_unknown",
     "the certificate was not accepted; Java sends this when the issuer is not in its trust "
     "store or the host name does not match"},
    {47, "illegal_parameter", "a field of the handshake has a value that is not allowed"},
    {48, "unknown_ca", "the issuer of the certificate is not trusted: its CA is missing in the receiver's trust store"},
    {49, "access_denied", "the certificate is valid, but its owner is not let in"},
    {50, "decode_error", "a message could not be parsed; often the peer does not speak TLS"},
    {51, "decrypt_error", "a signature or a Finished message of the handshake does not verify"},
    {60, "export_restriction", "key lengths break export rules (an alert of old TLS versions)"},
    {70, "protocol_version", "no common TLS version: what the client offers is switched off on the other side"},
    {71, "insufficient_security", "the server wants stronger cipher suites than the client offers"},
    {80, "internal_error",
     "the sender failed for a reason of its own; Java also answers bytes that are not TLS with it"},
    {86, "inappropriate_fallback", "the client came back with a lower TLS version than both sides support"},
    {90, "user_canceled", "the handshake was given up on purpose"},
    {100, "no_renegotiation", "a second handshake on this connection was refused"},
    {109, "missing_extension", "the handshake lacks an extension that it must have"},
    {110, "unsupported_extension", "the handshake has an extension that was not asked for"},
    {111, "certificate_unobtainable", "the certificate could not be fetched from the address given"},
    {112, "unrecognized_name", "the server does not know the host name that the client asked for (SNI)"},
    {113, "bad_certificate_status_response", "the stapled OCSP answer is not valid"},
    {114, "bad_certificate_hash_value", "the fetched certificate is not the announced one"},
    {115, "unknown_psk_identity", "the server does not know the pre-shared key"},
    {116, "certificate_required", "the server wants a client certificate and got none"},
    {120, "no_application_protocol", "no common application protocol (ALPN)"},
};

const AlertText* findAlert(std::uint8_t code) {
    const auto found = std::ranges::find(alertTexts, code, &AlertText::code);
    return found == std::end(alertTexts) ? nullptr : found;
}

} // namespace

std::string tlsVersionName(std::uint16_t version) {
    switch (version) {
    case 0x0200:
        return "SSL 2.0";
    case 0x0300:
        return "SSL 3.0";
    case 0x0301:
        return "TLS 1.0";
    case 0x0302:
        return "TLS 1.1";
    case 0x0303:
        return "TLS 1.2";
    case 0x0304:
        return "TLS 1.3";
    default:
        return fmt::format("TLS 0x{:04x}", version);
    }
}

std::string_view tlsAlertName(std::uint8_t code) {
    const AlertText* text = findAlert(code);
    return text ? text->name : std::string_view{};
}

std::string_view tlsAlertMeaning(std::uint8_t code) {
    const AlertText* text = findAlert(code);
    return text ? text->meaning : "an alert code that no TLS standard names";
}

std::string_view tlsDecryptionText(TlsDecryption reason) {
    switch (reason) {
    case TlsDecryption::NotNeeded:
        return "nothing encrypted was captured";
    case TlsDecryption::Decrypted:
        return "decrypted";
    case TlsDecryption::NoKeys:
        return "no keys: there is no secret for this connection in any key log";
    case TlsDecryption::WrongKeys:
        return "the keys given for this connection open none of its records";
    case TlsDecryption::UnsupportedCipher:
        return "this cipher suite or compression cannot be decrypted";
    case TlsDecryption::HandshakeMissed:
        return "the capture started after the TLS handshake";
    case TlsDecryption::LostBytes:
        return "bytes of the TLS handshake are missing in the capture";
    }
    return {};
}

std::string_view tlsMismatchText(TlsMismatch mismatch) {
    switch (mismatch) {
    case TlsMismatch::None:
        return {};
    case TlsMismatch::PlaintextToTls:
        return "plaintext was sent to a TLS port: the answer is a TLS alert";
    case TlsMismatch::TlsToPlaintext:
        return "a TLS hello was sent to a port that does not speak TLS";
    }
    return {};
}

} // namespace brokerscope
