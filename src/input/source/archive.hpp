#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "input/source/limits.hpp"
#include "input/source/sniff.hpp"

namespace draudit {

enum class MemberType : std::uint8_t { file, directory, link, other };

struct Member {
  std::string path;  ///< as the archive has it, bytes of any kind
  MemberType type = MemberType::file;
};

/// The members of a tar or ZIP archive, as a stream, in their order.
class Archive {
 public:
  Archive(Packing packing, ByteSource& packed, Budget& budget);
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  ~Archive();

  /// Steps to the next member; false at the end. Throws BadSource.
  bool next(Member& member);
  /// Bytes of the member that `next` stepped to, until the next call of it.
  [[nodiscard]] ByteSource& content();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// xz data, which libarchive unpacks; `what` is for messages.
[[nodiscard]] std::unique_ptr<ByteSource> unfilter(ByteSource& packed, Budget& budget,
                                                   std::string_view what);

}  // namespace draudit
