// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/talk.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace brokerscope {

namespace {

void append(std::string& out, std::uint64_t value, int bytes) {
    while (bytes-- > 0)
        out += static_cast<char>(value >> 8 * bytes);
}

std::string frame(const std::string& body) {
    std::string whole;
    append(whole, body.size(), 4);
    return whole + body;
}

std::string request(int id) {
    std::string body;
    append(body, 18, 2); // ApiVersions
    append(body, 0, 2);  // version
    append(body, static_cast<std::uint64_t>(id), 4);
    append(body, 4, 2);
    return frame(body + "talk");
}

// Error code, then ranges of versions of 6 bytes each.
std::string response(int id, std::size_t least) {
    const std::size_t ranges = 3 + least / 6;
    std::string body;
    append(body, static_cast<std::uint64_t>(id), 4);
    append(body, 0, 2);
    append(body, ranges, 4);
    for (std::size_t i = 0; i < ranges; ++i) {
        append(body, i % 90, 2);
        append(body, 0, 2);
        append(body, 9, 2);
    }
    return frame(body);
}

void sendAll(int socket, const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t sent = ::send(socket, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
        ASSERT_GT(sent, 0);
        at += static_cast<std::size_t>(sent);
    }
}

void receive(int socket, std::size_t size) {
    std::string buffer(size, '\0');
    ASSERT_EQ(::recv(socket, buffer.data(), size, MSG_WAITALL), static_cast<ssize_t>(size));
}

} // namespace

Talk::Talk() : m_listener(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(m_listener, reinterpret_cast<const sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(m_listener, 1), 0);
    ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size);
    m_port = ntohs(address.sin_port);
}

Talk::~Talk() {
    for (const int socket : {m_client, m_broker, m_listener})
        if (socket >= 0) ::close(socket);
}

void Talk::connect() {
    m_client = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(m_port);
    ASSERT_EQ(::connect(m_client, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    m_broker = ::accept(m_listener, nullptr, nullptr);
    ASSERT_GE(m_broker, 0);
}

void Talk::exchange(std::size_t answerBytes) {
    if (m_client < 0) connect();
    const std::string asked = request(++m_last), answer = response(m_last, answerBytes);
    sendAll(m_client, asked);
    receive(m_broker, asked.size());
    // Long answers do not fit into the sockets' buffers: somebody has to read meanwhile.
    std::thread broker([&] { sendAll(m_broker, answer); });
    receive(m_client, answer.size());
    broker.join();
}

void Talk::exchanges(int count) {
    for (int i = 0; i < count; ++i)
        exchange();
}

} // namespace brokerscope
