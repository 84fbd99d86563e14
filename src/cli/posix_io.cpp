#include "cli/posix_io.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace draudit {
namespace {

[[noreturn]] void fail() { throw IoError(std::generic_category().message(errno)); }

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0) {
      if (errno == EINTR) continue;
      fail();
    }
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// Closes and removes what it holds unless told that all went well.
struct Draft {
  std::string path;
  int fd = -1;
  bool done = false;
  Draft() = default;
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (fd >= 0) ::close(fd);
    if (!done) ::unlink(path.c_str());
  }
};

}  // namespace

FdSource::~FdSource() {
  if (owned_) ::close(fd_);
}

std::size_t FdSource::read(std::span<char> into) {
  while (true) {
    const ssize_t n = ::read(fd_, into.data(), into.size());
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) fail();
  }
}

void FdSink::write(std::string_view text) { write_all(fd_, text); }

std::unique_ptr<ByteSource> PosixFiles::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail();
  auto source = std::make_unique<FdSource>(fd, true);
  struct stat status {};
  if (::fstat(fd, &status) != 0) fail();
  if (S_ISDIR(status.st_mode)) {
    throw IoError("it is a directory");
  }
  return source;
}

std::optional<std::vector<DirectoryEntry>> PosixFiles::list(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return std::nullopt;
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(path.c_str()), ::closedir);
  if (!dir) fail();
  std::vector<DirectoryEntry> out;
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(dir.get());
    if (entry == nullptr && errno != 0) fail();
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    // Not d_type: not every file system fills it in.
    struct stat s {};
    FileType type = FileType::other;
    if (::fstatat(::dirfd(dir.get()), entry->d_name, &s, AT_SYMLINK_NOFOLLOW) == 0) {
      if (S_ISREG(s.st_mode)) type = FileType::file;
      if (S_ISDIR(s.st_mode)) type = FileType::directory;
      if (S_ISLNK(s.st_mode)) type = FileType::link;
    }
    out.push_back({name, type});
  }
  std::sort(out.begin(), out.end(),
            [](const DirectoryEntry& a, const DirectoryEntry& b) { return a.name < b.name; });
  return out;
}

bool PosixFiles::exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

void PosixFiles::write_atomically(const std::string& path, std::string_view text) {
  struct stat status {};
  const bool there = ::stat(path.c_str(), &status) == 0;
  if (there && !S_ISREG(status.st_mode)) {
    // A device or a pipe, such as /dev/stdout, can't be replaced: write into it.
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) fail();
    Draft target;
    target.fd = fd;
    target.done = true;
    write_all(fd, text);
    return;
  }
  Draft draft;
  draft.path = path + ".XXXXXX";
  draft.fd = ::mkstemp(draft.path.data());
  if (draft.fd < 0) {
    draft.done = true;  // nothing was made
    fail();
  }
  // What the file would have got from open(): mkstemp makes it private.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = there ? status.st_mode & 07777U : 0666U & ~mask;
  if (::fchmod(draft.fd, mode) != 0) fail();
  write_all(draft.fd, text);
  if (::fsync(draft.fd) != 0) fail();
  if (::rename(draft.path.c_str(), path.c_str()) != 0) fail();
  draft.done = true;
}

}  // namespace draudit
