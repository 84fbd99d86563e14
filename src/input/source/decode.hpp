#pragma once

#include <memory>

#include "input/source/limits.hpp"
#include "input/source/sniff.hpp"

namespace draudit {

/// Unpacks gzip, zstd, xz or bzip2, all members or frames of it; null for any other packing.
/// What it yields is counted in the budget. Reading throws BadSource where the data is broken, cut
/// off, or followed by something else: what came before has been yielded by then.
[[nodiscard]] std::unique_ptr<ByteSource> decode(Packing packing, ByteSource& packed,
                                                 Budget& budget);

}  // namespace draudit
