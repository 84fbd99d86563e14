#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draudit/io.hpp"

/// The outside world of a run, held in memory, so that a test can see and break all of it.
namespace draudit::test {

inline constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

/// An operation goes wrong once so many bytes have passed.
struct Failure {
  std::size_t after = 0;
  std::string reason = "Input/output error";
};

class StringSource : public ByteSource {
 public:
  StringSource() = default;
  explicit StringSource(std::string all) : text(std::move(all)) {}
  std::size_t read(std::span<char> into) override;

  std::string text;
  /// Most bytes that one read yields: 1 cuts every token in two.
  std::size_t chunk = kNoLimit;
  std::optional<Failure> failure;

 private:
  std::size_t done_ = 0;
};

class StringSink : public Sink {
 public:
  /// Keeps what fits before the failure, as a full disk does.
  void write(std::string_view more) override;

  std::string text;
  std::optional<Failure> failure;
};

/// Reads files below a folder of the disk, by names relative to it; writes into memory.
class MemoryFiles : public Files {
 public:
  explicit MemoryFiles(std::filesystem::path root) : root_(std::move(root)) {}
  std::unique_ptr<ByteSource> open(const std::string& path) override;
  /// From `contents` where names there begin with the path, else from the disk.
  std::optional<std::vector<DirectoryEntry>> list(const std::string& path) override;
  bool exists(const std::string& path) override;
  void write_atomically(const std::string& path, std::string_view text) override;

  /// Files that are not on the disk, or hide one that is.
  std::map<std::string, std::string> contents;
  std::map<std::string, std::string> written;
  /// By name; with `after` 0 the file can't even be opened.
  std::map<std::string, Failure> unreadable;
  std::optional<Failure> unwritable;
  std::size_t chunk = kNoLimit;  ///< of every file that is opened

 private:
  std::filesystem::path root_;
};

/// Neither terminal nor environment, unless a test gives it some.
class MemoryIo {
 public:
  explicit MemoryIo(std::filesystem::path root = ".") : files(std::move(root)) {}

  /// The whole tool, in process. `args` are those after the program's name.
  int run(const std::vector<std::string>& args);

  /// The same, for calls below the command line; must not outlive this.
  [[nodiscard]] Io io();

  StringSource in;
  StringSink out;
  StringSink err;
  MemoryFiles files;
  std::map<std::string, std::string, std::less<>> env;
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
};

}  // namespace draudit::test
