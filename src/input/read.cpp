#include <fmt/core.h>

#include <algorithm>

#include "draudit/input.hpp"
#include "input/document.hpp"
#include "input/loader.hpp"
#include "input/source/archive.hpp"
#include "input/source/decode.hpp"
#include "input/source/peek.hpp"
#include "input/source/utf16.hpp"
#include "model/sha256.hpp"

// The tour of reading: a path is a folder, a stream or a file; a file's bytes may be packed, some
// times over; an archive holds files again; at the core stands a document, in which the splitters
// find objects and the loader makes records of them.
namespace draudit {
namespace {

/// Counts, and if asked hashes, all that passes through it.
class OutsideSource : public ByteSource {
 public:
  OutsideSource(ByteSource& inner, bool digest) : inner_(inner), digest_(digest) {}
  std::size_t read(std::span<char> into) override {
    const std::size_t got = inner_.read(into);
    if (digest_) hash_.update({into.data(), got});
    bytes_ += got;
    if (budget_ != nullptr) budget_->took(got);
    return got;
  }
  void charge_to(Budget& budget) { budget_ = &budget; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::string hex() { return digest_ ? hash_.hex() : std::string{}; }

 private:
  ByteSource& inner_;
  bool digest_;
  Budget* budget_ = nullptr;
  std::uint64_t bytes_ = 0;
  Sha256 hash_;
};

/// Whether somebody named this very file, or it only stands among others: what is no dump is an
/// error in one case and passed over in the other.
enum class Named : std::uint8_t { yes, no };

class Reader {
 public:
  Reader(const ReadOptions& options, Io& io, Loader& loader)
      : options_(options), io_(io), loader_(loader) {}

  void path(const std::string& path) {
    Budget budget(options_.limits);
    if (path == "-") return outside(io_.in, path, budget, Named::yes);
    if (!below(path, budget)) file(path, budget, Named::yes);
  }

 private:
  void folder(const std::string& path, const std::vector<DirectoryEntry>& entries, Budget& budget) {
    for (const DirectoryEntry& e : entries) {
      const std::string name = path.ends_with('/') ? path + e.name : path + '/' + e.name;
      try {
        budget.member();
      } catch (const BadSource& bad) {
        unread(path, bad.what(), bad.advice);
        throw;
      }
      if (e.name.starts_with('.')) {
        loader_.skip_file("hidden", name);
        continue;
      }
      switch (e.type) {
        case FileType::file: {
          // Each file unfolds on its own account; only their number is one of the folder's.
          Budget own(options_.limits);
          file(name, own, Named::no);
          break;
        }
        case FileType::directory: below(name, budget); break;
        case FileType::link: loader_.skip_file("a symbolic link", name); break;
        case FileType::other: loader_.skip_file("no regular file", name); break;
      }
    }
  }

  /// False where the path is no folder.
  bool below(const std::string& name, Budget& budget) {
    std::optional<std::vector<DirectoryEntry>> entries;
    try {
      entries = io_.files.list(name);
    } catch (const IoError& e) {
      unread(name, fmt::format("can't be listed: {}", e.what()), {});
      return true;
    }
    if (entries) folder(name, *entries, budget);
    return entries.has_value();
  }

  /// About something of which not a byte was read.
  void unread(const std::string& name, std::string message, std::string advice) {
    const auto mark = loader_.begin_file(name);
    loader_.file_problem(std::move(message), std::move(advice));
    loader_.end_file(0, {}, mark);
  }

  void file(const std::string& name, Budget& budget, Named named) {
    std::unique_ptr<ByteSource> opened;
    try {
      opened = io_.files.open(name);
    } catch (const IoError& e) {
      return unread(name, fmt::format("can't be opened: {}", e.what()), {});
    }
    outside(*opened, name, budget, named);
  }

  /// Bytes that come from outside: they are counted and hashed as they are.
  void outside(ByteSource& source, const std::string& name, Budget& budget, Named named) {
    OutsideSource counted(source, options_.digests);
    counted.charge_to(budget);
    const auto close = [&](const Loader::FileMark& mark) {
      loader_.end_file(counted.bytes(), counted.hex(), mark);
    };
    unpack(counted, name, budget, named, 0, close);
  }

