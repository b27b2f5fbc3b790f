// SPDX-License-Identifier: Apache-2.0
#include "tests/support/made_exchange.h"

#include "dissector/wire/cursor.h"

namespace brokerscope {

Exchange ExchangeMaker::make(const MessageBytes& request, const MessageBytes* response) {
    Exchange exchange;
    exchange.id = ExchangeId{++m_count};
    exchange.broker = broker;
    const ByteChain bytes = request.chain();
    Cursor cursor(bytes);
    RequestHeader& header = exchange.header.emplace();
    header.apiKey = cursor.readI16();
    header.apiVersion = cursor.readI16();
    header.correlationId = cursor.readI32();
    const std::int16_t length = cursor.readI16();
    std::string client(static_cast<std::size_t>(std::max<std::int16_t>(length, 0)), ' ');
    if (length >= 0 && cursor.read(reinterpret_cast<std::uint8_t*>(client.data()), static_cast<std::uint32_t>(length)))
        header.clientId = client;
    exchange.responseVersion = header.apiVersion;
    exchange.request = frameOf(request);
    if (!response) return exchange;
    exchange.status = ExchangeStatus::Paired;
    exchange.response = frameOf(*response);
    return exchange;
}

Frame ExchangeMaker::frameOf(const MessageBytes& message) {
    const std::vector<std::uint8_t>& bytes = m_frames.emplace_back(message.framed());
    Slice slice;
    slice.data = bytes.data();
    slice.length = static_cast<std::uint32_t>(bytes.size());
    Frame frame;
    frame.append(slice);
    frame.complete = true;
    return frame;
}

} // namespace brokerscope
