// SPDX-License-Identifier: Apache-2.0
#include "capture/files/file_capture.h"

#include <algorithm>

namespace brokerscope {

void FileCapture::add(std::unique_ptr<FileReader> reader) {
    m_wanting.insert(m_wanting.begin(), m_files.size()); // read from the back: the first file first
    m_files.push_back({std::move(reader), {}, {}});
}

bool FileCapture::next(Packet& out) {
    if (m_ahead) {
        out = m_aheadPacket;
        const Step step = *m_ahead;
        m_ahead.reset();
        if (step == Step::End) return false;
    } else if (advance(out, waitForever) != Step::Packet) {
        return false;
    }
    out.number = PacketNumber{++m_info.packets};
    m_info.capturedBytes += out.bytes.size();
    m_info.originalBytes += out.originalLength;
    m_info.cutPackets += out.originalLength > out.bytes.size();
    m_info.commentedPackets += !m_comments.empty();
    return true;
}

bool FileCapture::ready(std::chrono::milliseconds wait) {
    if (m_ahead) return true;
    const Deadline until = wait.count() > 0 ? std::chrono::steady_clock::now() + wait : dontWait;
    const Step step = advance(m_aheadPacket, until);
    if (step == Step::NotYet) return false;
    m_ahead = step;
    return true;
}

Step FileCapture::advance(Packet& out, Deadline until) {
    if (m_files.size() > 1) return merge(out, until);
    FileReader& reader = *m_files.front().reader;
    const Step step = reader.step(out, until);
    if (!m_comments.empty() || !reader.comments().empty()) m_comments = reader.comments();
    return step;
}

Step FileCapture::merge(Packet& out, Deadline until) {
    const auto later = [this](std::size_t a, std::size_t b) {
        const auto timeA = m_files[a].head.time, timeB = m_files[b].head.time;
        return timeA != timeB ? timeA > timeB : a > b;
    };
    while (!m_wanting.empty()) {
        const std::size_t index = m_wanting.back();
        File& file = m_files[index];
        const Step step = file.reader->step(file.head, until);
        if (step == Step::NotYet) return step;
        m_wanting.pop_back();
        if (step == Step::End) continue;
        file.comments = file.reader->comments();
        m_heads.push_back(index);
        std::push_heap(m_heads.begin(), m_heads.end(), later);
    }
    m_comments.clear();
    if (m_heads.empty()) return Step::End;
    std::pop_heap(m_heads.begin(), m_heads.end(), later);
    const std::size_t earliest = m_heads.back();
    m_heads.pop_back();
    m_wanting.push_back(earliest);
    out = m_files[earliest].head;
    m_comments.swap(m_files[earliest].comments);
    return Step::Packet;
}

void FileCapture::stop() noexcept {
    for (File& file : m_files)
        file.reader->input().stop();
}

Progress FileCapture::progress() const {
    Progress all{0, 0};
    for (const File& file : m_files) {
        const Progress one = file.reader->progress();
        all.bytesRead += one.bytesRead;
        if (all.bytesTotal && one.bytesTotal)
            *all.bytesTotal += *one.bytesTotal;
        else
            all.bytesTotal.reset();
    }
    return all;
}

void FileCapture::releaseBefore(const std::uint8_t* position) {
    for (File& file : m_files)
        file.reader->input().releaseBefore(position);
}

} // namespace brokerscope
