#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "input/place.hpp"

namespace draudit {

/// What makes a text no YAML that draudit reads; where in the input.
struct YamlError {
  Position at;
  std::string message;
  std::string advice;
};

/// Turns one YAML document into the JSON text that kubectl would have written instead.
///
/// Scalars are those of YAML 1.2's core schema: `no` and `on` are text, `0o14` is 12. Anchors,
/// aliases, tags and merge keys are refused: kubectl writes none, and they can make a few bytes
/// stand for gigabytes.
class YamlToJson {
 public:
  /// `text` begins at the start of a line, at `at` in the input; `quoted_dash` blanks the dash of a
  /// list's item before it is read. Throws YamlError.
  void convert(std::string_view text, const Position& at, bool item);

  /// Of the last document; at least simdjson's padding is readable behind it.
  [[nodiscard]] std::string_view json() const { return json_; }
  [[nodiscard]] const std::vector<TextMark>& marks() const { return marks_; }
  /// The document is a map that has a key which only lists, snapshots or events have.
  [[nodiscard]] bool may_be_envelope() const { return may_be_envelope_; }

 private:
  class Handler;
  std::string text_;
  std::string json_;
  std::vector<TextMark> marks_;
  bool may_be_envelope_ = false;
};

/// A plain scalar as a JSON value: null, true, a number, or the text in quotes.
[[nodiscard]] std::string json_of_plain_scalar(std::string_view text);

}  // namespace draudit
