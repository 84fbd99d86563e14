// What a text is and what stands in it: YAML, recorded watches, text between objects, two clusters.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "draudit/input.hpp"
#include "draudit/result.hpp"
#include "input/prose.hpp"
#include "input/yaml.hpp"
#include "support/memory_io.hpp"

namespace draudit {
namespace {

Snapshot read_files(const std::vector<std::pair<std::string, std::string>>& files,
                    ReadOptions options = {}, std::size_t chunk = test::kNoLimit) {
  test::MemoryIo world;
  world.files.chunk = chunk;
  for (const auto& [name, text] : files) {
    world.files.contents[name] = text;
    options.paths.push_back(name);
  }
  Io io = world.io();
  return read(options, io);
}
Snapshot read_text(const std::string& text, std::size_t chunk = test::kNoLimit) {
  return read_files({{"in", text}}, {}, chunk);
}

std::string as_json(const std::string& yaml) {
  YamlToJson converter;
  converter.convert(yaml, {}, false);
  return std::string{converter.json()};
}

/// What makes the only problem of a text: "LINE:COLUMN message".
std::string problem_of(const std::string& text) {
  const Snapshot s = read_text(text);
  if (s.problems.size() != 1) return fmt::format("{} problems", s.problems.size());
  const Problem& p = s.problems.front();
  return fmt::format("{}:{} {}{}{}", p.line, p.column, p.field, p.field.empty() ? "" : ": ",
                     p.message);
}

std::string pod(const std::string& name, const std::string& uid, const std::string& node,
                int version = 0) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}","namespace":"a","uid":"{}"{}}},)"
      R"("spec":{{"nodeName":"{}"}}}})",
      name, uid, version == 0 ? "" : fmt::format(R"(,"resourceVersion":"{}")", version), node);
}
std::string event(const std::string& type, const std::string& object) {
  return fmt::format(R"({{"type":"{}","object":{}}})", type, object) + "\n";
}

}  // namespace

TEST_CASE("plain scalars are those of YAML 1.2's core schema") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"", "null"},
      {"~", "null"},
      {"null", "null"},
      {"NULL", "null"},
      {"nUll", R"("nUll")"},
      {"true", "true"},
      {"True", "true"},
      {"tRUE", R"("tRUE")"},
      {"FALSE", "false"},
      {"no", R"("no")"},
      {"on", R"("on")"},
      {"y", R"("y")"},
      {"12", "12"},
      {"+12", "12"},
      {"-0", "-0"},
      {"010", "10"},
      {"0o14", "12"},
      {"0x1F", "31"},
      {"-0x1F", R"("-0x1F")"},
      {"0o8", R"("0o8")"},
      {"1_000", R"("1_000")"},
      {"18446744073709551615", "18446744073709551615"},
      {"18446744073709551616", R"("18446744073709551616")"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"-9223372036854775809", R"("-9223372036854775809")"},
      {"1.5", "1.5"},
      {".5", "0.5"},
      {"5.", "5"},
      {"+1e3", "1e3"},
      {"1e", R"("1e")"},
      {"12e9999", R"("12e9999")"},
      {".inf", R"(".inf")"},
      {"-", R"("-")"},
      {"+", R"("+")"},
      {".", R"(".")"},
      {"100m", R"("100m")"},
      {"2026-12-01", R"("2026-12-01")"},
      {"2026-12-01T05:13:19Z", R"("2026-12-01T05:13:19Z")"},
      {"1:30", R"("1:30")"},
  };
  for (const auto& row : rows) {
    const auto& text = row.first;
    const auto& json = row.second;
    CAPTURE(text);
    CHECK(json_of_plain_scalar(text) == json);
  }
}

