#include "report/wrap.hpp"

#include <algorithm>

#include "report/plain.hpp"

namespace draudit {

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t w = width(word);
    if (column > indent && column + 1 + w > columns) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += w;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace draudit
