// SPDX-License-Identifier: Apache-2.0
// Reads a capture of the repository through the whole pipeline into a sink. For tests that link capture and dissector.
#pragma once

#include "capture/capture_file.h"
#include "capture/stream_reader.h"
#include "dissector/exchange/exchange_assembler.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace brokerscope::test {

// `path` from the root of the sources: "samples/errors.pcap.zst".
inline void readCapture(const std::string& path, ExchangeSink& sink) {
    const std::vector<std::string> paths = {std::string(BROKERSCOPE_SOURCE_DIR) + "/" + path};
    auto source = openCapture(paths);
    ASSERT_TRUE(source) << source.error().what;
    ExchangeAssembler assembler(Protocol::builtin(), sink);
    StreamReader reader(**source, assembler);
    reader.readAll();
    assembler.finish();
}

class EachExchange final : public ExchangeSink {
  public:
    explicit EachExchange(std::function<void(const Exchange&)> visit) : m_visit(std::move(visit)) {}
    void exchangeEnded(Exchange&& exchange) override { m_visit(exchange); }

  private:
    std::function<void(const Exchange&)> m_visit;
};

} // namespace brokerscope::test
