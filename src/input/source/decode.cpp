#include "input/source/decode.hpp"

#include <bzlib.h>
#include <fmt/core.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

#include "input/source/archive.hpp"

namespace draudit {
namespace {

constexpr std::size_t kDecodeBuffer = std::size_t{128} << 10;
constexpr std::string_view kCutAdvice = "the file was cut off: copy or take it again";
constexpr std::string_view kBrokenAdvice = "copy or take the file again";

[[noreturn]] void fail_cut(std::string_view what) {
  throw BadSource(fmt::format("the {} ends in the middle", what), std::string{kCutAdvice});
}
[[noreturn]] void fail_broken(std::string_view what, std::string_view reason) {
  throw BadSource(fmt::format("the {} is broken: {}", what, reason), std::string{kBrokenAdvice});
}
[[noreturn]] void fail_behind(std::string_view what) {
  throw BadSource(fmt::format("behind the {} stands something else, which was not read", what),
                  "is it two files in one? Give them apart");
}

/// Packed bytes, a buffer at a time.
class Intake {
 public:
  explicit Intake(ByteSource& from) : from_(from), buffer_(kDecodeBuffer) {}
  /// Whether there is a byte; reads on where the buffer is used up.
  bool more() {
    if (at_ < end_) return true;
    at_ = 0;
    end_ = from_.read(buffer_);
    return end_ > 0;
  }
  [[nodiscard]] char* data() { return buffer_.data() + at_; }
  [[nodiscard]] std::size_t size() const { return end_ - at_; }
  void used(std::size_t n) { at_ += n; }
  char next() { return buffer_[at_++]; }

 private:
  ByteSource& from_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

constexpr std::size_t kMost = std::size_t{1} << 30;  ///< that one call yields

class GzipSource : public ByteSource {
 public:
  GzipSource(ByteSource& packed, Budget& budget) : in_(packed), budget_(budget) {
    constexpr int kGzip = 16 + MAX_WBITS;
    if (::inflateInit2(&stream_, kGzip) != Z_OK) throw std::bad_alloc();
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { ::inflateEnd(&stream_); }

  std::size_t read(std::span<char> into) override {
    while (!done_) {
      if (!in_.more()) fail_cut("gzip data");
      stream_.next_in = reinterpret_cast<Bytef*>(in_.data());
      stream_.avail_in = static_cast<uInt>(in_.size());
      stream_.next_out = reinterpret_cast<Bytef*>(into.data());
      stream_.avail_out = static_cast<uInt>(std::min(into.size(), kMost));
      const uInt room = stream_.avail_out;
      const int result = ::inflate(&stream_, Z_NO_FLUSH);
      in_.used(in_.size() - stream_.avail_in);
      const std::size_t got = room - stream_.avail_out;
      budget_.unpacked(got);
      if (result == Z_STREAM_END) {
        next_member();
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        // The good part first; the next call comes back here.
        if (got == 0) fail_broken("gzip data", stream_.msg != nullptr ? stream_.msg : "bad data");
      }
      if (got > 0) return got;
    }
    if (behind_) fail_behind("gzip data");
    return 0;
  }

 private:
  void next_member() {
    // Zeros pad the last member on tapes; anything but another member is none of gzip's.
    while (in_.more() && *in_.data() == '\0') in_.next();
    if (!in_.more()) {
      done_ = true;
    } else if (*in_.data() == '\x1f') {
      ::inflateReset(&stream_);
    } else {
      done_ = behind_ = true;
    }
  }

  Intake in_;
  Budget& budget_;
  z_stream stream_{};
  bool done_ = false;
  bool behind_ = false;
};

/// libarchive would not say that something stands behind the last stream.
class Bzip2Source : public ByteSource {
 public:
  Bzip2Source(ByteSource& packed, Budget& budget) : in_(packed), budget_(budget) { begin(); }
  Bzip2Source(const Bzip2Source&) = delete;
  Bzip2Source& operator=(const Bzip2Source&) = delete;
  ~Bzip2Source() override { ::BZ2_bzDecompressEnd(&stream_); }

  std::size_t read(std::span<char> into) override {
    while (!done_) {
      if (!in_.more()) fail_cut("bzip2 data");
      stream_.next_in = in_.data();
      stream_.avail_in = static_cast<unsigned>(in_.size());
      stream_.next_out = into.data();
      stream_.avail_out = static_cast<unsigned>(std::min(into.size(), kMost));
      const unsigned room = stream_.avail_out;
      const int result = ::BZ2_bzDecompress(&stream_);
      in_.used(in_.size() - stream_.avail_in);
      const std::size_t got = room - stream_.avail_out;
      budget_.unpacked(got);
      if (result == BZ_STREAM_END) {
        next_stream();
      } else if (result != BZ_OK) {
        fail_broken("bzip2 data", "a block does not fit its checksum");
      }
      if (got > 0) return got;
    }
    if (behind_) fail_behind("bzip2 data");
    return 0;
  }

 private:
  void begin() {
    stream_ = {};
    if (::BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  void next_stream() {
    if (!in_.more()) {
      done_ = true;
    } else if (*in_.data() == 'B') {
      ::BZ2_bzDecompressEnd(&stream_);
      begin();
    } else {
      done_ = behind_ = true;
    }
  }

  Intake in_;
  Budget& budget_;
  bz_stream stream_{};
  bool done_ = false;
  bool behind_ = false;
};

class ZstdSource : public ByteSource {
 public:
  ZstdSource(ByteSource& packed, Budget& budget)
      : in_(packed), budget_(budget), stream_(::ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;
  ~ZstdSource() override { ::ZSTD_freeDStream(stream_); }

  std::size_t read(std::span<char> into) override {
    while (true) {
      const bool more = in_.more();
      if (!more && left_ == 0) return 0;
      ZSTD_inBuffer from{in_.data(), more ? in_.size() : 0, 0};
      ZSTD_outBuffer to{into.data(), into.size(), 0};
      const std::size_t result = ::ZSTD_decompressStream(stream_, &to, &from);
      in_.used(from.pos);
      budget_.unpacked(to.pos);
      if (::ZSTD_isError(result) != 0) {
        if (frames_ > 0 && left_ == 0) fail_behind("zstd data");
        fail_broken("zstd data", ::ZSTD_getErrorName(result));
      }
      left_ = result;
      if (left_ == 0) ++frames_;
      if (to.pos > 0) return to.pos;
      if (!more) fail_cut("zstd data");
    }
  }

 private:
  Intake in_;
  Budget& budget_;
  ZSTD_DStream* stream_;
  std::size_t left_ = 0;  ///< of a frame; 0 between frames
  std::uint64_t frames_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> decode(Packing packing, ByteSource& packed, Budget& budget) {
  switch (packing) {
    case Packing::gzip: return std::make_unique<GzipSource>(packed, budget);
    case Packing::zstd: return std::make_unique<ZstdSource>(packed, budget);
    case Packing::xz: return unfilter(packed, budget, "xz data");
    case Packing::bzip2: return std::make_unique<Bzip2Source>(packed, budget);
    case Packing::none:
    case Packing::zip:
    case Packing::tar:
    case Packing::utf16_le:
    case Packing::utf16_be:
    case Packing::foreign: break;
  }
  return nullptr;
}

}  // namespace draudit
