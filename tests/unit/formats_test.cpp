// Every format of every state: safe, the same from a saved report, and with the same exit status.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "draudit/formats.hpp"
#include "draudit/result.hpp"
#include "report/gate.hpp"
#include "report/plain.hpp"
#include "support/nasty.hpp"
#include "support/pattern.hpp"
#include "support/state.hpp"
#include "support/testdata.hpp"

namespace fs = std::filesystem;
using namespace draudit;
using namespace draudit::test;

namespace {

Jsons story() { return sharers_called("n1"); }

std::map<std::string, Report> states() {
  std::map<std::string, Report> out;
  const auto add = [&out](const std::string& name, const Snapshot& s) {
    out[name] = make_report(conclude(s, {}));
  };
  add("clean", read_objects({node("n1", 1), pod("a/p", {}, asks(1))}));
  add("story", read_objects(story()));
  add("incomplete", read_objects(story(), false));
  add("nothing", read_objects({node("n1")}, false));
  std::size_t i = 0;
  for (const std::string& name : nasty_names()) {
    add("nasty " + std::to_string(i++), read_objects(sharers_called(name)));
  }
  MemoryIo world;
  world.files.contents["good.json"] = list_of(story()).dump();
  world.files.contents["-\xff\n::error::x|<b>.json"] = "{\"kind\":\"Pod\",\"spec\":7}";
  Io io = world.io();
  add("broken file", read({.paths = {"good.json", "-\xff\n::error::x|<b>.json"}}, io));
  const Snapshot waived = read_objects(story());
  Result r = conclude(waived, {});
  for (Finding& f : r.run.findings) {
    f.waived = Waiver{.reason = nasty_names().at(9), .expires = "2027-01-31", .owner = "a|b"};
  }
  out["waived"] = make_report(r);
  return out;
}

std::string rendered(const std::string& format, const Report& report,
                     const FormatOptions& options = {}) {
  const Format* f = find_format(format);
  REQUIRE(f != nullptr);
  return f->render(report, options);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// RFC 4180.
std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> out(1, {""});
  bool in_quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_quotes) {
      if (c != '"') {
        out.back().back() += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        out.back().back() += text[++i];
      } else {
        in_quotes = false;
      }
    } else if (c == '"') {
      in_quotes = true;
    } else if (c == ',') {
      out.back().emplace_back();
    } else if (c == '\n') {
      out.push_back({""});
    } else {
      out.back().back() += c;
    }
  }
  out.pop_back();
  return out;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++n;
  return n;
}

}  // namespace

TEST_CASE("formats: a saved report gives the same bytes in every format") {
  FormatOptions most{.all = true, .table = TableOf::nodes, .sarif_anchor = "deploy/gpu.yaml"};
  FormatOptions devices{.quiet = true, .table = TableOf::devices};
  for (const auto& entry : states()) {
    const auto& name = entry.first;
    const auto& report = entry.second;
    const Report again = read_json_report(json_report(report));
    for (const Format& f : formats()) {
      CAPTURE(name);
      CAPTURE(f.name);
      for (const FormatOptions& o : {FormatOptions{}, most, devices}) {
        const bool same = f.render(again, o) == f.render(report, o);
        CHECK(same);
      }
      CHECK(!f.render(report, {}).empty());
    }
  }
}

TEST_CASE("formats: nothing hostile gets through as it is") {
  const std::set<std::string_view> raw = {"json", "ndjson"};  // JSON's own escapes; data, not text
  for (const auto& entry : states()) {
    const auto& name = entry.first;
    const auto& report = entry.second;
    for (const Format& f : formats()) {
      CAPTURE(name);
      CAPTURE(f.name);
      for (const TableOf table : {TableOf::findings, TableOf::nodes, TableOf::devices}) {
        const std::string out = f.render(report, {.table = table});
        CHECK(valid_utf8(out) == out);
        std::string clean;
        for (const std::string& line : lines_of(out)) {
          // A tab is what tsv is made of.
          std::string rest = line;
          if (f.name == "tsv") rest.erase(std::remove(rest.begin(), rest.end(), '\t'), rest.end());
          if (!raw.contains(f.name) && plain(rest) != rest) clean += line;
        }
        CHECK(clean == "");
      }
    }
  }
}

