#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "draudit/report.hpp"

/// What the formats for CI share: places as paths, and what they say beside findings.
namespace draudit {

/// A file as a path inside a repository: no root, no "..", "stdin.json" for a pipe. Sanitised.
[[nodiscard]] std::string repository_path(std::string_view file);
/// The same as a relative URI.
[[nodiscard]] std::string repository_uri(std::string_view file);

/// Where a finding is shown: its subject, else the first object with a place, else the first line
/// of the first file.
[[nodiscard]] Report::Place place_of(const Report& report, const Report::Finding& finding);
[[nodiscard]] Report::Place place_of(const Report& report, const Report::Problem& problem);

/// Message and mending, and why it is not certain or does not count; sanitised.
[[nodiscard]] std::string message_of(const Report::Finding& finding);

/// At most so many bytes, cut between characters and marked "…".
[[nodiscard]] std::string shortened(std::string text, std::size_t bytes);

/// Text in an element or an attribute of XML.
[[nodiscard]] std::string xml(std::string_view text);

}  // namespace draudit
