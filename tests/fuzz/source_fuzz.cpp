// Archives, compressed data and UTF-16, whole and broken: read in one piece or in scraps, it is the
// same, and within small limits.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>

#include "read_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

auto read_in(const std::string& bytes, std::size_t chunk) {
  const draudit::Snapshot s =
      read_bytes(bytes, chunk, {.bytes = 4U << 20U, .members = 100, .depth = 3, .objects = 1000});
  return std::tuple{s.pods.size(),  s.claims.size(),    s.nodes.size(),
                    s.files.size(), s.problems.empty(), s.skipped_files.size()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  if (read_in(bytes, draudit::test::kNoLimit) != read_in(bytes, 7)) std::abort();
  return 0;
}