TEST_CASE("a YAML document becomes the JSON that means the same") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"a: 'no'\nb: \"12\"\nc: 12\n", R"({"a":"no","b":"12","c":12})"},
      {"a:\n- 1\n- {b: [x, ~]}\n-\n", R"({"a":[1,{"b":["x",null]},null]})"},
      {"a: |\n  x \"q\"\n  y\nb: >-\n  x\n  y\n", R"({"a":"x \"q\"\ny\n","b":"x y"})"},
      {"a: \"t\\tn\\u0001\\\\\"\n", R"({"a":"t\tn\u0001\\"})"},
      {"12: a\ntrue: b\n", R"({"12":"a","true":"b"})"},
      {"a: {}\nb: []\n", R"({"a":{},"b":[]})"},
      {"a: 'it''s'\n", R"({"a":"it's"})"},
      {"# comments alone\n", "null"},
  };
  for (const auto& row : rows) {
    const auto& yaml = row.first;
    const auto& json = row.second;
    CAPTURE(yaml);
    CHECK(as_json(yaml) == json);
  }
}

TEST_CASE("YAML that kubectl never writes is refused where it stands") {
  const std::string head = "apiVersion: v1\nkind: Pod\nmetadata:";
  const std::vector<std::pair<std::string, std::string>> rows = {
      {" &m\n  name: x\n", "3:11 the anchor &m is not supported"},
      {"\n  name: *m\n", "4:9 an alias is not supported"},
      {"\n  <<: {a: b}\n", "4:3 the merge key << is not supported"},
      {"\n  name: !!str x\n", "4:9 the tag tag:yaml.org,2002:str is not supported"},
      {" !x {}\n", "3:11 the tag !x is not supported"},
      {"\n  name: 'x\n", "4:9 this quote is not closed"},
      {"\n  name: \"x\n", "4:9 this quote is not closed"},
      {"\n  ? [a]\n  : b\n", "4:5 a key that is no text is not supported"},
      {"\n  name: x\n name: y\n", "5:2 this is no YAML: end of map not found"},
      {"\n\x04 name: x\n", "4:1 byte 0x04 can't stand in YAML"},
      {" " + std::string(2000, '[') + "\n", "3:1011 nested too deep to be a Kubernetes object"},
      {"\n  name: x\n  ownerReferences: 5\n",
       "5:20 metadata.ownerReferences: expected a list, found a number"},
  };
  for (const auto& row : rows) {
    const auto& tail = row.first;
    const auto& problem = row.second;
    CAPTURE(tail.substr(0, 40));
    CHECK(problem_of(head + tail) == problem);
  }
  CHECK(problem_of(head + "\n  name: x" + std::string(17 << 20, 'x') + "\n") ==
        "1:1 this object is too large to be one of Kubernetes'");
  // The near misses: none of these is an anchor, an alias, a tag or a merge.
  CHECK(problem_of(head + "\n  name: a&b*c!d\n  annotations: {'<<': x, \"*a\": '&b'}\n") ==
        "0 problems");
}

TEST_CASE("a list in YAML is read item by item, and each is where it stands") {
  const std::string yaml =
      "# a comment\napiVersion: v1\nitems:\n"
      "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: n1\n"
      "- apiVersion: v1\n  kind: Node\n  metadata: [\n"
      "\n# between\n"
      "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p\n    namespace: ns\n"
      "  spec:\n    containers:\n    - name: c\n      args:\n      - |\n        - no item\n"
      "        items:\n"
      "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, test::kNoLimit}) {
    CAPTURE(chunk);
    const Snapshot s = read_text(yaml, chunk);
    REQUIRE(s.nodes.size() == 1);
    REQUIRE(s.pods.size() == 1);
    CHECK(s.problems.size() == 1);  // the broken one alone
    const Location& at = s.pods.front().meta.at;
    CHECK(at.line == 13);
    CHECK(at.column == 1);
    CHECK(at.offset == yaml.find("- apiVersion: v1\n  kind: Pod"));
    CHECK(at.offset + at.length == yaml.find("kind: List"));
  }
}

