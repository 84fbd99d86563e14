#pragma once

#include <cstdint>
#include <string>

#include "draudit/input.hpp"
#include "draudit/io.hpp"

namespace draudit {

/// What stands in the bytes themselves makes reading on impossible: they are cut off, broken, or
/// more than a limit allows. `what()` says which, `advice` what to do.
class BadSource : public IoError {
 public:
  explicit BadSource(const std::string& message, std::string what_to_do = {})
      : IoError(message), advice(std::move(what_to_do)) {}
  std::string advice;
};

/// How much one input may unfold to, all its layers together. Every layer that unpacks reports
/// here what it yields before anybody looks at it.
class Budget {
 public:
  explicit Budget(const InputLimits& limits) : limits_(limits) {}

  /// Bytes that came from outside.
  void took(std::uint64_t bytes) { outside_ += bytes; }
  /// Bytes that a layer unpacked. Throws BadSource over a limit.
  void unpacked(std::uint64_t bytes);
  /// One more member of an archive or file of a folder. Throws BadSource over the limit.
  void member();
  /// Throws BadSource where layers are nested deeper than allowed; 1 is the first layer.
  void depth(std::uint32_t layers) const;

 private:
  const InputLimits& limits_;
  std::uint64_t outside_ = 0;
  std::uint64_t unpacked_ = 0;
  std::uint64_t members_ = 0;
};

}  // namespace draudit
