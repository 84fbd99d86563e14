#include "input/source/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/core.h>

#include <exception>
#include <utility>
#include <vector>

namespace draudit {
namespace {

constexpr std::size_t kArchiveBuffer = std::size_t{128} << 10;

}  // namespace

/// libarchive over a ByteSource, with C++ errors carried around its C frames.
class ArchiveReader {
 public:
  ArchiveReader(ByteSource& packed, std::string_view what)
      : packed_(packed), what_(what), buffer_(kArchiveBuffer), archive_(::archive_read_new()) {
    if (!archive_) throw std::bad_alloc();
  }
  [[nodiscard]] struct archive* get() { return archive_.get(); }

  void open() { check(::archive_read_open2(get(), this, nullptr, read, skip, nullptr)); }

  /// A result code that is not ARCHIVE_OK or ARCHIVE_EOF, as an exception.
  void check(int result) {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    if (result >= ARCHIVE_WARN) return;  // a warning is about an attribute that is not looked at
    const char* reason = ::archive_error_string(get());
    throw BadSource(fmt::format("the {} is broken or cut off: {}", what_,
                                reason != nullptr ? reason : "bad data"),
                    "copy or take the file again");
  }

  std::size_t read_data(std::span<char> into) {
    const la_ssize_t n = ::archive_read_data(get(), into.data(), into.size());
    if (n < 0) check(static_cast<int>(n));
    return n < 0 ? 0 : static_cast<std::size_t>(n);
  }

 private:
  struct CloseArchive {
    void operator()(struct archive* a) const { ::archive_read_free(a); }
  };
  static la_ssize_t read(struct archive* a, void* self, const void** out) {
    ArchiveReader& r = *static_cast<ArchiveReader*>(self);
    try {
      *out = r.buffer_.data();
      return static_cast<la_ssize_t>(r.packed_.read(r.buffer_));
    } catch (...) {
      r.failure_ = std::current_exception();
      ::archive_set_error(a, -1, "reading failed");
      return -1;
    }
  }
  static la_int64_t skip(struct archive*, void*, la_int64_t) { return 0; }  // by reading

  ByteSource& packed_;
  std::string what_;
  std::vector<char> buffer_;
  std::exception_ptr failure_;
  std::unique_ptr<struct archive, CloseArchive> archive_;
};

namespace {

class FilteredSource : public ByteSource {
 public:
  FilteredSource(ByteSource& packed, Budget& budget, std::string_view what)
      : reader_(packed, what), budget_(budget) {
    ::archive_read_support_filter_xz(reader_.get());
    ::archive_read_support_format_raw(reader_.get());
    ::archive_read_support_format_empty(reader_.get());
  }
  std::size_t read(std::span<char> into) override {
    if (!open_) {
      open_ = true;
      reader_.open();
      struct archive_entry* entry = nullptr;
      const int result = ::archive_read_next_header(reader_.get(), &entry);
      reader_.check(result);
      empty_ = result == ARCHIVE_EOF;
    }
    if (empty_) return 0;
    const std::size_t n = reader_.read_data(into);
    budget_.unpacked(n);
    return n;
  }

 private:
  ArchiveReader reader_;
  Budget& budget_;
  bool open_ = false;
  bool empty_ = false;
};

MemberType type_of(struct archive_entry* entry) {
  if (::archive_entry_hardlink(entry) != nullptr) return MemberType::link;
  switch (::archive_entry_filetype(entry)) {
    case AE_IFREG: return MemberType::file;
    case AE_IFDIR: return MemberType::directory;
    case AE_IFLNK: return MemberType::link;
    default: return MemberType::other;
  }
}

}  // namespace

struct Archive::Impl : ByteSource {
  Impl(ByteSource& packed, Budget& b, std::string_view what) : reader(packed, what), budget(b) {}
  std::size_t read(std::span<char> into) override {
    const std::size_t n = reader.read_data(into);
    budget.unpacked(n);
    return n;
  }
  ArchiveReader reader;
  Budget& budget;
};

Archive::Archive(Packing packing, ByteSource& packed, Budget& budget)
    : impl_(std::make_unique<Impl>(packed, budget,
                                   packing == Packing::zip ? "ZIP archive" : "tar archive")) {
  struct archive* a = impl_->reader.get();
  if (packing == Packing::zip) {
    ::archive_read_support_format_zip_streamable(a);
  } else {
    ::archive_read_support_format_tar(a);
  }
  impl_->reader.open();
}

Archive::~Archive() = default;

bool Archive::next(Member& member) {
  struct archive_entry* entry = nullptr;
  const int result = ::archive_read_next_header(impl_->reader.get(), &entry);
  impl_->reader.check(result);
  if (result == ARCHIVE_EOF) return false;
  impl_->budget.member();
  const char* path = ::archive_entry_pathname_utf8(entry);
  if (path == nullptr) path = ::archive_entry_pathname(entry);
  member.path = path != nullptr ? path : "(no name)";
  member.type = type_of(entry);
  if (::archive_entry_is_encrypted(entry) != 0) {
    throw BadSource(fmt::format("{} in it is encrypted", member.path), "unpack it first");
  }
  return true;
}

ByteSource& Archive::content() { return *impl_; }

std::unique_ptr<ByteSource> unfilter(ByteSource& packed, Budget& budget, std::string_view what) {
  return std::make_unique<FilteredSource>(packed, budget, what);
}

}  // namespace draudit