TEST_CASE("formats: github has commands of its own alone") {
  const Pattern command("^::(error|warning|notice) (file=[^:,]*,line=[0-9]+,col=[0-9]+,)?"
                        "title=[^:,]*::");
  for (const auto& entry : states()) {
    const auto& name = entry.first;
    const auto& report = entry.second;
    std::map<std::string, int> types;
    for (const std::string& line : lines_of(rendered("github", report))) {
      CAPTURE(name);
      CAPTURE(line.substr(0, 200));
      CHECK(!command.find(line).empty());
      ++types[line.substr(2, line.find(' ') - 2)];
    }
    for (const auto& [type, n] : types) CHECK(n <= 10);
    // What a name has of this sort must not be decoded.
    const std::string out = rendered("github", report);
    CHECK(count(out, "%0") == 0);
    CHECK(count(out, "%") == count(out, "%25") + count(out, "%3A") + count(out, "%2C"));
  }
}

TEST_CASE("formats: of 50 findings github shows the 10 worst of a type, and sums up") {
  Jsons objects = {node("n1")};
  for (int i = 0; i < 50; ++i) {
    objects.push_back(pod("a/p" + std::to_string(i), {"gone" + std::to_string(i)}));
  }
  const Report report = make_report(conclude(read_objects(objects), {}));
  REQUIRE(report.counts.error == 50);
  const std::string out = rendered("github", report);
  CHECK(count(out, "::error ") == 10);
  CHECK(lines_of(out).back().find("50 errors") != std::string::npos);
  CHECK(lines_of(out).back().find("are left out here") != std::string::npos);
}

TEST_CASE("formats: csv and tsv have rows of one width and no formula") {
  for (const auto& entry : states()) {
    const auto& name = entry.first;
    const auto& report = entry.second;
    for (const TableOf table : {TableOf::findings, TableOf::nodes, TableOf::devices}) {
      CAPTURE(name);
      const auto rows = csv_rows(rendered("csv", report, {.table = table}));
      const auto tabs = lines_of(rendered("tsv", report, {.table = table}));
      REQUIRE(rows.size() == tabs.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(rows[i].size() == rows[0].size());
        CHECK(count(tabs[i], "\t") + 1 == rows[0].size());
        std::string cells;
        for (const std::string& cell : rows[i]) cells += (cells.empty() ? "" : "\t") + cell;
        CHECK((rows[i][0].empty() || cells == tabs[i]));
        for (const std::string& cell : rows[i]) {
          const bool number =
              cell.size() > 1 && cell.find_first_not_of("0123456789", 1) == std::string::npos;
          const bool formula =
              !cell.empty() && std::string{"=+-@"}.find(cell[0]) != std::string::npos;
          CHECK((!formula || (number && cell[0] == '-' && table == TableOf::nodes)));
        }
      }
    }
  }
  // A node called -1 is no figure.
  const Report minus = make_report(conclude(read_objects(sharers_called("-1")), {}));
  CHECK(csv_rows(rendered("csv", minus, {.table = TableOf::nodes})).at(1).at(0) == "'-1");
}

TEST_CASE("formats: a table says what keeps it from being whole") {
  const Report report = states().at("broken file");
  CHECK(count(rendered("csv", report), "\nproblem,") == report.problems.size());
  CHECK(count(rendered("csv", states().at("incomplete")), "\nnot-in-dump,") ==
        states().at("incomplete").not_in_dump.size());
  CHECK(count(rendered("csv", states().at("nothing")), "\nnot-audited,") == 1);
  CHECK(count(rendered("csv", report, {.table = TableOf::nodes}), ",false\n") ==
        report.nodes.size());
}

TEST_CASE("formats: every format says that a report is incomplete") {
  const Report broken = states().at("broken file");
  const Report nothing = states().at("nothing");
  const std::map<std::string, std::string> said = {
      {"text", "INCOMPLETE"},
      {"json", "\"complete\": false"},
      {"ndjson", "\"complete\":false"},
      {"sarif", "\"executionSuccessful\": false"},
      {"junit", "<error type=\"input\""},
      {"github", "draudit%3A not "},
      {"github-summary", "ould not be read"},
      {"gitlab", "\"blocker\""},
      {"checkstyle", "source=\"draudit.input\""},
      {"csv", "problem"},
      {"tsv", "problem"},
      {"prometheus", "draudit_complete 0"},
      {"markdown", "INCOMPLETE"},
      {"html", "INCOMPLETE"},
      {"slack", "INCOMPLETE"},
  };
  for (const Format& f : formats()) {
    CAPTURE(f.name);
    REQUIRE(said.contains(std::string{f.name}));
    CHECK(f.render(broken, {}).find(said.at(std::string{f.name})) != std::string::npos);
    const std::string other = f.render(nothing, {});
    const bool names_it = other.find("ot audited") != std::string::npos ||
                          other.find("no Pod in the input") != std::string::npos ||
                          other.find("draudit_complete 0") != std::string::npos ||
                          other.find("not-audited") != std::string::npos;
    CHECK(names_it);
  }
}

