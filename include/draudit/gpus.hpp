#pragma once

#include <string>

#include "draudit/quantity.hpp"

namespace draudit {

/// A number of GPUs as KAI's vectors hold it; may be negative (idle).
///
/// KAI uses float64, but books whole numbers only: container GPUs by `Quantity.Value()`, claims by
/// count, fractions as groups (kai-accounting.md §5). 128 bits hold every sum of int64 demands.
using Gpus = Int128;

/// What a figure can be over every order in which KAI may add the pods of a node.
struct Range {
  Gpus least = 0;
  Gpus most = 0;
  [[nodiscard]] constexpr bool fixed() const { return least == most; }
  friend constexpr bool operator==(const Range&, const Range&) = default;
  friend constexpr Range operator+(Range a, Range b) {
    return {a.least + b.least, a.most + b.most};
  }
};

[[nodiscard]] constexpr Range exactly(Gpus g) { return {g, g}; }
/// `g` less a figure that lies in `range`.
[[nodiscard]] constexpr Range operator-(Gpus g, Range range) {
  return {g - range.most, g - range.least};
}

/// All digits.
[[nodiscard]] std::string to_string(Gpus g);
/// "2", or "1…8" where the order of adding decides.
[[nodiscard]] std::string to_string(const Range& range);
/// As KAI prints a figure, Go's 'g' with precision 3: 1000 is "1e+03" (kai-accounting.md §11.1).
[[nodiscard]] std::string kai_number(Gpus g);

}  // namespace draudit
