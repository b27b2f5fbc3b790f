// SPDX-License-Identifier: Apache-2.0
// All that is known of the protocol: APIs, their versions, plans, errors and enums.
// The built-in text is parsed once; plans are compiled on first use. Immutable to its users and safe to share between
// threads (plan() locks only when a plan is compiled for the first time).
#pragma once

#include "capture/types/result.h"
#include "dissector/schema/plan.h"
#include "dissector/schema/schema.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace brokerscope {

enum class Direction : std::uint8_t { Request, Response };

class Protocol {
  public:
    static const Protocol& builtin();
    // The built-in protocol with the APIs of one more schema text added or replaced.
    static Result<std::unique_ptr<Protocol>> withAdditions(std::string_view text, std::string_view fileName);
    ~Protocol();

    const Api* api(std::int16_t key) const;
    const Api* apiByName(std::string_view anySpelling) const; // "fetch", "FETCH", "api_versions", "18"
    const std::vector<const Api*>& apis() const;              // by key

    // Null when the api or version is unknown.
    const Plan* plan(std::int16_t apiKey, std::int16_t version, Direction direction) const;
    const Plan& requestHeaderPlan(std::int16_t headerVersion) const;
    const Plan& responseHeaderPlan(std::int16_t headerVersion) const;
    // Messages nested in bytes fields and records: "OffsetCommitValue". Null when unknown.
    const SchemaMessage* nested(std::string_view name) const;
    // By the number that stands in front of the message: ("offsets-key", 2), ("cluster-metadata", 3). Null when
    // unknown.
    const SchemaMessage* nestedByType(std::string_view family, std::int16_t recordType) const;
    std::vector<const SchemaMessage*> nestedMessages() const;
    const Plan* nestedPlan(std::string_view name, std::int16_t version) const;

    // The message or family that a payload of this kind holds, by protocol or topic; empty: nobody says.
    std::string_view payloadTarget(PayloadRule::Place place, std::string_view name) const;

    const ErrorCode* error(std::int16_t code) const; // null: no such code
    const std::vector<ErrorCode>& errors() const;
    std::string_view enumName(std::string_view enumeration, std::int64_t value) const; // empty: no such value
    const std::vector<EnumValue>* enumeration(std::string_view name) const;

  private:
    struct Content;
    explicit Protocol(std::unique_ptr<Content> content);
    std::unique_ptr<Content> m_content;
};

} // namespace brokerscope
