#include "input/source/limits.hpp"

#include <fmt/core.h>

namespace draudit {
namespace {

/// Below this, a high ratio is harmless: a folder of empty lists packs very well.
constexpr std::uint64_t kFloor = std::uint64_t{64} << 20;

}  // namespace

void Budget::unpacked(std::uint64_t bytes) {
  unpacked_ += bytes;
  if (unpacked_ > limits_.bytes) {
    throw BadSource(fmt::format("it unpacks to more than {} bytes", limits_.bytes),
                    "if that is what it should hold, raise --max-bytes");
  }
  if (unpacked_ > kFloor && unpacked_ / limits_.ratio > outside_) {
    throw BadSource(
        fmt::format("it unpacks to more than {} times its size: no dump does that", limits_.ratio),
        "if it is to be trusted all the same, raise --max-ratio");
  }
}

void Budget::member() {
  if (++members_ > limits_.members) {
    throw BadSource(fmt::format("it holds more than {} files", limits_.members),
                    "name the part that matters, or raise --max-members");
  }
}

void Budget::depth(std::uint32_t layers) const {
  if (layers > limits_.depth) {
    throw BadSource(
        fmt::format("it is packed more than {} times over, one in another", limits_.depth),
        "unpack it first, or raise --max-depth");
  }
}

}  // namespace draudit
