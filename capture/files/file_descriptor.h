// SPDX-License-Identifier: Apache-2.0
// Owns a file descriptor and closes it.
#pragma once

#include <unistd.h>

#include <utility>

namespace brokerscope {

class FileDescriptor {
  public:
    explicit FileDescriptor(int number = -1) noexcept : m_number(number) {}
    FileDescriptor(FileDescriptor&& o) noexcept : m_number(std::exchange(o.m_number, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& o) noexcept {
        std::swap(m_number, o.m_number);
        return *this;
    }
    ~FileDescriptor() {
        if (m_number >= 0) ::close(m_number);
    }

    explicit operator bool() const { return m_number >= 0; }
    int number() const { return m_number; }

  private:
    int m_number;
};

} // namespace brokerscope
