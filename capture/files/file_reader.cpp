// SPDX-License-Identifier: Apache-2.0
#include "capture/files/file_reader.h"

#include <fmt/format.h>

namespace brokerscope {

Step FileReader::report(std::string what, std::uint64_t offset) {
    // step() may be called again after the end: the damage is told once.
    if (!m_over) m_info.damage.push_back({std::move(what), m_name, offset});
    m_over = true;
    return Step::End;
}

Step FileReader::finish() {
    const auto& failure = m_input->failure();
    if (!failure) return Step::End;
    return report(fmt::format("{}; nothing behind packet {} can be read", failure->what, m_packets),
                  failure->offset.value_or(m_input->available()));
}

Step FileReader::cut(const std::string& what, std::uint64_t needed) {
    if (m_input->stopped()) return Step::End;
    if (const auto& failure = m_input->failure())
        return report(fmt::format("{}; this is inside {}, nothing from there on can be read", failure->what, what),
                      failure->offset.value_or(m_input->available()));
    return report(fmt::format("the {} ends inside {}; {} bytes of it are missing", m_input->noun(), what,
                              needed - m_input->available()),
                  m_input->available());
}

Step FileReader::damaged(const std::string& what) {
    const auto size = m_input->size();
    const std::string lost = size ? fmt::format("the last {} bytes of the file", *size - m_position)
                                  : std::string("everything from there on");
    return report(fmt::format("{}; {} cannot be read", what, lost), m_position);
}

Error endsInsideHeader(const InputBytes& input, const std::string& name, std::uint64_t headerSize) {
    if (const auto& failure = input.failure())
        return {fmt::format("{} cannot be read: {}", name, failure->what), "", failure->offset};
    return {
        fmt::format("{} ends inside its first header: {} of {} bytes are there", name, input.available(), headerSize),
        "",
        {}};
}

} // namespace brokerscope
