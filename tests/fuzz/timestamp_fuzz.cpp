// A time that is read and written out is read as the same second.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "draudit/timestamp.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto time = draudit::parse_timestamp(text);
  if (!time) return 0;
  const auto again = draudit::parse_timestamp(draudit::to_string(*time));
  constexpr std::int64_t kSecond = 1'000'000'000;
  // An offset may lead out of the years that are read.
  if (again && again->nanoseconds / kSecond != time->nanoseconds / kSecond) std::abort();
  return 0;
}
