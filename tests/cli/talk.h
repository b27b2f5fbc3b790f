// SPDX-License-Identifier: Apache-2.0
// A client and a broker on a loopback port of their own, in one process: ApiVersions requests with correlation ids from
// 1, and answers as long as asked for. What a live capture has to see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace brokerscope {

class Talk {
  public:
    Talk();
    ~Talk();
    Talk(const Talk&) = delete;
    Talk& operator=(const Talk&) = delete;

    std::uint16_t port() const { return m_port; }
    std::string filter() const { return "tcp port " + std::to_string(m_port); }
    int last() const { return m_last; } // the latest correlation id

    // A connection is opened with the first one. The answer is at least so long.
    void exchange(std::size_t answerBytes = 0);
    void exchanges(int count);

  private:
    void connect();

    int m_listener = -1, m_client = -1, m_broker = -1;
    std::uint16_t m_port = 0;
    int m_last = 0;
};

} // namespace brokerscope
