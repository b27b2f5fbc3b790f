// SPDX-License-Identifier: Apache-2.0
#include "cli/output/messages.h"

#include "cli/output/text_width.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace brokerscope {

void Messages::error(const Error& error) const {
    line(Role::Error, "", toString(error));
}

void Messages::error(std::string_view text) const {
    line(Role::Error, "", text);
}

void Messages::note(std::string_view text) const {
    if (!m_quiet) line(Role::Warning, "note: ", text);
}

void Messages::explain(std::string_view text, std::string_view lines) const {
    line(Role::Error, "", text);
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        write("  " + printable(lines.substr(0, end)) + "\n");
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
}

void Messages::line(Role role, std::string_view word, std::string_view text) const {
    std::string whole = m_style(role, "brokerscope:");
    whole += ' ';
    whole += word;
    whole += printable(text); // file names may hold anything
    whole += '\n';
    write(whole);
}

void Messages::write(std::string_view text) const {
    while (!text.empty()) {
        const ssize_t written = ::write(m_descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) return;
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
}

} // namespace brokerscope
