#include "support/memory_io.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/posix_io.hpp"
#include "draudit/cli.hpp"

namespace draudit::test {
namespace {

std::string read_all(ByteSource& source) {
  std::string out;
  std::array<char, 65536> buffer{};
  while (const std::size_t n = source.read(buffer)) out.append(buffer.data(), n);
  return out;
}

}  // namespace

std::size_t StringSource::read(std::span<char> into) {
  std::size_t n = std::min({into.size(), chunk, text.size() - done_});
  if (failure) {
    if (done_ >= failure->after) throw IoError(failure->reason);
    n = std::min(n, failure->after - done_);
  }
  std::copy_n(text.data() + done_, n, into.data());
  done_ += n;
  return n;
}

void StringSink::write(std::string_view more) {
  if (failure && more.size() > failure->after - std::min(failure->after, text.size())) {
    text += more.substr(0, failure->after - std::min(failure->after, text.size()));
    throw IoError(failure->reason);
  }
  text += more;
}

std::unique_ptr<ByteSource> MemoryFiles::open(const std::string& path) {
  std::optional<Failure> failure;
  if (const auto it = unreadable.find(path); it != unreadable.end()) failure = it->second;
  if (failure && failure->after == 0) throw IoError(failure->reason);

  auto source = std::make_unique<StringSource>();
  if (const auto it = contents.find(path); it != contents.end()) {
    source->text = it->second;
  } else {
    // From the disk as the tool itself reads it, so that its errors are the real ones.
    std::unique_ptr<ByteSource> disk = PosixFiles{}.open((root_ / path).string());
    if (!failure && chunk == kNoLimit) return disk;
    source->text = read_all(*disk);
  }
  source->chunk = chunk;
  source->failure = std::move(failure);
  return source;
}

std::optional<std::vector<DirectoryEntry>> MemoryFiles::list(const std::string& path) {
  const std::string folder = path.ends_with('/') ? path : path + '/';
  std::map<std::string, FileType> found;
  for (const auto& [name, text] : contents) {
    if (!name.starts_with(folder)) continue;
    const std::string rest = name.substr(folder.size());
    const std::size_t slash = rest.find('/');
    found[rest.substr(0, slash)] =
        slash == std::string::npos ? FileType::file : FileType::directory;
  }
  if (found.empty()) return PosixFiles{}.list((root_ / path).string());
  std::vector<DirectoryEntry> out;
  for (const auto& [name, type] : found) out.push_back({name, type});
  return out;
}

bool MemoryFiles::exists(const std::string& path) {
  return contents.contains(path) || PosixFiles{}.exists((root_ / path).string());
}

void MemoryFiles::write_atomically(const std::string& path, std::string_view text) {
  if (unwritable && text.size() > unwritable->after) throw IoError(unwritable->reason);
  written[path] = text;
}

Io MemoryIo::io() {
  return {.in = in,
          .out = out,
          .err = err,
          .files = files,
          .in_is_terminal = in_is_terminal,
          .out_is_terminal = out_is_terminal,
          .err_is_terminal = err_is_terminal,
          .env = [this](std::string_view name) -> std::optional<std::string> {
            const auto it = env.find(name);
            if (it == env.end()) return std::nullopt;
            return it->second;
          }};
}

int MemoryIo::run(const std::vector<std::string>& args) {
  Io view = io();
  return draudit::run(args, view);
}

}  // namespace draudit::test
