#pragma once

#include <simdjson.h>

#include <memory>
#include <string>

#include "draudit/input.hpp"
#include "input/splitter.hpp"

namespace draudit {

/// Turns the objects of one file after another into records of a snapshot.
class Loader : public ObjectSink {
 public:
  Loader(Snapshot& snapshot, const ReadOptions& options);
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;
  ~Loader() override;

  void begin_file(std::string name);
  void end_file(std::uint64_t bytes, std::string sha256);
  /// About the file as a whole, or about what reading it met.
  void file_problem(std::string message, std::string advice);

  bool object(std::string_view json, const Place& place, const ListHints& hints) override;
  bool event(std::string_view type, std::string_view json, const Place& place) override;
  void list_end(const ListHints& hints, std::string_view metadata, const Position& at) override;
  void snapshot_part(std::string_view name, std::string_view json) override;
  void text(const Position& at, const Prose& prose) override;
  bool problem(const Position& at, std::string message, std::string advice) override;

  /// Sorts, drops what came twice, fills in what is known of whole kinds.
  void finish();

 private:
  struct Parser;
  bool add_problem(Problem problem);
  /// What is known of every object, read or not.
  void note(const simdjson::dom::object& fields);
  void replay_events();
  void tell_clusters_apart();

  Snapshot& snapshot_;
  const ReadOptions& options_;
  std::unique_ptr<Parser> parser_;
  std::uint32_t problems_in_file_ = 0;
};

}  // namespace draudit
