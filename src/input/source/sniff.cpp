#include "input/source/sniff.hpp"

#include <algorithm>
#include <array>

namespace draudit {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes;
  Packing packing;
  std::string_view name;
};
constexpr std::array kMagics = {
    Magic{"\x1f\x8b"sv, Packing::gzip, "gzip data"},
    Magic{"\x28\xb5\x2f\xfd"sv, Packing::zstd, "zstd data"},
    Magic{"\xfd\x37zXZ\0"sv, Packing::xz, "xz data"},
    Magic{"PK\x03\x04"sv, Packing::zip, "a ZIP archive"},
    Magic{"PK\x05\x06"sv, Packing::zip, "a ZIP archive"},
    Magic{"\xff\xfe\0\0"sv, Packing::foreign, "UTF-32 text"},
    Magic{"\0\0\xfe\xff"sv, Packing::foreign, "UTF-32 text"},
    Magic{"\xff\xfe"sv, Packing::utf16_le, "UTF-16 text"},
    Magic{"\xfe\xff"sv, Packing::utf16_be, "UTF-16 text"},
    Magic{"7z\xbc\xaf\x27\x1c"sv, Packing::foreign, "a 7z archive"},
    Magic{"Rar!\x1a\x07"sv, Packing::foreign, "a RAR archive"},
    Magic{"\x04\x22\x4d\x18"sv, Packing::foreign, "lz4 data"},
    Magic{"LZIP"sv, Packing::foreign, "lzip data"},
    Magic{"\x1f\x9d"sv, Packing::foreign, "compress (.Z) data"},
    Magic{"!<arch>\n"sv, Packing::foreign, "an ar archive"},
    Magic{"SQLite format 3\0"sv, Packing::foreign, "a SQLite database"},
    Magic{"k8s\0"sv, Packing::foreign, "Kubernetes protobuf"},
    Magic{"\x7f"
          "ELF"sv,
          Packing::foreign, "a program"},
};

/// A skippable zstd frame may come first (pzstd writes one).
bool is_skippable_zstd(std::string_view s) {
  return s.size() >= 4 && (static_cast<unsigned char>(s[0]) & 0xf0U) == 0x50U &&
         s.substr(1, 3) == "\x2a\x4d\x18"sv;
}

/// "BZh", a level, then the magic of a block or of the end.
bool is_bzip2(std::string_view s) {
  return s.size() >= 10 && s.starts_with("BZh") && s[3] >= '1' && s[3] <= '9' &&
         (s.substr(4, 6) == "\x31\x41\x59\x26\x53\x59"sv ||
          s.substr(4, 6) == "\x17\x72\x45\x38\x50\x90"sv);
}

/// The header's own sum tells even a tar of 1979; two empty blocks are a tar of nothing.
bool is_tar(std::string_view s) {
  constexpr std::size_t kBlock = 512;
  if (s.size() < kBlock) return false;
  if (s.substr(257, 5) == "ustar") return true;
  if (std::all_of(s.begin(), s.end(), [](char c) { return c == '\0'; })) return true;
  constexpr std::size_t kSum = 148;
  constexpr std::size_t kSumLength = 8;
  unsigned sum = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    sum += i >= kSum && i < kSum + kSumLength ? unsigned{' '} : static_cast<unsigned char>(s[i]);
  }
  unsigned written = 0;
  bool digits = false;
  for (const char c : s.substr(kSum, kSumLength)) {
    if (c >= '0' && c <= '7') {
      written = written * 8 + static_cast<unsigned>(c - '0');
      digits = true;
    } else if (c != ' ' && c != '\0') {
      return false;
    }
  }
  return digits && written == sum;
}

}  // namespace

Sniffed sniff(std::string_view start) {
  for (const Magic& m : kMagics) {
    if (start.starts_with(m.bytes)) return {m.packing, m.name};
  }
  if (is_skippable_zstd(start)) return {Packing::zstd, "zstd data"};
  if (is_bzip2(start)) return {Packing::bzip2, "bzip2 data"};
  if (is_tar(start)) return {Packing::tar, "a tar archive"};
  return {};
}

}  // namespace draudit
