#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace draudit {

struct TreeMember;

/// YAML as a value. Scalars are text: what they mean is for whoever asks.
struct Tree {
  enum class Type { null, text, list, map };
  Type type = Type::null;
  std::size_t line = 0;
  std::string text;
  std::vector<Tree> items;          ///< of a list
  std::vector<TreeMember> members;  ///< of a map, in their order

  [[nodiscard]] const Tree* find(std::string_view key) const;
};
struct TreeMember {
  std::string key;
  Tree value;
};

/// Reads one document. Anchors, aliases and tags are refused, and a key that is there twice.
/// Throws ConfigError.
[[nodiscard]] Tree parse_tree(std::string_view text, const std::string& file);

}  // namespace draudit
