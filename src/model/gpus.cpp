#include "draudit/gpus.hpp"

#include <fmt/format.h>

namespace draudit {

std::string to_string(Gpus g) { return fmt::format("{}", g); }

std::string to_string(const Range& range) {
  if (range.fixed()) return to_string(range.least);
  return fmt::format("{}…{}", range.least, range.most);
}

std::string kai_number(Gpus g) {
  // C's %.3g writes the same digits and exponents as Go's 'g'.
  return fmt::format("{:.3g}", static_cast<double>(g));
}

}  // namespace draudit
