#pragma once

#include "input/splitter.hpp"

namespace draudit {

/// Finds out what a text is, by what stands in it, and hands its objects to the sink. JSON and
/// YAML are read; of anything else it is said what it is.
void read_document(Scanner& in, ObjectSink& sink);

}  // namespace draudit
