#pragma once

#include <optional>
#include <vector>

#include "draudit/io.hpp"

namespace draudit {

/// UTF-16 with a byte order mark (a redirect of PowerShell writes it), read as UTF-8. Positions
/// that are reported of it are those of the UTF-8 text: its lines are the same.
class Utf16Source : public ByteSource {
 public:
  Utf16Source(ByteSource& inner, bool big_endian);
  /// Throws BadSource at a lone surrogate or an odd last byte.
  std::size_t read(std::span<char> into) override;

 private:
  std::optional<char16_t> unit();

  ByteSource& inner_;
  bool big_endian_;
  std::vector<char> in_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::vector<char> out_;
  std::size_t out_at_ = 0;
  std::uint64_t offset_ = 0;
};

}  // namespace draudit
