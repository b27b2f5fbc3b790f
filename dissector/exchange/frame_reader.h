// SPDX-License-Identifier: Apache-2.0
// Cuts one stream into frames (a 4-byte length and what it announces, KAFKA protocol guide "Common Request and Response
// Structure").
//
//      Aligned ---- a length that cannot be one, or a hole over a frame's border: lose() ----> Searching
//      Searching -- Handler::findFrame says where a frame begins: alignAt() -----------------> Aligned
//
// A hole inside a frame does not lose the place: the length still leads to the next frame.
// Bytes:  not owned, not copied; frames are chains of slices of the capture.
// Memory: while Searching at most `searchWindow` bytes are kept as slices; what falls out is counted as passed over.
#pragma once

#include "capture/types/stream.h"
#include "dissector/exchange/exchange.h"
#include "dissector/exchange/kafka_detector.h"

#include <cstdint>

namespace brokerscope {

class FrameReader {
  public:
    class Handler {
      public:
        virtual ~Handler() = default;
        virtual void frameStarted(Side side, Timestamp begin) = 0; // its length is known
        virtual void frameEnded(Side side, Frame&& frame) = 0;     // in the order of frameStarted
        virtual SearchResult findFrame(Side side, const ByteChain& bytes, bool ended) = 0;
        virtual bool lengthPossible(Side side, std::uint32_t frameBytes) = 0;
        virtual void passedOver(Side side, std::uint64_t count, Hole hole) = 0;
    };

    static constexpr std::uint32_t searchWindow = 32u << 20;

    FrameReader(Side side, Handler& handler, bool aligned) : m_side(side), m_handler(handler), m_searching(!aligned) {}

    void push(const Slice& slice);
    void searchAgain(); // something was learnt that may tell where a frame begins
    void end();         // no more bytes: what was begun is handed out with its missing rest as a hole

    bool searching() const { return m_searching; }
    bool insideFrame() const { return !m_frame.bytes.empty(); }
    PacketNumber oldestPacket() const; // of the bytes that are held; none when there are none

  private:
    void pushAligned(Slice slice);
    bool takeLength(Slice& slice);
    void takeBody(Slice& slice);
    void finishFrame(bool complete);
    void lose();
    void search(bool ended);

    Side m_side;
    Handler& m_handler;
    bool m_searching;
    Frame m_frame;                  // the one under way; empty between frames
    std::uint32_t m_frameBytes = 0; // announced, with the length; 0 while the length is incomplete
    ByteChain m_pending;            // while searching
    std::uint32_t m_searchAgainAt = 0;
    bool m_replaying = false;
};

} // namespace brokerscope
