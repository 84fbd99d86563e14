// Reports of clusters whose names were chosen by somebody else.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "draudit/report.hpp"
#include "draudit/result.hpp"
#include "report/plain.hpp"
#include "support/state.hpp"

using namespace draudit;
using namespace draudit::test;

namespace {

/// Everything that goes to a terminal, of one state.
struct Reports {
  std::string text;
  std::string quiet;
  std::string trace;
  Json json;
};

struct Concluded {
  explicit Concluded(Snapshot read_state, AuditOptions options = {})
      : snapshot(std::move(read_state)), result(conclude(snapshot, std::move(options))) {}
  Concluded(const Concluded&) = delete;
  Concluded& operator=(const Concluded&) = delete;
  ~Concluded() = default;

  [[nodiscard]] Reports reports(bool color = false) const {
    Reports out;
    out.text = text_report(make_report(result), {.color = color, .all = true});
    out.quiet = text_report(make_report(result), {.color = color, .quiet = true});
    for (const NodeAudit& n : result.audit.nodes) {
      out.trace += trace_report(result, n, {.color = color, .release = true});
    }
    out.json = Json::parse(json_report(make_report(result)));
    return out;
  }

  Snapshot snapshot;
  Result result;
};

/// Two sharers of a device, all of them called `name`.
Jsons shared_under(const std::string& name) {
  const std::string ns = "ns" + name;
  Json c = claim(ns + "/c" + name, {request()});
  c = allocated(c, {result("d" + name, kGpuDriver, "n1" + name)});
  const Json there = {{"spec", {{"nodeName", "n1" + name}}}};
  return {node("n1" + name), slice("n1" + name, {"d" + name}), c,
          pod(ns + "/p" + name, {"c" + name}, there), pod(ns + "/q" + name, {"c" + name}, there)};
}

/// Characters that would move the cursor, turn text around or end a line early.
std::string bad_characters(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const auto after = static_cast<unsigned char>(i + 2 < text.size() ? text[i + 2] : 0);
    if ((c < 0x20 && c != '\n') || c == 0x7F) out += "control ";
    if (c == 0xC2 && next >= 0x80 && next < 0xA0) out += "C1 ";
    const bool general = c == 0xE2 && next == 0x80;  // U+2000…U+203F
    if (general && after >= 0x8B && after <= 0x8F) out += "zero-width ";
    if (general && after >= 0xA8 && after <= 0xAE) out += "direction ";
    if (c == 0xE2 && next == 0x81 && after >= 0xA6 && after <= 0xA9) out += "isolate ";
    if (c == 0xEF && next == 0xBB && after == 0xBF) out += "BOM ";
  }
  return out;
}

bool is_utf8(const std::string& text) {
  // nlohmann refuses to write anything else.
  try {
    (void)Json(text).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

std::size_t longest_line(const std::string& text) {
  std::size_t out = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out = std::max(out, width(line));
  return out;
}

std::string line_with(const std::string& text, const std::string& what) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(what)) return line;
  }
  return "no line starts with " + what;
}

Json only_node(const Reports& r) {
  REQUIRE(r.json.at("nodes").size() == 1);
  return r.json.at("nodes").at(0);
}

Jsons story() {
  return {node("n1"), slice("n1", {"gpu-0"}),
          reserved_for(claim_of("voice/gpu", "gpu-0"), {"voice/tts", "voice/worker"}),
          pod("voice/tts", {"gpu"}), pod("voice/worker", {"gpu"})};
}

/// F1 under names of a common length.
Jsons monitored() {
  Jsons monitor = {
      node("gpu-node-07"), slice("gpu-node-07", numbered("gpu-", 8)),
      pod("observability/device-monitor", {"all"}, {{"spec", {{"nodeName", "gpu-node-07"}}}})};
  Jsons all;
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    const Json one = result("gpu-" + n, kGpuDriver, "gpu-node-07");
    all.push_back(result("gpu-" + n, kGpuDriver, "gpu-node-07", true));
    monitor.push_back(allocated(claim("training/worker-" + n, {request()}), {one}));
    monitor.push_back(
        pod("training/worker-" + n, {"worker-" + n}, {{"spec", {{"nodeName", "gpu-node-07"}}}}));
  }
  monitor.push_back(
      allocated(claim("observability/all", {request(kGpuDriver, "All", 0, true)}), all));
  return monitor;
}

}  // namespace

