// SPDX-License-Identifier: Apache-2.0
#include "dissector/payloads/sasl_token.h"

#include "dissector/schema/field_table.h"
#include "dissector/wire/utf8.h"

#include <algorithm>

namespace brokerscope {
namespace {

struct Parts {
    FieldTable table;

    const PlanField* text(std::string_view name, std::string_view note, Semantic semantic = Semantic::None) {
        return table.add(name, FieldType::String, note, semantic);
    }
    const PlanField* bytes(std::string_view name, std::string_view note, Semantic semantic = Semantic::None) {
        return table.add(name, FieldType::Bytes, note, semantic);
    }

    const PlanField* authorizationId = text("AuthorizationId", "Whom to act for; empty: the user.");
    const PlanField* user = text("User", "");
    const PlanField* password = text("Password", "In clear, so PLAIN wants TLS around it.", Semantic::Secret);
    const PlanField* channelBinding = text("ChannelBinding", "n: the client does not bind to the TLS channel.");
    const PlanField* nonce = text("Nonce", "Random; the broker appends its own to the client's.");
    const PlanField* salt = text("Salt", "Of the stored password, base64.", Semantic::Secret);
    const PlanField* iterations = text("Iterations", "How often the salted password is hashed.");
    const PlanField* proof = text("Proof", "Shows that the client knows the password.", Semantic::Secret);
    const PlanField* signature = text("ServerSignature", "Shows that the broker knows it too.", Semantic::Secret);
    const PlanField* error = text("Error", "Why the broker refused.");
    const PlanField* tokenAuth = text("TokenAuth", "The user is a delegation token's id.");
    const PlanField* extension = text("Extension", "");
    const PlanField* bearer = text("Token", "Whoever holds it may use it.", Semantic::Secret);
    const PlanField* end = bytes("End", "");
    const PlanField* mechanismId = bytes("MechanismOid", "1.2.840.113554.1.2.2 is Kerberos.");
    const PlanField* tokenId = bytes("TokenId", "01 00 AP-REQ, 02 00 AP-REP, 03 00 error, 05 04 wrapped data.");
    const PlanField* content = bytes("Content", "", Semantic::Secret);
};

const Parts& parts() {
    static const Parts all;
    return all;
}

// Lays parts one behind the other.
class TokenTree {
  public:
    explicit TokenTree(std::size_t size) {
        FieldNode& root = nodes().emplace_back();
        root.kind = NodeKind::Message;
        root.length = static_cast<std::uint32_t>(size);
    }
    // From the end of the last part; what is in front of `content` is punctuation.
    void add(const PlanField* field, std::size_t content, std::size_t end) {
        FieldNode& node = nodes().emplace_back();
        node.field = field;
        node.parent = 0;
        node.offset = m_position;
        node.length = static_cast<std::uint32_t>(end) - m_position;
        node.prefix = static_cast<std::uint8_t>(content - m_position);
        node.index = node.contentLength();
        node.end = static_cast<NodeIndex>(nodes().size());
        m_position = static_cast<std::uint32_t>(end);
    }
    std::uint32_t position() const { return m_position; }
    SaslStep finish(std::string_view name) {
        nodes().front().end = static_cast<NodeIndex>(nodes().size());
        m_step.name = name;
        return std::move(m_step);
    }

  private:
    std::vector<FieldNode>& nodes() { return m_step.message.tree.nodes; }

    SaslStep m_step;
    std::uint32_t m_position = 0;
};

constexpr std::size_t mostPunctuation = 200; // a node's prefix is one byte

class TokenReader {
  public:
    TokenReader(Bytes token, Direction direction)
        : m_token(token), m_text(reinterpret_cast<const char*>(token.data()), token.size()),
          m_request(direction == Direction::Request), m_tree(token.size()) {}

    std::optional<SaslStep> read(std::string_view mechanism) {
        if (m_token[0] == 0x60 || isWrapped()) return kerberos();
        if (validUtf8Prefix(m_token) != m_token.size()) return std::nullopt;
        if (m_request && hasGs2Header()) return m_text.find('\x01') != m_text.npos ? oauth() : scramFirst();
        if (m_text == "\x01") return acknowledgement();
        if (m_request && std::ranges::count(m_text, '\0') == 2) return plain();
        if (mechanism == "OAUTHBEARER" && m_text[0] == '{') return oauthError();
        return scram();
    }

  private:
    // authorization id NUL user NUL password
    SaslStep plain() {
        const std::size_t first = m_text.find('\0'), second = m_text.find('\0', first + 1);
        m_tree.add(parts().authorizationId, 0, first);
        m_tree.add(parts().user, first + 1, second);
        m_tree.add(parts().password, second + 1, m_text.size());
        return m_tree.finish("PLAIN message");
    }

    // "n,," or "n,a=name,": GS2, in front of what clients of SCRAM and OAUTHBEARER begin with.
    bool hasGs2Header() const {
        if (m_text.size() < 3 || (m_text[0] != 'n' && m_text[0] != 'y' && m_text[0] != 'p')) return false;
        const std::size_t comma = m_text.find(',');
        return comma != m_text.npos && comma < mostPunctuation && m_text.find(',', comma + 1) != m_text.npos;
    }

