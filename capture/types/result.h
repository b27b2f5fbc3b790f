// SPDX-License-Identifier: Apache-2.0
// The outcome of work on files and devices: a value or one Error that a person can act on. (Traffic never fails: bad
// bytes are data and end as Problems.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace brokerscope {

struct Error {
    std::string what;                    // one sentence without a final full stop: what happened and what to do
    std::string where;                   // file or device; empty when there is none
    std::optional<std::uint64_t> offset; // byte in the file
};

std::string toString(const Error& error); // "where: what (at byte N)"

template<class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : m_content(std::move(value)) {}
    Result(Error error) : m_content(std::move(error)) {}

    explicit operator bool() const { return m_content.index() == 0; }
    T& value() { return std::get<0>(m_content); }
    const T& value() const { return std::get<0>(m_content); }
    const Error& error() const { return std::get<1>(m_content); }
    T* operator->() { return &value(); }
    T& operator*() { return value(); }

  private:
    std::variant<T, Error> m_content;
};

} // namespace brokerscope
