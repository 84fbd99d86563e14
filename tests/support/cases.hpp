#pragma once

#include <functional>
#include <string>

/// Test cases whose names are known at run time only: one for each folder or file of testdata/.
namespace draudit::test {

/// Adds a case that doctest lists, filters and counts as any other. `file` and `line` are the
/// place that it names where the case fails.
void add_case(const char* file, unsigned line, std::string name, std::function<void()> body);

/// Calls `add` before the first test runs; what it throws fails the whole suite.
struct CasesFrom {
  explicit CasesFrom(void (*add)());
};

/// Lets a run in which nothing failed end with status 77, which Meson calls skipped.
void skip_at_the_end();

}  // namespace draudit::test