TEST_CASE("reports: hostile names never reach a terminal raw") {
  const std::vector<std::string> names = {
      "\x1b[2J\x1b[31mred",            // clears the screen
      "\x1b]0;title\x07",              // sets the title
      "a\nerror[fake]: all is well",   // a line of its own
      "a\r over",                      // starts the line again
      "x\xE2\x80\xAEtxt",              // U+202E turns the rest around
      "x\xE2\x81\xA6txt\xE2\x81\xA9",  // isolates
      "x\xC2\x9B"
      "31m",             // CSI of C1
      "x\xE2\x80\x8By",  // no width
      "\xEF\xBB\xBFx",   // byte order mark
      "del\x7F\b\b",
      "tab\tx",
      std::string("nul\0x", 5),
  };
  for (const std::string& name : names) {
    CAPTURE(plain(name));
    const Concluded c(read_objects(shared_under(name)));
    REQUIRE(c.result.audit.nodes.size() == 1);
    REQUIRE(c.result.audit.nodes.at(0).naive.charges.size() == 2);
    REQUIRE_FALSE(c.result.run.findings.empty());
    const Reports r = c.reports();
    CHECK(bad_characters(r.text) == "");
    CHECK(bad_characters(r.quiet) == "");
    CHECK(bad_characters(r.trace) == "");
    // A finding is a line of its own, and so many there are.
    const auto lines = std::count(r.quiet.begin(), r.quiet.end(), '\n');
    CHECK(static_cast<std::size_t>(lines) == c.result.run.findings.size());
    // Data stays as it was: a program reads it back.
    CHECK(only_node(r).at("name") == "n1" + name);
    // With colours there are escapes, and none but the tool's own.
    std::string coloured = c.reports(true).text;
    CHECK(coloured.find("\x1b[2J") == std::string::npos);
    CHECK(coloured.find("\x1b]") == std::string::npos);
  }
}

TEST_CASE("reports: hostile text of annotations, labels, drivers, classes and kinds") {
  const std::string evil = "gpu\x1b[8m\n";
  Jsons objects = {node("n1"),
                   slice("n1", {"d0"}, evil),
                   allocated(claim("a/c", {request(evil)}), {result("d0", evil)}),
                   pod("a/p", {"c"}),
                   pod("a/q", {"c"}),
                   pod("a/f", {}, fraction("0.5", evil))};
  const Concluded c(read_objects(objects));
  const Reports r = c.reports();
  CHECK(bad_characters(r.text + r.quiet + r.trace) == "");
  CHECK(r.json.at("findings").size() == c.result.run.findings.size());
}

TEST_CASE("reports: file names that are no UTF-8 are shown as bytes, and JSON stays valid") {
  MemoryIo world;
  const std::string name = "dump-\xFF\xC0\x80\x1b[31m.json";
  world.files.contents[name] = list_of(story()).dump();
  Io io = world.io();
  Snapshot s = read({.paths = {name}, .complete = true}, io);
  REQUIRE(s.problems.empty());
  REQUIRE(s.pods.size() == 2);
  const Concluded c(std::move(s));
  const Reports r = c.reports();
  CHECK(is_utf8(r.text));
  CHECK(is_utf8(r.trace));
  CHECK(bad_characters(r.text + r.quiet + r.trace) == "");
  CHECK(r.text.find("dump-\\xff") != std::string::npos);
  CHECK(is_utf8(r.json.at("inputs").at(0).at("name").get<std::string>()));
}

