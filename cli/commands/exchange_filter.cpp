// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/exchange_filter.h"

namespace brokerscope {

ExchangeFilter::ExchangeFilter(const Protocol& protocol, const TopicNames& names)
    : m_protocol(protocol), m_subject(protocol, m_settings) {
    m_settings.topicName = [&names](const TopicId& id) { return std::string(names.name(id)); };
}

bool ExchangeFilter::compile(const Options& options, const Console& console) {
    if (options.filter.empty()) return true;
    auto compiled = Filter::compile(options.filter, m_protocol);
    if (const auto* error = std::get_if<FilterError>(&compiled)) {
        console.messages.explain("the filter does not hold together", describe(*error, options.filter));
        return false;
    }
    m_filter.emplace(std::move(std::get<Filter>(compiled)));
    return true;
}

bool ExchangeFilter::matches(const Exchange& exchange, Timestamp captureStart, const Skim* request,
                             const Skim* response) {
    if (!m_filter) return true;
    m_settings.captureStart = captureStart;
    m_subject.assign(exchange, request, response);
    return m_filter->matches(m_subject);
}

} // namespace brokerscope
