#pragma once

#include "draudit/io.hpp"

namespace draudit {

/// A file descriptor as a source. Does not close it unless it owns it.
class FdSource : public ByteSource {
 public:
  explicit FdSource(int fd, bool owned = false) : fd_(fd), owned_(owned) {}
  FdSource(const FdSource&) = delete;
  FdSource& operator=(const FdSource&) = delete;
  ~FdSource() override;
  std::size_t read(std::span<char> into) override;

 private:
  int fd_;
  bool owned_;
};

/// A file descriptor as a sink: every byte or an IoError.
class FdSink : public Sink {
 public:
  explicit FdSink(int fd) : fd_(fd) {}
  void write(std::string_view text) override;

 private:
  int fd_;
};

class PosixFiles : public Files {
 public:
  std::unique_ptr<ByteSource> open(const std::string& path) override;
  std::optional<std::vector<DirectoryEntry>> list(const std::string& path) override;
  bool exists(const std::string& path) override;
  void write_atomically(const std::string& path, std::string_view text) override;
};

}  // namespace draudit
