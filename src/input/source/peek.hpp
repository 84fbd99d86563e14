#pragma once

#include <exception>
#include <string_view>
#include <vector>

#include "draudit/io.hpp"

namespace draudit {

/// A source whose first bytes can be looked at before it is read.
class PeekSource : public ByteSource {
 public:
  explicit PeekSource(ByteSource& inner) : inner_(inner) {}
  /// The next `n` bytes, fewer where there are no more or reading fails, which the read that comes
  /// to it then tells. They stay to be read.
  std::string_view peek(std::size_t n);
  std::size_t read(std::span<char> into) override;

 private:
  ByteSource& inner_;
  std::vector<char> ahead_;
  std::size_t done_ = 0;
  std::exception_ptr failure_;
};

}  // namespace draudit
