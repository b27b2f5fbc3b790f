// SPDX-License-Identifier: Apache-2.0
// Each distinct value once, named by a small number; number 0 is the value-initialised one. T has == and a
// hashOf(const T&) that is found with it.
// Threads: intern() by one thread, operator[] by any (see AppendOnly).
#pragma once

#include "dissector/index/append_only.h"

#include <cstddef>
#include <cstdint>
#include <unordered_set>

namespace brokerscope {

template<class T>
class Interned {
  public:
    Interned() : m_known(16, Hash{this}, Equal{this}) { m_known.insert(m_values.push(T{})); }

    std::uint32_t intern(T value) {
        m_candidate = &value;
        const auto known = m_known.find(candidate);
        m_candidate = nullptr;
        if (known != m_known.end()) return *known;
        const std::uint32_t id = m_values.push(std::move(value));
        m_known.insert(id);
        return id;
    }
    const T& operator[](std::uint32_t id) const { return m_values[id]; }
    std::uint32_t size() const { return m_values.size(); }

  private:
    static constexpr std::uint32_t candidate = 0xffffffff; // stands for the value that is looked for
    const T& value(std::uint32_t id) const { return id == candidate ? *m_candidate : m_values[id]; }

    struct Hash {
        const Interned* owner;
        std::size_t operator()(std::uint32_t id) const { return hashOf(owner->value(id)); }
    };
    struct Equal {
        const Interned* owner;
        bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b || owner->value(a) == owner->value(b); }
    };

    AppendOnly<T> m_values;
    const T* m_candidate = nullptr;
    std::unordered_set<std::uint32_t, Hash, Equal> m_known;
};

} // namespace brokerscope
