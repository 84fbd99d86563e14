// Archives, compressed data and UTF-16, whole and broken: read in one piece or in scraps, it is the
// same, and within small limits.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>

#include "draudit/input.hpp"
#include "support/memory_io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

auto read_in(const std::string& bytes, std::size_t chunk) {
  draudit::test::MemoryIo world;
  world.in.text = bytes;
  world.in.chunk = chunk;
  draudit::Io io = world.io();
  draudit::ReadOptions options;
  options.paths = {"-"};
  options.limits = {.bytes = 4U << 20U, .members = 100, .depth = 3, .objects = 1000};
  const draudit::Snapshot s = draudit::read(options, io);
  return std::tuple{s.pods.size(),  s.claims.size(),    s.nodes.size(),
                    s.files.size(), s.problems.empty(), s.skipped_files.size()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  if (read_in(bytes, draudit::test::kNoLimit) != read_in(bytes, 7)) std::abort();
  return 0;
}
