// SPDX-License-Identifier: Apache-2.0
#include "capture/files/stream_input.h"

#include <fmt/format.h>

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace brokerscope {

namespace {

constexpr std::size_t inSize = std::size_t{64} << 10;   // what a pipe holds
constexpr std::size_t outSize = std::size_t{128} << 10; // a block of zstd

// So much address space is taken for what a compressed file holds: gzip cannot make more of it, zstd hardly.
std::uint64_t roomFor(std::optional<std::uint64_t> compressedSize) {
    if (!compressedSize) return SpillFile::mostRoom;
    constexpr std::uint64_t least = std::uint64_t{16} << 30, mostGrowth = 1100;
    return std::clamp(std::min(*compressedSize, SpillFile::mostRoom) * mostGrowth, least, SpillFile::mostRoom);
}

} // namespace

Result<std::unique_ptr<StreamInput>> StreamInput::start(FileDescriptor file, std::optional<std::uint64_t> size,
                                                        const std::string& temporaryFolder) {
    // A file is always ready: nobody waits for it.
    FileDescriptor bell(size ? -1 : ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!size && !bell) return Error{fmt::format("no event descriptor can be had: {}", std::strerror(errno)), "", {}};
    auto spill = SpillFile::create(temporaryFolder, roomFor(size));
    if (!spill) return spill.error();
    return std::unique_ptr<StreamInput>(new StreamInput(std::move(file), std::move(bell), size, std::move(*spill)));
}

StreamInput::StreamInput(FileDescriptor file, FileDescriptor bell, std::optional<std::uint64_t> size, SpillFile spill)
    : m_file(std::move(file)), m_bell(std::move(bell)), m_sizeOnDisk(size), m_spill(std::move(spill)), m_in(inSize) {
    m_base = m_spill.data();
}

void StreamInput::stop() noexcept {
    m_stopped = true;
    const std::uint64_t one = 1;
    // It can fail only when it rang before or there is no bell.
    [[maybe_unused]] const ssize_t written = ::write(m_bell.number(), &one, sizeof one);
}

void StreamInput::releaseBefore(const std::uint8_t* position) {
    const std::less<> before;
    if (before(position, m_base) || before(m_base + m_available, position)) return;
    m_spill.releaseBefore(static_cast<std::uint64_t>(position - m_base));
}

Have StreamInput::grow(std::uint64_t end, Deadline until) {
    while (m_available < end && !m_over) {
        if (m_moreInside || (m_decompressor && !m_unread.empty())) {
            decompress();
            continue;
        }
        const Have have = read(until);
        if (have == Have::NotYet) return have;
        if (have == Have::Ended) {
            endOfInput();
            continue;
        }
        if (!m_sniffed) {
            // The first bytes may come one by one; four of them tell.
            if (m_unread.size() < 4) continue;
            m_sniffed = true;
            m_decompressor = Decompressor::forStart(m_unread);
            if (m_decompressor) m_out.resize(outSize);
        }
        if (!m_decompressor) keepUnread();
    }
    return m_available >= end ? Have::Yes : Have::Ended;
}

// Adds what comes next to m_unread.
Have StreamInput::read(Deadline until) {
    const std::size_t kept = m_unread.size(); // none, or up to three bytes before the sniffing
    for (;;) {
        if (m_bell)
            if (const Have have = waitForInput(until); have != Have::Yes) return have;
        const ssize_t got = ::read(m_file.number(), m_in.data() + kept, m_in.size() - kept);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got < 0) fail({fmt::format("reading failed: {}", std::strerror(errno)), "", m_consumed + kept});
        if (got <= 0) return Have::Ended;
        m_unread = Bytes(m_in.data(), kept + static_cast<std::size_t>(got));
        return Have::Yes;
    }
}

Have StreamInput::waitForInput(Deadline until) {
    for (;;) {
        // Asked first: a stream that always has more would never end.
        if (m_stopped) {
            m_endedByStop = true;
            return Have::Ended;
        }
        int wait = -1;
        if (until == dontWait) {
            wait = 0;
        } else if (until != waitForever) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
            wait = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000));
        }
        pollfd watched[] = {{m_file.number(), POLLIN, 0}, {m_bell.number(), POLLIN, 0}};
        const int found = ::poll(watched, 2, wait);
        if (found < 0 && errno == EINTR) continue;
        if (watched[0].revents != 0 && !m_stopped) return Have::Yes; // also at the end and for errors: read() tells
        if (found == 0 && std::chrono::steady_clock::now() >= until) return Have::NotYet;
    }
}

void StreamInput::decompress() {
    const Decompressor::Outcome outcome = m_decompressor->run(m_unread, m_out);
    m_unread = m_unread.subspan(outcome.consumed);
    m_consumed += outcome.consumed;
    m_moreInside = outcome.produced == m_out.size();
    keep({m_out.data(), outcome.produced});
    if (outcome.complaint && !m_failure) fail({outcome.complaint, "", m_consumed});
}

void StreamInput::endOfInput() {
    m_over = true;
    if (m_failure || m_endedByStop) return;
    if (!m_sniffed) keepUnread(); // less than four bytes in all
    if (m_decompressor && !m_decompressor->mayEndHere()) fail({"the compressed data ends early", "", m_consumed});
}

void StreamInput::keepUnread() {
    m_consumed += m_unread.size();
    keep(std::exchange(m_unread, {}));
}

void StreamInput::keep(Bytes bytes) {
    auto error = m_spill.append(bytes);
    m_available = m_spill.size();
    if (error) fail(std::move(*error));
}

void StreamInput::fail(Error error) {
    m_failure = std::move(error);
    m_over = true;
}

} // namespace brokerscope
