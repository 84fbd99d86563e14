#include <fmt/format.h>

#include <algorithm>

#include "draudit/input.hpp"
#include "input/document.hpp"
#include "input/loader.hpp"
#include "model/sha256.hpp"

namespace draudit {
namespace {

/// Hashes all that passes through it.
class DigestSource : public ByteSource {
 public:
  explicit DigestSource(ByteSource& inner) : inner_(inner) {}
  std::size_t read(std::span<char> into) override {
    const std::size_t got = inner_.read(into);
    hash_.update({into.data(), got});
    return got;
  }
  [[nodiscard]] std::string hex() { return hash_.hex(); }

 private:
  ByteSource& inner_;
  Sha256 hash_;
};

void read_file(ByteSource& source, const ReadOptions& options, Loader& loader) {
  DigestSource digest(source);
  Scanner scanner(options.digests ? digest : source, options.max_object_bytes);
  try {
    read_document(scanner, loader);
    scanner.drain();
  } catch (const IoError& e) {
    loader.file_problem(
        fmt::format("reading failed after {} bytes: {}", scanner.bytes_read(), e.what()), {});
  }
  loader.end_file(scanner.bytes_read(), options.digests ? digest.hex() : std::string{});
}

}  // namespace

Snapshot read(const ReadOptions& options, Io& io) {
  Snapshot snapshot;
  Loader loader(snapshot, options);
  // Files are told apart by name, not by the order in which they were given.
  std::vector<std::string> paths = options.paths;
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  for (const std::string& path : paths) {
    loader.begin_file(path);
    std::unique_ptr<ByteSource> file;
    if (path != "-") {
      try {
        file = io.files.open(path);
      } catch (const IoError& e) {
        loader.file_problem(fmt::format("can't be opened: {}", e.what()), {});
        continue;
      }
    }
    read_file(file ? *file : io.in, options, loader);
  }
  loader.finish();
  return snapshot;
}

}  // namespace draudit
