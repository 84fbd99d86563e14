// The figures of the report against those that the real scheduler computed.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/cases.hpp"
#include "support/diff.hpp"
#include "support/memory_io.hpp"
#include "support/testdata.hpp"

namespace fs = std::filesystem;

namespace draudit::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kNaive = "v0.17.0";
constexpr const char* kCorrected = "v0.17.1";

/// What was compared, so that a suite that compares nothing can't pass.
struct Tally {
  std::size_t inputs = 0;
  std::size_t nodes = 0;
};
std::map<std::string, Tally>& tallies() {
  static std::map<std::string, Tally> all;
  return all;
}

/// Node by node, the figures that are compared, as lines: a difference then shows as a line diff.
using Lines = std::map<std::string, std::string>;

std::string joined(const Lines& lines) {
  std::string out;
  for (const auto& [node, text] : lines) out += text;
  return out;
}

Json audit(const fs::path& folder, std::vector<std::string> args) {
  MemoryIo io(folder);
  args.insert(args.begin(), {"check", "--format", "json"});
  const int status = io.run(args);
  INFO("stderr: ", io.err.text);
  // With findings or without: both are a whole report.
  REQUIRE((status == 0 || status == 1));
  Json report = Json::parse(io.out.text);
  CHECK(report.at("complete") == true);
  return report;
}

/// Nodes of a report by name; a node that is there twice is an error.
std::map<std::string, Json> nodes_of(const Json& report) {
  std::map<std::string, Json> out;
  for (const Json& node : report.at("nodes")) {
    const bool is_new = out.emplace(node.at("name").get<std::string>(), node).second;
    CHECK_MESSAGE(is_new, "twice in the report: ", node.at("name").dump());
  }
  return out;
}

void expect_same(const std::string& set, const Lines& expected, const Lines& actual) {
  const std::string diff = line_diff(joined(expected), joined(actual));
  CHECK_MESSAGE(diff.empty(), "- the scheduler's figures, + ours\n", diff);
  Tally& tally = tallies()[set];
  ++tally.inputs;
  tally.nodes += actual.size();
}

// ---- golden/basic: states in which both accountings have one figure, whatever the order

Lines basic_expected(const Json& nodes) {
  Lines out;
  for (const auto& [name, f] : nodes.items()) {
    out[name] = name + " capacity " + f.at("capacity").dump() + " naive used " +
                f.at("naive").dump() + " idle " + f.at("naive_idle").dump() + " corrected used " +
                f.at("corrected").dump() + " idle " + f.at("corrected_idle").dump() + "\n";
  }
  return out;
}

Lines basic_actual(const Json& report) {
  Lines out;
  for (const auto& [name, n] : nodes_of(report)) {
    out[name] = name + " capacity " + n.at("capacity").at("value").dump();
    for (const char* side : {"naive", "corrected"}) {
      const Json& account = n.at(side);
      out[name] += std::string{" "} + side + " used " + account.at("used").dump() + " idle " +
                   account.at("idle").dump();
      // One figure, not the worst of several.
      for (const char* range : {"used_range", "idle_range"}) {
        CHECK(account.at(range).at(0) == account.at(range).at(1));
      }
    }
    out[name] += '\n';
  }
  return out;
}

void add_states(const std::string& set, const fs::path& folder) {
  const Json expected = Json::parse(slurp(folder / "expected.json"));
  const std::string now = expected.at("now");
  for (const auto& [state, nodes] : expected.at("states").items()) {
    const std::string file = state + ".json";
    add_case(__FILE__, __LINE__, set + ": state " + state,
             [set, folder, file, now, lines = basic_expected(nodes)] {
               const Json report = audit(folder, {"--complete", "--now", now, file});
               for (const auto& [name, node] : nodes_of(report)) {
                 CHECK(node.at("naive").at("kai_version") == kNaive);
                 CHECK(node.at("corrected").at("kai_version") == kCorrected);
               }
               expect_same(set, lines, basic_actual(report));
             });
  }
  for (const fs::path& file : entries(folder)) {
    const std::string stem = file.stem().string();
    if (stem != "expected" && !expected.at("states").contains(stem)) {
      throw std::runtime_error(file.string() + ": no figures in expected.json");
    }
  }
}

// ---- dumps: every figure over all orders, for both versions

Lines dump_expected(const Json& nodes) {
  Lines out;
  for (const auto& [name, n] : nodes.items()) {
    out[name] = name + " capacity " + n.at("capacity").dump() + "\n";
    for (const char* version : {kNaive, kCorrected}) {
      const Json& f = n.at(version);
      // The report's scalars are the worst case: of groups, the most.
      out[name] += "  " + name + " " + version + " used " + f.at("used").dump() + " idle " +
                   f.at("idle").dump() + " releasing " + f.at("releasing").dump() + " groups " +
                   f.at("groups").at(1).dump() + "\n";
    }
  }
  return out;
}

