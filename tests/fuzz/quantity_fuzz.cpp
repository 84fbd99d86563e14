// Whole units of a quantity are less than one off it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "draudit/quantity.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto q = draudit::Quantity::parse(text);
  if (!q) return 0;
  const draudit::Int128 off = draudit::Quantity::of(q->value()).nano() - q->nano();
  constexpr draudit::Int128 kUnit = 1'000'000'000;
  if (off <= -kUnit || off >= kUnit) std::abort();
  return 0;
}