  /// One layer after the other, until a document or an archive is there. `close` is called where
  /// the file was begun: with the outermost bytes for a file, with the member's own in an archive.
  template <class Close>
  void unpack(ByteSource& source, const std::string& name, Budget& budget, Named named,
              std::uint32_t layers, const Close& close) {
    PeekSource peeked(source);
    const Sniffed found = sniff(peeked.peek(kSniffed));
    switch (found.packing) {
      case Packing::none: return document(peeked, name, named, close);
      case Packing::foreign:
        if (named == Named::no) return loader_.skip_file(std::string{found.name}, name);
        return refused(name, fmt::format("this is {}, which is not unpacked here", found.name),
                       "unpack it first, or take the dump as JSON", close);
      case Packing::utf16_le:
      case Packing::utf16_be: {
        Utf16Source text(peeked, found.packing == Packing::utf16_be);
        return document(text, name, named, close);
      }
      case Packing::gzip:
      case Packing::zstd:
      case Packing::xz:
      case Packing::bzip2: {
        try {
          budget.depth(layers + 1);
        } catch (const BadSource& e) {
          return refused(name, e.what(), e.advice, close);
        }
        const auto unpacked = decode(found.packing, peeked, budget);
        return unpack(*unpacked, name, budget, named, layers + 1, close);
      }
      case Packing::zip:
      case Packing::tar: return archive(found.packing, peeked, name, budget, layers, close);
    }
  }

  template <class Close>
  void archive(Packing packing, ByteSource& source, const std::string& name, Budget& budget,
               std::uint32_t layers, const Close& close) {
    const auto mark = loader_.begin_file(name);
    try {
      budget.depth(layers + 1);
      Archive members(packing, source, budget);
      Member member;
      bool any = false;
      while (members.next(member)) {
        any = true;
        const std::string inner = name + '!' + member.path;
        switch (member.type) {
          case MemberType::directory: break;
          case MemberType::link: loader_.skip_file("a link", inner); break;
          case MemberType::other: loader_.skip_file("no regular file", inner); break;
          case MemberType::file:
            if (hidden(member.path)) {
              loader_.skip_file("hidden", inner);
            } else {
              this->member(members.content(), inner, budget, layers + 1);
            }
        }
      }
      if (!any)
        loader_.file_problem("there is nothing in it", "did the command that wrote it fail?");
      drain(source);
    } catch (const BadSource& e) {
      loader_.file_problem(e.what(), e.advice);
    } catch (const IoError& e) {
      loader_.file_problem(fmt::format("reading failed: {}", e.what()), {});
    }
    close(mark);
  }

  void member(ByteSource& source, const std::string& name, Budget& budget, std::uint32_t layers) {
    OutsideSource counted(source, options_.digests);
    const auto close = [&](const Loader::FileMark& mark) {
      loader_.end_file(counted.bytes(), counted.hex(), mark);
    };
    unpack(counted, name, budget, Named::no, layers, close);
  }

  template <class Close>
  void document(ByteSource& source, const std::string& name, Named named, const Close& close) {
    Scanner scanner(source, options_.limits.object_bytes);
    if (named == Named::no) {
      try {
        if (const std::string why = why_no_dump(scanner); !why.empty()) {
          return loader_.skip_file(why, name);
        }
      } catch (const IoError& e) {
        return broken(name, e, close);
      }
    }
    const auto mark = loader_.begin_file(name);
    try {
      read_document(scanner, loader_);
      scanner.drain();
    } catch (const BadSource& e) {
      loader_.file_problem(
          fmt::format("{}; {} bytes of it were read", e.what(), scanner.bytes_read()), e.advice);
    } catch (const IoError& e) {
      loader_.file_problem(
          fmt::format("reading failed after {} bytes: {}", scanner.bytes_read(), e.what()), {});
    }
    close(mark);
  }

  template <class Close>
  void refused(const std::string& name, std::string message, std::string advice,
               const Close& close) {
    const auto mark = loader_.begin_file(name);
    loader_.file_problem(std::move(message), std::move(advice));
    close(mark);
  }
  template <class Close>
  void broken(const std::string& name, const IoError& e, const Close& close) {
    const auto* bad = dynamic_cast<const BadSource*>(&e);
    refused(name, bad != nullptr ? e.what() : fmt::format("reading failed: {}", e.what()),
            bad != nullptr ? bad->advice : std::string{}, close);
  }

  static bool hidden(std::string_view path) {
    const std::string_view file = path.substr(path.rfind('/') + 1);
    return file.starts_with('.') && file != "." && file != "..";
  }

  static void drain(ByteSource& source) {
    std::vector<char> buffer(std::size_t{64} << 10);
    while (source.read(buffer) > 0) {
    }
  }

  const ReadOptions& options_;
  Io& io_;
  Loader& loader_;
};

}  // namespace

Snapshot read(const ReadOptions& options, Io& io) {
  Snapshot snapshot;
  Loader loader(snapshot, options);
  Reader reader(options, io, loader);
  // Files are told apart by name, not by the order in which they were given.
  std::vector<std::string> paths = options.paths;
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  for (const std::string& path : paths) {
    try {
      reader.path(path);
    } catch (const BadSource&) {
      // A folder with too many files; said where it was noticed.
    }
  }
  loader.finish();
  return snapshot;
}

}  // namespace draudit
