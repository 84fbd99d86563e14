// The scanner steps over values 64 bytes at a time; here it is held against one that does not.
#include "input/scanner.hpp"

#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <vector>

#include "input/byte_block.hpp"
#include "support/memory_io.hpp"
#include "support/splitmix.hpp"

namespace draudit {
namespace {

struct Skipped {
  SkipResult result = SkipResult::ok;
  std::size_t end = 0;
  friend bool operator==(const Skipped&, const Skipped&) = default;
};

/// Steps over the value at the start of the text, a byte at a time. It begins with a bracket.
Skipped skip_plainly(const std::string& text) {
  std::vector<char> open;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      open.push_back(c);
    } else if (c == '}' || c == ']') {
      if (open.back() != (c == '}' ? '{' : '[')) return {SkipResult::mismatched, i};
      open.pop_back();
      if (open.empty()) return {SkipResult::ok, i + 1};
    }
  }
  return {SkipResult::truncated, text.size()};
}

Skipped skip(const std::string& text, std::size_t chunk, Position& at) {
  test::StringSource source(text);
  source.chunk = chunk;
  Scanner scanner(source, 1 << 20, 128);  // so small that it is filled again within a value
  (void)scanner.peek();
  scanner.mark();
  const SkipResult result = scanner.skip_value();
  at = scanner.position();
  if (result == SkipResult::ok) CHECK(scanner.marked() == text.substr(0, scanner.since_mark()));
  return {result, static_cast<std::size_t>(at.offset)};
}

TEST_CASE("scanner: values end where they end byte by byte, however they come") {
  test::SplitMix dice{7};
  constexpr std::string_view kBytes = "{}[]\"\\\n a";
  std::size_t seen[3] = {0, 0, 0};
  std::size_t outside = 0;  // texts with a backslash where JSON has none
  for (int round = 0; round < 20000; ++round) {
    std::string text(1, dice.next() % 2 == 0 ? '{' : '[');
    // Mostly text and long strings, so that values reach over blocks.
    const std::size_t length = dice.next() % 300;
    const std::size_t rare = 1 + dice.next() % 40;
    std::vector<char> open{text[0]};
    bool in_string = false;
    while (text.size() < length) {
      if (dice.next() % rare != 0) {
        text += static_cast<char>('a' + dice.next() % 26);
        continue;
      }
      const char c = kBytes[dice.next() % kBytes.size()];
      if ((c == '}' || c == ']') && !in_string && open.size() < 2 && dice.next() % 8 != 0) continue;
      if (c == '\\' && !in_string && dice.next() % 16 != 0) continue;
      outside += c == '\\' && !in_string ? 1U : 0U;
      text += c;
      if (c == '\\') text += kBytes[dice.next() % kBytes.size()];
      if (c == '"') in_string = !in_string;
      if (!in_string && (c == '{' || c == '[')) open.push_back(c);
      if (!in_string && (c == '}' || c == ']')) {
        text.back() = open.back() == '{' || dice.next() % 32 == 0 ? '}' : ']';
        if (open.size() > 1) open.pop_back();
      }
    }
    const Skipped expected = skip_plainly(text);
    ++seen[static_cast<std::size_t>(expected.result)];
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{63},
                                    std::size_t{64}, std::size_t{65}, test::kNoLimit}) {
      Position at;
      const Skipped got = skip(text, chunk, at);
      CAPTURE(text);
      CAPTURE(chunk);
      REQUIRE(got == expected);
      const std::string_view before = std::string_view{text}.substr(0, got.end);
      std::uint64_t line = 1;
      std::uint64_t column = 1;
      for (const char c : before) {
        ++column;
        if (c != '\n') continue;
        ++line;
        column = 1;
      }
      REQUIRE(at.line == line);
      REQUIRE(at.column == column);
    }
  }
  // Each way out was taken often.
  for (const std::size_t n : seen) CHECK(n > 500);
  CHECK(outside > 500);
}

TEST_CASE("scanner: a block's answers are those of its bytes") {
  test::SplitMix dice{11};
  for (int round = 0; round < 1000; ++round) {
    std::string text(ByteBlock::kSize, '\0');
    for (char& c : text) c = static_cast<char>(dice.next() % 256);
    for (const char c : {'"', '\\', '\n', '\x80', '\xff'}) {
      text[dice.next() % text.size()] = c;
      std::uint64_t expected = 0;
      std::uint64_t brackets = 0;
      for (std::size_t i = 0; i < text.size(); ++i) {
        expected |= std::uint64_t{text[i] == c} << i;
        brackets |= std::uint64_t{text[i] == '[' || text[i] == '{'} << i;
      }
      const ByteBlock block(text.data());
      CHECK(block.equal(c) == expected);
      CHECK(block.equal_with('{', 0x20) == brackets);
    }
  }
  CHECK(prefix_parity(0b10010) == 0b01110);
  CHECK(lowest_bits(0) == 0);
  CHECK(lowest_bits(64) == ~std::uint64_t{0});
}

}  // namespace
}  // namespace draudit
