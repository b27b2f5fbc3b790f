// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/tls/tls_peers.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509v3.h>

#include <stdexcept>
#include <utility>

namespace brokerscope::test {

namespace {

void check(bool good, const char* what) {
    if (good) return;
    char reason[256] = "";
    ERR_error_string_n(ERR_get_error(), reason, sizeof reason);
    throw std::runtime_error(std::string(what) + ": " + reason);
}

struct Identity {
    EVP_PKEY* key;
    X509* certificate;
};

const unsigned char* unsignedText(const std::string& text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

Identity makeIdentity(EVP_PKEY* key) {
    X509* certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), "20200102030405Z");
    ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), "20990607080910Z");
    X509_set_pubkey(certificate, key);
    X509_NAME* name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "O", MBSTRING_ASC, unsignedText("Example"), -1, -1, 0);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, unsignedText("broker-1"), -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    X509_EXTENSION* names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name,
                                                "DNS:broker.example,DNS:*.brokers.example,IP:10.77.0.11");
    check(names && X509_add_ext(certificate, names, -1) == 1, "extension");
    X509_EXTENSION_free(names);
    check(X509_sign(certificate, key, EVP_sha256()) > 0, "sign");
    return {key, certificate};
}

// Made once a program: keys take a while.
const Identity& rsaIdentity() {
    static const Identity identity = makeIdentity(EVP_RSA_gen(1024));
    return identity;
}

const Identity& ecIdentity() {
    static const Identity identity = makeIdentity(EVP_EC_gen("P-256"));
    return identity;
}

void useIdentity(SSL_CTX* context, const Identity& identity) {
    check(SSL_CTX_use_certificate(context, identity.certificate) == 1, "certificate");
    check(SSL_CTX_use_PrivateKey(context, identity.key) == 1, "key");
}

// Both programs log the same secrets; a client's log is the usual one.
void writeKeyLog(const SSL* ssl, const char* line) {
    if (SSL_is_server(ssl) == 0) static_cast<TlsRecording*>(SSL_get_app_data(ssl))->keyLog += std::string(line) + "\n";
}

// Takes the protocol offered last, so that it is seen to be the server's choice.
int selectProtocol(SSL*, const unsigned char** out, unsigned char* outSize, const unsigned char* in,
                   unsigned int inSize, void*) {
    const unsigned char* last = in;
    for (const unsigned char* at = in; at < in + inSize; at += *at + 1)
        last = at;
    *out = last + 1;
    *outSize = *last;
    return SSL_TLSEXT_ERR_OK;
}

} // namespace

TlsPeers::TlsPeers(TlsSettings settings)
    : m_settings(std::move(settings)), m_clientContext(SSL_CTX_new(TLS_client_method())),
      m_serverContext(SSL_CTX_new(TLS_server_method())) {
    configure(m_clientContext.get());
    configure(m_serverContext.get());
    configureServer();
    configureClient();
    connect();
}

void TlsPeers::configure(SSL_CTX* context) {
    SSL_CTX_set_security_level(context, 0); // old versions and small keys
    check(SSL_CTX_set_min_proto_version(context, m_settings.minVersion) == 1, "version");
    check(SSL_CTX_set_max_proto_version(context, m_settings.maxVersion) == 1, "version");
    const std::string list = m_settings.cipherList.empty() ? "ALL" : m_settings.cipherList;
    check(SSL_CTX_set_cipher_list(context, (list + ":@SECLEVEL=0").c_str()) == 1, "cipher list");
    if (!m_settings.cipherSuites.empty())
        check(SSL_CTX_set_ciphersuites(context, m_settings.cipherSuites.c_str()) == 1, "cipher suites");
    if (!m_settings.encryptThenMac) SSL_CTX_set_options(context, SSL_OP_NO_ENCRYPT_THEN_MAC);
    if (!m_settings.tickets) SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    if (m_settings.padding > 0) SSL_CTX_set_block_padding(context, m_settings.padding);
    SSL_CTX_set_options(context, SSL_OP_ALLOW_CLIENT_RENEGOTIATION);
    SSL_CTX_set_keylog_callback(context, writeKeyLog);
}

void TlsPeers::configureServer() {
    SSL_CTX* context = m_serverContext.get();
    useIdentity(context, rsaIdentity());
    useIdentity(context, ecIdentity());
    SSL_CTX_set_dh_auto(context, 1);
    const std::string name = "test";
    SSL_CTX_set_session_id_context(context, unsignedText(name), static_cast<unsigned>(name.size()));
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_SERVER);
    if (m_settings.earlyData) SSL_CTX_set_max_early_data(context, 16384);
    if (!m_settings.serverGroups.empty()) SSL_CTX_set1_groups_list(context, m_settings.serverGroups.c_str());
    if (m_settings.clientAuthenticates)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, [](int, X509_STORE_CTX*) { return 1; });
    if (!m_settings.protocols.empty()) SSL_CTX_set_alpn_select_cb(context, selectProtocol, nullptr);
}

