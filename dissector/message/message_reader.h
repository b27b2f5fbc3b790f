// SPDX-License-Identifier: Apache-2.0
// Reads one message from its length to its last byte: frame, header, body, what is left. Which layouts to use is
// layout_choice's business, the fields are PlanWalker's, what becomes of them the visitor's.
//
// Besides what PlanWalker asks of a visitor:
//   NodeIndex openPart(NodeKind, std::uint32_t begin, const PlanField* field)   message, header, body; ended by close()
//   void leafPart(NodeKind, std::uint32_t begin, std::uint32_t end, const PlanField* field, bool whole)
//   void partProblem(ProblemKind, std::uint32_t offset, std::string text)
//   void setRootPath(std::string_view); void setQuiet(bool); bool contradicted() const
#pragma once

#include "dissector/message/layout_choice.h"
#include "dissector/message/plan_walker.h"

#include <string>
#include <string_view>

namespace brokerscope {

template<class Visitor>
class MessageReader {
  public:
    MessageReader(const Protocol& protocol, const ByteChain& bytes, const MessageContext& context, Visitor& visitor)
        : m_protocol(protocol), m_bytes(bytes), m_context(context), m_visitor(visitor) {}

    void run();

    // Known afterwards.
    std::int16_t apiKey = -1;
    std::int16_t apiVersion = 0;
    const Plan* layout = nullptr; // null: no body was read
    NodeIndex header = noNode, body = noNode;
    bool whole = false; // read to the end, and the end is where it should be

  private:
    bool frameLength();
    void token();
    void message();
    bool readHeader(const HeaderChoice& choice);
    void readBody(const BodyChoice& choice);
    void behindBody(std::uint32_t begin, const BodyChoice& choice, bool fits);
    bool readFields(const Plan& plan);
    bool isRequest() const { return m_context.direction == Direction::Request; }

    const Protocol& m_protocol;
    const ByteChain& m_bytes;
    const MessageContext& m_context;
    Visitor& m_visitor;
    std::uint32_t m_position = 0;
    std::uint32_t m_limit = 0;     // where the message ends, captured so far or not
    std::uint32_t m_toldUntil = 0; // a hole may reach from the header into the body
    bool m_good = true;            // nothing failed on the way
};

template<class Visitor>
void MessageReader<Visitor>::run() {
    m_limit = m_bytes.size();
    m_visitor.openPart(NodeKind::Message, 0, nullptr);
    m_visitor.setRootPath(isRequest() ? "request" : "response");
    if (!m_context.framed || frameLength()) m_context.token ? token() : message();
    // What could not be decoded, and what stands behind the frame.
    if (m_position < m_bytes.size()) m_visitor.leafPart(NodeKind::Raw, m_position, m_bytes.size(), nullptr, true);
    m_visitor.close(m_bytes.size(), m_good);
}

template<class Visitor>
bool MessageReader<Visitor>::frameLength() {
    const FrameExtent extent = frameExtent(m_bytes);
    const bool good = m_good = extent.state == FrameExtent::State::Good;
    m_position = std::min<std::uint32_t>(4, m_bytes.size());
    m_visitor.leafPart(NodeKind::FrameLength, 0, m_position, nullptr, good);
    if (good) m_limit = extent.end;
    if (extent.state == FrameExtent::State::Impossible)
        m_visitor.partProblem(ProblemKind::Malformed, 0, fmt::format("the length of the message is {}", extent.length));
    if (extent.state == FrameExtent::State::Missing)
        m_visitor.partProblem(ProblemKind::Truncated, 0, "the length of the message is not in the capture");
    return good;
}

template<class Visitor>
void MessageReader<Visitor>::token() {
    const std::uint32_t end = std::min(m_limit, m_bytes.size());
    const Plan* plan = m_protocol.nestedPlan("SaslToken", 0);
    whole = end == m_limit && m_bytes.holeIn(m_position, end - m_position) == Hole::None;
    m_visitor.leafPart(NodeKind::Raw, m_position, end, &plan->fields[plan->root().childBegin], whole);
    m_position = end;
}

template<class Visitor>
void MessageReader<Visitor>::message() {
    const HeaderChoice head = chooseHeader(m_protocol, m_bytes, m_position, m_limit, m_context);
    apiKey = head.apiKey;
    apiVersion = head.apiVersion;
    if (!readHeader(head)) return;
    if (!head.api) {
        if (apiKey >= 0)
            m_visitor.partProblem(ProblemKind::UnknownApi, m_position, fmt::format("no API has the key {}", apiKey));
        return;
    }
    const BodyChoice choice =
        chooseBody(m_protocol, *head.api, apiVersion, m_context.direction, m_bytes, m_position, m_limit);
    if (choice.plan) return readBody(choice);
    m_good = false;
    m_visitor.partProblem(ProblemKind::Malformed, m_position, fmt::format("no version is {}", apiVersion));
}

template<class Visitor>
bool MessageReader<Visitor>::readFields(const Plan& plan) {
    Cursor in(m_bytes, m_position, m_limit);
    PlanWalker walker(plan, in, m_limit, m_visitor, m_toldUntil);
    const bool read = walker.walk();
    m_toldUntil = walker.toldUntil();
    m_position = in.position();
    m_visitor.close(m_position, read);
    m_good = m_good && read;
    return read;
}

template<class Visitor>
bool MessageReader<Visitor>::readHeader(const HeaderChoice& choice) {
    m_visitor.setRootPath(isRequest() ? "requestHeader" : "responseHeader");
    header = m_visitor.openPart(NodeKind::Header, m_position, &choice.plan->root());
    const bool read = readFields(*choice.plan);
    m_visitor.setRootPath(isRequest() ? "request" : "response");
    return read;
}

template<class Visitor>
void MessageReader<Visitor>::readBody(const BodyChoice& choice) {
    layout = choice.plan;
    if (!layout->seenIn.empty())
        m_visitor.partProblem(ProblemKind::OtherLayout, m_position,
                              fmt::format("the layout of version {} in Kafka {}", layout->version, layout->seenIn));
    m_visitor.setQuiet(choice.assumed);
    const std::uint32_t begin = m_position;
    body = m_visitor.openPart(NodeKind::Body, m_position, &layout->root());
    const bool read = readFields(*layout);
    whole = read && m_position == m_limit && !m_visitor.contradicted();
    behindBody(begin, choice, whole);
    const std::uint32_t end = std::min(m_limit, m_bytes.size());
    if (!read || m_position == end) return;
    m_visitor.leafPart(NodeKind::Trailing, m_position, end, nullptr, true);
    m_position = end;
}

template<class Visitor>
void MessageReader<Visitor>::behindBody(std::uint32_t begin, const BodyChoice& choice, bool fits) {
    if (choice.assumed) {
        m_visitor.partProblem(ProblemKind::AssumedVersion, begin,
                              fmt::format("version {} is newer than {}, the newest known here, whose layout {}",
                                          apiVersion, layout->version, fits ? "fits" : "fits only in part"));
    } else if (m_good && m_position < std::min(m_limit, m_bytes.size())) {
        m_visitor.partProblem(ProblemKind::Trailing, m_position,
                              fmt::format("{} bytes are left behind the body", m_limit - m_position));
    } else if (m_good && m_position < m_limit) {
        m_visitor.partProblem(ProblemKind::Truncated, m_position,
                              fmt::format("{} bytes behind the body are not in the capture", m_limit - m_position));
    }
}

} // namespace brokerscope
