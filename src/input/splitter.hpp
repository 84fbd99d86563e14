#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "input/scanner.hpp"

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
  virtual bool object(std::string_view json, const Position& at, const ListHints& hints) = 0;
  /// A list ended, empty or not. `hints` and `metadata` are its own.
  virtual void list_end(const ListHints& hints, std::string_view metadata, const Position& at) = 0;
  /// A part of a KAI snapshot that is no list: "schedulerParams" with its value, or the name alone
  /// of a part that only some versions write.
  virtual void snapshot_part(std::string_view name, std::string_view json) = 0;
  /// Something that can't be read. Returns whether to go on with this file.
  virtual bool problem(const Position& at, std::string message, std::string advice) = 0;
};

/// Finds the objects in a stream of JSON values: objects, lists of them, arrays, KAI snapshots,
/// one after another with or without white space between.
///
/// Only the envelope is looked into, and it is read strictly; what is inside an object is skipped
/// by its brackets and handed over whole. One value is in memory at a time.
class Splitter {
 public:
  Splitter(Scanner& scanner, ObjectSink& sink) : in_(scanner), sink_(sink) {}
  void run();

 private:
  struct Stop {};  ///< thrown when nothing behind this point can be trusted

  /// What the members of an object have told so far of the whole.
  struct Envelope {
    ListHints list;
    std::string metadata;
    bool is_list = false;
    bool is_snapshot = false;
    bool discovery = false;
  };

  void value(int depth);
  void object();
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
  [[noreturn]] void stop(std::string message, std::string advice = {});

  Scanner& in_;
  ObjectSink& sink_;
};

}  // namespace draudit
