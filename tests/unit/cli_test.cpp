// The command line, in process: what a golden case can't set up, and matrices.
#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <vector>

#include "draudit/cli.hpp"
#include "support/memory_io.hpp"

namespace draudit {
namespace {

const std::string kNode =
    R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"atlas","uid":"n"},)"
    R"("status":{"allocatable":{"cpu":"8"}}})";

std::string slice(const std::string& devices) {
  return R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s"},)"
         R"("spec":{"driver":"gpu.nvidia.com","nodeName":"atlas","pool":{"name":"atlas",)"
         R"("generation":1,"resourceSliceCount":1},"devices":[)" +
         devices + "]}}";
}

std::string pod(const std::string& name) {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name +
         R"(","namespace":"voice","uid":"u-)" + name +
         R"("},"spec":{"nodeName":"atlas","containers":[{"name":"c"}],"resourceClaims":[)"
         R"({"name":"g","resourceClaimName":"shared"}]},"status":{"phase":"Running"}})";
}

const std::string kClaim =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"shared",)"
    R"("namespace":"voice","uid":"c"},"spec":{"devices":{"requests":[{"name":"r","exactly":)"
    R"({"deviceClassName":"gpu.nvidia.com","allocationMode":"ExactCount","count":1}}]}},"status":)"
    R"({"allocation":{"devices":{"results":[{"request":"r","driver":"gpu.nvidia.com","pool":)"
    R"("atlas","device":"gpu-0"}]}},"reservedFor":[{"resource":"pods","name":"a","uid":"u-a"},)"
    R"({"resource":"pods","name":"b","uid":"u-b"}]}})";

/// Reserved for pod a alone.
const std::string kClaimOfOne =
    kClaim.substr(0, kClaim.find(R"(,{"resource":"pods","name":"b")")) + "]}}";

/// One error: naive 2 of 1.
const std::string kMiscounted = kNode + pod("a") + pod("b") + kClaim + slice(R"({"name":"gpu-0"})");
/// Nothing.
const std::string kFine = kNode + pod("a") + kClaimOfOne + slice(R"({"name":"gpu-0"})");
/// One warning: the same sharers where there is room.
const std::string kRoom =
    kNode + pod("a") + pod("b") + kClaim + slice(R"({"name":"gpu-0"},{"name":"gpu-1"})");

struct Run {
  int status = 0;
  std::string out;
  std::string err;
};

Run run_on(const std::string& text, std::vector<std::string> args) {
  test::MemoryIo world;
  world.in.text = text;
  Run r;
  r.status = world.run(args);
  r.out = world.out.text;
  r.err = world.err.text;
  return r;
}

}  // namespace

TEST_CASE("the exit status depends on findings and input alone") {
  struct Row {
    const std::string* text;
    const char* fail_on;
    int status;
  };
  const std::string broken = kMiscounted + "{";
  const Row rows[] = {
      {&kFine, "note", 0},        {&kFine, "never", 0},         {&kRoom, "error", 0},
      {&kRoom, "warning", 1},     {&kRoom, "note", 1},          {&kRoom, "never", 0},
      {&kMiscounted, "error", 1}, {&kMiscounted, "warning", 1}, {&kMiscounted, "note", 1},
      {&kMiscounted, "never", 0}, {&broken, "error", 2},        {&broken, "never", 2},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string{row.fail_on});
    const std::vector<std::string> base = {"check", "--complete", "--fail-on", row.fail_on};
    for (const std::vector<std::string>& more : {std::vector<std::string>{},
                                                 {"-q"},
                                                 {"--all"},
                                                 {"--color", "always"},
                                                 {"--format", "json"}}) {
      std::vector<std::string> args = base;
      args.insert(args.end(), more.begin(), more.end());
      const Run r = run_on(*row.text, args);
      CHECK(r.status == row.status);
      CHECK(r.err.empty() == (row.status != 2));
    }
  }
}

TEST_CASE("a terminal on standard input is not waited for") {
  test::MemoryIo world;
  world.in_is_terminal = true;
  CHECK(world.run({"check"}) == kExitUnable);
  CHECK(world.out.text.empty());
  CHECK(world.err.text.find("usage: draudit check") != std::string::npos);
}

TEST_CASE("help and version are asked for, so they go to stdout") {
  for (const std::vector<std::string>& args : {std::vector<std::string>{"--help"},
                                               {"help"},
                                               {"help", "check"},
                                               {"check", "--help"},
                                               {"trace", "-h"},
                                               {"--version"},
                                               {"check", "--version"}}) {
    const Run r = run_on("", args);
    CHECK(r.status == kExitClean);
    CHECK_FALSE(r.out.empty());
    CHECK(r.err.empty());
  }
  CHECK(run_on("", {}).status == kExitUnable);
  CHECK(run_on("", {"help", "nonsense"}).status == kExitUnable);
  CHECK(run_on("", {"--version"}).out.find("v0.17.1") != std::string::npos);
}

