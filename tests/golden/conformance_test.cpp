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

// ---- golden/fit: whether each pending pod fits on each node, and KAI's words where it does not

Json why(const fs::path& folder, std::vector<std::string> args) {
  MemoryIo io(folder);
  args.insert(args.begin(), {"why", "--all", "--format", "json"});
  INFO("stderr: ", io.err.text);
  REQUIRE(io.run(args) == 0);
  return Json::parse(io.out.text);
}

/// Recorded sessions of the scheduler did not come across every order of adding pods: each outcome
/// they saw must be one of ours, and ours must be theirs where it is the only one.
bool same_outcomes(const Json& theirs, const Json& ours) {
  if (theirs.empty() || ours.size() < theirs.size()) return false;
  return std::all_of(theirs.begin(), theirs.end(), [&ours](const Json& o) {
    return std::find(ours.begin(), ours.end(), o) != ours.end();
  });
}

struct FitTally {
  std::size_t states = 0;
  std::size_t pairs = 0;   ///< of a pod and a node, in both versions
  std::size_t unseen = 0;  ///< with an outcome that no session came across
};
FitTally& fit_tally(const std::string& set) {
  static std::map<std::string, FitTally> all;
  return all[set];
}

void compare_fit(const std::string& set, const Json& expected, const Json& report) {
  std::map<std::string, std::map<std::string, Json>> ours;
  for (const Json& pod : report.at("pods")) {
    for (const Json& node : pod.at("nodes")) {
      ours[pod.at("namespace").get<std::string>() + "/" + pod.at("name").get<std::string>()]
          [node.at("name").get<std::string>()] = node.at("versions");
    }
  }
  FitTally& tally = fit_tally(set);
  ++tally.states;
  for (const char* version : {kNaive, kCorrected}) {
    // By name and value: clang 14 takes no structured binding into the lambda of a CHECK_MESSAGE.
    for (const auto& of_pod : expected.at(version).items()) {
      const std::string pod = of_pod.key();
      const Json& nodes = of_pod.value();
      REQUIRE(ours[pod].size() == nodes.size());
      for (const auto& on_node : nodes.items()) {
        const std::string node = on_node.key();
        const Json& outcomes = on_node.value();
        const Json& have = ours[pod].at(node).at(version);
        CHECK_MESSAGE(same_outcomes(outcomes, have), version, " ", pod, " on ", node,
                      "\n- the scheduler: ", outcomes.dump(), "\n+ ours: ", have.dump());
        ++tally.pairs;
        if (have.size() > outcomes.size()) ++tally.unseen;
      }
    }
  }
}

void add_fit(const std::string& set, const fs::path& folder) {
  const Json expected = Json::parse(slurp(folder / "expected.json"));
  const std::string now = expected.at("now");
  for (const auto& [state, versions] : expected.at("states").items()) {
    const std::string file = state + ".json";
    add_case(__FILE__, __LINE__, set + ": fit " + state,
             [set, folder, file, now, versions = Json(versions)] {
               compare_fit(set, versions, why(folder, {"--complete", "--now", now, file}));
             });
  }
}

// ---- dumps: the pods that wait there, and the scheduler's own message

/// The verdict that the dump's expected.json puts first, in our words.
std::string verdict_of(const std::string& told) {
  if (told.starts_with("already placed")) return "binding";
  if (told.starts_with("not refused: pipelined")) return "pipelined";
  return told.starts_with("blocked") ? "blocked" : "?";
}

std::size_t& waiting_pods(const std::string& set) {
  static std::map<std::string, std::size_t> all;
  return all[set];
}

void add_waiting(const std::string& set, const fs::path& folder) {
  const Json expected = Json::parse(slurp(folder / "expected.json"));
  const std::string now = expected.at("now");
  add_case(
      __FILE__, __LINE__, set + ": pods that wait in " + folder.filename().string(),
      [set, folder, now, pending = expected.at("pending")] {
        std::string last;
        std::map<std::string, std::string> verdicts;
        for (const auto& [pod, told] : pending.items()) {
          if (told != "the same") last = verdict_of(told);
          verdicts[pod] = last;
        }
        const Json report = why(folder, {"--complete", "--now", now, "full.json"});
        for (const Json& pod : report.at("pods")) {
          const std::string name =
              pod.at("namespace").get<std::string>() + "/" + pod.at("name").get<std::string>();
          INFO(name);
          std::string want;
          for (const auto& [pattern, verdict] : verdicts) {
            const bool all = pattern.ends_with('*');
            if (all ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern) {
              want = verdict;
            }
          }
          CHECK(pod.at("verdict") == want);
          // A pod that is not refused gets no condition.
          CHECK(pod.at("confirmation") == (want == "blocked" ? "confirmed" : "no message"));
          ++waiting_pods(set);
        }
        CHECK(report.at("pods").size() >= verdicts.size());
      });
}

void add_dumps(const std::string& set, const fs::path& dumps) {
  for (const fs::path& folder : entries(dumps)) {
    if (!fs::exists(folder / "expected.json")) continue;
    add_dump(set, folder);
    add_waiting(set, folder);
  }
}

const char* const kOurs = "testdata";
const char* const kMore = "more";

void add_cases() {
  add_states(std::string{kOurs} + "/states", testdata() / "states" / "basic");
  add_dumps(std::string{kOurs} + "/dumps", testdata() / "dumps");
  add_fit(kOurs, testdata() / "states" / "fit");
  if (!shared()) return;
  if (fs::exists(*shared() / "golden" / "fit" / "expected.json")) {
    add_fit(kMore, *shared() / "golden" / "fit");
  }
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
  CHECK(fit_tally(kOurs).states == 40);
  CHECK(fit_tally(kOurs).pairs == 1100);
  CHECK(waiting_pods("testdata/dumps") == 6);
  if (tally("more/states").inputs == 0) {
    MESSAGE("DRAUDIT_SHARED is not set or has no golden/basic: only testdata/ was compared");
  } else {
    CHECK(tally("more/states").inputs == 300);
    CHECK(tally("more/states").nodes == 766);
    CHECK(tally("more/dumps").inputs == 46);
    CHECK(tally("more/dumps").nodes == 128);
    CHECK(fit_tally(kMore).states == 250);
    CHECK(fit_tally(kMore).pairs == 6384);
    CHECK(fit_tally(kMore).unseen < 20);
    CHECK(waiting_pods("more/dumps") == 15);
  }
}

}  // namespace draudit::test
