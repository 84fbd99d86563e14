// What a dump comes packed in: each shape in each packing gives the same audit, and what can't be
// unpacked is said.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <string>

#include "draudit/input.hpp"
#include "draudit/result.hpp"
#include "support/memory_io.hpp"
#include "support/pack.hpp"
#include "support/state.hpp"

namespace draudit {
namespace {

using namespace draudit::test;

const std::vector<std::string> kCompressions = {"plain", "gzip", "zstd", "xz", "bzip2"};
const std::vector<std::string> kEncodings = {"plain", "utf-8-bom", "crlf", "utf-16le", "utf-16be"};

/// The story: two pods share the one GPU of a node. With a name that is not ASCII.
Jsons story() {
  Jsons out;
  out.push_back(node("atlas", 0, {{"metadata", {{"labels", {{"owner", "Jörg 🜂"}}}}}}));
  out.push_back(slice("atlas", {"gpu-0"}));
  for (const char* pod : {"tts", "worker"}) {
    out.push_back({{"apiVersion", "v1"},
                   {"kind", "Pod"},
                   {"metadata", metadata(std::string{"voice/"} + pod)},
                   {"spec",
                    {{"nodeName", "atlas"},
                     {"containers", {{{"name", "c"}, {"image", "x"}}}},
                     {"resourceClaims", {{{"name", "gpu"}, {"resourceClaimName", "shared"}}}}}},
                   {"status", {{"phase", "Running"}}}});
  }
  Json claim = {{"apiVersion", "resource.k8s.io/v1"},
                {"kind", "ResourceClaim"},
                {"metadata", metadata("voice/shared")}};
  claim["spec"]["devices"]["requests"] = Json::array({request()});
  claim["status"]["allocation"]["devices"]["results"] = Json::array(
      {{{"request", "gpu"}, {"driver", kGpuDriver}, {"pool", "atlas"}, {"device", "gpu-0"}}});
  out.push_back(claim);
  return out;
}

std::string yaml_of(const Jsons& objects) {
  // JSON is YAML's flow style; a document a line makes it YAML for good.
  std::string out;
  for (const Json& o : objects) {
    out += "---\n";
    for (const auto& [key, value] : o.items()) out += key + ": " + value.dump() + "\n";
  }
  return out;
}

struct ShapeRow {
  std::string name;
  std::string text;
};
std::vector<ShapeRow> shapes() {
  const Jsons objects = story();
  const Json list = {{"apiVersion", "v1"}, {"kind", "List"}, {"items", objects}};
  std::string ndjson;
  std::string concatenated;
  std::string watch;
  for (const Json& o : objects) {
    ndjson += o.dump() + "\n";
    concatenated += o.dump(4);
    watch += Json{{"type", "ADDED"}, {"object", o}}.dump() + "\n";
  }
  std::map<std::string, Jsons> by_kind;
  for (const Json& o : objects) by_kind[o["kind"]].push_back(o);
  const Json snapshot = {{"rawObjects",
                          {{"pods", by_kind["Pod"]},
                           {"nodes", by_kind["Node"]},
                           {"resourceClaims", by_kind["ResourceClaim"]},
                           {"resourceSlices", by_kind["ResourceSlice"]}}}};
  std::string typed;
  for (const auto& [kind, items] : by_kind) {
    const std::string version = items.front()["apiVersion"];
    typed += Json{{"apiVersion", version}, {"kind", kind + "List"}, {"items", items}}.dump();
  }
  return {
      {"list", list.dump(4) + "\n"},
      {"compact list", list.dump()},
      {"array", Json(objects).dump(2)},
      {"NDJSON", ndjson},
      {"concatenated", concatenated},
      {"typed lists", typed},
      {"KAI snapshot", snapshot.dump()},
      {"watch events", watch},
      {"YAML documents", yaml_of(objects)},
      {"YAML list", "apiVersion: v1\nkind: List\nitems:\n- " + objects[0].dump() + "\n- " +
                        objects[1].dump() + "\n- " + objects[2].dump() + "\n- " +
                        objects[3].dump() + "\n- " + objects[4].dump() + "\n"},
      {"text around", "Warning: v1 something is deprecated\n" + list.dump(4) + "\n"},
  };
}

Snapshot read_bytes(MemoryIo& world, const std::string& bytes, ReadOptions options = {}) {
  world.in.text = bytes;
  Io io = world.io();
  options.paths = {"-"};
  return read(options, io);
}

std::string problem_line(const Snapshot& s, const Problem& p) {
  return fmt::format("{}:{}: {} ({})", s.files.at(p.file).name, p.line, p.message, p.advice);
}

/// The figures of every node and every finding: what must not depend on the packing.
std::string audit_of(const Snapshot& s) {
  for (const Problem& p : s.problems) FAIL_CHECK(problem_line(s, p));
  AuditOptions options;
  // A KAI snapshot tells a version by its parts, which these lack.
  options.naive = find_profile("v0.17.0");
  options.naive_version = "v0.17.0";
  const Result result = conclude(s, options);
  std::string out;
  for (const NodeAudit& n : result.audit.nodes) {
    out += fmt::format("{} {} {}\n", n.node->meta.name,
                       static_cast<std::int64_t>(n.naive.figures.used.most),
                       static_cast<std::int64_t>(n.corrected.figures.used.most));
  }
  for (const Finding& f : result.run.findings) out += fmt::format("{} {}\n", f.rule->id, f.message);
  return out;
}

std::string only_problem(const Snapshot& s) {
  REQUIRE(s.problems.size() == 1);
  return problem_line(s, s.problems[0]);
}

}  // namespace

TEST_CASE("every shape in every compression and encoding") {
  std::string expected;
  for (const ShapeRow& shape : shapes()) {
    for (const std::string& encoding : kEncodings) {
      for (const std::string& compression : kCompressions) {
        CAPTURE(shape.name);
        CAPTURE(encoding);
        CAPTURE(compression);
        MemoryIo world;
        const std::string found =
            audit_of(read_bytes(world, packed(compression, packed(encoding, shape.text))));
        if (expected.empty()) {
          expected = found;
          REQUIRE(found.find("ACC001") != std::string::npos);
          REQUIRE(found.find("atlas 2 1") != std::string::npos);
        }
        // Typed lists and snapshots also say which kinds are complete: other notes may come.
        CHECK(found.substr(0, found.find("ACC018")) == expected.substr(0, expected.find("ACC018")));
      }
    }
  }
}

TEST_CASE("every shape in tar and ZIP, each within each compression, and beside other files") {
  const std::string log = "2026-12-01 05:13:19 starting\n{\"level\":\"info\"}\n";
  const std::string errors = "[\"pods is forbidden\"]\n";
  for (const ShapeRow& shape : shapes()) {
    MemoryIo plain;
    const std::string expected = audit_of(read_bytes(plain, shape.text));
    for (const std::string container : {"tar", "zip"}) {
      const std::string inner = archive(container, {{"bundle/pod.log", log},
                                                    {"bundle/dump", shape.text},
                                                    {"bundle/pods-errors.json", errors},
                                                    {"bundle/.hidden", "{"}});
      for (const std::string& compression : kCompressions) {
        CAPTURE(shape.name);
        CAPTURE(container);
        CAPTURE(compression);
        MemoryIo world;
        const Snapshot s = read_bytes(world, packed(compression, inner));
        CHECK(audit_of(s) == expected);
        REQUIRE(s.files.size() == 2);
        CHECK(s.files[1].name == "-!bundle/dump");
        CHECK(s.pods.at(0).meta.at.file == 1);
        CHECK(s.skipped_files.size() == 3);
        CHECK(s.skipped_files.at("hidden").first == "-!bundle/.hidden");
      }
    }
  }
}

TEST_CASE("every shape in a folder, packed or not") {
  for (const ShapeRow& shape : shapes()) {
    MemoryIo plain;
    const std::string expected = audit_of(read_bytes(plain, shape.text));
    for (const std::string& compression : kCompressions) {
      CAPTURE(shape.name);
      CAPTURE(compression);
      MemoryIo world;
      world.files.contents["bundle/cluster/dump"] = packed(compression, shape.text);
      world.files.contents["bundle/pod.log"] = "2026-12-01 05:13:19 starting\n";
      Io io = world.io();
      const Snapshot s = read({.paths = {"bundle"}}, io);
      CHECK(audit_of(s) == expected);
      REQUIRE(s.files.size() == 1);
      CHECK(s.files[0].name == "bundle/cluster/dump");
      CHECK(s.skipped_files.size() == 1);
    }
  }
}

TEST_CASE("packed within packed, to the depth that is allowed") {
  const std::string text = shapes()[0].text;
  const std::string deep = packed(
      "gzip", archive("zip", {{"a.tar.zst", packed("zstd", archive("tar", {{"d", text}}))}}));
  MemoryIo world;
  CHECK(audit_of(read_bytes(world, deep)).find("ACC001") != std::string::npos);
  MemoryIo again;
  const Snapshot refused = read_bytes(again, deep, {.limits = {.depth = 3}});
  CHECK(refused.pods.empty());
  CHECK(only_problem(refused).find("--max-depth") != std::string::npos);
}

TEST_CASE("a folder: sorted, without links and hidden files, dumps among other files") {
  MemoryIo world;
  const Jsons objects = story();
  world.files.contents["dump/b/nodes.json"] = objects[0].dump();
  world.files.contents["dump/a/slices.json.gz"] = packed("gzip", objects[1].dump());
  world.files.contents["dump/pods.json"] = Json(Jsons{objects[2], objects[3]}).dump();
  world.files.contents["dump/claims.yaml"] = yaml_of({objects[4]});
  world.files.contents["dump/logs.txt"] = "I1201 05:13:19.000001 1 main.go:1] {}\n";
  world.files.contents["dump/values.yaml"] = "replicas: 3\n";
  world.files.contents["dump/.git/config"] = "{";
  world.files.contents["dump/empty.json"] = "";
  Io io = world.io();
  const Snapshot s = read({.paths = {"dump"}}, io);
  CHECK(audit_of(s).find("ACC001") != std::string::npos);
  std::vector<std::string> names;
  for (const InputFile& f : s.files) names.push_back(f.name);
  CHECK(names == std::vector<std::string>{"dump/a/slices.json.gz", "dump/b/nodes.json",
                                          "dump/claims.yaml", "dump/pods.json"});
  std::uint64_t skipped = 0;
  for (const auto& [reason, f] : s.skipped_files) skipped += f.files;
  CHECK(skipped == 4);
}

TEST_CASE("a dump in a folder that is broken is a problem, and a file named by itself always is") {
  MemoryIo world;
  world.files.contents["dump/pods.json"] = R"({"apiVersion":"v1","kind":"Pod","metadata":)";
  world.files.contents["dump/notes.txt"] = "hello\n";
  Io io = world.io();
  CHECK(only_problem(read({.paths = {"dump"}}, io)).find("pods.json:1") != std::string::npos);
  CHECK(only_problem(read({.paths = {"dump/notes.txt"}}, io)).find("notes.txt:1") !=
        std::string::npos);
}

TEST_CASE("cut and broken packings: what came before counts, and the report says so") {
  // Many small objects, so that some are whole before the cut.
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    text += node("node-" + std::to_string(i), i % 9).dump() + "\n";
  }
  for (const std::string how : {"gzip", "zstd", "xz", "bzip2"}) {
    CAPTURE(how);
    const std::string whole = packed(how, text);
    MemoryIo cut;
    const Snapshot s = read_bytes(cut, whole.substr(0, whole.size() - 20));
    CHECK(s.problems.size() >= 1);
    MemoryIo two;
    CHECK(read_bytes(two, whole + whole).problems.empty());
    MemoryIo behind;
    const Snapshot garbage = read_bytes(behind, whole + "garbage");
    if (how != "xz") CHECK(garbage.nodes.size() == 2000);
    CHECK_MESSAGE(garbage.problems.size() == 1, how);
  }
  const std::string whole = packed("gzip", text);
  MemoryIo half;
  const Snapshot s = read_bytes(half, whole.substr(0, whole.size() / 2));
  CHECK(s.nodes.size() > 100);
  CHECK(s.nodes.size() < 2000);
  CHECK(only_problem(s).find("ends in the middle") != std::string::npos);
  std::string flipped = whole;
  flipped[flipped.size() / 2] = static_cast<char>(~flipped[flipped.size() / 2]);
  MemoryIo broken;
  CHECK_FALSE(read_bytes(broken, flipped).problems.empty());