TEST_CASE("wrong words on the command line end in one line and status 2") {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"check", "--fail-on", "errors"},
        {"check", "--format", "yaml"},
        {"check", "--color", "sometimes"},
        {"check", "--now", "010"},
        {"check", "--capacity", "atlas=0x10"},
        {"check", "--capacity", "atlas=-1"},
        {"check", "--capacity", "=1"},
        {"check", "--capacity", "atlas=99999999999999999999"},
        {"check", "--kai-version", "seventeen"},
        {"check", "--kai-version", "v0.17.0", "--kai-version", "v0.17.1"},
        {"check", "--format", "json", "--format", "text"},
        {"check", "--format", "json", "-q"},
        {"check", "--nonsense"},
        {"trace"},
        {"trace", "titan"},
        {"trace", "atlas", "--order", "voice/nobody"}}) {
    CAPTURE(args.back());
    const Run r = run_on(kMiscounted, args);
    CHECK(r.status == kExitUnable);
    CHECK(r.out.empty());
    CHECK(r.err.rfind("draudit: ", 0) == 0);
  }
}

TEST_CASE("options may stand behind paths, and names may have brackets") {
  test::MemoryIo world;
  world.files.contents["./[a].json"] = kMiscounted;
  CHECK(world.run({"check", "[a].json", "--complete", "-q"}) == kExitFindings);
  CHECK(world.err.text.empty());
}

TEST_CASE("colour: flag, then NO_COLOR, CLICOLOR_FORCE, CLICOLOR, then the terminal") {
  using Env = std::map<std::string, std::string, std::less<>>;
  const std::vector<std::tuple<const char*, Env, bool, bool>> rows = {
      {"auto", {}, false, false},
      {"auto", {}, true, true},
      {"always", {{"NO_COLOR", "1"}}, false, true},
      {"never", {{"CLICOLOR_FORCE", "1"}}, true, false},
      {"auto", {{"NO_COLOR", "1"}, {"CLICOLOR_FORCE", "1"}}, true, false},
      {"auto", {{"NO_COLOR", ""}}, true, true},
      {"auto", {{"CLICOLOR_FORCE", "1"}, {"CLICOLOR", "0"}}, false, true},
      {"auto", {{"CLICOLOR_FORCE", "0"}}, false, false},
      {"auto", {{"CLICOLOR", "0"}}, true, false},
      {"auto", {{"TERM", "dumb"}}, true, false},
  };
  for (const auto& row : rows) {
    test::MemoryIo world;
    world.in.text = kMiscounted;
    world.env = std::get<1>(row);
    world.out_is_terminal = std::get<2>(row);
    world.run({"check", "--color", std::get<0>(row)});
    CHECK((world.out.text.find('\x1b') != std::string::npos) == std::get<3>(row));
  }
  test::MemoryIo world;
  world.in.text = kMiscounted;
  world.out_is_terminal = true;
  world.run({"check", "-o", "report.txt"});
  CHECK(world.files.written.at("report.txt").find('\x1b') == std::string::npos);
}

TEST_CASE("a report that can't be written is an error, wherever it stops") {
  for (const std::size_t after : {std::size_t{0}, std::size_t{1}, std::size_t{100}}) {
    test::MemoryIo world;
    world.in.text = kMiscounted;
    world.out.failure = test::Failure{.after = after, .reason = "No space left on device"};
    CHECK(world.run({"check", "--complete"}) == kExitUnable);
    CHECK(world.err.text == "draudit: writing failed: No space left on device\n");
  }
  test::MemoryIo world;
  world.in.text = kMiscounted;
  world.files.unwritable = test::Failure{.after = 0, .reason = "Permission denied"};
  CHECK(world.run({"check", "-o", "out/report.json", "--format", "json"}) == kExitUnable);
  CHECK(world.out.text.empty());
  CHECK(world.err.text.find("out/report.json: Permission denied") != std::string::npos);
}

TEST_CASE("an unreadable file beside a good one: a report, and status 2") {
  test::MemoryIo world;
  world.files.contents["good.json"] = kMiscounted;
  world.files.contents["bad.json"] = kFine;
  world.files.unreadable["bad.json"] = test::Failure{.after = 0, .reason = "Permission denied"};
  CHECK(world.run({"check", "--complete", "good.json", "bad.json"}) == kExitUnable);
  CHECK(world.out.text.find("over-counted-node") != std::string::npos);
  CHECK(world.out.text.find("INCOMPLETE") != std::string::npos);
  CHECK(world.err.text.find("bad.json: can't be opened: Permission denied") != std::string::npos);
}

TEST_CASE("the order of paths, and a path given twice, change no byte") {
  const auto report = [](const std::vector<std::string>& paths) {
    test::MemoryIo world;
    world.files.contents["a.json"] = kNode + kClaim;
    world.files.contents["b.json"] = pod("a") + pod("b");
    std::vector<std::string> args = {"check", "--complete", "--format", "json"};
    args.insert(args.end(), paths.begin(), paths.end());
    CHECK(world.run(args) == kExitFindings);
    return world.out.text;
  };
  const std::string expected = report({"a.json", "b.json"});
  CHECK(report({"b.json", "a.json"}) == expected);
  CHECK(report({"b.json", "a.json", "b.json"}) == expected);
}

TEST_CASE("nothing checked is never status 0") {
  for (const std::string& text : {std::string{"[]"}, std::string{R"({"kind":"List","items":[]})"},
                                  std::string{"{}"}, kNode, pod("a") + kNode}) {
    CAPTURE(text);
    CHECK(run_on(text, {"check"}).status == kExitUnable);
  }
  CHECK(run_on("[]", {"check", "--complete"}).status == kExitUnable);
  CHECK(run_on(kNode, {"check", "--complete"}).status == kExitClean);
}

}  // namespace draudit
