// Extended regular expressions of POSIX. (GCC 12 warns of what std::regex does to itself once the
// sanitizers are on.)
#pragma once

#include <regex.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace draudit::test {

class Pattern {
 public:
  explicit Pattern(const char* expression) {
    if (regcomp(&compiled_, expression, REG_EXTENDED) != 0) {
      throw std::invalid_argument(std::string{"no regular expression: "} + expression);
    }
  }
  ~Pattern() { regfree(&compiled_); }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  /// The first match and its groups; empty if there is none.
  [[nodiscard]] std::vector<std::string> find(const std::string& text) const {
    std::vector<regmatch_t> groups(compiled_.re_nsub + 1);
    if (regexec(&compiled_, text.c_str(), groups.size(), groups.data(), 0) != 0) return {};
    std::vector<std::string> out;
    for (const regmatch_t& g : groups) {
      const bool took_part = g.rm_so >= 0;
      out.push_back(took_part ? text.substr(static_cast<std::size_t>(g.rm_so),
                                            static_cast<std::size_t>(g.rm_eo - g.rm_so))
                              : std::string{});
    }
    return out;
  }

 private:
  regex_t compiled_{};
};

}  // namespace draudit::test
