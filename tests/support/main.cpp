// The main function of every suite.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/cases.hpp"

namespace draudit::test {
namespace {

constexpr int kSkipped = 77;

// Filled before main(), so made on first use.
std::vector<void (*)()>& sources() {
  static std::vector<void (*)()> all;
  return all;
}

std::map<std::string, std::function<void()>, std::less<>>& bodies() {
  static std::map<std::string, std::function<void()>, std::less<>> all;
  return all;
}

bool& skipping() {
  static bool skip = false;
  return skip;
}

/// doctest knows functions without arguments only: the name tells which case is meant.
void run_current_case() { bodies().at(doctest::getContextOptions()->currentTest->m_name)(); }

}  // namespace

void add_case(const char* file, unsigned line, std::string name, std::function<void()> body) {
  static doctest::detail::TestSuite suite = doctest::detail::TestSuite{} * "";
  const auto [it, is_new] = bodies().emplace(std::move(name), std::move(body));
  if (!is_new) throw std::logic_error("two test cases are called " + it->first);
  doctest::detail::TestCase added(run_current_case, file, line, suite);
  added * it->first.c_str();
  // Keeps the cases of one line in the order in which they came; doctest then wants the name there.
  added.m_template_id = static_cast<int>(bodies().size());
  added.m_full_name = it->first.c_str();
  doctest::detail::regTest(added);
}

CasesFrom::CasesFrom(void (*add)()) { sources().push_back(add); }

void skip_at_the_end() { skipping() = true; }

}  // namespace draudit::test

int main(int argc, char** argv) {
  try {
    for (void (*add)() : draudit::test::sources()) add();
    doctest::Context context(argc, argv);
    const int status = context.run();
    if (context.shouldExit() || status != 0) return status;
    return draudit::test::skipping() ? draudit::test::kSkipped : 0;
  } catch (const std::exception& e) {
    std::cerr << "no test was run: " << e.what() << '\n';
    return EXIT_FAILURE;
  }
}
