#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "draudit/io.hpp"
#include "draudit/snapshot.hpp"

namespace draudit {

/// How much one input may be: what goes over a limit is a Problem that names the flag.
struct InputLimits {
  std::uint64_t bytes = std::uint64_t{64} << 30;  ///< unpacked, all layers together
  std::uint64_t ratio = 250;           ///< unpacked to packed, from 64 MiB on; JSON reaches 100
  std::uint64_t members = 100'000;     ///< of an archive, files of a folder
  std::uint32_t depth = 4;             ///< packed in packed
  std::uint64_t objects = 20'000'000;  ///< of one file, YAML documents and JSON values alike
  std::uint64_t object_bytes = std::uint64_t{64} << 20;  ///< of one object
};

struct ReadOptions {
  std::vector<std::string> paths;  ///< files and folders; "-" is stdin
  bool complete = false;           ///< kinds that are absent have no objects
  bool allow_mixed = false;        ///< objects of two clusters are no problem
  bool digests = false;            ///< compute sha256 of each file
  InputLimits limits;
  std::uint32_t max_problems_per_file = 20;  ///< reading of a file stops there, and says so
};

/// Reads every path into one snapshot. Never throws for what a file holds: whatever can't be read
/// is a Problem, and the rest is still there.
[[nodiscard]] Snapshot read(const ReadOptions& options, Io& io);

}  // namespace draudit
