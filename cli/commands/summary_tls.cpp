// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/summary_tls.h"

#include "cli/output/quantity_text.h"
#include "cli/output/text_width.h"
#include "dissector/message/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace brokerscope {
namespace {

std::string dayOf(Timestamp time) {
    std::string text;
    appendDate(text, time, 6);
    return text.substr(0, text.find_first_of("T "));
}

std::string serversText(const TlsSummary::Use& use) {
    std::vector<std::string> servers;
    for (const Endpoint& server : use.servers)
        servers.push_back(toString(server));
    return fmt::format("{}", fmt::join(servers, ", "));
}

std::string_view alertTitle(std::uint8_t code) {
    const std::string_view name = tlsAlertName(code);
    return name.empty() ? "unknown" : name;
}

// The names of TlsDecryption and TlsMismatch in JSON.
std::string_view reasonName(TlsDecryption reason) {
    switch (reason) {
    case TlsDecryption::NotNeeded:
        return "nothing-encrypted";
    case TlsDecryption::Decrypted:
        return "decrypted";
    case TlsDecryption::NoKeys:
        return "no-keys";
    case TlsDecryption::WrongKeys:
        return "wrong-keys";
    case TlsDecryption::UnsupportedCipher:
        return "unsupported-cipher";
    case TlsDecryption::HandshakeMissed:
        return "handshake-missed";
    case TlsDecryption::LostBytes:
        return "lost-bytes";
    }
    return {};
}

std::string_view mismatchName(TlsMismatch mismatch) {
    return mismatch == TlsMismatch::PlaintextToTls ? "plaintext-to-tls" : "tls-to-plaintext";
}

class TlsScreen {
  public:
    TlsScreen(const TlsSummary& summary, Timestamp captureEnd, Console& console, std::size_t width)
        : m_summary(summary), m_captureEnd(captureEnd), m_console(console), m_width(width) {}

    void print() {
        m_console.out.endLine();
        m_console.out.buffer() += m_console.style(Role::Heading, "TLS");
        m_console.out.endLine();
        for (const auto& [session, use] : m_summary.sessions)
            line(sessionTitle(session), use, reason(session.decryption, use) + helloText(use),
                 session.decryption == TlsDecryption::Decrypted ? Role::Plain : Role::Warning);
        for (const auto& [name, use] : m_summary.names)
            line("asked for", use, nameText(name), Role::Plain);
        for (const auto& [certificate, use] : m_summary.certificates) {
            const bool expired = certificate.notAfter < m_captureEnd;
            line("certificate", use, validity(certificate, expired), expired ? Role::Error : Role::Plain);
        }
        for (const auto& [alert, use] : m_summary.alerts)
            line(fmt::format("alert {}", alertTitle(alert.code)), use,
                 fmt::format("from the {}: {}", alert.fromClient ? "client" : "server", tlsAlertMeaning(alert.code)),
                 Role::Warning);
        for (const auto& [mismatch, use] : m_summary.mismatches)
            line("mismatch", use, std::string(tlsMismatchText(mismatch)), Role::Error);
    }

  private:
    static std::string sessionTitle(const TlsSummary::Session& session) {
        if (session.version == 0) return "TLS handshake not finished";
        return fmt::format("{} {}", tlsVersionName(session.version), session.cipherName);
    }

    static std::string reason(TlsDecryption decryption, const TlsSummary::Use& use) {
        std::string volume = sizeWords(use.protectedBytes);
        if (use.longestProtected > Duration{}) volume += fmt::format(" in {}", durationText(use.longestProtected));
        if (decryption == TlsDecryption::NoKeys) return fmt::format("{} unread: no keys, see --keylog FILE", volume);
        return fmt::format("{} {}", volume, tlsDecryptionText(decryption));
    }

    static std::string helloText(const TlsSummary::Use& use) {
        if (use.longestHello <= Duration{}) return {};
        return fmt::format("; hello answered within {}", durationText(use.longestHello));
    }

    static std::string nameText(const TlsSummary::Name& name) {
        std::string text = name.serverName.empty() ? "no server name" : printable(name.serverName);
        if (!name.protocol.empty()) text += fmt::format(", protocol {}", printable(name.protocol));
        return text;
    }

    static std::string validity(const TlsSummary::Certificate& certificate, bool expired) {
        return fmt::format("{} of {}, {} {}", printable(certificate.subject), printable(certificate.issuer),
                           expired ? "EXPIRED on" : "valid until", dayOf(certificate.notAfter));
    }

    // "  title: text; 3 connections to 10.77.0.11:9095", over as many lines as it takes.
    void line(const std::string& title, const TlsSummary::Use& use, const std::string& text, Role role) {
        constexpr std::size_t indent = 4;
        std::string tail = countOf(use.connections, "connection");
        if (use.resumed != 0) tail += fmt::format(", {} resumed", grouped(use.resumed));
        tail += fmt::format(", to {}", serversText(use));
        const std::string whole = wrapText(fmt::format("{}: {}; {}", title, text, tail), m_width - indent, indent);
        std::string& out = m_console.out.buffer();
        out += "  ";
        const std::size_t titleEnd = std::min(whole.find(':'), whole.size());
        m_console.style.append(out, role == Role::Plain ? Role::Name : role, whole.substr(0, titleEnd));
        out += whole.substr(titleEnd);
        m_console.out.endLine();
    }

    const TlsSummary& m_summary;
    Timestamp m_captureEnd;
    Console& m_console;
    std::size_t m_width;
};

} // namespace

void printTlsSummary(const TlsSummary& summary, Timestamp captureEnd, Console& console, std::size_t width) {
    if (summary.connections != 0) TlsScreen(summary, captureEnd, console, width).print();
}

void writeTlsSummary(const TlsSummary& summary, JsonLine& json) {
    const auto use = [&](const TlsSummary::Use& counts) {
        json.number("connections", static_cast<std::int64_t>(counts.connections));
        json.number("resumed", static_cast<std::int64_t>(counts.resumed));
        json.milliseconds("longestHelloMs", counts.longestHello);
        json.milliseconds("longestEncryptedMs", counts.longestProtected);
        json.key("servers");
        json.writer().StartArray();
        for (const Endpoint& server : counts.servers)
            json.value(toString(server));
        json.writer().EndArray();
    };
    json.object("tls", [&] {
        json.number("connections", static_cast<std::int64_t>(summary.connections));
        json.array("sessions", summary.sessions, [&](const auto& entry) {
            json.string("version", entry.first.version == 0 ? "" : tlsVersionName(entry.first.version));
            json.string("cipher", entry.first.cipherName);
            json.string("decryption", reasonName(entry.first.decryption));
            json.number("recordBytes", static_cast<std::int64_t>(entry.second.protectedBytes));
            use(entry.second);
        });
        json.array("names", summary.names, [&](const auto& entry) {
            json.string("serverName", entry.first.serverName);
            json.string("protocol", entry.first.protocol);
            use(entry.second);
        });
        json.array("certificates", summary.certificates, [&](const auto& entry) {
            json.string("subject", entry.first.subject);
            json.string("issuer", entry.first.issuer);
            json.time("notAfter", entry.first.notAfter, 6);
            use(entry.second);
        });
        json.array("alerts", summary.alerts, [&](const auto& entry) {
            json.number("code", entry.first.code);
            json.string("name", tlsAlertName(entry.first.code));
            json.string("from", entry.first.fromClient ? "client" : "server");
            use(entry.second);
        });
        json.array("mismatches", summary.mismatches, [&](const auto& entry) {
            json.string("kind", mismatchName(entry.first));
            use(entry.second);
        });
    });
}

} // namespace brokerscope
