// Settings, suppressions and the baseline: through the whole tool, with files in memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "draudit/cli.hpp"
#include "draudit/config.hpp"
#include "support/memory_io.hpp"
#include "support/testdata.hpp"

namespace draudit {
namespace {

const std::string kState = "cases/acc001-over-counted-node/state.json";

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
  std::map<std::string, std::string> written;
};

struct Setup {
  std::map<std::string, std::string> files;
  std::map<std::string, std::string, std::less<>> env;
};

Outcome run_tool(const Setup& setup, const std::vector<std::string>& args) {
  test::MemoryIo world(test::testdata());
  world.files.contents = setup.files;
  world.env = setup.env;
  Outcome out;
  out.status = world.run(args);
  out.out = world.out.text;
  out.err = world.err.text;
  out.written = world.files.written;
  return out;
}

Outcome check_with(const Setup& setup, std::vector<std::string> more = {},
                   const std::string& now = "2026-12-01T00:00:00Z") {
  std::vector<std::string> args = {"check", "--complete", "--now", now, kState};
  args.insert(args.end(), more.begin(), more.end());
  return run_tool(setup, args);
}

bool says(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

Setup with_config(const std::string& text) { return {{{".draudit.yaml", text}}, {}}; }

const std::string kSuppression = "suppressions:\n- rule: over-counted-node\n  node: at*\n  reason: "
                                 "known\n  expires: 2026-12-01\n";

}  // namespace

TEST_CASE("a suppression holds through its last day and not a moment longer") {
  const Setup setup = with_config(kSuppression);
  const Outcome last = check_with(setup, {}, "2026-12-01T23:59:59Z");
  CHECK(last.status == 0);
  CHECK(says(last.out, "suppressed: known, until 2026-12-01"));
  CHECK(says(last.out, "settings"));
  CHECK(says(last.out, ".draudit.yaml"));
  const Outcome over = check_with(setup, {"--format", "json"}, "2026-12-02T00:00:00Z");
  CHECK(over.status == 1);
  CHECK(says(over.out, "has expired, 2026-12-01: 1 finding counts again"));
  CHECK(!says(over.out, "suppressed: known"));
}

TEST_CASE("a suppression of what is not there is unused, of what can't be looked for unchecked") {
  const std::string none = "suppressions:\n- rule: over-counted-node\n  node: other\n  reason: x\n "
                           " expires: 2030-01-01\n";
  CHECK(says(check_with(with_config(none)).out, "(.draudit.yaml:2) is unused; remove it"));
  CHECK(says(check_with(with_config(none + "rules:\n  ACC001: off\n")).out, "is not checked"));
  CHECK(!says(check_with(with_config(none + "rules:\n  ACC001: off\n")).out, "unused"));
}

TEST_CASE("suppressions from a file of their own") {
  Setup setup{{{"s.yaml", kSuppression}}, {}};
  CHECK(check_with(setup).status == 1);
  CHECK(check_with(setup, {"--suppressions", "s.yaml"}).status == 0);
  setup.env["DRAUDIT_SUPPRESSIONS_FILE"] = "s.yaml";
  CHECK(check_with(setup).status == 0);
  setup.files["s.yaml"] += "fail-on: note\n";
  const Outcome wrong = check_with(setup);
  CHECK(wrong.status == 2);
  CHECK(says(wrong.err, "s.yaml:6: fail-on: an unknown key"));
}

TEST_CASE("flag before environment before file before default") {
  Setup setup;
  CHECK(says(run_tool(setup, {"config"}).out, "error                     default"));
  setup.files[".draudit.yaml"] = "fail-on: never\n";
  CHECK(check_with(setup).status == 0);
  CHECK(says(run_tool(setup, {"config"}).out, ".draudit.yaml:1"));
  setup.env["DRAUDIT_FAIL_ON"] = "error";
  CHECK(check_with(setup).status == 1);
  CHECK(says(run_tool(setup, {"config"}).out, "DRAUDIT_FAIL_ON"));
  CHECK(check_with(setup, {"--fail-on", "never"}).status == 0);
  CHECK(says(run_tool(setup, {"config", "--fail-on", "note"}).out, "--fail-on"));
}

TEST_CASE("the configuration is found up to the root of the repository, and no further") {
  Setup setup{{{"../.draudit.yaml", "fail-on: never\n"}}, {}};
  SUBCASE("in a repository") {
    setup.files["../.git"] = "";
    CHECK(check_with(setup).status == 0);
  }
  SUBCASE("above it") {
    setup.files[".git"] = "";
    CHECK(check_with(setup).status == 1);
  }
  SUBCASE("the nearest one") {
    setup.files["../.git"] = "";
    setup.files[".draudit.yaml"] = "fail-on: error\n";
    CHECK(check_with(setup).status == 1);
  }
  SUBCASE("or the one that is named") {
    setup.files[".git"] = "";
    setup.files["x.yaml"] = "fail-on: never\n";
    CHECK(check_with(setup, {"--config", "x.yaml"}).status == 0);
    setup.env["DRAUDIT_CONFIG"] = "x.yaml";
    CHECK(check_with(setup).status == 0);
    CHECK(check_with(setup, {"--config", "gone.yaml"}).status == 2);
  }
}

TEST_CASE("severity by rule, and off") {
  const Outcome mild = check_with(with_config("rules:\n  over-counted-node: warning\n"));
  CHECK(mild.status == 0);
  CHECK(says(mild.out, "warning[over-counted-node]"));
  const Outcome off = check_with(with_config("rules: {ACC001: off}"));
  CHECK(off.status == 0);
  CHECK(!says(off.out, "[over-counted-node]"));
  CHECK(says(off.out, "over-counted-node: it is off (.draudit.yaml:1), 1 finding not shown"));
}

TEST_CASE("findings that are not sure enough are counted, not shown") {
  // Without slices the capacity is likely at best.
  std::vector<std::string> args = {"check", "--format", "json", "dumps/fleet-stock/dump.json"};
  const Setup none;
  CHECK(says(run_tool(none, args).out, "\"certainty\": \"likely\",\n      \"why"));
  args.insert(args.end(), {"--min-certainty", "certain"});
  const Outcome sure = run_tool(none, args);
  CHECK(!says(sure.out, "\"certainty\": \"likely\",\n      \"why"));
  CHECK(says(sure.out, "less than certain and not shown (min-certainty)"));
  CHECK(run_tool(none, {"check", "--min-certainty", "sure", kState}).status == 2);
}

TEST_CASE("a baseline keeps what was known from the gate") {
  Setup setup;
  const Outcome made = run_tool(setup, {"baseline", "write", "known.json", "--complete", "--now",
                                        "2026-12-01T00:00:00Z", kState});
  CHECK(made.status == 0);
  REQUIRE(made.written.contains("known.json"));
  setup.files["known.json"] = made.written.at("known.json");
  const Outcome known = check_with(setup, {"--baseline", "known.json"});
  CHECK(known.status == 0);
  CHECK(says(known.out, "in the baseline"));

  // A line that nobody finds again is gone; one that is missing is new.
  const Baseline all = parse_baseline(setup.files["known.json"], "known.json");
  REQUIRE(all.size() > 1);
  CHECK(all.front().rule == "ACC001");
  Baseline other = all;
  other.front().fingerprint = std::string(32, '0');
  other.front().subject = "elsewhere";
  setup.files["known.json"] = baseline_text(other);
  const Outcome changed = check_with(setup, {"--baseline", "known.json"});
  CHECK(changed.status == 1);
  CHECK(says(changed.out, "over-counted-node elsewhere is gone"));
  const Outcome updated = run_tool(setup, {"baseline", "update", "known.json", "--complete",
                                           "--now", "2026-12-01T00:00:00Z", kState});
  CHECK(updated.status == 0);
  CHECK(says(updated.out, "new   ACC001 atlas"));
  CHECK(says(updated.out, "gone  ACC001 elsewhere"));
  CHECK(updated.written.at("known.json") == made.written.at("known.json"));
}

TEST_CASE("a baseline is not written of half the input, nor read where it is none") {
  Setup setup{{{"half.json", "{"}, {"bad.json", "{}"}}, {}};
  const Outcome half = run_tool(setup, {"baseline", "write", "known.json", "half.json"});
  CHECK(half.status == 2);
  CHECK(half.written.empty());
  CHECK(check_with(setup, {"--baseline", "bad.json"}).status == 2);
  for (const char* bad :
       {"", "[", "[]", "{\"draudit_baseline\":2,\"findings\":[]}",
        "{\"draudit_baseline\":1,\"findings\":[1]}",
        "{\"draudit_baseline\":1,\"findings\":[{\"fingerprint\":\"x\",\"rule\":\"\",\"subject\":"
        "\"\",\"node\":\"\"}]}"}) {
    CHECK_THROWS_AS((void)parse_baseline(bad, "b"), ConfigError);
  }
  CHECK_THROWS_AS((void)parse_baseline(std::string(1000, '['), "b"), ConfigError);
}

TEST_CASE("errors of the configuration name file, line and key, and what was probably meant") {
  struct Row {
    const char* text;
    const char* said;
  };
  const Row rows[] = {
      {"a: 1\nfail-om: x", ".draudit.yaml:1: a: an unknown key"},
      {"\nfail-om: x", ".draudit.yaml:2: fail-om: an unknown key; did you mean fail-on?"},
      {"fail-on: eror", ".draudit.yaml:1: fail-on: \"eror\" is none of"},
      {"fail-on: [error]", "fail-on: no text"},
      {"fail-on: a\nfail-on: b", ".draudit.yaml:2: fail-on: the key is there twice"},
      {"rules:\n  ACC00: off",
       ".draudit.yaml:2: rules: \"ACC00\" is no rule; did you mean ACC001?"},
      {"rules:\n  ACC001: of", "did you mean off?"},
      {"rules:\n  ACC001: off\n  over-counted-node: off", "twice, by id and by name"},
      {"suppressions:\n- node: a", "no rule"},
      {"suppressions:\n- rule: ACC001", "no node, object or device"},
      {"suppressions:\n- rule: ACC001\n  node: a", "no reason"},
      {"suppressions:\n- rule: ACC001\n  node: a\n  reason: r", "no expires"},
      {"suppressions:\n- rule: ACC001\n  node: a\n  reason: r\n  expires: soon",
       ".draudit.yaml:5: suppressions.expires: \"soon\" is no day"},
      {"suppressions:\n- rule: ACC001\n  nod: a",
       "suppressions.nod: an unknown key; did you mean node?"},
      {"a: &x 1", "an anchor"},
      {"a: !!str 1", "a tag"},
      {"a: [", "no YAML"},
      {"{}\n---\n{}", "more than one YAML document"},
      {"a: [[[[[[[[[[1]]]]]]]]]]", "nested too deep"},
      {"- a", "no map"},
      {"grace:\n  binding: 3 weeks", ".draudit.yaml:2: grace.binding: \"3 weeks\" is no time"},
      {"capacity:\n  nowhere: 3", ".draudit.yaml:2: capacity: no node nowhere"},
      {"capacity:\n  atlas: many", "needs a whole number"},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string{row.text});
    const Outcome r = check_with(with_config(row.text));
    CHECK(r.status == 2);
    CHECK_MESSAGE(says(r.err, row.said), r.err);
  }
  Setup setup;
  setup.env["DRAUDIT_CAPACITY"] = "nowhere=3";
  CHECK(says(check_with(setup).err, "DRAUDIT_CAPACITY: no node nowhere"));
  CHECK_THROWS_AS((void)parse_config(std::string(kLargestConfig + 1, ' '), "c", {}), ConfigError);
  CHECK_THROWS_AS((void)parse_config(std::string(100'000, '['), "c", {}), ConfigError);
}

TEST_CASE("patterns") {
  CHECK(fits_pattern("", ""));
  CHECK(fits_pattern("*", ""));
  CHECK(fits_pattern("a*c", "abbc"));
  CHECK(fits_pattern("a?c*", "abc"));
  CHECK(!fits_pattern("a?c", "ac"));
  CHECK(!fits_pattern("a", "ab"));
  CHECK(!fits_pattern("ab", "a"));
  CHECK(fits_pattern("*a*b", "xaxab"));
  CHECK(!fits_pattern("", "a"));
}

TEST_CASE("completion knows every command and its flags") {
  const Setup none;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    CAPTURE(std::string{shell});
    const Outcome r = run_tool(none, {"completion", shell});
    CHECK(r.status == 0);
    for (const char* word : {"check", "trace", "report", "baseline", "config", "rules", "explain",
                             "completion", "min-certainty", "sarif-anchor", "over-counted-node"}) {
      CHECK_MESSAGE(says(r.out, word), word);
    }
  }
  CHECK(run_tool(none, {"completion", "csh"}).status == 2);
}

TEST_CASE("rules and their pages") {
  const Setup none;
  const std::string table = run_tool(none, {"rules"}).out;
  CHECK(std::count(table.begin(), table.end(), '\n') >= 60);
  CHECK(says(run_tool(none, {"rules", "--format", "markdown"}).out,
             "| ACC001 | over-counted-node | error |"));
  CHECK(says(run_tool(none, {"rules", "--format", "json"}).out, "\"id\": \"ACC001\""));
  CHECK(run_tool(none, {"rules", "--format", "jsn"}).status == 2);
  for (const Rule* rule : rules()) {
    CAPTURE(std::string{rule->id});
    const Outcome r = run_tool(none, {"explain", std::string{rule->name}});
    CHECK(r.status == 0);
    CHECK(r.out.starts_with("# " + std::string{rule->id} + " "));
  }
  CHECK(run_tool(none, {"explain", "acc001"}).out.starts_with("# ACC001"));
  const Outcome wrong = run_tool(none, {"explain", "over-counted-nod"});
  CHECK(wrong.status == 2);
  CHECK(says(wrong.err, "did you mean over-counted-node?"));
}

}  // namespace draudit
