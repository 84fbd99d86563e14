#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace draudit::test {

[[nodiscard]] inline std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

/// The folder testdata/ of the source tree; Meson passes it on.
[[nodiscard]] inline std::filesystem::path testdata() {
  const std::optional<std::string> path = environment("DRAUDIT_TESTDATA");
  if (!path) throw std::runtime_error("DRAUDIT_TESTDATA is not set: run the tests with tools/test");
  return *path;
}

/// An optional folder with more states and dumps.
[[nodiscard]] inline std::optional<std::filesystem::path> shared() {
  if (const std::optional<std::string> path = environment("DRAUDIT_SHARED")) return *path;
  return std::nullopt;
}

[[nodiscard]] inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path)) {
    throw std::runtime_error(path.string() + ": can't be read");
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What lies in a folder, by name; nothing where there is no such folder.
[[nodiscard]] inline std::vector<std::filesystem::path> entries(const std::filesystem::path& in) {
  std::vector<std::filesystem::path> out;
  if (!std::filesystem::is_directory(in)) return out;
  for (const auto& entry : std::filesystem::directory_iterator(in)) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace draudit::test
