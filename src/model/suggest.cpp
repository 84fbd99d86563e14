#include "model/suggest.hpp"

#include <algorithm>
#include <limits>

namespace draudit {
namespace {

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string suggestion(std::string_view word, const std::vector<std::string>& among) {
  std::string best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::string& candidate : among) {
    const std::size_t d = distance(word, candidate);
    if (d < least) {
      least = d;
      best = candidate;
    }
  }
  return least <= std::max<std::size_t>(2, word.size() / 3) ? best : std::string{};
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& among) {
  const std::string near = suggestion(word, among);
  return near.empty() ? std::string{} : "; did you mean " + near + '?';
}

}  // namespace draudit