TEST_CASE("reports: a problem of a hostile file is one clean line") {
  MemoryIo world;
  const std::string name = "bad\x1b[2J\n.json";
  world.files.contents[name] = "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":"
                               "\"x\\u001b[1m\",\"namespace\":\"a\"},\"spec\":{\"nodeName\":7}}";
  Io io = world.io();
  const Snapshot s = read({.paths = {name}}, io);
  REQUIRE(s.problems.size() == 1);
  const std::string line = problem_line(make_report(conclude(s, {})).problems.at(0));
  CHECK(bad_characters(line) == "");
  CHECK(line.find('\n') == std::string::npos);
  CHECK(line.find("nodeName") != std::string::npos);
}

TEST_CASE("reports: names of 300 characters are not cut, and nothing is lost") {
  const std::string name(300, 'x');
  const Concluded c(read_objects(shared_under(name)));
  const Reports r = c.reports();
  CHECK(r.text.find("n1" + name) != std::string::npos);
  CHECK(r.trace.find("p" + name) != std::string::npos);
  CHECK(only_node(r).at("name") == "n1" + name);
}

TEST_CASE("reports: ordinary ones stay within 100 columns") {
  for (const bool complete : {true, false}) {
    for (const Jsons& objects : {story(), monitored()}) {
      const Concluded c(read_objects(objects, complete));
      const std::string text = c.reports().text;
      CAPTURE(text);
      CHECK(longest_line(text) <= 100);
    }
  }
}

TEST_CASE("reports: ordinary traces stay within 100 columns") {
  for (const bool complete : {true, false}) {
    for (const Jsons& objects : {story(), monitored()}) {
      const Concluded c(read_objects(objects, complete));
      CHECK(longest_line(c.reports().trace) <= 100);
    }
  }
}

TEST_CASE("reports: figures beyond int64 keep all their digits in text, and are a double in JSON") {
  const Json most = request(kGpuDriver, "ExactCount", std::numeric_limits<std::int64_t>::max());
  const auto one = [&most](const std::string& name) {
    return allocated(claim("a/" + name, {most}), {result(name)});
  };
  const Concluded c(read_objects({node("n1", 1), one("x"), one("y"), one("z"), pod("a/p", {"x"}),
                                  pod("a/q", {"y"}), pod("a/r", {"z"})}));
  const Reports r = c.reports();
  CHECK(r.text.find("27670116110564327421") != std::string::npos);  // 3 × (2^63 − 1)
  CHECK(r.text.find("used: 2.77e+19") != std::string::npos);
  const Json n = only_node(r);
  CHECK(n.at("naive").at("used").is_number_float());
  CHECK(n.at("naive").at("used").get<double>() == doctest::Approx(2.7670116110564327e19));
  CHECK(n.at("naive").at("idle").get<double>() < -2.7e19);
  CHECK(n.at("held") == 3);
}

TEST_CASE("reports: ranges are both ends in JSON, worst case as scalar, and a dash of text") {
  const Concluded c(read_objects(
      {node("n1"), slice("n1", {"d0", "d1"}), claim_of("a/x", "d0"), claim_of("a/y", "d1"),
       pod("a/x", {"x"}), pod("a/y", {"y"}), pod("a/m", {"m"}),
       allocated(claim("a/m", {request(kGpuDriver, "All")}), {result("d0"), result("d1")})}));
  const Reports r = c.reports();
  const Json corrected = only_node(r).at("corrected");
  CHECK(corrected.at("used_range") == Json::array({1, 2}));
  CHECK(corrected.at("idle_range") == Json::array({0, 1}));
  CHECK(corrected.at("used") == 2);
  CHECK(corrected.at("idle") == 0);
  CHECK(r.text.find("1…2") != std::string::npos);
  CHECK(line_with(r.text, "TOTAL").find("1…2") != std::string::npos);
}

TEST_CASE("reports: an unknown capacity is ? and null, and idle with it") {
  const Concluded c(read_objects(
      {node("n1"), claim_of("a/c", "d0"), pod("a/p", {"c"}), pod("a/q", {"c"})}, false));
  const Reports r = c.reports();
  CHECK(line_with(r.text, "n1").find('?') != std::string::npos);
  CHECK(line_with(r.text, "TOTAL").find("≥1") != std::string::npos);
  const Json n = only_node(r);
  CHECK(n.at("capacity").at("value").is_null());
  CHECK(n.at("capacity").at("source") == "unknown");
  CHECK(n.at("capacity").at("at_least") == 1);
  CHECK(n.at("naive").at("idle").is_null());
  CHECK(n.at("naive").at("idle_range").is_null());
  CHECK(n.at("naive").at("used") == 2);
  CHECK(n.at("physical").is_null());
  CHECK(n.at("upgrade_helps") == "unknown");
}

