#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/splitter.hpp"
#include "input/yaml.hpp"

namespace draudit {

/// Finds the objects in a stream of YAML documents: lists of them, objects, events of a watch.
///
/// Documents and the items of a block list are told apart by their lines alone, and each goes
/// through the YAML reader by itself: one of them is in memory at a time, and a broken one does
/// not take the others with it. A document in JSON goes to the JSON reader.
class YamlSplitter {
 public:
  YamlSplitter(Scanner& scanner, ObjectSink& sink) : in_(scanner), sink_(sink) {}
  void run();

 private:
  /// What the next line is, as far as its structure goes.
  struct Line {
    std::size_t indent = 0;
    bool blank = false;     ///< or a comment
    bool item = false;      ///< begins with "- "
    bool boundary = false;  ///< --- or ...
    bool log = false;       ///< text that kubectl wrote between documents
    std::string_view text;  ///< its start, without the indent; good until the next look
  };
  struct Envelope {
    ListHints list;
    std::string metadata;
  };

  /// An item of a list that was cut out and is yet to be handed over.
  struct Item {
    std::string text;
    Position at;
    YamlToJson yaml;
    std::optional<YamlError> error;
    void convert();
  };

  [[nodiscard]] bool at_end() { return in_.peek() == Scanner::kEnd; }
  Line look();
  void skip_log(const Line& line);
  void document();
  bool list_of(std::size_t indent);
  void items(std::size_t indent, const ListHints& hints);
  void cut_items(std::size_t indent, const ListHints& hints);
  /// Converts the items that wait, on several cores, and hands them over in their order.
  void hand_over(const ListHints& hints);
  bool read_envelope(std::string_view text, const Position& at, Envelope& into);
  void whole(std::string_view text, const Position& at);
  void problem(const Position& at, std::string message, std::string advice = {});

  Scanner& in_;
  ObjectSink& sink_;
  YamlToJson yaml_;
  std::vector<Item> waiting_;
  std::size_t waiting_bytes_ = 0;
};

}  // namespace draudit
