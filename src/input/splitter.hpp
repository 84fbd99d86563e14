#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "input/place.hpp"
#include "input/prose.hpp"

namespace draudit {

/// What a list says about each of its items.
struct ListHints {
  std::string kind;         ///< "Pod" of a PodList; empty for a plain List
  std::string api_version;  ///< of a typed list
};

/// Takes what a Splitter finds.
class ObjectSink {
 public:
  ObjectSink() = default;
  ObjectSink(const ObjectSink&) = delete;
  ObjectSink& operator=(const ObjectSink&) = delete;
  virtual ~ObjectSink() = default;
  /// One object, whole. `json` is balanced, but not yet known to be valid. Returns whether to go
  /// on with this file, as `problem` does.
  virtual bool object(std::string_view json, const Place& place, const ListHints& hints) = 0;
  /// One event of a watch with its object. Returns as `object` does.
  virtual bool event(std::string_view type, std::string_view json, const Place& place) = 0;
  /// A list ended, empty or not. `hints` and `metadata` are its own.
  virtual void list_end(const ListHints& hints, std::string_view metadata, const Position& at) = 0;
  /// A part of a KAI snapshot that is no list: "schedulerParams" with its value, or the name alone
  /// of a part that only some versions write.
  virtual void snapshot_part(std::string_view name, std::string_view json) = 0;
  /// Text between objects that was stepped over.
  virtual void text(const Position& at, const Prose& prose) = 0;
  /// Something that can't be read. Returns whether to go on with this file.
  virtual bool problem(const Position& at, std::string message, std::string advice) = 0;
};

/// What a list's own kind says of its items: a PodList holds Pods, a List anything.
[[nodiscard]] ListHints hints_of_items(const ListHints& list);

/// Finds the objects in a stream of JSON values: objects, lists of them, arrays, KAI snapshots,
/// events of a watch, one after another with or without white space between. Lines of text may
/// stand between the values, not within one.
///
/// Only the envelope is looked into, and it is read strictly; what is inside an object is skipped
/// by its brackets and handed over whole. One value is in memory at a time.
class Splitter {
 public:
  Splitter(Scanner& scanner, ObjectSink& sink) : in_(scanner), sink_(sink) {}
  void run();
  /// One value alone, which begins here. False: nothing behind it can be trusted.
  bool run_one();

 private:
  struct Stop {};  ///< thrown when nothing behind this point can be trusted

  /// What the members of an object have told so far of the whole.
  struct Envelope {
    ListHints list;
    std::string metadata;
    bool is_list = false;
    bool is_snapshot = false;
    bool discovery = false;
    std::string event_type;
    std::size_t event_from = 0;  ///< of its object, from the mark on
    std::size_t event_length = 0;
    Position event_at;
  };

  void value(int depth);
  void object();
  /// Lines of text between values.
  void text(std::string_view line);
  void member(const std::string& name, Envelope& envelope);
  /// Skips a value and gives its bytes, if they are few enough to be kept.
  std::string_view kept_value();
  void array(int depth);
  void items(const ListHints& list);
  void snapshot_lists();
  void one_object(const ListHints& hints);
  std::string key();
  std::string text_value();
  void skip();
  /// After a member or element: true to go on, false at `close`.
  bool more(char close);
  void expect(char c, std::string_view what);
  [[noreturn]] void refuse();
  [[noreturn]] void stop(std::string message, std::string advice = {});

  Scanner& in_;
  ObjectSink& sink_;
  std::string said_;  ///< the first error of kubectl's that stood between values
};

}  // namespace draudit
