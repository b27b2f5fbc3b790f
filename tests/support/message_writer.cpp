// SPDX-License-Identifier: Apache-2.0
#include "tests/support/message_writer.h"

#include <rapidjson/document.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace brokerscope {
namespace {

using Octets = std::vector<std::uint8_t>;
using Value = rapidjson::Value;

void put(Octets& out, std::int64_t value, int size) {
    for (int i = size - 1; i >= 0; --i)
        out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void putVarint(Octets& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        out.push_back(static_cast<std::uint8_t>(value | 0x80));
    out.push_back(static_cast<std::uint8_t>(value));
}

Octets fromHex(std::string_view hex) {
    Octets bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes.push_back(static_cast<std::uint8_t>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
    return bytes;
}

class Writer {
  public:
    Writer(const Plan& plan, Octets& out) : m_plan(plan), m_out(out) {}

    void write(const Value& object) { fields(m_plan.root(), &object); }

  private:
    static const Value* member(const Value* object, const PlanField& field) {
        if (!object || !object->IsObject()) return nullptr;
        const auto found = object->FindMember(field.schema->jsonName.c_str());
        return found == object->MemberEnd() ? nullptr : &found->value;
    }

    void fields(const PlanField& parent, const Value* object) {
        rejectUnknown(parent, object);
        for (std::uint32_t i = parent.childBegin; i < parent.taggedBegin; ++i)
            field(m_plan.fields[i], member(object, m_plan.fields[i]));
        if (m_plan.flexible) tagged(parent, object);
    }

    // A misspelt name would silently test nothing.
    void rejectUnknown(const PlanField& parent, const Value* object) const {
        if (!object) return;
        for (const auto& entry : object->GetObject()) {
            bool known = false;
            for (std::uint32_t i = parent.childBegin; i < parent.childEnd; ++i)
                known = known || m_plan.fields[i].schema->jsonName == entry.name.GetString();
            if (!known)
                throw std::invalid_argument(fmt::format("{} v{} has no field {} here", m_plan.message->name,
                                                        m_plan.version, entry.name.GetString()));
        }
    }

    void tagged(const PlanField& parent, const Value* object) {
        std::vector<const PlanField*> given;
        for (std::uint32_t i = parent.taggedBegin; i < parent.childEnd; ++i)
            if (member(object, m_plan.fields[i])) given.push_back(&m_plan.fields[i]);
        putVarint(m_out, given.size());
        for (const PlanField* which : given) {
            Octets content;
            Writer(m_plan, content).field(*which, member(object, *which));
            putVarint(m_out, static_cast<std::uint64_t>(which->tag));
            putVarint(m_out, content.size());
            m_out.insert(m_out.end(), content.begin(), content.end());
        }
    }

    void length(const PlanField& field, std::int64_t length, int size) { // -1: null
        if (field.compact)
            putVarint(m_out, static_cast<std::uint64_t>(length + 1));
        else
            put(m_out, length, size);
    }

    void field(const PlanField& field, const Value* value) {
        if (!field.isArray) return element(field, value);
        const bool null = value ? value->IsNull() : field.defaultNull;
        const std::size_t count = value && value->IsArray() ? value->Size() : 0;
        length(field, null ? -1 : static_cast<std::int64_t>(count), 4);
        for (std::size_t i = 0; i < count; ++i)
            element(field, &(*value)[static_cast<rapidjson::SizeType>(i)]);
    }

    void element(const PlanField& field, const Value* value) {
        switch (field.type) {
        case FieldType::Struct:
            if (field.nullable && !field.isArray) {
                const bool null = !value || value->IsNull();
                put(m_out, null ? -1 : 1, 1);
                if (null) return;
            }
            return fields(field, value);
        case FieldType::Uuid:
            m_out.insert(m_out.end(), 16, 0);
            return;
        case FieldType::String:
        case FieldType::Bytes:
        case FieldType::Records:
            return text(field, value);
        default:
            return put(m_out, number(field, value), sizeOf(field.type));
        }
    }

    void text(const PlanField& field, const Value* value) {
        if (value ? value->IsNull() : field.defaultNull || field.type == FieldType::Records)
            return length(field, -1, field.type == FieldType::String ? 2 : 4);
        const std::string_view given = value ? std::string_view(value->GetString(), value->GetStringLength()) : "";
        const Octets bytes = field.type == FieldType::String ? Octets(given.begin(), given.end()) : fromHex(given);
        length(field, static_cast<std::int64_t>(bytes.size()), field.type == FieldType::String ? 2 : 4);
        m_out.insert(m_out.end(), bytes.begin(), bytes.end());
    }

    static std::int64_t number(const PlanField& field, const Value* value) {
        if (!value) return field.defaultNumber;
        return value->IsBool() ? value->GetBool() : value->GetInt64();
    }

    static int sizeOf(FieldType type) {
        switch (type) {
        case FieldType::Bool:
        case FieldType::Int8:
            return 1;
        case FieldType::Int16:
        case FieldType::Uint16:
            return 2;
        case FieldType::Int32:
        case FieldType::Uint32:
            return 4;
        default:
            return 8;
        }
    }

    const Plan& m_plan;
    Octets& m_out;
};

void append(const Plan& plan, const std::string& json, Octets& out) {
    rapidjson::Document document;
    document.Parse(json.c_str());
    if (!document.IsObject()) throw std::invalid_argument("no JSON object: " + json);
    Writer(plan, out).write(document);
}

} // namespace

std::vector<std::uint8_t> encodeMessage(std::int16_t apiKey, std::int16_t version, Direction direction,
                                        std::int32_t correlationId, const std::string& json,
                                        const std::string& clientId) {
    const Protocol& protocol = Protocol::builtin();
    const Api* api = protocol.api(apiKey);
    const Plan* plan = protocol.plan(apiKey, version, direction);
    if (!api || !plan) throw std::invalid_argument(fmt::format("there is no api {} v{}", apiKey, version));
    Octets body;
    if (direction == Direction::Request)
        append(protocol.requestHeaderPlan(api->requestHeaderVersion(version)),
               fmt::format(R"({{"requestApiKey":{},"requestApiVersion":{},"correlationId":{},"clientId":"{}"}})",
                           apiKey, version, correlationId, clientId),
               body);
    else
        append(protocol.responseHeaderPlan(api->responseHeaderVersion(version)),
               fmt::format(R"({{"correlationId":{}}})", correlationId), body);
    append(*plan, json, body);
    Octets frame;
    frame.reserve(body.size() + 4);
    put(frame, static_cast<std::int64_t>(body.size()), 4);
    std::ranges::copy(body, std::back_inserter(frame));
    return frame;
}

std::string hexOf(const std::vector<std::uint8_t>& bytes) {
    std::string hex;
    for (const std::uint8_t byte : bytes)
        hex += fmt::format("{:02x}", byte);
    return hex;
}

} // namespace brokerscope
