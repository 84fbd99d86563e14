#include "support/diff.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace draudit::test {
namespace {

constexpr std::size_t kContext = 2;        // lines shown around a change
constexpr std::size_t kMost = 120;         // lines of a diff, so that one case can't fill a log
constexpr std::size_t kCells = 4'000'000;  // of the table; beyond it the middle is one change

/// With their line ends, so that a missing one is a difference.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

struct Edit {
  char sign;  // '-', '+' or ' '
  std::string_view line;
  std::size_t at;  // line number, from 1, of the expected text
};

using Lines = std::vector<std::string_view>;

/// Longest common subsequence of a[from, a_end) and b[from, b_end).
void edit_middle(const Lines& a, std::size_t a_end, const Lines& b, std::size_t b_end,
                 std::size_t from, std::vector<Edit>& out) {
  const std::size_t rows = a_end - from;
  const std::size_t columns = b_end - from;
  std::size_t i = 0;
  std::size_t j = 0;
  if (rows * columns <= kCells) {
    std::vector<std::uint32_t> longest((rows + 1) * (columns + 1), 0);
    const auto cell = [&](std::size_t x, std::size_t y) -> std::uint32_t& {
      return longest[x * (columns + 1) + y];
    };
    for (std::size_t x = rows; x-- > 0;) {
      for (std::size_t y = columns; y-- > 0;) {
        cell(x, y) = a[from + x] == b[from + y] ? cell(x + 1, y + 1) + 1
                                                : std::max(cell(x + 1, y), cell(x, y + 1));
      }
    }
    while (i < rows && j < columns) {
      if (a[from + i] == b[from + j]) {
        out.push_back({' ', a[from + i], from + i + 1});
        ++i;
        ++j;
      } else if (cell(i + 1, j) >= cell(i, j + 1)) {
        out.push_back({'-', a[from + i], from + i + 1});
        ++i;
      } else {
        out.push_back({'+', b[from + j], from + i + 1});
        ++j;
      }
    }
  }
  for (; i < rows; ++i) out.push_back({'-', a[from + i], from + i + 1});
  for (; j < columns; ++j) out.push_back({'+', b[from + j], from + i + 1});
}

std::vector<Edit> edits(const Lines& a, const Lines& b) {
  std::size_t from = 0;
  while (from < a.size() && from < b.size() && a[from] == b[from]) ++from;
  std::size_t a_end = a.size();
  std::size_t b_end = b.size();
  while (a_end > from && b_end > from && a[a_end - 1] == b[b_end - 1]) {
    --a_end;
    --b_end;
  }
  std::vector<Edit> out;
  for (std::size_t i = 0; i < from; ++i) out.push_back({' ', a[i], i + 1});
  edit_middle(a, a_end, b, b_end, from, out);
  for (std::size_t i = a_end; i < a.size(); ++i) out.push_back({' ', a[i], i + 1});
  return out;
}

std::string visible(std::string_view line) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  const bool ends = line.ends_with('\n');
  if (ends) line.remove_suffix(1);
  const std::size_t last = line.find_last_not_of(' ');
  const std::size_t text_end = last == std::string_view::npos ? 0 : last + 1;
  for (const char c : line.substr(0, text_end)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 0xfU];
    } else {
      out += c;
    }
  }
  for (std::size_t i = text_end; i < line.size(); ++i) out += "·";
  if (!ends) out += "  (no newline at the end)";
  return out;
}

}  // namespace

std::string line_diff(std::string_view expected, std::string_view actual) {
  if (expected == actual) return {};
  const Lines a = lines_of(expected);
  const Lines b = lines_of(actual);
  const std::vector<Edit> all = edits(a, b);

  std::vector<bool> shown(all.size(), false);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].sign == ' ') continue;
    const std::size_t end = std::min(all.size(), i + kContext + 1);
    for (std::size_t k = i - std::min(i, kContext); k < end; ++k) shown[k] = true;
  }
  std::string out;
  std::size_t printed = 0;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!shown[i]) continue;
    if (printed >= kMost) {
      ++left_out;
      continue;
    }
    if (i == 0 || !shown[i - 1]) out += "@ line " + std::to_string(all[i].at) + "\n";
    out += all[i].sign;
    out += ' ';
    out += visible(all[i].line);
    out += '\n';
    ++printed;
  }
  if (left_out > 0) out += "… and " + std::to_string(left_out) + " more lines\n";
  return out;
}

}  // namespace draudit::test
