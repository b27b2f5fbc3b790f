// SPDX-License-Identifier: Apache-2.0
// Plaintext that met TLS, handshakes that failed, certificates that are out of date, and what could not be read.
#include "dissector/analysis/findings/finding_rule.h"

#include "dissector/message/units.h"

#include <fmt/format.h>

namespace brokerscope {
namespace {

using enum FindingId;

class TlsRule final : public FindingRule {
  public:
    void tls(const Connection& connection, const TlsFacts& facts, FindingReport& report) override {
        const Timestamp time = connection.start;
        const std::string between =
            fmt::format("{} to {}", toString(connection.first.address), toString(connection.second));
        if (facts.mismatch != TlsMismatch::None)
            report.see(facts.mismatch == TlsMismatch::TlsToPlaintext ? TlsOnPlaintextPort : PlaintextOnTlsPort, between,
                       time, std::string(tlsMismatchText(facts.mismatch)));
        else
            alerts(connection, facts, between, report);
        if (!facts.serverCertificates.empty()) certificate(connection, facts, report);
        const std::uint64_t closed = facts.first.protectedBytes + facts.second.protectedBytes;
        if (facts.decryption != TlsDecryption::NotNeeded && facts.decryption != TlsDecryption::Decrypted)
            report.see(TlsUnreadable, toString(connection.second), time,
                       fmt::format("{}, {}", sizeWords(closed), tlsDecryptionText(facts.decryption)));
    }

  private:
    static void alerts(const Connection& connection, const TlsFacts& facts, const std::string& between,
                       FindingReport& report) {
        constexpr std::uint8_t closeNotify = 0, userCanceled = 90;
        for (const TlsAlert& alert : facts.alerts) {
            if (!alert.code || *alert.code == closeNotify || *alert.code == userCanceled) continue;
            report.see(TlsAlertSeen, between, alert.time,
                       fmt::format("{} said {} ({})", toString(connection.end(alert.from)), tlsAlertName(*alert.code),
                                   tlsAlertMeaning(*alert.code)));
        }
    }

    static void certificate(const Connection& connection, const TlsFacts& facts, FindingReport& report) {
        constexpr Duration soon = std::chrono::days(30);
        const TlsCertificate& leaf = facts.serverCertificates.front();
        const Timestamp now = connection.start;
        if (leaf.notAfter - soon > now && leaf.notBefore <= now) return;
        const bool valid = leaf.notBefore <= now && now < leaf.notAfter;
        const bool early = leaf.notBefore > now;
        const auto date = [](Timestamp time) {
            return dateText(time.time_since_epoch() / std::chrono::milliseconds(1));
        };
        report.see(CertificateExpired, fmt::format("{} at {}", leaf.subject, toString(connection.second)), now,
                   early ? "valid from " + date(leaf.notBefore) : "valid until " + date(leaf.notAfter),
                   valid ? Severity::Warning : Severity::Error);
    }
};

} // namespace

void addTlsRules(FindingRules& rules) {
    rules.push_back(std::make_unique<TlsRule>());
}

} // namespace brokerscope
