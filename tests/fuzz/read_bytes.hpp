#pragma once

#include <string>

#include "draudit/input.hpp"
#include "support/memory_io.hpp"

/// What standard input is read as when each read yields so many bytes at most.
inline draudit::Snapshot read_bytes(const std::string& bytes, std::size_t chunk,
                                    const draudit::InputLimits& limits = {}) {
  draudit::test::MemoryIo world;
  world.in.text = bytes;
  world.in.chunk = chunk;
  draudit::Io io = world.io();
  draudit::ReadOptions options;
  options.paths = {"-"};
  options.limits = limits;
  return draudit::read(options, io);
}
