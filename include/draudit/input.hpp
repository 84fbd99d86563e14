#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "draudit/io.hpp"
#include "draudit/snapshot.hpp"

namespace draudit {

struct ReadOptions {
  std::vector<std::string> paths;  ///< "-" is stdin
  bool complete = false;           ///< kinds that are absent have no objects
  bool allow_mixed = false;        ///< objects of two clusters are no problem
  bool digests = false;            ///< compute sha256 of each file
  std::uint64_t max_object_bytes = std::uint64_t{64} << 20;
  std::uint32_t max_problems_per_file = 20;  ///< reading of a file stops there, and says so
};

/// Reads every path into one snapshot. Never throws for what a file holds: whatever can't be read
/// is a Problem, and the rest is still there.
[[nodiscard]] Snapshot read(const ReadOptions& options, Io& io);

}  // namespace draudit
