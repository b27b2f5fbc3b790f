// SPDX-License-Identifier: Apache-2.0
#include "cli/output/style.h"

#include <cstdlib>

namespace brokerscope {
namespace {

// The sixteen colours that every terminal lets its user choose, so they fit dark and light.
std::string_view escape(Role role) {
    switch (role) {
    case Role::Plain:
        return "";
    case Role::Heading:
        return "\033[1m";
    case Role::Name:
        return "\033[36m";
    case Role::Key:
        return "\033[34m";
    case Role::Good:
        return "\033[32m";
    case Role::Warning:
        return "\033[33m";
    case Role::Error:
        return "\033[1;31m";
    case Role::Dim:
        return "\033[2m";
    }
    return "";
}

bool set(const char* variable) {
    const char* value = std::getenv(variable);
    return value && *value;
}

} // namespace

Style Style::choose(When when, bool isTerminal) {
    if (when != When::Auto) return Style(when == When::Always);
    const char* terminal = std::getenv("TERM");
    const bool dumb = !terminal || std::string_view(terminal) == "dumb";
    return Style(isTerminal && !dumb && !set("NO_COLOR"));
}

void Style::append(std::string& out, Role role, std::string_view text) const {
    const std::string_view begin = m_colored ? escape(role) : std::string_view();
    out += begin;
    out += text;
    if (!begin.empty()) out += "\033[0m";
}

std::string Style::operator()(Role role, std::string_view text) const {
    std::string out;
    append(out, role, text);
    return out;
}

} // namespace brokerscope
