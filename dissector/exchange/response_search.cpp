// SPDX-License-Identifier: Apache-2.0
#include "dissector/exchange/response_search.h"

#include "dissector/exchange/fit.h"
#include "dissector/wire/cursor.h"

namespace brokerscope {

namespace {

constexpr std::uint32_t header = 8;                       // length and correlation id
constexpr std::uint32_t telling = 32;                     // shorter answers look like anything
constexpr Duration longestWait = std::chrono::seconds(5); // for the rest of an answer
constexpr std::int16_t apiVersionsKey = 18;
constexpr std::int16_t unsupportedVersion = 35;

// Bytes that could be the answer to a request.
class Candidate {
  public:
    Candidate(const Protocol& protocol, const ByteChain& bytes, std::uint32_t at, std::uint32_t size,
              const OpenRequest& request)
        : m_bytes(bytes), m_at(at), m_end(at + size), m_asked(request.exchange->request->begin) {
        const ByteChain frame = bytes.part(at, size);
        m_fit = fitOf(protocol, frame, answerContext(*request.exchange, frame));
        if (time() < request.notBefore) m_fit = Fit::No;
    }

    bool whole() const { return m_end <= m_bytes.size(); }

    bool worthWaiting() const {
        return m_fit == Fit::SoFar && beginsPacket() && m_bytes.pieces().back().slice.time - time() <= longestWait;
    }

    // Consumed exactly; or nearly so, or with bytes missing, where the packets or the next answer speak for it too.
    bool confirmed(const OpenRequests& open) const {
        const bool tells = m_end - m_at >= telling;
        if (m_fit == Fit::Exact) return tells || beginsPacket() || endsPacket();
        if (m_fit == Fit::No || !tells || !beginsPacket() || time() < m_asked) return false;
        if (m_fit == Fit::Nearly && endsPacket()) return true;
        const auto next = correlationIdAt(m_bytes, m_end);
        return next && frameSizeAt(m_bytes, m_end) && open.contains(*next);
    }

  private:
    Timestamp time() const { return m_bytes.pieces()[m_bytes.pieceAt(m_at)].slice.time; }
    // Brokers mostly write one answer at a time: it begins with a packet and ends with one.
    bool beginsPacket() const { return m_bytes.isBorder(m_at); }
    bool endsPacket() const { return m_bytes.isBorder(m_end); }

    const ByteChain& m_bytes;
    std::uint32_t m_at, m_end;
    Timestamp m_asked;
    Fit m_fit = Fit::No;
};

} // namespace

std::optional<std::int32_t> correlationIdAt(const ByteChain& bytes, std::uint32_t frameOffset) {
    Cursor cursor(bytes, frameOffset + 4, bytes.size());
    const std::int32_t id = cursor.readI32();
    return cursor.ok() ? std::optional(id) : std::nullopt;
}

MessageContext answerContext(const Exchange& request, const ByteChain& frame) {
    MessageContext context = request.responseContext();
    if (request.header && request.header->apiKey == apiVersionsKey) {
        Cursor cursor(frame, header, frame.size());
        if (cursor.readI16() == unsupportedVersion) context.apiVersion = 0;
    }
    return context;
}

SearchResult findResponse(const Protocol& protocol, const ByteChain& bytes, const OpenRequests& open, bool ended) {
    // The request of what stands here may still be looked for itself: nothing is given up before the end.
    const SearchResult notFound{false, ended ? bytes.size() : 0};
    for (std::uint32_t at = 0; at + header <= bytes.size(); ++at) {
        if (bytes.holeIn(at, 1) != Hole::None) {
            const ByteChain::Piece& piece = bytes.pieces()[bytes.pieceAt(at)];
            at = piece.offset + piece.slice.length - 1;
            continue;
        }
        const auto size = frameSizeAt(bytes, at);
        if (!size || *size < header) continue;
        const auto id = correlationIdAt(bytes, at);
        if (!id) continue;
        const auto [first, last] = open.equal_range(*id);
        for (auto request = first; request != last; ++request) {
            const Candidate candidate(protocol, bytes, at, *size, request->second);
            if (candidate.whole() && candidate.confirmed(open)) return {true, at};
            if (!candidate.whole() && !ended && candidate.worthWaiting()) return notFound;
        }
    }
    return notFound;
}

} // namespace brokerscope
