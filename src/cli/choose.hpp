#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"

/// Options that take one word of a few.
namespace draudit {

template <class T>
struct Choice {
  std::string_view word;
  T value;
};

template <class T, std::size_t N>
[[nodiscard]] T choose(std::string_view flag, std::string_view word,
                       const std::array<Choice<T>, N>& choices) {
  std::vector<std::string> words;
  std::string list;
  for (const Choice<T>& c : choices) {
    if (c.word == word) return c.value;
    words.emplace_back(c.word);
    list += fmt::format("{}{}", list.empty() ? "" : ", ", c.word);
  }
  throw UsageError(
      fmt::format("{}: \"{}\" is none of {}{}", flag, word, list, did_you_mean(word, words)));
}

}  // namespace draudit
