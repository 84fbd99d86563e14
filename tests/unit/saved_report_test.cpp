// A report that is saved as JSON and read back is the same report.
#include <doctest/doctest.h>

#include <filesystem>
#include <limits>

#include "draudit/report.hpp"
#include "draudit/result.hpp"
#include "support/state.hpp"
#include "support/testdata.hpp"

namespace fs = std::filesystem;
using namespace draudit;
using namespace draudit::test;

namespace {

/// All that is shown anywhere, at its longest.
std::string shown(const Report& report) {
  return json_report(report) + text_report(report, {.color = true, .all = true}) +
         text_report(report, {.quiet = true, .columns = 80});
}

Report report_of(const std::vector<std::string>& paths, MemoryIo& world) {
  Io io = world.io();
  const Snapshot s = read({.paths = paths, .digests = true}, io);
  return make_report(conclude(s, {}));
}

std::string why_refused(const std::string& text) {
  try {
    (void)read_json_report(text);
  } catch (const ReportError& e) {
    return e.what();
  }
  return "taken";
}

std::string replaced(std::string in, const std::string& what, const std::string& by) {
  const std::size_t at = in.find(what);
  REQUIRE(at != std::string::npos);
  return in.replace(at, what.size(), by);
}

Jsons story() {
  return {node("n1"), slice("n1", {"d0"}), claim_of("a/c", "d0"), pod("a/p", {"c"}),
          pod("a/q", {"c"})};
}

}  // namespace

TEST_CASE("saved report: every dump reads back to the same bytes") {
  std::size_t n = 0;
  for (const auto& entry : fs::recursive_directory_iterator(testdata() / "dumps")) {
    if (entry.path().extension() != ".json") continue;
    CAPTURE(entry.path().string());
    MemoryIo world;
    const Report report = report_of({entry.path().string()}, world);
    const Report again = read_json_report(json_report(report));
    CHECK(shown(again) == shown(report));
    CHECK(exit_status(again, FailOn::warning) == exit_status(report, FailOn::warning));
    ++n;
  }
  CHECK(n > 10);
}

TEST_CASE("saved report: what no dump has is kept too") {
  Jsons objects = story();
  // More GPUs than 64 bits hold, and digits that a double would lose.
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const char* name : {"b/x", "b/y", "b/z"}) objects.push_back(pod(name, {}, asks(kMost)));
  const Snapshot s = read_objects(objects, false);
  Result result = conclude(s, {});
  REQUIRE(result.run.findings.size() > 1);
  result.run.findings.at(0).waived = Waiver{.by = WaivedBy::suppression,
                                            .reason = "known\n\"quoted\" \\ \x01",
                                            .expires = "2027-01-31",
                                            .owner = "gpu-team"};
  result.run.findings.at(1).waived = Waiver{.by = WaivedBy::baseline};
  const Report report = make_report(result);
  CHECK(to_string(report.nodes.at(0).naive.used) == "27670116110564327423");
  CHECK(report.counts.waived == 2);
  CHECK(exit_status(report, FailOn::note) ==
        (report.counts.error + report.counts.warning + report.counts.note > 0 ? 1 : 0));
  CHECK(shown(read_json_report(json_report(report))) == shown(report));
}

TEST_CASE("saved report: a file whose name is no UTF-8 is called the same") {
  MemoryIo world;
  world.files.contents["dump-\xff.json"] = list_of(story()).dump();
  world.files.contents["broken-\xfe.json"] = "{";
  const Report report = report_of({"dump-\xff.json", "broken-\xfe.json"}, world);
  REQUIRE(report.problems.size() == 1);
  CHECK(shown(read_json_report(json_report(report))) == shown(report));
}