TEST_CASE("formats: junit has a case for each rule and node, and counts what it has") {
  for (const auto& entry : states()) {
    const auto& name = entry.first;
    const auto& report = entry.second;
    CAPTURE(name);
    const std::string out = rendered("junit", report);
    CHECK(count(out, "<testcase ") >= report.rules.size());
    CHECK(count(out, "<failure ") == report.counts.error);
    const std::uint64_t standing = report.counts.error + report.counts.warning + report.counts.note;
    CHECK(count(out, "<failure ") + count(out, "<system-out>") == standing);
    CHECK(count(rendered("junit", report, {.fail_on = FailOn::note}), "<failure ") == standing);
    CHECK(count(rendered("junit", report, {.fail_on = FailOn::never}), "<failure ") == 0);
    const auto all = Pattern("<testsuites name=\"draudit\" tests=\"([0-9]+)\"").find(out);
    REQUIRE(all.size() == 2);
    CHECK(std::stoul(all[1]) == count(out, "<testcase "));
  }
  CHECK(count(rendered("junit", states().at("waived")), "<skipped message=\"suppressed: ") > 0);
}

TEST_CASE("formats: sarif has a place for every result, and an anchor where asked") {
  for (const auto& entry : states()) {
    const auto& name = entry.first;
    const auto& report = entry.second;
    CAPTURE(name);
    const Json sarif = Json::parse(rendered("sarif", report));
    const Json& results = sarif.at("runs").at(0).at("results");
    REQUIRE(results.size() == report.findings.size());
    std::set<std::string> prints;
    for (const Json& r : results) {
      const Json& at = r.at("locations").at(0).at("physicalLocation");
      CHECK(at.at("region").at("startLine") >= 1);
      const std::string uri = at.at("artifactLocation").at("uri");
      CHECK(uri.find_first_of(" <>\"\\^`{|}:?#[]") == std::string::npos);
      CHECK(!uri.starts_with("/"));
      prints.insert(r.at("partialFingerprints").at("primaryLocationLineHash").get<std::string>());
      CHECK(r.contains("suppressions") == (name == "waived"));
    }
    CHECK(prints.size() == results.size());
    const Json anchored =
        Json::parse(rendered("sarif", report, {.sarif_anchor = "deploy/gpu.yaml"}));
    for (const Json& r : anchored.at("runs").at(0).at("results")) {
      CHECK(r.at("locations")[0].at("physicalLocation").at("artifactLocation").at("uri") ==
            "deploy/gpu.yaml");
    }
  }
}

TEST_CASE("formats: gitlab has a fingerprint for each") {
  Report report = states().at("story");
  report.findings.push_back(report.findings.front());
  std::set<std::string> prints;
  const Json issues = Json::parse(rendered("gitlab", report));
  for (const Json& i : issues) prints.insert(i.at("fingerprint").get<std::string>());
  CHECK(issues.size() >= report.findings.size());
  CHECK(prints.size() == issues.size());
}

