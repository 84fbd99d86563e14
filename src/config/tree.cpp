#include "config/tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <utility>

#include "draudit/config.hpp"
#include "report/plain.hpp"

namespace draudit {
namespace {

constexpr std::size_t kDeepestTree = 8;        ///< the format needs 4
constexpr std::size_t kMostOpenBrackets = 64;  ///< yaml-cpp looks ahead over all that are open

[[noreturn]] void fail_at(const std::string& file, std::size_t line, std::string_view what) {
  throw ConfigError(fmt::format("{}:{}: {}", plain(file), line, what));
}

std::size_t line_of(const YAML::Mark& mark) {
  return mark.line < 0 ? 1 : static_cast<std::size_t>(mark.line) + 1;
}

class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& file) : file_(file) {}

  void OnDocumentStart(const YAML::Mark&) override { ++documents_; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse(mark, {}, anchor);
    add({Tree::Type::null, line_of(mark), {}, {}, {}});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail_at(file_, line_of(mark), "an alias; write it out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse(mark, tag, anchor);
    const bool null = tag == "?" && (value == "~" || value == "null" || value.empty());
    add({null ? Tree::Type::null : Tree::Type::text, line_of(mark), value, {}, {}});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Tree::Type::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Tree::Type::map);
  }
  void OnMapEnd() override { close(); }

  [[nodiscard]] int documents() const { return documents_; }
  [[nodiscard]] Tree take() { return std::move(root_); }

 private:
  struct Open {
    Tree tree;
    bool has_key = false;
    std::string key;
  };

  void refuse(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != 0) fail_at(file_, line_of(mark), "an anchor; write it out");
    if (!tag.empty() && tag != "?" && tag != "!") {
      fail_at(file_, line_of(mark), fmt::format("a tag: {}", plain(tag)));
    }
  }
  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            Tree::Type type) {
    refuse(mark, tag, anchor);
    if (open_.size() == kDeepestTree) fail_at(file_, line_of(mark), "nested too deep");
    open_.push_back({{type, line_of(mark), {}, {}, {}}, false, {}});
  }
  void close() {
    Tree done = std::move(open_.back().tree);
    open_.pop_back();
    add(std::move(done));
  }
  void add(Tree tree) {
    if (open_.empty()) {
      root_ = std::move(tree);
      return;
    }
    Open& in = open_.back();
    if (in.tree.type == Tree::Type::list) {
      in.tree.items.push_back(std::move(tree));
    } else if (!in.has_key) {
      if (tree.type != Tree::Type::text) fail_at(file_, tree.line, "a key that is no text");
      if (in.tree.find(tree.text) != nullptr) {
        fail_at(file_, tree.line, fmt::format("{}: the key is there twice", plain(tree.text)));
      }
      in.key = std::move(tree.text);
      in.has_key = true;
    } else {
      in.tree.members.push_back({std::move(in.key), std::move(tree)});
      in.has_key = false;
    }
  }

  const std::string& file_;
  std::vector<Open> open_;
  Tree root_;
  int documents_ = 0;
};

void check_brackets(std::string_view text, const std::string& file) {
  std::size_t open = 0;
  std::size_t line = 1;
  for (const char c : text) {
    if (c == '\n') ++line;
    if (c == '[' || c == '{') ++open;
    if ((c == ']' || c == '}') && open > 0) --open;
    if (open > kMostOpenBrackets) fail_at(file, line, "too many open brackets");
  }
}

}  // namespace

const Tree* Tree::find(std::string_view key) const {
  for (const auto& [name, member] : members) {
    if (name == key) return &member;
  }
  return nullptr;
}

Tree parse_tree(std::string_view text, const std::string& file) {
  if (text.size() > kLargestConfig) {
    throw ConfigError(fmt::format("{}: it is above {} bytes", plain(file), kLargestConfig));
  }
  check_brackets(text, file);
  std::istringstream stream{std::string{text}};
  TreeBuilder builder(file);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
      if (builder.documents() > 1) {
        throw ConfigError(fmt::format("{}: more than one YAML document", plain(file)));
      }
    }
  } catch (const YAML::Exception& e) {
    fail_at(file, line_of(e.mark), fmt::format("no YAML: {}", plain(e.msg)));
  }
  return builder.take();
}

}  // namespace draudit
