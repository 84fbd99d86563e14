#include <fmt/format.h>

#include "draudit/config.hpp"
#include "model/suggest.hpp"
#include "report/plain.hpp"

namespace draudit {

std::string no_rule(std::string_view id_or_name) {
  std::vector<std::string> known;
  for (const Rule* rule : rules()) {
    known.emplace_back(rule->id);
    known.emplace_back(rule->name);
  }
  const std::string hint = did_you_mean(id_or_name, known);
  return fmt::format("\"{}\" is no rule{}", plain(id_or_name),
                     hint.empty() ? "; draudit rules lists them" : hint);
}

bool fits_pattern(std::string_view pattern, std::string_view text) {
  // Greedy with one way back: linear in practice, never exponential.
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace draudit