void TlsPeers::configureClient() {
    SSL_CTX* context = m_clientContext.get();
    if (!m_settings.clientGroups.empty()) SSL_CTX_set1_groups_list(context, m_settings.clientGroups.c_str());
    if (m_settings.clientAuthenticates) useIdentity(context, ecIdentity());
    if (!m_settings.clientTrustsServer) SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    std::string list;
    for (const std::string& name : m_settings.protocols)
        list += static_cast<char>(name.size()) + name;
    if (!list.empty()) SSL_CTX_set_alpn_protos(context, unsignedText(list), static_cast<unsigned>(list.size()));
}

void TlsPeers::connect() {
    if (m_client) {
        m_session.reset(SSL_get1_session(m_client.get()));
        // OpenSSL forgets the sessions of connections that were not closed in order.
        SSL_set_shutdown(m_client.get(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
        SSL_set_shutdown(m_server.get(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    }
    m_recording.segments.clear();
    m_recording.sent = {};
    m_client.reset(SSL_new(m_clientContext.get()));
    m_server.reset(SSL_new(m_serverContext.get()));
    for (SSL* peer : {m_client.get(), m_server.get()}) {
        SSL_set_app_data(peer, &m_recording);
        SSL_set_bio(peer, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    }
    SSL_set_tlsext_host_name(m_client.get(), "broker.example");
    if (m_session) SSL_set_session(m_client.get(), m_session.get());
    SSL_set_connect_state(m_client.get());
    SSL_set_accept_state(m_server.get());
}

// What a program has to send becomes one segment.
void TlsPeers::moveFrom(Side side) {
    char* data = nullptr;
    BIO* out = SSL_get_wbio(ssl(side));
    const long size = BIO_get_mem_data(out, &data);
    if (size <= 0) return;
    m_recording.segments.push_back({side, {data, data + size}});
    BIO_write(SSL_get_rbio(ssl(other(side))), data, static_cast<int>(size));
    BIO_reset(out);
}

void TlsPeers::readAll(Side side) {
    char buffer[32 * 1024];
    while (SSL_read(ssl(side), buffer, sizeof buffer) > 0) {
    }
    ERR_clear_error();
}

bool TlsPeers::shakeHands() {
    if (m_settings.earlyData) {
        char buffer[32 * 1024];
        std::size_t size = 0;
        while (SSL_read_early_data(m_server.get(), buffer, sizeof buffer, &size) == SSL_READ_EARLY_DATA_SUCCESS) {
        }
        moveFrom(Side::Second);
    }
    for (int round = 0; round < 10; ++round) {
        SSL_do_handshake(m_client.get());
        moveFrom(Side::First);
        SSL_do_handshake(m_server.get());
        moveFrom(Side::Second);
    }
    readAll(Side::First); // session tickets
    readAll(Side::Second);
    moveFrom(Side::First);
    moveFrom(Side::Second);
    return SSL_is_init_finished(m_client.get()) == 1 && SSL_is_init_finished(m_server.get()) == 1;
}

void TlsPeers::write(Side from, const std::string& data) {
    check(SSL_write(ssl(from), data.data(), static_cast<int>(data.size())) > 0, "write");
    m_recording.sentBy(from) += data;
    moveFrom(from);
    readAll(other(from));
    moveFrom(other(from));
}

bool TlsPeers::writeEarly(const std::string& data) {
    std::size_t written = 0;
    if (SSL_write_early_data(m_client.get(), data.data(), data.size(), &written) != 1) return false;
    m_recording.sentBy(Side::First) += data;
    moveFrom(Side::First);
    return written == data.size();
}

void TlsPeers::updateKeys(Side from) {
    check(SSL_key_update(ssl(from), SSL_KEY_UPDATE_REQUESTED) == 1, "key update");
    SSL_do_handshake(ssl(from));
    moveFrom(from);
    readAll(other(from));
    SSL_do_handshake(ssl(other(from)));
    moveFrom(other(from));
    readAll(from);
}

bool TlsPeers::renegotiate() {
    if (SSL_renegotiate(m_client.get()) != 1) return false;
    for (int round = 0; round < 10; ++round) {
        SSL_do_handshake(m_client.get());
        moveFrom(Side::First);
        readAll(Side::Second);
        moveFrom(Side::Second);
        readAll(Side::First);
    }
    return SSL_renegotiate_pending(m_client.get()) == 0;
}

void TlsPeers::close(Side from) {
    SSL_shutdown(ssl(from));
    moveFrom(from);
    readAll(other(from));
}

std::string TlsPeers::text(std::size_t size, unsigned seed) {
    std::string text;
    std::uint32_t state = seed * 2654435761U + 12345;
    while (text.size() < size) {
        state = state * 1664525U + 1013904223U;
        text += static_cast<char>('@' + (state >> 16) % 60);
    }
    return text;
}

TlsRecording recordConversation(const TlsSettings& settings, std::size_t rounds) {
    TlsPeers peers(settings);
    check(peers.shakeHands(), "handshake");
    for (unsigned round = 0; round < rounds; ++round) {
        peers.write(Side::First, TlsPeers::text(50 + 700 * round, 2 * round));
        peers.write(Side::Second, TlsPeers::text(300 + 9000 * round, 2 * round + 1));
    }
    peers.close(Side::First);
    peers.close(Side::Second);
    return peers.recording();
}

} // namespace brokerscope::test
