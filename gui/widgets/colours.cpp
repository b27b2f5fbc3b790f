// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/colours.h"

#include <algorithm>
#include <cmath>

namespace brokerscope {

namespace {

Colours makeLight() {
    Colours c;
    c.window = QColor(0xF3F4F6);
    c.base = QColor(0xFFFFFF);
    c.text = QColor(0x1B1F24);
    c.dim = QColor(0x57606A);
    c.disabled = QColor(0x8A929B);
    c.line = QColor(0xC9CFD6);
    c.selection = QColor(0x0067A3);
    c.selectedText = QColor(0xFFFFFF);
    c.link = QColor(0x005C99);
    c.latencyBar = QColor(0x0072B2);
    c.damaged = {QColor(0xDCDDDF), QColor(0x33383E)};
    c.error = {QColor(0xFAD9CF), QColor(0x7A1F00)};
    c.unanswered = {QColor(0xCFE6F8), QColor(0x004A75)};
    c.slow = {QColor(0xFFEDB8), QColor(0x5C4300)};
    c.mark = QColor(0xD55E00);
    c.fieldBytes = QColor(0xFFD966);
    c.parentBytes = QColor(0xFFF3D1);
    c.validFill = QColor(0xDDF3E4);
    c.runningFill = QColor(0xE1F0FA);
    c.invalidFill = QColor(0xFBE3DC);
    c.doubtfulFill = QColor(0xFFF1CC);
    c.invalidText = QColor(0x9A2A00);
    c.validInk = QColor(0x1A6B3A);
    c.doubtfulInk = QColor(0x6B4E00);
    c.series = {QColor(0x0072B2), QColor(0xD55E00), QColor(0x009E73), QColor(0xCC79A7), QColor(0x1B1F24)};
    return c;
}

Colours makeDark() {
    Colours c;
    c.dark = true;
    c.window = QColor(0x2A2E34);
    c.base = QColor(0x1E2126);
    c.text = QColor(0xE6E8EB);
    c.dim = QColor(0xA8B0BA);
    c.disabled = QColor(0x6F7883);
    c.line = QColor(0x444B54);
    c.selection = QColor(0x1F6FA5);
    c.selectedText = QColor(0xFFFFFF);
    c.link = QColor(0x7FC4F0);
    c.latencyBar = QColor(0x56B4E9);
    c.damaged = {QColor(0x3B3F44), QColor(0xD0D5DB)};
    c.error = {QColor(0x5A2415), QColor(0xFFB59E)};
    c.unanswered = {QColor(0x123F5C), QColor(0x9AD4F7)};
    c.slow = {QColor(0x4A3D00), QColor(0xFFDD80)};
    c.mark = QColor(0xD55E00);
    c.fieldBytes = QColor(0x7A5C00);
    c.parentBytes = QColor(0x3A3218);
    c.validFill = QColor(0x143D27);
    c.runningFill = QColor(0x16364A);
    c.invalidFill = QColor(0x4A2318);
    c.doubtfulFill = QColor(0x453812);
    c.invalidText = QColor(0xFF9C80);
    c.validInk = QColor(0x8FDDAA);
    c.doubtfulInk = QColor(0xFFDD80);
    c.series = {QColor(0x56B4E9), QColor(0xD55E00), QColor(0x009E73), QColor(0xCC79A7), QColor(0xF0E442)};
    return c;
}

double channel(int value) {
    const double part = value / 255.0;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c) {
    return 0.2126 * channel(c.red()) + 0.7152 * channel(c.green()) + 0.0722 * channel(c.blue());
}

} // namespace

const Colours& Colours::light() {
    static const Colours colours = makeLight();
    return colours;
}

const Colours& Colours::darkOnes() {
    static const Colours colours = makeDark();
    return colours;
}

const StateColours* Colours::of(RowState state) const {
    switch (state) {
    case RowState::Damaged:
        return &damaged;
    case RowState::Error:
        return &error;
    case RowState::Unanswered:
        return &unanswered;
    case RowState::Slow:
        return &slow;
    default:
        return nullptr;
    }
}

QPalette Colours::palette() const {
    QPalette p;
    const QColor button = dark ? window.lighter(125) : QColor(0xE7EAEE);
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, base);
    p.setColor(QPalette::AlternateBase, dark ? base.lighter(115) : QColor(0xF8F9FA));
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, dim);
    p.setColor(QPalette::Button, button);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, selectedText);
    p.setColor(QPalette::ToolTipBase, dark ? window.lighter(130) : base);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Highlight, selection);
    p.setColor(QPalette::HighlightedText, selectedText);
    p.setColor(QPalette::Link, link);
    p.setColor(QPalette::LinkVisited, link);
    // Fusion draws its frames and shadows with these.
    p.setColor(QPalette::Light, dark ? window.lighter(140) : QColor(0xFFFFFF));
    p.setColor(QPalette::Midlight, dark ? window.lighter(120) : QColor(0xF8F9FA));
    p.setColor(QPalette::Mid, line);
    p.setColor(QPalette::Dark, dark ? base.darker(120) : QColor(0x9AA2AB));
    p.setColor(QPalette::Shadow, dark ? QColor(Qt::black) : QColor(0x6A727B));
    for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, disabled);
    p.setColor(QPalette::Disabled, QPalette::Highlight, line);
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, dim);
    return p;
}

std::vector<Colours::Pair> Colours::pairs() const {
    std::vector<Pair> pairs = {
        {"text on base", text, base, 7},
        {"text on window", text, window, 7},
        {"dim on base", dim, base, 4.5},
        {"dim on window", dim, window, 4.5},
        {"selected text on selection", selectedText, selection, 4.5},
        {"link on base", link, base, 4.5},
        {"link on window", link, window, 4.5},
        {"latency bar on base", latencyBar, base, 3},
        {"text on field bytes", text, fieldBytes, 4.5},
        {"text on parent bytes", text, parentBytes, 4.5},
        {"text on valid", text, validFill, 7},
        {"text on running", text, runningFill, 7},
        {"text on invalid", text, invalidFill, 7},
        {"text on doubtful", text, doubtfulFill, 7},
        {"words of an invalid filter", invalidText, window, 4.5},
        {"tick", validInk, validFill, 4.5},
        {"cross", invalidText, invalidFill, 4.5},
        {"doubt", doubtfulInk, doubtfulFill, 4.5},
        {"words of an error in the tree", error.ink, base, 4.5},
        {"mark on base", mark, base, 3},
    };
    for (const auto& [name, state] :
         {std::pair{"damaged", &damaged}, {"error", &error}, {"unanswered", &unanswered}, {"slow", &slow}}) {
        pairs.push_back({std::string("text on ") + name, text, state->fill, 7});
        pairs.push_back({std::string("dim on ") + name, dim, state->fill, 4.5});
        pairs.push_back({std::string("ink of ") + name, state->ink, state->fill, 4.5});
        pairs.push_back({std::string("latency bar on ") + name, latencyBar, state->fill, 3});
    }
    return pairs;
}

double contrast(const QColor& a, const QColor& b) {
    const double first = luminance(a), second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

} // namespace brokerscope
