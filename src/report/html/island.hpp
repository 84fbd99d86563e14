#pragma once

#include <string>
#include <string_view>

#include "draudit/report.hpp"
#include "report/html/markup.hpp"

/// The JSON report inside the page.
namespace draudit::html {

/// A `<template>` that no browser shows or runs. ASCII only, and `<`, `>` and `&` are JSON escapes,
/// so that no text in it can end it. From 200 kB on it is packed (zstd, base64); nothing where even
/// that is above `most` bytes.
[[nodiscard]] Html island(const Report& report, std::size_t most);

[[nodiscard]] bool is_page(std::string_view text);
/// The JSON out of a page. Throws ReportError where the page holds none.
[[nodiscard]] std::string json_of_page(std::string_view page);

}  // namespace draudit::html