Lines dump_actual(const Json& report) {
  Lines out;
  for (const auto& [name, n] : nodes_of(report)) {
    out[name] = name + " capacity " + n.at("capacity").at("value").dump() + "\n";
    for (const char* side : {"naive", "corrected"}) {
      const Json& a = n.at(side);
      out[name] += "  " + name + " " + a.at("kai_version").get<std::string>() + " used " +
                   a.at("used_range").dump() + " idle " + a.at("idle_range").dump() +
                   " releasing " + a.at("releasing_range").dump() + " groups " +
                   a.at("groups").dump() + "\n";
      CHECK(a.at("used") == a.at("used_range").at(1));
      CHECK(a.at("idle") == a.at("idle_range").at(0));
      CHECK(a.at("releasing") == a.at("releasing_range").at(1));
    }
  }
  return out;
}

/// The lists of raw/: those of today's API version, or the beta ones where there are such.
std::vector<std::string> raw_lists(const fs::path& folder, bool beta) {
  const std::string suffix = "-v1beta1";
  std::vector<std::string> all;
  for (const fs::path& file : entries(folder / "raw")) all.push_back(file.stem().string());
  const auto has = [&all](const std::string& stem) {
    return std::find(all.begin(), all.end(), stem) != all.end();
  };
  std::vector<std::string> out;
  for (const std::string& stem : all) {
    if (stem.ends_with(suffix)) continue;
    out.push_back("raw/" + (beta && has(stem + suffix) ? stem + suffix : stem) + ".json");
  }
  return out;
}

void add_dump(const std::string& set, const fs::path& folder) {
  const Json expected = Json::parse(slurp(folder / "expected.json"));
  const std::string now = expected.at("now");
  const Lines lines = dump_expected(expected.at("nodes"));
  const std::string name = folder.filename().string();
  const auto add = [&](const std::string& what, std::vector<std::string> args) {
    args.insert(args.begin(), {"--now", now});
    add_case(__FILE__, __LINE__, set + ": " + name + ": " + what, [set, folder, args, lines] {
      expect_same(set, lines, dump_actual(audit(folder, args)));
    });
  };
  // A kubectl List can't show that there are no slices; the typed lists of raw/ can.
  std::vector<std::string> full = {"full.json"};
  if (name == "slices-missing-stock") full.emplace_back("--complete");
  add("full.json", full);
  if (!fs::is_directory(folder / "raw")) return;
  // A dump whose BindRequests matter: raw/ has none.
  if (name == "fractions") return;
  add("raw lists", raw_lists(folder, false));
  add("raw lists, v1beta1", raw_lists(folder, true));
}

void add_dumps(const std::string& set, const fs::path& dumps) {
  for (const fs::path& folder : entries(dumps)) {
    if (fs::exists(folder / "expected.json")) add_dump(set, folder);
  }
}

const char* const kOurs = "testdata";
const char* const kMore = "more";

void add_cases() {
  add_states(std::string{kOurs} + "/states", testdata() / "states" / "basic");
  add_dumps(std::string{kOurs} + "/dumps", testdata() / "dumps");
  if (!shared()) return;
  if (fs::exists(*shared() / "golden" / "basic" / "expected.json")) {
    add_states(std::string{kMore} + "/states", *shared() / "golden" / "basic");
  }
  add_dumps(std::string{kMore} + "/dumps", *shared() / "dumps");
}

const CasesFrom kCases(add_cases);

}  // namespace

// Below the line that adds the cases, so that it runs after them.
TEST_CASE("as much was compared as there is") {
  const auto& all = tallies();
  const auto tally = [&all](const char* set) {
    const auto it = all.find(set);
    return it == all.end() ? Tally{} : it->second;
  };
  // Counted by hand, once: a file that gets lost must not go unnoticed.
  CHECK(tally("testdata/states").inputs == 40);
  CHECK(tally("testdata/states").nodes == 120);
  CHECK(tally("testdata/dumps").inputs == 22);
  CHECK(tally("testdata/dumps").nodes == 56);
  if (tally("more/states").inputs == 0) {
    MESSAGE("DRAUDIT_SHARED is not set or has no golden/basic: only testdata/ was compared");
  } else {
    CHECK(tally("more/states").inputs == 300);
    CHECK(tally("more/states").nodes == 766);
    CHECK(tally("more/dumps").inputs == 46);
    CHECK(tally("more/dumps").nodes == 128);
  }
}

}  // namespace draudit::test
