// A saved report, whole or broken: it is read and comes out as the same text, or it is refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "draudit/report.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string once;
  try {
    once = draudit::json_report(draudit::read_json_report(std::string(data, data + size)));
  } catch (const std::runtime_error&) {
    return 0;
  }
  if (draudit::json_report(draudit::read_json_report(once)) != once) std::abort();
  return 0;
}
