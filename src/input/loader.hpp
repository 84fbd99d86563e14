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

  /// What was being read when another file began within it: an archive.
  struct FileMark {
    std::uint32_t file = 0;
    std::uint32_t problems = 0;
    std::uint64_t objects = 0;
  };
  [[nodiscard]] FileMark begin_file(std::string name);
  void end_file(std::uint64_t bytes, std::string sha256, const FileMark& outer);
  /// A file of a folder or an archive that is not read.
  void skip_file(const std::string& reason, const std::string& name);
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
  std::uint32_t file_ = 0;
  std::uint32_t problems_in_file_ = 0;
  std::uint64_t objects_in_file_ = 0;
};

}  // namespace draudit
