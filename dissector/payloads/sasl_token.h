// SPDX-License-Identifier: Apache-2.0
// Tokens of SASL mechanisms, part by part: PLAIN (RFC 4616), SCRAM (RFC 5802), OAUTHBEARER (RFC 7628) and the frame of
// Kerberos tokens (RFC 4121). Passwords, salts, proofs and bearer tokens are Semantic::Secret, whose values nobody
// shows unless asked to.
//
// Which mechanism and step a token is, is read from its bytes; `mechanism` (of the handshake) decides where they do not
// say. Law: every byte of the token belongs to one node. Memory: the tree. Errors: nullopt for what is no such token.
#pragma once

#include "dissector/message/decoder.h"

#include <optional>
#include <string>
#include <string_view>

namespace brokerscope {

struct SaslStep {
    std::string name;       // "SCRAM client-first-message"
    DecodedMessage message; // the root's children are the parts
};

std::optional<SaslStep> decodeSaslToken(Bytes token, Direction direction, std::string_view mechanism);

} // namespace brokerscope
