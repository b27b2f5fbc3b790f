// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/layout_choice.h"

#include "dissector/message/plausibility.h"
#include "dissector/wire/cursor.h"

namespace brokerscope {

namespace {

// An unknown API's header most likely has a client id; it must look like one.
bool hasClientId(const ByteChain& bytes, std::uint32_t offset, std::uint32_t limit) {
    Cursor cursor(bytes, offset + 8, limit);
    const std::int16_t length = cursor.readI16();
    return cursor.ok() && (length == -1 || (length >= 0 && static_cast<std::uint32_t>(length) <= limit - offset - 10));
}

} // namespace

FrameExtent frameExtent(const ByteChain& bytes) {
    FrameExtent extent;
    Cursor cursor(bytes);
    extent.length = cursor.readI32();
    if (!cursor.ok()) return extent;
    extent.state =
        extent.length < 0 || extent.length > 0x7ffffffb ? FrameExtent::State::Impossible : FrameExtent::State::Good;
    extent.end = 4 + static_cast<std::uint32_t>(extent.length);
    return extent;
}

HeaderChoice chooseHeader(const Protocol& protocol, const ByteChain& bytes, std::uint32_t offset, std::uint32_t limit,
                          const MessageContext& context) {
    HeaderChoice choice;
    if (context.direction == Direction::Response) {
        choice.apiKey = context.apiKey;
        choice.apiVersion = context.apiVersion;
        choice.api = protocol.api(context.apiKey);
        choice.plan =
            &protocol.responseHeaderPlan(choice.api ? choice.api->responseHeaderVersion(choice.apiVersion) : 0);
        return choice;
    }
    Cursor cursor(bytes, offset, limit);
    const std::int16_t key = cursor.readI16();
    const std::int16_t version = cursor.readI16();
    if (cursor.ok()) {
        choice.apiKey = key;
        choice.apiVersion = version;
        choice.api = protocol.api(key);
    }
    const bool longer = choice.api || !cursor.ok() || hasClientId(bytes, offset, limit);
    choice.plan = &protocol.requestHeaderPlan(choice.api ? choice.api->requestHeaderVersion(version) : longer ? 1 : 0);
    return choice;
}

BodyChoice chooseBody(const Protocol& protocol, const Api& api, std::int16_t version, Direction direction,
                      const ByteChain& bytes, std::uint32_t offset, std::uint32_t limit) {
    BodyChoice choice;
    choice.assumed = version > api.versions.last;
    choice.plan = protocol.plan(api.key, choice.assumed ? api.versions.last : version, direction);
    const bool mayFallBack =
        direction == Direction::Response && api.fallbackVersion >= 0 && version > api.fallbackVersion;
    if (mayFallBack) {
        const Plan* fallback = protocol.plan(api.key, api.fallbackVersion, direction);
        Cursor cursor(bytes, offset, limit);
        const bool refused = cursor.readI16() == api.fallbackError && cursor.ok();
        const bool fits = choice.plan && consumesExactly(*choice.plan, bytes, offset, limit);
        if (!fits && (refused || consumesExactly(*fallback, bytes, offset, limit))) return {fallback, false};
    }
    if (choice.plan) choice.plan = &layoutThatFits(*choice.plan, bytes, offset, limit);
    return choice;
}

} // namespace brokerscope