TEST_CASE("reports: the last row of the table sums up every node, shown or not") {
  Jsons objects = story();
  const Json on_n2 = {{"spec", {{"nodeName", "n2"}}}};
  objects.push_back(node("n2", 4));
  objects.push_back(pod("b/plugin", {}, merged(asks(3), on_n2)));
  const Concluded c(read_objects(objects));
  const std::string text = text_report(make_report(c.result), {});
  std::istringstream row(line_with(text, "TOTAL"));
  std::string total;
  std::string capacity;
  std::string naive;
  std::string corrected;
  std::string held;
  row >> total >> capacity >> naive >> corrected >> held;
  CHECK(capacity == "5");
  CHECK(naive == "5");
  CHECK(corrected == "4");
  CHECK(held == "4");
  CHECK(line_with(text, "TOTAL").find("1 of 2 with findings, 1 fine") != std::string::npos);
  CHECK(line_with(text, "n2").starts_with("no line"));
  CHECK(line_with(text_report(make_report(c.result), {.all = true}), "n2").find("fine") !=
        std::string::npos);
}

TEST_CASE("reports: a likely capacity is marked, and says where it is from") {
  const Concluded c(read_objects({node("n1", 0, labelled("nvidia.com/gpu.count", "1")),
                                  claim_of("a/c", "d0"), pod("a/p", {"c"}), pod("a/q", {"c"})},
                                 false));
  const Reports r = c.reports();
  CHECK(line_with(r.text, "n1").find("~1") != std::string::npos);
  CHECK(only_node(r).at("capacity").at("source") == "label");
  CHECK(only_node(r).at("capacity").at("certainty") == "likely");
}

TEST_CASE("reports: the story in JSON has the figures that jq filters by") {
  const Concluded c(read_objects(story()));
  const Reports r = c.reports();
  const Json n = only_node(r);
  CHECK(n.at("naive").at("used") == 2);
  CHECK(n.at("naive").at("kai_version") == "v0.17.0");
  CHECK(n.at("corrected").at("used") == 1);
  CHECK(n.at("corrected").at("kai_version") == "v0.17.1");
  CHECK(n.at("capacity").at("value") == 1);
  CHECK(n.at("held") == 1);
  CHECK(r.json.at("counts").at("error") == 1);
  CHECK(r.json.at("complete") == true);
  CHECK(r.text.find("\x1b") == std::string::npos);
  CHECK(c.reports(true).text.find("\x1b[") != std::string::npos);
}

TEST_CASE("plain: ordinary text of any language stays, the rest becomes visible") {
  CHECK(plain("voice/tts Größe 名前 …") == "voice/tts Größe 名前 …");
  CHECK(plain("\x1b[0m") == "\\x1b[0m");
  CHECK(plain("\xC2\x9B") == "\\x9b");
  CHECK(plain("\xE2\x80\xAE") == "\\u202e");
  CHECK(plain("\xFFz") == "\\xffz");
  CHECK(plain("\xE2\x80") == "\\xe2\\x80");
  CHECK(plain("") == "");
}

TEST_CASE("plain: overlong forms, surrogates and what is beyond Unicode are no UTF-8") {
  // A strict reader would refuse the report.
  CHECK(is_utf8(plain("\xC0\x80")));
  CHECK(is_utf8(plain("\xC1\xBF")));
  CHECK(is_utf8(plain("\xC1\xA1")));
  CHECK(is_utf8(plain("\xE0\x80\x9B")));
  CHECK(is_utf8(plain("\xED\xA0\x80")));
  CHECK(is_utf8(plain("\xF7\xBF\xBF\xBF")));
}
