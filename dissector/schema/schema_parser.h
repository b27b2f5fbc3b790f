// SPDX-License-Identifier: Apache-2.0
// Reads the schema notation (docs/schema-notation.md) into schema values. Reports every error with file, line and
// column, not only the first; what could be read is there all the same.
// Memory: the result owns its text; the input may go away. Threads: a call is self-contained.
#pragma once

#include "dissector/schema/schema.h"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace brokerscope {

struct SchemaText {
    std::string_view file; // "fetch.schema", for errors
    std::string_view text;
};

struct SchemaError {
    std::string file;
    std::uint32_t line = 0, column = 0; // from 1
    std::string text;
};
std::string toString(const SchemaError& error); // "fetch.schema:12:7: there is no type \"strng\""

// A name that has to be defined somewhere.
struct SchemaReference {
    std::string name;
    enum class To : std::uint8_t { Enumeration, Message, Payload /*a message or a family of them*/ } to{};
    SchemaError place; // without text
};

struct Enumeration {
    std::string name;
    std::vector<EnumValue> values;
};

// Addresses of messages and APIs stay valid while the value lives (deques); Api points into `messages`.
struct ParsedSchema {
    std::deque<SchemaMessage> messages;
    std::deque<Api> apis;
    std::vector<ErrorCode> errors;
    std::vector<Enumeration> enumerations;
    std::vector<PayloadRule> payloads;
    std::vector<SchemaReference> references;
};

// Adds what `text` says to `into`; an API key, error code, enumeration or payload that is there already is
// replaced.
void parseSchema(const SchemaText& text, ParsedSchema& into, std::vector<SchemaError>& errors);
// What can only be said when all texts are read: enumerations and nested messages that fields name exist.
void checkReferences(const ParsedSchema& schema, std::vector<SchemaError>& errors);

} // namespace brokerscope
