#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "input/scanner.hpp"

/// Text around objects: what a tool said on the same stream, logs, tables for people.
namespace draudit {

struct Prose {
  std::uint64_t lines = 0;
  std::uint64_t bytes = 0;
  std::string said;  ///< the first line that reads like an error of kubectl
};

/// A line that kubectl or a client library writes to stderr, or the head of a container's log in
/// the output of `kubectl cluster-info dump`.
[[nodiscard]] bool is_tool_prose(std::string_view line);

/// Steps over one line of text, or over a whole log with its head and foot. False: the input ends
/// within that log.
bool skip_prose(Scanner& in, std::string_view line, Prose& into);

/// Text that holds objects, or what else it is.
enum class Shape : std::uint8_t { empty, json, yaml, table, names, text };
/// By the start of the input, without a byte order mark.
[[nodiscard]] Shape shape_of(std::string_view start);

/// A JSON object or list may begin here: '{', or '[' with a value or its end behind it.
[[nodiscard]] bool begins_json(std::string_view text);

/// What to do instead, of a text that holds no object; empty where there is no better advice.
[[nodiscard]] std::string_view advice_on(Shape shape);

}  // namespace draudit
