#include <fmt/format.h>

#include "cli/commands.hpp"
#include "report/plain.hpp"

namespace draudit {
namespace {

Snapshot read_all(const Arguments& args, Io& io) {
  Arguments with_stdin = args;
  if (with_stdin.paths.empty()) with_stdin.paths.emplace_back("-");
  return read(read_options(with_stdin), io);
}

Result tuned(Result result, const Arguments& args) {
  apply(args.tuning, result);
  return result;
}

}  // namespace

Session::Session(const Arguments& args, Io& io)
    : snapshot_(read_all(args, io)),
      result_(tuned(conclude(snapshot_, audit_options(args)), args)),
      report_(make_report(result_)) {
  for (const auto& [name, gpus] : result_.audit.options.capacity) {
    if (snapshot_.node(name) != nullptr) continue;
    std::vector<std::string> names;
    for (const Node& n : snapshot_.nodes) names.emplace_back(n.meta.name);
    throw UsageError(fmt::format("{}: no node {} in the input{}", named(args, "capacity"),
                                 plain(name), did_you_mean(name, names)));
  }
  for (const Report::Problem& p : report_.problems) {
    io.err.write(fmt::format("draudit: {}\n", problem_line(p)));
  }
  if (!result_.completeness.pods_of_one_namespace.empty()) {
    io.err.write(fmt::format("draudit: {}\n", plain(result_.completeness.gaps.front())));
  }
  if (!result_.unable.empty()) io.err.write(fmt::format("draudit: {}\n", result_.unable));
}

}  // namespace draudit