TEST_CASE("shapes of YAML") {
  const std::string node = "apiVersion: v1\nkind: Node\nmetadata:\n  name: n\n";
  const std::string item = "- metadata:\n    name: n\n";
  const std::vector<std::pair<std::string, std::size_t>> rows = {
      {node, 1},
      {"\xef\xbb\xbf" + node, 1},
      {"---\n" + node + "---\n" + "apiVersion: v1\nkind: Node\nmetadata:\n  name: m\n...\n", 2},
      {"%YAML 1.2\n---\n" + node, 1},
      {"--- # Source: x\n" + node, 1},
      {"kind: NodeList\napiVersion: v1\nitems:\n" + item, 1},
      {"apiVersion: v1\nkind: NodeList\nitems: # here\n\n  - metadata:\n      name: n\n", 1},
      {"kind: NodeList\napiVersion: v1\nitems: [{metadata: {name: n}}, {metadata: {name: m}}]\n",
       2},
      {"kind: NodeList\napiVersion: v1\nitems: []\n", 0},
      {"- apiVersion: v1\n  kind: Node\n  metadata:\n    name: n\n", 1},
      {"---\n{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"}}\n---\n" +
           node + "\n",
       1},
      {"Warning: old\n" + node + "Error from server (Forbidden): no\n", 1},
      {"object:\n  apiVersion: v1\n  kind: Node\n  metadata:\n    name: n\ntype: ADDED\n---\n"
       "object:\n  apiVersion: v1\n  kind: Node\n  metadata:\n    name: n\ntype: DELETED\n",
       0},
  };
  for (const auto& row : rows) {
    const auto& text = row.first;
    const auto& nodes = row.second;
    CAPTURE(text);
    const Snapshot s = read_text(text);
    CHECK(s.nodes.size() == nodes);
    CHECK(s.problems.empty());
  }
  // An empty list that says its kind says that there is none; a plain one does not.
  CHECK(read_text("kind: NodeList\napiVersion: v1\nitems: []\n").of(Kind::node).known());
  CHECK_FALSE(read_text("kind: List\napiVersion: v1\nitems: []\n").of(Kind::node).known());
  CHECK(problem_of("apiVersion: v1\nkind: List\n") == "1:1 this List has no list of items");
  CHECK(problem_of("kind: PodList\nmetadata:\n  continue: x\nitems:\n- metadata: {name: p}\n") ==
        "1:1 this list goes on: it was read in pages, and only one is here");
}

TEST_CASE("what kubectl makes of jsonpath") {
  const std::string p = pod("p", "u", "n");
  const std::string q = pod("q", "v", "n");
  for (const std::string& text :
       {"[" + p + "," + q + "]", "[\n  [" + p + "," + q + "]\n]\n", "[" + p + "][" + q + "]",
        p + " " + q, "[{\"kind\":\"List\",\"items\":[" + p + "," + q + "]}]"}) {
    CAPTURE(text);
    const Snapshot s = read_text(text);
    CHECK(s.pods.size() == 2);
    CHECK(s.problems.empty());
  }
}

TEST_CASE("what a text is, by what stands in it") {
  const std::vector<std::pair<std::string, Shape>> rows = {
      {"", Shape::empty},
      {" \n\n", Shape::empty},
      {"{", Shape::json},
      {"\n [\n  {", Shape::json},
      {"[]", Shape::json},
      {"[INFO] started\n", Shape::text},
      {"[2026-12-01] started\n", Shape::text},
      {"Warning: x\n{}", Shape::json},
      {"apiVersion: v1\n", Shape::yaml},
      {"# c\n---\n", Shape::yaml},
      {"Warning: x\nkind: List\n", Shape::yaml},
      {"kinds: x\nkind of: y\n", Shape::text},
      {"NAME   READY\nx  1/1\n", Shape::table},
      {"NAMESPACE     NAME\n", Shape::table},
      {"NAME of it  is\n", Shape::text},
      {"pod/x\n", Shape::names},
      {"resourceclaim.resource.k8s.io/x\n", Shape::names},
      {"/x\n", Shape::text},
      {"  \"name\": 1,\n{", Shape::json},
  };
  for (const auto& row : rows) {
    const auto& text = row.first;
    const auto& shape = row.second;
    CAPTURE(text);
    CHECK(shape_of(text) == shape);
  }
}

