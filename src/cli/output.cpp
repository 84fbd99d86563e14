#include "cli/output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/choose.hpp"

namespace draudit {
namespace {

Output output(const std::string& asked) {
  const std::size_t equals = std::min(asked.find('='), asked.size());
  const std::string name = asked.substr(0, equals);
  Output out;
  out.format = find_format(name);
  if (out.format == nullptr) {
    std::vector<std::string> words;
    std::string list;
    for (const Format& f : formats()) {
      words.emplace_back(f.name);
      list += fmt::format("{}{}", list.empty() ? "" : ", ", f.name);
    }
    throw UsageError(
        fmt::format("--format: \"{}\" is none of {}{}", name, list, did_you_mean(name, words)));
  }
  if (equals == asked.size()) return out;
  out.file = asked.substr(equals + 1);
  if (out.file.empty()) throw UsageError(fmt::format("--format: no file after \"{}\"", asked));
  if (out.file == "-") out.file.clear();
  return out;
}

void check_files(const Arguments& args, std::vector<Output>& all) {
  const auto to_stdout = [](const Output& o) { return o.file.empty(); };
  const auto n = std::count_if(all.begin(), all.end(), to_stdout);
  if (n > 1) {
    throw UsageError(
        fmt::format("--format: {} formats for one {}; give each but one a file: --format NAME=FILE",
                    n, args.output.empty() ? "standard output" : "file"));
  }
  if (!args.output.empty()) {
    if (n == 0) throw UsageError("--output: every --format has a file of its own");
    std::find_if(all.begin(), all.end(), to_stdout)->file = args.output;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& file = all[i].file;
    if (file.empty()) continue;
    if (std::find(args.paths.begin(), args.paths.end(), file) != args.paths.end()) {
      throw UsageError(fmt::format("{}: it is the input; a report would overwrite it", file));
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (all[k].file == file) {
        throw UsageError(fmt::format("{}: {} and {} can't both go there", file, all[k].format->name,
                                     all[i].format->name));
      }
    }
  }
}

struct OptionOfFormats {
  std::string_view flag;
  bool given;
  bool FormatTakes::*takes;
};

void check_options(const Arguments& args, const std::vector<Output>& all) {
  const OptionOfFormats options[] = {
      {"--all", args.all, &FormatTakes::all},
      {"--quiet", args.quiet, &FormatTakes::quiet},
      {"--graph", args.graph, &FormatTakes::graph},
      {"--table", !args.table.empty(), &FormatTakes::table},
      {"--sarif-anchor", !args.sarif_anchor.empty(), &FormatTakes::sarif_anchor},
  };
  for (const OptionOfFormats& o : options) {
    if (!o.given) continue;
    if (std::any_of(all.begin(), all.end(),
                    [&o](const Output& out) { return out.format->takes.*o.takes; })) {
      continue;
    }
    std::string takers;
    for (const Format& f : formats()) {
      if (f.takes.*o.takes) takers += fmt::format("{}{}", takers.empty() ? "" : ", ", f.name);
    }
    throw UsageError(fmt::format("{}: it is for --format {} alone", o.flag, takers));
  }
  if (args.all && args.quiet) throw UsageError("--all and --quiet contradict each other");
  if (args.graph && args.quiet) throw UsageError("--graph and --quiet contradict each other");
  if (args.ascii && !args.graph && args.node.empty())
    throw UsageError("--ascii: it is for the picture of --graph");
}

TableOf table_of(const Arguments& args) {
  static constexpr std::array kWords = {Choice<TableOf>{"nodes", TableOf::nodes},
                                        Choice<TableOf>{"devices", TableOf::devices},
                                        Choice<TableOf>{"findings", TableOf::findings}};
  return args.table.empty() ? TableOf::findings : choose("--table", args.table, kWords);
}

void write_file(Io& io, const std::string& file, std::string_view text) {
  try {
    io.files.write_atomically(file, text);
  } catch (const IoError& e) {
    throw IoError(fmt::format("{}: {}", file, e.what()));
  }
}

}  // namespace

std::vector<Output> outputs(const Arguments& args) {
  std::vector<Output> out;
  for (const std::string& asked : args.formats) out.push_back(output(asked));
  if (out.empty()) out.push_back({find_format("text"), {}});
  check_files(args, out);
  check_options(args, out);
  (void)table_of(args);
  return out;
}

void deliver(const Arguments& args, Io& io, const Report& report) {
  FormatOptions options;
  options.all = args.all;
  options.quiet = args.quiet;
  options.graph = args.graph;
  options.ascii = use_ascii(args, io);
  options.fail_on = fail_on_of(args);
  options.table = table_of(args);
  options.sarif_anchor = args.sarif_anchor;
  std::vector<std::pair<Output, std::string>> texts;
  for (const Output& o : outputs(args)) {
    options.color = o.format->takes.color && use_color(args, io, o.file.empty());
    texts.emplace_back(o, o.format->render(report, options));
  }
  for (const auto& [out, text] : texts) {
    if (!out.file.empty()) write_file(io, out.file, text);
  }
  for (const auto& [out, text] : texts) {
    if (out.file.empty()) io.out.write(text);
  }
}

void deliver_text(const Arguments& args, Io& io, std::string_view text) {
  if (args.output.empty()) {
    io.out.write(text);
  } else {
    write_file(io, args.output, text);
  }
}

}  // namespace draudit
