// SPDX-License-Identifier: Apache-2.0
// A small index made by hand, for tests of models: no capture, no decoding. Exchange n starts n milliseconds after
// `noon`; what else it is like is said with the fields of Made.
#pragma once

#include "dissector/index/exchange_index.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace brokerscope {

inline const Timestamp noon{std::chrono::seconds{1764417600}};

struct Made {
    std::int16_t api = 1, version = 17;
    std::optional<std::string> client = "c1";
    std::vector<std::string> topics;
    std::string group;
    std::vector<std::int16_t> errors;
    Duration latency = std::chrono::microseconds{300};
    ExchangeStatus status = ExchangeStatus::Paired;
    std::uint64_t connection = 1;
    bool cut = false; // the end of the answer is missing
    bool namesInAnswer = false;
};

class IndexFixture {
  public:
    IndexFixture() : index(std::make_shared<ExchangeIndex>()) {}

    void add(const Made& made) {
        Exchange exchange = begun(made);
        Skim asked, answered;
        Skim& names = made.namesInAnswer ? answered : asked;
        names.topics = made.topics;
        names.topicCount = static_cast<std::uint32_t>(made.topics.size());
        asked.group = made.group;
        for (std::int16_t code : made.errors)
            answered.errors.push_back({code, "errorCode"});
        exchange.status = made.status;
        if (made.status == ExchangeStatus::Paired) {
            exchange.response = frame(200, exchange.start() + made.latency);
            if (made.cut) cut(*exchange.response);
        }
        index->ended(exchange, asked, answered);
    }

    void beginOnly(const Made& made) { index->requestSeen(begun(made), {}); }

    std::shared_ptr<ExchangeIndex> index;

  private:
    Exchange begun(const Made& made) {
        Exchange exchange;
        exchange.id = {++m_last};
        exchange.connection = {made.connection};
        exchange.client.address.bytes = {10, 77, 0, static_cast<std::uint8_t>(1 + made.connection)};
        exchange.client.port = 40000;
        exchange.broker.address.bytes = {10, 77, 0, 11};
        exchange.broker.port = 9092;
        exchange.header = RequestHeader{made.api, made.version, static_cast<std::int32_t>(m_last), made.client};
        exchange.correlationId = static_cast<std::int32_t>(m_last);
        exchange.responseVersion = made.version;
        exchange.request =
            frame(100 + static_cast<std::uint32_t>(m_last), noon + m_last * std::chrono::milliseconds{1});
        return exchange;
    }

    static void cut(Frame& frame) {
        Slice missing;
        missing.length = 412;
        missing.hole = Hole::Cut;
        frame.append(missing);
        frame.complete = false;
    }

    Frame frame(std::uint32_t length, Timestamp time) {
        Slice slice;
        slice.data = m_memory.data();
        slice.length = length;
        slice.packet = {++m_packet};
        slice.time = time;
        Frame made;
        made.append(slice);
        made.complete = true;
        return made;
    }

    std::array<std::uint8_t, 65536> m_memory{};
    std::uint64_t m_last = 0, m_packet = 0;
};

} // namespace brokerscope
