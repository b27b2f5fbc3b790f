// SPDX-License-Identifier: Apache-2.0
#include "dissector/message/plausibility.h"

#include "dissector/message/plan_walker.h"
#include "dissector/wire/utf8.h"

namespace brokerscope {

namespace {

std::int64_t number(const PlanField& field, const std::uint8_t* bytes) {
    std::uint64_t value = 0;
    for (std::uint32_t i = 0; i < field.fixedSize; ++i)
        value = value << 8 | bytes[i];
    const unsigned unused = 64 - 8 * field.fixedSize;
    const bool isUnsigned = field.type == FieldType::Uint16 || field.type == FieldType::Uint32;
    return isUnsigned ? static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value << unused) >> unused;
}

// Wide enough for what newer releases may add, narrow enough to notice foreign bytes.
bool inRange(const PlanField& field, std::int64_t value) {
    if (field.type == FieldType::Bool) return value == 0 || value == 1;
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
        if (m_looks && field.fixedSize <= 8 && field.type != FieldType::Float64 &&
            !inRange(field, number(field, bytes)))
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
    bool countsOnly(const PlanField&) const { return true; }
    void counted(const PlanField&, std::uint32_t) {}
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

} // namespace brokerscope
