#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "draudit/report_model.hpp"

namespace draudit {

/// One node as boxes: what the page draws and what a terminal shows, without sizes or colours.
struct Picture {
  enum class What : std::uint8_t {
    device,    ///< given out by a claim
    plugin,    ///< given out by a device plugin, which does not say which it is
    fraction,  ///< shared by fractions
    free,
    ghost  ///< counted on top of what is there
  };
  struct Pod {
    std::string name;
    std::size_t mark = 0;  ///< number of the ghost that it was counted again as; 0: none
  };
  /// A claim's bracket over one box; neighbours of the same claim are one bracket.
  struct Piece {
    std::string claim;
    bool starts = true;
    bool ends = true;
  };
  struct Box {
    What what = What::device;
    std::string name;       ///< device; of a ghost the device that was counted again, or empty
    bool published = true;  ///< false: held, but in no slice that was read
    std::vector<Piece> claims;
    std::vector<Pod> pods;
    std::string why;       ///< of a ghost: the cause
    std::size_t mark = 0;  ///< of a ghost: its number, from 1
  };
  struct Bar {
    std::string_view label;
    std::optional<Range> value;  ///< GPUs
    bool likely = false;
  };

  std::vector<Box> boxes;   ///< hardware: what is held, then what is free
  std::vector<Box> ghosts;  ///< as KAI without the fix counts
  Gpus boxes_left_out = 0;
  Gpus ghosts_left_out = 0;
  std::array<Bar, 4> bars;  ///< capacity, naive, corrected, held
  Gpus scale = 1;           ///< that all bars are drawn on, above 0
};

/// ResourceSlices were read, or the input says that there is none.
[[nodiscard]] bool slices_known(const Report& report);

/// `with_slices`: ResourceSlices were read, so that a device in none of them is unpublished.
/// At most 128 boxes and as many ghosts; the rest are counted.
[[nodiscard]] Picture picture_of(const Report::Node& node, bool with_slices);

[[nodiscard]] std::string_view to_string(Picture::What what);

/// The picture in characters, each line ending in a newline and no wider than 100 columns.
[[nodiscard]] std::string picture_text(const Picture& picture, bool ascii);

}  // namespace draudit
