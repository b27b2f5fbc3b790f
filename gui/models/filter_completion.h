// SPDX-License-Identifier: Apache-2.0
// What could stand at the cursor of a filter: names, operators, values that the capture has shown, joining words; and
// whether a valid filter asks for something that the capture does not have. Pure functions over the filter's own name
// table and tokens.
// Bounds: at most mostSuggestions, the most frequent values first.
#pragma once

#include "dissector/schema/protocol.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <utility>
#include <vector>

namespace brokerscope {

// Distinct values of a capture with how many exchanges have them, the most frequent first.
struct SeenValues {
    using Counted = std::vector<std::pair<QString, std::uint32_t>>;
    Counted apis, topics, groups, transactionalIds, clientIds, clients, brokers, errors, software;
    bool complete = false; // of a whole capture: what is not in it is not there
};

struct Suggestion {
    QString text;   // to be inserted
    QString detail; // what it is, or how often it was seen
};

struct Completion {
    qsizetype begin = 0, end = 0; // what would be replaced
    std::vector<Suggestion> suggestions;
};

constexpr std::size_t mostSuggestions = 200;

Completion complete(const QString& text, qsizetype cursor, const Protocol& protocol, const SeenValues& seen);
// A sentence, when a valid filter compares with a value that this capture does not have; else empty.
QString doubt(const QString& text, const SeenValues& seen);
// As it must be written in a filter: quoted where it has to be.
QString filterLiteral(const QString& value);

} // namespace brokerscope
