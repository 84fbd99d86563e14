// Text, events and objects in any mixture: read in one piece or byte by byte, it is the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>

#include "read_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

auto read_in(const std::string& text, std::size_t chunk) {
  const draudit::Snapshot s = read_bytes(text, chunk);
  return std::tuple{s.pods.size(),   s.claims.size(),   s.nodes.size(),  s.slices.size(),
                    s.events.size(), s.problems.size(), s.skipped.size()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  if (read_in(text, draudit::test::kNoLimit) != read_in(text, 3)) std::abort();
  return 0;
}
