#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "draudit/cli.hpp"
#include "report/plain.hpp"

namespace draudit {
namespace {

/// Beyond this it is no report: one of 5,000 nodes, all with findings, takes a tenth of it.
constexpr std::size_t kMostBytes = 1'000'000'000;

std::string read_file(const std::string& path, Io& io) {
  std::unique_ptr<ByteSource> file;
  if (path != "-") file = io.files.open(path);
  ByteSource& source = file ? *file : io.in;
  std::string out;
  std::vector<char> buffer(std::size_t{1} << 16);
  while (const std::size_t n = source.read(buffer)) {
    out.append(buffer.data(), n);
    if (out.size() > kMostBytes) throw ReportError("it is above 1 GB, too large for a report");
  }
  return out;
}

}  // namespace

int report_command(const Arguments& args, Io& io) {
  if (args.paths.size() > 1) throw UsageError("report shows one saved report at a time");
  const std::string path = args.paths.empty() ? "-" : args.paths.front();
  const FailOn fail_on = fail_on_of(args);
  (void)use_color(args, io, true);
  (void)outputs(args);
  Report report;
  try {
    report = read_json_report(read_file(path, io));
  } catch (const ReportError& e) {
    io.err.write(fmt::format("draudit: {}: {}\n", plain(path), e.what()));
    return kExitUnable;
  } catch (const IoError& e) {
    io.err.write(fmt::format("draudit: {}: {}\n", plain(path), e.what()));
    return kExitUnable;
  }
  // As the run did.
  for (const Report::Problem& p : report.problems) {
    io.err.write(fmt::format("draudit: {}\n", problem_line(p)));
  }
  if (report.unable) io.err.write(fmt::format("draudit: {}\n", plain(*report.unable)));
  deliver(args, io, report);
  return exit_status(report, fail_on);
}

}  // namespace draudit
