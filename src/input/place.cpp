#include "input/place.hpp"

#include <algorithm>

namespace draudit {

Position Place::of(std::string_view json, std::size_t offset) const {
  Position p = at;
  if (marks != nullptr) {
    const auto behind =
        std::upper_bound(marks->begin(), marks->end(), offset + shift,
                         [](std::size_t want, const TextMark& m) { return want < m.json; });
    if (behind == marks->begin()) return p;
    p.line = std::prev(behind)->line;
    p.column = std::prev(behind)->column;
    return p;
  }
  for (std::size_t i = 0; i < std::min(offset, json.size()); ++i) {
    ++p.column;
    if (json[i] == '\n') {
      ++p.line;
      p.column = 1;
    }
  }
  p.offset += offset;
  return p;
}

}  // namespace draudit
