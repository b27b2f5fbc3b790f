// SPDX-License-Identifier: Apache-2.0
// What people read beside a node of a field tree: its label and its value, the same words in the terminal and in the
// window.
//
//     MaxWaitMs      500 ms                  ErrorCode   3 UNKNOWN_TOPIC_OR_PARTITION ↻
//     MaxBytes       52428800 (50 MiB)       Timestamp   1764429301123  2026-11-29 15:15:01.123 UTC
//     IsolationLevel 1 READ_COMMITTED        Topics      3 entries
//     TopicId        YUudESIzRFVmd4iZqrvM3Q → orders
//
// Bounds: texts are cut at TextOptions::maxText characters, bytes at maxBytes. Threads: none of its own.
#pragma once

#include "dissector/message/decoder.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace brokerscope {

// How a value should stand out.
enum class Tone : std::uint8_t {
    Plain,
    Dim,    // null, empty, none, no error
    Error,  // an error code
    Secret, // masked
    Damage, // not captured, malformed
};

struct ValueText {
    std::string text;
    Tone tone = Tone::Plain;
};

// Names for ids; an empty answer: nobody has named it. Those that are unset: ids are shown without a word about names.
struct IdNames {
    std::function<std::string(const std::array<std::uint8_t, 16>&)> topic;
    std::function<std::string(std::string_view)> member; // the client id
    std::function<std::string(std::int64_t)> producer;   // the transactional id
    std::function<std::string(std::int32_t)> node;       // "10.77.0.11:9092"
};

struct TextOptions {
    bool showSecrets = false;
    std::size_t maxText = 256; // characters
    std::size_t maxBytes = 24; // shown in hex
    IdNames names;
};

// "TimeoutMs", "[0]", "Tag 0 ClusterId", "Tagged fields", "Header".
std::string labelText(const DecodedMessage& message, NodeIndex node);
// "int32", "[]string", "struct", "string?"; empty for nodes that are no field.
std::string typeText(const FieldNode& node);
ValueText valueText(const Protocol& protocol, const DecodedMessage& message, const ByteChain& bytes, NodeIndex node,
                    const TextOptions& options);

// In double quotes, with \n, \t, \" and \u{7} for what cannot be shown, cut at `maxText` characters.
std::string quoted(Bytes text, std::size_t maxText);
// "0a 0b 0c …"
std::string hexText(Bytes bytes, std::size_t maxBytes);

} // namespace brokerscope
