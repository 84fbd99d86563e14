#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace draudit {

/// An operation of the outside world failed. `what()` is the system's own reason
/// ("No space left on device"), without the name of the file: the caller knows that.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bytes, once, front to back.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;
  /// Fills at most `into.size()` bytes and says how many; 0 is the end. Throws IoError.
  virtual std::size_t read(std::span<char> into) = 0;
};

/// Where a report or a message goes.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;
  /// Throws IoError.
  virtual void write(std::string_view text) = 0;
};

enum class FileType : std::uint8_t { file, directory, link, other };

struct DirectoryEntry {
  std::string name;  ///< bytes of any kind but '/' and NUL
  FileType type = FileType::file;
};

/// The file system, as far as the tool looks at it.
class Files {
 public:
  Files() = default;
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  virtual ~Files() = default;
  /// Opens a file for reading. Throws IoError; a directory is one.
  virtual std::unique_ptr<ByteSource> open(const std::string& path) = 0;
  /// What is in a directory, sorted by the bytes of the names, without "." and ".."; nothing where
  /// the path is no directory. A link as `path` is followed. Throws IoError.
  virtual std::optional<std::vector<DirectoryEntry>> list(const std::string& path) = 0;
  /// Whether anything is there, a broken link too.
  virtual bool exists(const std::string& path) = 0;
  /// Writes the whole file or leaves what was there: a reader never sees half a report.
  virtual void write_atomically(const std::string& path, std::string_view text) = 0;
};

/// All that a run touches, so that a test can hold the whole tool in its hand.
struct Io {
  ByteSource& in;
  Sink& out;
  Sink& err;
  Files& files;
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  /// Value of an environment variable, if set.
  std::function<std::optional<std::string>(std::string_view)> env;
};

}  // namespace draudit