TEST_CASE("text around objects is passed over and counted; broken JSON is no text") {
  const std::string p = pod("p", "u", "n");
  {
    const Snapshot s =
        read_text("Warning: one\nError from server (Forbidden): no slices\n" + p +
                  "\nE1201 05:13:19.000001    1 memcache.go:1] x\n" + pod("q", "v", "n"));
    CHECK(s.pods.size() == 2);
    CHECK(s.problems.empty());
    REQUIRE(s.skipped.size() == 1);
    CHECK(s.skipped.front().line == 1);
    CHECK(s.skipped.front().lines == 3);
    CHECK(s.skipped.front().said == "Error from server (Forbidden): no slices");
  }
  {  // a log may hold anything, objects too
    const std::string log = "==== START logs for container c of pod a/p ====\n" + p +
                            "\n}}] \"x\nlast==== END logs for container c of pod a/p ====\n";
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{13}, test::kNoLimit}) {
      const Snapshot s = read_text(
          "{\"kind\":\"PodList\",\"items\":[]}\n" + log + log + pod("q", "v", "n"), chunk);
      CHECK(s.problems.empty());
      REQUIRE(s.pods.size() == 1);
      CHECK(s.pods.front().meta.name == "q");
      REQUIRE(s.skipped.size() == 1);
      CHECK(s.skipped.front().lines == 8);
      CHECK(s.skipped.front().bytes == 2 * log.size());
    }
    CHECK(problem_of(log.substr(0, log.size() / 2)) == "1:1 the log that begins here does not end");
  }
  CHECK(problem_of(p + " text\n") ==
        fmt::format("1:{} expected a JSON object or list, found 't'", p.size() + 2));
  CHECK(problem_of(p + "\n  \"name\": \"x\"\n}\n") ==
        "2:3 expected a JSON object or list, found '\"'");
  CHECK(problem_of(p + "\n}\n" + p) == "2:1 expected a JSON object or list, found '}'");
  CHECK(problem_of("hello\nworld\n") == "1:1 there is only text in it, and no object");
  CHECK(problem_of("error: no type \"x\"\n") ==
        "1:1 there is only text in it, and no object: error: no type \"x\"");
  CHECK(problem_of("NAME  READY\np  1/1\n") == "1:1 there is no object in it");
}

TEST_CASE("a recorded watch is read as the state at its end") {
  const auto nodes = [](const Snapshot& s) {
    std::string out;
    for (const Pod& p : s.pods) out += fmt::format("{}@{} ", p.meta.name, p.node);
    return out;
  };
  {
    const Snapshot s = read_text(
        event("ADDED", pod("p", "u", "n1", 5)) + event("ADDED", pod("q", "v", "n1", 6)) +
        event("MODIFIED", pod("p", "u", "n2", 3)) +  // a restored server counts anew
        event("BOOKMARK", R"({"kind":"Pod","metadata":{"resourceVersion":"9"}})") +
        event("DELETED", pod("q", "v", "n1", 7)) + event("ADDED", pod("q", "w", "n3", 8)) +
        event("ERROR", R"({"kind":"Status","message":"too old"})"));
    CHECK(s.problems.empty());
    CHECK(nodes(s) == "p@n2 q@n3 ");
    CHECK(s.duplicates == 0);
    REQUIRE(s.events.size() == 7);
    CHECK(s.events[4].type == EventType::deleted);
    CHECK(s.events[4].name == "q");
    CHECK(s.events[4].uid == "v");
    CHECK(s.events[4].resource_version == 7);
    CHECK(s.events[4].at.line == 5);
    CHECK(s.ignored.empty());
  }
  {  // a list, and what happened since
    const std::string list = "{\"kind\":\"List\",\"items\":[" + pod("p", "u", "n1", 5) + "," +
                             pod("q", "v", "n1", 6) + "]}";
    CHECK(nodes(read_files(
              {{"list", list}, {"watch", event("DELETED", pod("q", "v", "n1", 7))}})) == "p@n1 ");
    // The list is the newer one: q is there again.
    CHECK(nodes(read_files({{"list", list},
                            {"watch", event("DELETED", pod("q", "v", "n1", 4))}})) == "p@n1 q@n1 ");
    // Another object of that name.
    CHECK(nodes(read_files({{"list", list},
                            {"watch", event("DELETED", pod("q", "w", "n1", 7))}})) == "p@n1 q@n1 ");
  }
  // kubectl get -w: objects one after another, the later one counts.
  CHECK(nodes(read_text(pod("p", "u", "n1", 5) + "\n" + pod("p", "u", "n2", 6))) == "p@n2 ");
  {  // no event: an object of its own kind, or a word that is no type
    const Snapshot s =
        read_text(R"({"kind":"X","type":"ADDED","object":{}}{"type":"x","object":{}})");
    CHECK(s.events.empty());
    CHECK(s.ignored.size() == 2);
  }
}

