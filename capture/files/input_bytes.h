// SPDX-License-Identifier: Apache-2.0
// The content of one capture file as a reader sees it: one row of bytes from position 0 on, at addresses that never
// change, of which more and more is there. A reader asks for the bytes up to a position and gets them, now or after
// waiting; whether they come from a mapping, a pipe or a decompressor is no concern of its.
//
// Bytes:   valid and unmoved as long as the object lives, but for what releaseBefore() gave up.
// Errors:  a failure (disk full, broken compressed data, the file shrank) looks like the end; failure() tells.
#pragma once

#include "capture/packet_source.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace brokerscope {

// Until when to wait for input; see waitForever and dontWait.
using Deadline = std::chrono::steady_clock::time_point;
constexpr Deadline waitForever = Deadline::max();
constexpr Deadline dontWait = Deadline::min();

enum class Have : std::uint8_t {
    Yes,    // the bytes are here
    NotYet, // the deadline passed first
    Ended,  // the input ended first
};

class InputBytes {
  public:
    virtual ~InputBytes() = default;
    InputBytes(const InputBytes&) = delete;
    InputBytes& operator=(const InputBytes&) = delete;

    // Are the bytes before `end` here? Waits for them until the deadline.
    Have need(std::uint64_t end, Deadline until) { return end <= m_available ? Have::Yes : grow(end, until); }
    const std::uint8_t* at(std::uint64_t position) const { return m_base + position; }
    std::uint64_t available() const { return m_available; }
    // Records lie far apart, and where the next one begins only this one tells: without a hint to the processor each
    // would wait for memory.
    void prefetch(std::uint64_t position) const {
        __builtin_prefetch(m_base + position);
        __builtin_prefetch(m_base + position + 64);
    }

    // What went wrong, if the end is not the true end; the offset counts in the file as it lies on disk.
    const std::optional<Error>& failure() const { return m_failure; }
    // What a person calls this row of bytes: "file", "stream", "decompressed data".
    virtual const char* noun() const = 0;
    virtual bool decompressed() const { return false; }
    // The size of all of it where that is known beforehand.
    virtual std::optional<std::uint64_t> size() const { return std::nullopt; }
    // How far along the files on disk a reader is that stands at `position`.
    virtual Progress progress(std::uint64_t position) const = 0;

    virtual void stop() noexcept {}
    // Is the end only where stop() was called?
    virtual bool stopped() const { return false; }
    virtual void releaseBefore(const std::uint8_t*) {}

  protected:
    InputBytes() = default;
    virtual Have grow(std::uint64_t end, Deadline until) = 0;

    const std::uint8_t* m_base = nullptr;
    std::uint64_t m_available = 0;
    std::optional<Error> m_failure;
};

} // namespace brokerscope
