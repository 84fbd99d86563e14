#pragma once

#include <string>
#include <utility>
#include <vector>

/// Packs, for tests of unpacking.
namespace draudit::test {

/// "gzip", "zstd", "xz", "bzip2": by libarchive; "utf-16le", "utf-16be", "utf-8-bom", "crlf": text;
/// "plain": as it is.
[[nodiscard]] std::string packed(const std::string& how, const std::string& text);

using Members = std::vector<std::pair<std::string, std::string>>;
/// "tar" or "zip" of files, by path and content.
[[nodiscard]] std::string archive(const std::string& how, const Members& members);

}  // namespace draudit::test