TEST_CASE("two clusters in one input are a problem, one cluster twice is none") {
  const auto ns = [](const std::string& uid) {
    return fmt::format(
        R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"kube-system","uid":"{}"}}}})",
        uid);
  };
  const auto claim = [](const std::string& uid, bool used) {
    return fmt::format(
        R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{{"name":"c",)"
        R"("namespace":"a","uid":"{}"}},"status":{{{}}}}})",
        uid,
        used ? R"("allocation":{},"reservedFor":[{"resource":"pods","name":"p","uid":"u"}])" : "");
  };
  std::string one;
  std::string other;
  std::string half;
  for (int i = 0; i < 6; ++i) {
    one += pod(fmt::format("p{}", i), fmt::format("u{}", i), "n");
    other += pod(fmt::format("p{}", i), fmt::format("v{}", i), "n");
    half += pod(fmt::format("p{}", i), fmt::format("{}{}", i < 3 ? "v" : "u", i), "n");
  }
  struct Row {
    std::string a;
    std::string b;
    std::string why;
  };
  const std::vector<Row> rows = {
      {ns("1"), ns("2"), "the namespace kube-system has 2 uids"},
      {ns("1"), ns("1"), ""},
      {claim("1", true), claim("2", true), "the claim a/c is in use under two uids"},
      {claim("1", true), claim("2", false), ""},
      {claim("1", true), claim("1", true), ""},
      {one, other, "6 of 6 names that came more than once have two uids"},
      {one, half, ""},
      {one, one, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.a);
    CAPTURE(row.b);
    const Snapshot s = read_files({{"a", row.a}, {"b", row.b}});
    CHECK(s.mixed == row.why);
    CHECK(s.problems.size() == (row.why.empty() ? 0U : 1U));
    ReadOptions options;
    options.allow_mixed = true;
    CHECK(read_files({{"a", row.a}, {"b", row.b}}, options).problems.empty());
  }
}

TEST_CASE("what the input lacks is said") {
  const std::string claim_b =
      R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c",)"
      R"("namespace":"b","uid":"c"},"status":{"allocation":{},)"
      R"("reservedFor":[{"resource":"RESOURCE","name":"x","uid":"x"}]}})";
  const auto reserved = [&](const std::string& resource) {
    std::string out = claim_b;
    out.replace(out.find("RESOURCE"), 8, resource);
    return out;
  };
  const Snapshot s = read_text(pod("p", "u", "n") + reserved("pods"));
  const Completeness one = completeness_of(s);
  CHECK(one.pods_of_one_namespace == "a");
  CHECK(one.namespaces_without_pods == std::vector<std::string>{"b"});
  REQUIRE(one.gaps.size() == 1);
  CHECK(one.gaps.front().find("all pods are of the namespace a") == 0);
  CHECK(one.kinds.front().namespaces == std::vector<std::string_view>{"a"});
  {  // Numbers that are too low are no clean result, unless somebody vouches for the dump.
    const std::string node = R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}})";
    test::MemoryIo world;
    world.in.text = pod("p", "u", "n") + reserved("pods") + node;
    const std::string text = world.in.text;
    CHECK(world.run({"check", "-"}) == 2);
    CHECK(world.err.text.find("all pods are of the namespace a") != std::string::npos);
    test::MemoryIo whole;
    whole.in.text = text;
    CHECK(whole.run({"check", "--complete", "-"}) == 0);
  }
  // The consumer is there, in another namespace: nothing is missing.
  std::string here = reserved("pods");
  here.replace(here.find("\"uid\":\"x\""), 9, "\"uid\":\"u\"");
  CHECK(completeness_of(read_text(pod("p", "u", "n") + here)).gaps.empty());
  // A group of pods needs none of its own there.
  CHECK(completeness_of(read_text(pod("p", "u", "n") + reserved("podgroups"))).gaps.empty());
  CHECK(completeness_of(read_text(pod("p", "u", "n"))).gaps.empty());
}

}  // namespace draudit
