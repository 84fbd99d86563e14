#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cli/posix_io.hpp"
#include "draudit/cli.hpp"

int main(int argc, char** argv) {
  draudit::FdSource in(STDIN_FILENO);
  draudit::FdSink out(STDOUT_FILENO);
  draudit::FdSink err(STDERR_FILENO);
  draudit::PosixFiles files;
  draudit::Io io{.in = in, .out = out, .err = err, .files = files};
  io.in_is_terminal = ::isatty(STDIN_FILENO) == 1;
  io.out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  io.err_is_terminal = ::isatty(STDERR_FILENO) == 1;
  io.env = [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string{name}.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
  return draudit::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc), io);
}
