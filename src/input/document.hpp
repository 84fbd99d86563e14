#pragma once

#include <string>

#include "input/splitter.hpp"

namespace draudit {

/// Finds out what a text is, by what stands in it, and hands its objects to the sink. JSON and
/// YAML are read; of anything else it is said what it is.
void read_document(Scanner& in, ObjectSink& sink);

/// Why a file that nobody named, but that stands among others, is no dump; empty where it looks
/// like one, whole or broken. By its first 64 KiB.
[[nodiscard]] std::string why_no_dump(Scanner& in);

}  // namespace draudit
