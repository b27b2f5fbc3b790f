// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/plausibility.h"

#include "dissector/message/plan_walker.h"
#include "dissector/message/wire_number.h"
#include "dissector/wire/utf8.h"

namespace brokerscope {

namespace {

// Wide enough for what newer releases may add, narrow enough to notice foreign bytes.
bool inRange(const PlanField& field, std::int64_t value) {
    switch (field.semantic) {
    case Semantic::Error:
        return value >= -1 && value <= 400;
    case Semantic::Partition:
        return value >= -1 && value <= 10'000'000;
    case Semantic::NodeId:
        return value >= -3;
    case Semantic::ThrottleTime:
        return value >= 0 && value <= 3'600'000;
    case Semantic::Milliseconds:
    case Semantic::MaxWait:
    case Semantic::MinBytes:
        return value >= -1;
    case Semantic::Offset:
        return value >= -10;
    case Semantic::Epoch:
        return value >= -10;
    case Semantic::Port:
        return value >= -1 && value <= 65535;
    case Semantic::Acks:
        return value >= -1 && value <= 1;
    case Semantic::ApiKey:
        return value >= 0;
    case Semantic::Enum:
        return value >= -128 && value <= 127;
    default:
        return true;
    }
}

class Examiner {
  public:
    static constexpr bool skims = false;
    static constexpr bool explains = false;

    Examiner(const ByteChain& bytes, bool looksAtValues) : m_bytes(bytes), m_looks(looksAtValues) {}

    bool doubtful() const { return m_doubtful; }

    void fixed(const PlanField& field, Place, const std::uint8_t* bytes, std::uint32_t) {
        if (!m_looks) return;
        if (field.type == FieldType::Bool && bytes[0] > 1) m_doubtful = true;
        if (field.fixedSize <= 8 && field.type != FieldType::Float64 && !inRange(field, wireNumber(field.type, bytes)))
            m_doubtful = true;
    }
    void text(const PlanField& field, Place, std::uint32_t content, std::uint32_t length) {
        if (!m_looks || field.type != FieldType::String) return;
        const std::optional<Bytes> text = m_bytes.view(content, length, m_scratch);
        if (text && validUtf8Prefix(*text) != length) m_doubtful = true;
    }
    void null(const PlanField&, Place, std::uint32_t) {}
    void damaged(const PlanField&, Place, std::uint32_t, std::uint32_t, std::uint32_t) {}
    void open(const PlanField&, Place, std::uint32_t, std::uint32_t) {}
    void openTags(std::uint32_t, std::uint32_t) {}
    void emptyTags(std::uint32_t, std::uint32_t) {}
    void close(std::uint32_t, bool) {}
    void unknownTag(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, bool) {}
    void rest(std::uint32_t, std::uint32_t) {}
    bool countsOnly(const PlanField& field) const { return !m_looks || field.type != FieldType::Struct; }
    bool full() const { return m_doubtful; } // ends the walk
    void problem(ProblemKind kind, const PlanField*, Place, std::uint32_t, const std::string&) {
        if (kind != ProblemKind::Gap && kind != ProblemKind::Truncated) m_doubtful = true;
    }

  private:
    const ByteChain& m_bytes;
    std::vector<std::uint8_t> m_scratch;
    bool m_looks;
    bool m_doubtful = false;
};

bool examine(const Plan& plan, const ByteChain& bytes, std::uint32_t offset, std::uint32_t end, bool looksAtValues) {
    if (end < offset) return false;
    Cursor in(bytes, offset, end);
    Examiner examiner(bytes, looksAtValues);
    return PlanWalker(plan, in, end, examiner).walk() && in.position() == end && !examiner.doubtful();
}

} // namespace

bool consumesExactly(const Plan& plan, const ByteChain& bytes, std::uint32_t offset, std::uint32_t end) {
    return examine(plan, bytes, offset, end, false);
}

bool isPlausible(const Plan& plan, const ByteChain& bytes, std::uint32_t offset, std::uint32_t end) {
    return examine(plan, bytes, offset, end, true);
}

const Plan& layoutThatFits(const Plan& plan, const ByteChain& bytes, std::uint32_t offset, std::uint32_t end) {
    if (!plan.variant || consumesExactly(plan, bytes, offset, end)) return plan;
    for (const Plan* variant = plan.variant; variant; variant = variant->variant)
        if (consumesExactly(*variant, bytes, offset, end)) return *variant;
    return plan;
}

} // namespace brokerscope
