// SPDX-License-Identifier: Apache-2.0
#include "capture/tls/tls_detector.h"

#include "capture/tls/handshake_messages.h"
#include "capture/tls/record_border_search.h"

#include <array>
#include <utility>

namespace brokerscope {

namespace {

using Verdict = TlsDetector::Verdict;

// A hello or an alert, as the first record of a stream.
Verdict judgeStart(Bytes bytes) {
    const std::uint8_t type = bytes[0];
    if (type != tls::handshake && (type != tls::alert || tls::recordPayloadSize(bytes) != 2)) return Verdict::Plain;
    if (bytes.size() == tls::recordHeaderSize) return Verdict::Undecided;
    const std::uint8_t first = bytes[tls::recordHeaderSize]; // type of the message, or level of the alert
    return first == 1 || first == 2 ? Verdict::Tls : Verdict::Plain;
}
static_assert(tls::clientHello == 1 && tls::serverHello == 2);

// A whole record, with another one or the end of a segment behind it.
Verdict judgeInside(Bytes bytes) {
    const std::size_t end = tls::recordHeaderSize + tls::recordPayloadSize(bytes);
    if (bytes.size() == end) return Verdict::Tls;
    if (bytes.size() < end + tls::recordHeaderSize) return Verdict::Undecided;
    return tls::isRecordHeader(bytes.subspan(end)) ? Verdict::Tls : Verdict::Plain;
}

// Whether bytes, maybe fewer than five, can be the beginning of a record.
bool mayBeRecord(Bytes bytes) {
    if (bytes.size() >= tls::recordHeaderSize) return tls::isRecordHeader(bytes);
    constexpr std::array<std::uint8_t, 4> lowest = {tls::changeCipherSpec, 3, 0, 0};
    constexpr std::array<std::uint8_t, 4> highest = {tls::applicationData, 3, 4, tls::maxRecordPayload >> 8};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (bytes[i] < lowest[i] || bytes[i] > highest[i]) return false;
    return true;
}

} // namespace

TlsDetector::Verdict TlsDetector::add(const Slice& slice) {
    m_held.push_back(slice);
    m_bytes.insert(m_bytes.end(), slice.data, slice.data + slice.length);
    if (!mayBeRecord(m_bytes)) return Verdict::Plain;
    if (m_bytes.size() < tls::recordHeaderSize) return Verdict::Undecided;
    return m_atStart ? judgeStart(m_bytes) : judgeInside(m_bytes);
}

std::vector<Slice> TlsDetector::take() {
    m_bytes = {};
    return std::exchange(m_held, {});
}

bool TlsDetector::isWholeRecord(const Slice& slice) {
    return tls::isRecordHeader(slice.bytes()) && judgeInside(slice.bytes()) == Verdict::Tls;
}

} // namespace brokerscope