  const std::string tar = archive("tar", {{"a.json", text}, {"b.json", text}});
  MemoryIo cut_tar;
  const Snapshot t = read_bytes(cut_tar, tar.substr(0, tar.size() * 3 / 4));
  CHECK(t.nodes.size() == 2000);
  CHECK_FALSE(t.problems.empty());
}

TEST_CASE("bombs end early, with the flag that would let them through") {
  const auto start = std::chrono::steady_clock::now();
  const std::string zeros(std::size_t{80} << 20, ' ');
  for (const std::string how : {"gzip", "zstd", "xz", "bzip2"}) {
    CAPTURE(how);
    MemoryIo world;
    CHECK(only_problem(read_bytes(world, packed(how, zeros))).find("--max-ratio") !=
          std::string::npos);
  }
  MemoryIo bytes;
  CHECK(only_problem(
            read_bytes(bytes, packed("gzip", std::string(5000, ' ')), {.limits = {.bytes = 4000}}))
            .find("--max-bytes") != std::string::npos);
  Members many;
  for (int i = 0; i < 1200; ++i) many.emplace_back("f" + std::to_string(i), "");
  MemoryIo members;
  CHECK(only_problem(read_bytes(members, archive("tar", many), {.limits = {.members = 1000}}))
            .find("--max-members") != std::string::npos);
  MemoryIo objects;
  CHECK(only_problem(read_bytes(objects, "[{},{},{},{}]", {.limits = {.objects = 3}}))
            .find("--max-objects") != std::string::npos);
  // A generous bound: these take a second or two together where nothing else runs.
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::minutes(2));
}

TEST_CASE("what is not unpacked here is named") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {std::string("7z\xbc\xaf\x27\x1c", 6) + std::string(40, 'x'), "a 7z archive"},
      {std::string("\x04\x22\x4d\x18", 4) + "xx", "lz4 data"},
      {std::string("k8s\0\n", 5), "Kubernetes protobuf"},
      {std::string("\xff\xfe\0\0{\0\0\0", 8), "UTF-32 text"},
  };
  for (const auto& [bytes, name] : rows) {
    MemoryIo world;
    CHECK(only_problem(read_bytes(world, bytes)).find(name) != std::string::npos);
  }
  MemoryIo lone;
  CHECK(only_problem(read_bytes(lone, std::string("\xff\xfe\0\xdc{\0", 6)))
            .find("half a character") != std::string::npos);
}

}  // namespace draudit
