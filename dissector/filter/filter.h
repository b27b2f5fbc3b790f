// SPDX-License-Identifier: Apache-2.0
// The display filter: Wireshark's grammar over Kafka's names. Compiled and checked before anything is read, immutable
// and safe to share between threads from then on.
//
//   expression := test | "(" expression ")" | not expression | expression and expression | expression or expression
//   test       := name | name operator value | name in { value, low..high, ... }
//   operator   := == != < <= > >= contains matches (a case-insensitive regular expression, RE2's syntax)
//
// A name may stand for several values (the topics of a Fetch): a comparison holds when it holds for any of them, also
// !=; "not topic == x" says that none is x.
#pragma once

#include "dissector/filter/filter_value.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace brokerscope {

// What a filter is asked about. `visit` is called for every value of the field until it returns true.
class FilterSubject {
  public:
    virtual ~FilterSubject() = default;
    using Visitor = std::function<bool(const FilterValue&)>;
    // `path`: for RequestPath and ResponsePath, the field names below the body. Returns true when a visit did.
    virtual bool visitValues(FilterField field, const std::vector<std::string>& path, const Visitor& visit) = 0;
};

struct FilterError {
    std::string message;            // one sentence
    std::size_t begin = 0, end = 0; // the place in the text
    std::vector<std::string> suggestions;
};
// The text with the place marked below it, then the message and the suggestions; for a terminal.
std::string describe(const FilterError& error, std::string_view text);

class Filter {
  public:
    // `captureStart`: what times without a date count from is known to the subject only; see FilterType::Time.
    static std::variant<Filter, FilterError> compile(std::string_view text, const Protocol& protocol);

    ~Filter();
    Filter(Filter&&) noexcept;
    Filter& operator=(Filter&&) noexcept;

    bool matches(FilterSubject& subject) const;
    FilterCost cost() const; // the most that a test of it may look at
    const std::string& text() const { return m_text; }

    struct Node;

  private:
    Filter(std::string text, std::shared_ptr<const Node> root);
    std::string m_text;
    std::shared_ptr<const Node> m_root;
};

} // namespace brokerscope