TEST_CASE("saved report: a finding that is waived does not fail, and is counted apart") {
  const Snapshot s = read_objects(story());
  Result result = conclude(s, {});
  REQUIRE(exit_status(make_report(result), FailOn::note) == 1);
  for (Finding& f : result.run.findings) f.waived = Waiver{.by = WaivedBy::baseline};
  const Report report = make_report(result);
  CHECK(exit_status(report, FailOn::note) == 0);
  CHECK(exit_status(result, FailOn::note) == 0);
  CHECK(report.counts.error == 0);
  CHECK(report.counts.waived == report.findings.size());
  const std::string text = text_report(report, {});
  CHECK(text.find("(in the baseline)") != std::string::npos);
  CHECK(text.find("not fail the gate: 0 by suppressions, " +
                  std::to_string(report.findings.size()) + " by the baseline") !=
        std::string::npos);
}

TEST_CASE("saved report: the ledger of a node with findings ends in its figures") {
  MemoryIo world;
  const Report report =
      report_of({(testdata() / "dumps" / "fleet-stock" / "full.json").string()}, world);
  std::size_t ledgers = 0;
  for (const Report::Node& n : report.nodes) {
    const bool affected = std::any_of(report.findings.begin(), report.findings.end(),
                                      [&](const Report::Finding& f) { return f.node == n.name; });
    REQUIRE(n.ledger.has_value() == affected);
    if (!n.ledger || n.ledger->steps.empty()) continue;
    ++ledgers;
    CHECK(n.ledger->steps.back().naive.used == n.naive.used);
    CHECK(n.ledger->steps.back().corrected.used == n.corrected.used);
  }
  CHECK(ledgers > 0);
}

TEST_CASE("saved report: what is none is refused with a reason") {
  const Snapshot s = read_objects(story());
  const std::string good = json_report(make_report(conclude(s, {})));
  REQUIRE(why_refused(good) == "taken");
  const auto has = [](const std::string& text, const std::string& words) {
    CAPTURE(why_refused(text));
    CHECK(why_refused(text).find(words) != std::string::npos);
  };
  has("", "no report");
  has("[]", "no report");
  has("nonsense", "no report");
  has(list_of(story()).dump(), "a dump is for draudit check");
  has(replaced(good, "\"name\": \"draudit\"", "\"name\": \"other\""), "no report");
  has(replaced(good, "\"schema_version\": \"1.2\"", "\"schema_version\": \"1.0\""), "1.0");
  has(replaced(good, "\"schema_version\": \"1.2\"", "\"schema_version\": \"2.0\""), "2.0");
  has(replaced(good, "\"schema_version\": \"1.2\"", "\"schema_version\": \"\""), "schema version");
  has(good + good, "something follows");
  // Brackets that do not match, which once ended the program.
  has(replaced(good, "\"inputs\": [", "\"inputs\": {"), "broken");
  has("{\"schema_version\": \"1.2\", ]", "broken");
  has("{\"schema_version\"}", "line 1, byte 17");
  has(good.substr(0, good.size() - 3), "cut off");
  has(replaced(good, "\"held\": 1", "\"held\": 1.5"), "nodes[0].held: no whole number");
  has(replaced(good, "\"held\": 1", "\"held\": " + std::string(50, '9')), "nodes[0].held");
  has(replaced(good, "\"held\": 1", "\"held\": \"1\""), "nodes[0].held");
  has(replaced(good, "\"held\": 1", "\"help\": 1"), "nodes[0].held: the field is not there");
  has(replaced(good, "\"complete\": true", "\"complete\": 1"), "complete: neither true nor false");
  has(replaced(good, "\"severity\": \"error\"", "\"severity\": \"er\\u001bror\""),
      "rules[0].severity: \"er\\x1bror\"");
  has(replaced(good, "\"duplicates\": 0", "\"duplicates\": -1"), "objects.duplicates");
  has(replaced(good, "\"inputs\": [", "\"inputs\": {\"a\": [") + "}", "inputs");
  // Later minor versions add fields.
  CHECK(why_refused(replaced(good, "\"complete\": true", "\"new\": [[{}]], \"complete\": true")) ==
        "taken");
}

TEST_CASE("saved report: cut off anywhere it is refused") {
  const Snapshot s = read_objects(story());
  const std::string good = json_report(make_report(conclude(s, {})));
  for (std::size_t n = 0; n + 2 < good.size(); n += 37) {
    CAPTURE(n);
    CHECK(why_refused(good.substr(0, n)) != "taken");
  }
}