    std::size_t gs2Header() {
        const std::size_t first = m_text.find(','), second = m_text.find(',', first + 1);
        m_tree.add(parts().channelBinding, 0, first);
        if (second > first + 3) m_tree.add(parts().authorizationId, first + 3, second); // ",a="
        return second + 1;
    }

    std::optional<SaslStep> scramFirst() {
        if (!attributes(gs2Header())) return std::nullopt;
        return m_tree.finish("SCRAM client-first-message");
    }

    std::optional<SaslStep> scram() {
        if (!attributes(0)) return std::nullopt;
        if (m_request) return m_tree.finish("SCRAM client-final-message");
        return m_tree.finish(m_text[0] == 'r' ? "SCRAM server-first-message" : "SCRAM server-final-message");
    }

    // "k=value,k=value" to the end. The comma in front of the first one may still belong to nobody.
    bool attributes(std::size_t begin) {
        while (begin < m_text.size()) {
            const std::size_t end = std::min(m_text.find(',', begin), m_text.size());
            const std::string_view attribute = m_text.substr(begin, end - begin);
            const std::size_t equals = attribute.find('=');
            if (equals == attribute.npos || equals > mostPunctuation) return false;
            const PlanField* field = attributeField(attribute.substr(0, equals));
            const bool named = field != parts().extension;
            m_tree.add(field, named ? begin + equals + 1 : begin, end);
            begin = end + 1;
        }
        return m_tree.position() == m_text.size();
    }

    const PlanField* attributeField(std::string_view key) const {
        if (key == "tokenauth") return parts().tokenAuth;
        if (key.size() != 1) return parts().extension;
        switch (key[0]) {
        case 'n':
            return parts().user;
        case 'r':
            return parts().nonce;
        case 's':
            return parts().salt;
        case 'i':
            return parts().iterations;
        case 'c':
            return parts().channelBinding;
        case 'p':
            return parts().proof;
        case 'v':
            return parts().signature;
        case 'e':
            return parts().error;
        default:
            return parts().extension;
        }
    }

    // GS2 header, then \x01key=value each, then \x01\x01.
    std::optional<SaslStep> oauth() {
        std::size_t begin = gs2Header();
        while (begin + 1 < m_text.size() && m_text[begin] == '\x01' && m_text[begin + 1] != '\x01') {
            const std::size_t end = std::min(m_text.find('\x01', begin + 1), m_text.size());
            constexpr std::string_view authorization = "auth=Bearer ";
            const bool isToken = m_text.substr(begin + 1).starts_with(authorization);
            // An authorization of another kind may be as secret.
            const bool isOther = !isToken && m_text.substr(begin + 1).starts_with("auth=");
            m_tree.add(isToken || isOther ? parts().bearer : parts().extension,
                       begin + 1 + (isToken ? authorization.size() : 0), end);
            begin = end;
        }
        if (m_tree.position() < m_text.size()) {
            const std::size_t left = m_text.size() - m_tree.position();
            if (left > mostPunctuation) return std::nullopt;
            m_tree.add(parts().end, m_text.size(), m_text.size());
        }
        return m_tree.finish("OAUTHBEARER client message");
    }

    SaslStep oauthError() {
        m_tree.add(parts().error, 0, m_text.size());
        return m_tree.finish("OAUTHBEARER error");
    }

    SaslStep acknowledgement() {
        m_tree.add(parts().end, m_text.size(), m_text.size());
        return m_tree.finish("OAUTHBEARER client accepts the error");
    }

    bool isWrapped() const {
        return m_token.size() >= 16 && m_token[0] == 5 && m_token[1] == 4; // RFC 4121, 4.2.6.2
    }

    std::optional<SaslStep> kerberos() {
        if (isWrapped()) {
            m_tree.add(parts().tokenId, 0, 2);
            m_tree.add(parts().content, 2, m_token.size());
            return m_tree.finish(m_request ? "GSSAPI client's choice of a security layer"
                                           : "GSSAPI broker's offer of security layers");
        }
        // 60 LENGTH 06 SIZE oid, token id, content (RFC 2743, 3.1)
        std::size_t oid = 2;
        if (m_token.size() > 1 && m_token[1] > 0x80) oid += m_token[1] & 0x7f;
        if (oid + 2 > m_token.size() || m_token[oid] != 6) return std::nullopt;
        const std::size_t id = oid + 2 + m_token[oid + 1];
        if (id + 2 > m_token.size() || oid + 2 > mostPunctuation) return std::nullopt;
        m_tree.add(parts().mechanismId, oid + 2, id);
        m_tree.add(parts().tokenId, id, id + 2);
        m_tree.add(parts().content, id + 2, m_token.size());
        switch (m_token[id]) {
        case 1:
            return m_tree.finish("GSSAPI client's ticket (AP-REQ)");
        case 2:
            return m_tree.finish("GSSAPI broker's proof (AP-REP)");
        case 3:
            return m_tree.finish("GSSAPI error (KRB-ERROR)");
        default:
            return m_tree.finish("GSSAPI token");
        }
    }

    Bytes m_token;
    std::string_view m_text;
    bool m_request;
    TokenTree m_tree;
};

} // namespace

std::optional<SaslStep> decodeSaslToken(Bytes token, Direction direction, std::string_view mechanism) {
    if (token.empty()) return std::nullopt;
    return TokenReader(token, direction).read(mechanism);
}

} // namespace brokerscope
