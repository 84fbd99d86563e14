// Text, events and objects in any mixture: read in one piece or byte by byte, it is the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>

#include "draudit/input.hpp"
#include "support/memory_io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

auto read_in(const std::string& text, std::size_t chunk) {
  draudit::test::MemoryIo world;
  world.in.text = text;
  world.in.chunk = chunk;
  draudit::Io io = world.io();
  draudit::ReadOptions options;
  options.paths = {"-"};
  const draudit::Snapshot s = draudit::read(options, io);
  return std::tuple{s.pods.size(),   s.claims.size(),   s.nodes.size(),  s.slices.size(),
                    s.events.size(), s.problems.size(), s.skipped.size()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  if (read_in(text, draudit::test::kNoLimit) != read_in(text, 3)) std::abort();
  return 0;
}