TEST_CASE("formats: markdown and slack are cut with a count") {
  Report report = states().at("story");
  const Report::Finding one = report.findings.front();
  report.findings.assign(5000, one);
  report.counts = {.error = 5000, .warning = 0, .note = 0, .waived = 0};
  const std::string markdown = rendered("markdown", report);
  CHECK(markdown.size() <= 60'000);
  CHECK(markdown.size() > 40'000);
  const std::size_t shown = count(markdown, "<details>");
  CHECK(markdown.find("**" + std::to_string(5000 - shown) +
                      " more findings are left out here.**") != std::string::npos);
  CHECK(count(markdown, "</details>") == shown);
  CHECK(rendered("github-summary", report).size() < (1U << 20));
  const std::string slack = rendered("slack", report);
  CHECK(slack.size() < 40'000);
  CHECK(slack.find(" more lines\n```\n") != std::string::npos);
  report.findings.assign(6000, one);
  CHECK(Json::parse(rendered("sarif", report)).at("runs")[0].at("results").size() == 5000);
  CHECK(rendered("sarif", report).find("1000 of 6000 findings are left out") != std::string::npos);
}

TEST_CASE("formats: markdown and slack don't let names out of their marks") {
  for (const auto& entry : states()) {
    const auto& name = entry.first;
    const auto& report = entry.second;
    CAPTURE(name);
    const std::string slack = rendered("slack", report);
    CHECK(count(slack, "```") == 2);
    CHECK(count(slack, "<") == 0);
    for (const std::string& line : lines_of(slack)) {
      CHECK(line.size() <= (name == "nasty 27" ? 2'000U : 200U));
    }
    const std::string markdown = rendered("markdown", report);
    for (const std::string& line : lines_of(markdown)) {
      CHECK(count(line, "`") % 2 == 0);
      // The columns of the table, and no other pipe.
      if (line.starts_with("| `")) CHECK(count(line, "|") - count(line, "\\|") == 7);
    }
    // In backticks a name stands as it is.
    std::string around;
    for (const std::string& line : lines_of(markdown)) {
      bool quoted = false;
      for (const char c : line + '\n') {
        if (c == '`') quoted = !quoted;
        if (!quoted && c != '`') around += c;
      }
    }
    for (const char* mark : {"<script", "<img", "![", "](", "https:", "<!", "@"}) {
      CAPTURE(mark);
      CHECK(count(around, mark) == 0);
    }
  }
}

TEST_CASE("formats: a path of a report lies in the repository") {
  CHECK(repository_path("a/./b//c.json") == "a/b/c.json");
  CHECK(repository_path("/tmp/x.json") == "tmp/x.json");
  CHECK(repository_path("../../x.json") == "x.json");
  CHECK(repository_path("a/../b.json") == "b.json");
  CHECK(repository_path("-") == "stdin.json");
  CHECK(repository_path("..") == "stdin.json");
  CHECK(repository_uri("a b/ü%.json") == "a%20b/%C3%BC%25.json");
  CHECK(repository_uri("x.tar.gz!pods.json") == "x.tar.gz!pods.json");
}

TEST_CASE("formats: the exit status is the same in every format") {
  struct Given {
    const char* what;
    std::string dump;
    std::vector<std::string> args;
    int status;
  };
  const std::string clean = list_of({node("n1", 1), pod("a/p", {}, asks(1))}).dump();
  const Given cases[] = {
      {"clean", clean, {"--complete"}, 0},
      {"over-counted", list_of(story()).dump(), {"--complete"}, 1},
      {"over-counted, never", list_of(story()).dump(), {"--complete", "--fail-on=never"}, 0},
      {"cut off", list_of(story()).dump().substr(0, 900), {}, 2},
      {"nothing to audit", "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[]}", {}, 2},
      {"hostile", list_of(sharers_called(nasty_names().at(2))).dump(), {"--complete"}, 1},
  };
  for (const Given& g : cases) {
    for (const Format& f : formats()) {
      CAPTURE(g.what);
      CAPTURE(f.name);
      MemoryIo world;
      world.files.contents["dump.json"] = g.dump;
      std::vector<std::string> args = {"check", "dump.json", "--format", std::string{f.name},
                                       "--format=json=saved.json"};
      if (f.name == "json") args[4] = "--format=text=other.txt";
      args.insert(args.end(), g.args.begin(), g.args.end());
      CHECK(world.run(args) == g.status);
      CHECK(!world.out.text.empty());
      // And from the saved report: the same bytes, the same status.
      MemoryIo again;
      again.files.contents["saved.json"] =
          f.name == "json" ? world.out.text : world.files.written.at("saved.json");
      args = {"report", "saved.json", "--format", std::string{f.name}};
      if (g.args.size() > 1) args.push_back(g.args[1]);
      CHECK(again.run(args) == g.status);
      const bool same_bytes = again.out.text == world.out.text;
      CHECK(same_bytes);
      CHECK(again.err.text == world.err.text);
    }
  }
}

TEST_CASE("formats: one run writes several, and stdout gets one") {
  MemoryIo world;
  world.files.contents["dump.json"] = list_of(story()).dump();
  std::vector<std::string> args = {"check", "--complete", "dump.json"};
  for (const Format& f : formats()) {
    args.push_back("--format=" + std::string{f.name} + "=out." + std::string{f.name});
  }
  CHECK(world.run(args) == 1);
  CHECK(world.files.written.size() == formats().size());
  CHECK(world.out.text.empty());
  args.emplace_back("--format=text");
  args.emplace_back("--color=always");
  CHECK(world.run(args) == 1);
  CHECK(world.out.text.find("1 of 1 node is over-counted") != std::string::npos);
  CHECK(world.files.written.at("out.json").find('\x1b') == std::string::npos);
}

TEST_CASE("formats: what makes no sense together is refused with a sentence") {
  struct Given {
    std::vector<std::string> args;
    const char* said;
  };
  const Given cases[] = {
      {{"--format", "jsn"}, "did you mean json?"},
      {{"--format", "text", "--format", "json"}, "2 formats for one standard output"},
      {{"--format", "text", "--format", "json", "-o", "x"}, "2 formats for one file"},
      {{"--format", "text=-", "--format", "json"}, "2 formats for one standard output"},
      {{"--format", "json=a", "--format", "sarif=a"}, "json and sarif can't both go there"},
      {{"--format", "json=a", "--format", "sarif", "-o", "a"}, "can't both go there"},
      {{"--format", "json="}, "no file after"},
      {{"--format", "json=a", "-o", "b"}, "has a file of its own"},
      {{"--format", "json=dump.json"}, "it is the input"},
      {{"-o", "dump.json"}, "it is the input"},
      {{"--format", "json", "--all"}, "--all: it is for --format text, slack alone"},
      {{"--format", "csv", "-q"}, "--quiet: it is for"},
      {{"--table", "nodes"}, "--table: it is for --format csv, tsv alone"},
      {{"--format", "csv", "--table", "node"}, "did you mean nodes?"},
      {{"--sarif-anchor", "x"}, "--sarif-anchor: it is for --format sarif alone"},
      {{"--all", "-q"}, "contradict"},
  };
  for (const Given& g : cases) {
    for (const char* command : {"check", "report"}) {
      MemoryIo world;
      world.files.contents["dump.json"] = list_of(story()).dump();
      std::vector<std::string> args = {command, "dump.json"};
      args.insert(args.end(), g.args.begin(), g.args.end());
      CAPTURE(g.said);
      CHECK(world.run(args) == 2);
      CAPTURE(world.err.text);
      CHECK(world.err.text.find(g.said) != std::string::npos);
      CHECK(world.out.text.empty());
      CHECK(world.files.written.empty());
    }
  }
}

TEST_CASE("report: what can't be shown is said with the name of the file") {
  MemoryIo world;
  world.files.contents["dump.json"] = list_of(story()).dump();
  CHECK(world.run({"report", "dump.json"}) == 2);
  CHECK(world.err.text.find("dump.json: it is no report") != std::string::npos);
  CHECK(world.run({"report", "missing.json"}) == 2);
  CHECK(world.err.text.find("missing.json: ") != std::string::npos);
  CHECK(world.run({"report", "a.json", "b.json"}) == 2);
  CHECK(world.out.text.empty());
}

TEST_CASE("report: a file that can't be written is said, and the others are whole") {
  MemoryIo world;
  world.files.contents["dump.json"] = list_of(story()).dump();
  world.files.unwritable = Failure{.after = 0, .reason = "No space left on device"};
  CHECK(world.run({"check", "--complete", "dump.json", "--format", "sarif=x.sarif", "--format",
                   "text"}) == 2);
  CHECK(world.err.text.find("x.sarif: No space left on device") != std::string::npos);
}

TEST_CASE("formats: a fleet takes no more than linear time") {
  // 5,000 findings on as many nodes; a square of that would take minutes.
  Report report = states().at("story");
  const Report::Node node = report.nodes.front();
  const Report::Finding finding = report.findings.front();
  report.nodes.clear();
  report.findings.clear();
  for (int i = 0; i < 5000; ++i) {
    report.nodes.push_back(node);
    report.findings.push_back(finding);
    report.nodes.back().name = "node-" + std::to_string(i);
    report.findings.back().node = report.nodes.back().name;
    report.findings.back().fingerprint = std::to_string(i);
  }
  report.counts = {.error = 5000, .warning = 0, .note = 0, .waived = 0};
  for (const Format& f : formats()) CHECK(!f.render(report, {.all = true}).empty());
}
