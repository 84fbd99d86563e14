// Reading, where a golden case can't go: every cut, every chunk, and more bytes than memory.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "draudit/input.hpp"
#include "support/memory_io.hpp"

namespace draudit {
namespace {

Snapshot read_text(const std::string& text, ReadOptions options = {},
                   std::size_t chunk = test::kNoLimit) {
  test::MemoryIo world;
  world.in.text = text;
  world.in.chunk = chunk;
  Io io = world.io();
  options.paths = {"-"};
  return read(options, io);
}

const std::string kPod =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"tts","namespace":"voice","uid":"u"},)"
    R"("spec":{"nodeName":"atlas","containers":[{"name":"a \"{[","resources":{"requests":)"
    R"({"nvidia.com/gpu":"1"}}}]},"status":{"phase":"Running"}})";
const std::string kNode =
    R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"atlas"},"status":{"allocatable":{}}})";

std::string list(const std::string& items) {
  return "{\n  \"apiVersion\": \"v1\",\n  \"items\": [\n    " + items +
         "\n  ],\n  \"kind\": \"List\"\n}\n";
}

/// Blanks without end, but for a limit.
class Blanks : public ByteSource {
 public:
  explicit Blanks(std::uint64_t bytes) : left_(bytes) {}
  std::size_t read(std::span<char> into) override {
    const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), left_));
    std::fill_n(into.data(), n, ' ');
    left_ -= n;
    largest = std::max(largest, into.size());
    return n;
  }
  std::size_t largest = 0;

 private:
  std::uint64_t left_;
};

}  // namespace

TEST_CASE("objects are where they stand, whatever the size of the reads") {
  const std::string text = list(kPod + ",\n    " + kNode);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{2}, std::size_t{7}, test::kNoLimit}) {
    CAPTURE(chunk);
    const Snapshot s = read_text(text, {}, chunk);
    REQUIRE(s.problems.empty());
    REQUIRE(s.pods.size() == 1);
    REQUIRE(s.nodes.size() == 1);
    const Location& at = s.nodes.front().meta.at;
    CHECK(at.line == 5);
    CHECK(at.column == 5);
    CHECK(at.offset == text.find(kNode));
    CHECK(at.length == kNode.size());
    CHECK(s.files.front().bytes == text.size());
  }
}

TEST_CASE("a dump that is cut anywhere is never silently whole") {
  const std::string text = list(kPod + ",\n    " + kNode);
  const std::size_t end = text.rfind('}');
  for (std::size_t cut = 0; cut <= end; ++cut) {
    CAPTURE(cut);
    const Snapshot s = read_text(text.substr(0, cut));
    CHECK_FALSE(s.problems.empty());
    CHECK(s.nodes.size() <= 1);
  }
  CHECK(read_text(text.substr(0, end + 1)).problems.empty());
}

TEST_CASE("a byte that is changed anywhere never stops the reader") {
  const std::string text = list(kPod + ",\n    " + kNode);
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'\0', '"', '{', ']', '\\', '\xff', ','}) {
      std::string broken = text;
      broken[i] = c;
      const Snapshot s = read_text(broken);
      CHECK(s.pods.size() + s.nodes.size() <= 2);
    }
  }
}

TEST_CASE("an object that is too large is said and passed over; the next is read") {
  const std::string big =
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"x","namespace":")" +
      std::string(1 << 20, 'n') + R"("}})";
  const Snapshot s = read_text(list(big + ", " + kNode), {.limits = {.object_bytes = 300'000}});
  REQUIRE(s.problems.size() == 1);
  CHECK(s.problems.front().line == 4);
  CHECK(s.problems.front().message.find("too large") != std::string::npos);
  CHECK(s.pods.empty());
  CHECK(s.nodes.size() == 1);
}

TEST_CASE("a gigabyte of blanks takes no memory") {
  Blanks blanks(std::uint64_t{64} << 20);
  test::MemoryIo world;
  Io plain = world.io();
  Io io{.in = blanks, .out = plain.out, .err = plain.err, .files = plain.files, .env = {}};
  const Snapshot s = read({.paths = {"-"}}, io);
  CHECK(s.files.front().bytes == std::uint64_t{64} << 20);
  CHECK(blanks.largest <= std::size_t{1} << 20);  // asked for in windows, never as a whole
  CHECK(s.problems.size() == 1);
}

TEST_CASE("deep nesting, bad UTF-8 and wide numbers are problems of their object") {
  const std::string deep = R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"d"},"spec":)" +
                           std::string(10'000, '[') + std::string(10'000, ']') + "}";
  const std::string utf8 = R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":")"
                           "\xc3\x28"
                           R"("}})";
  const std::string wide =
      R"({"kind":"BindRequest","apiVersion":"scheduling.run.ai/v1alpha2","metadata":{"name":"b"},)"
      R"("spec":{"backoffLimit":123456789012345678901234567890}})";
  for (const std::string& bad : {deep, utf8, wide}) {
    const Snapshot s = read_text(list(bad + "," + kNode));
    CHECK(s.problems.size() == 1);
    CHECK(s.nodes.size() == 1);
  }
}

TEST_CASE("a file with too many problems is given up, and that is said") {
  std::string items;
  for (int i = 0; i < 50; ++i) items += R"({"kind":"Pod","apiVersion":"v1","metadata":3},)";
  const Snapshot s = read_text(list(items + kNode));
  CHECK(s.problems.size() == 21);
  CHECK(s.problems.back().message.find("too many") != std::string::npos);
  CHECK(s.nodes.empty());
}

TEST_CASE("of one object twice the highest resourceVersion counts") {
  const auto pod = [](int version, const std::string& node, const std::string& uid) {
    return fmt::format(
        R"({{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"p","namespace":"n","uid":"{}",)"
        R"("resourceVersion":"{}"}},"spec":{{"nodeName":"{}"}}}})",
        uid, version, node);
  };
  for (const bool newer_first : {false, true}) {
    const std::string a = pod(9, "old", "u");
    const std::string b = pod(10, "new", "u");
    const Snapshot s = read_text(newer_first ? b + a : a + b);
    REQUIRE(s.pods.size() == 1);
    CHECK(s.pods.front().node == "new");
    CHECK(s.duplicates == 1);
    CHECK(s.remarks.size() == 1);
  }
  const Snapshot two = read_text(pod(9, "old", "u1") + pod(10, "new", "u2"));
  REQUIRE(two.remarks.size() == 1);
  CHECK(two.remarks.front().message.find("two uids") != std::string::npos);
}

TEST_CASE("kinds are told by group, and by shape where nothing says them") {
  const Snapshot s = read_text(
      R"({"kind":"Node","apiVersion":"management.example/v3","metadata":{"name":"foreign"}})"
      R"({"metadata":{"name":"atlas"},"status":{"allocatable":{"cpu":"1"}}})"
      R"({"metadata":{"name":"c","namespace":"n"},"spec":{"devices":{"requests":[{"name":"r"}]}}})"
      R"({"metadata":{"name":"s"},"spec":{"driver":"d","pool":{"name":"p"},"devices":[{"name":"x"}]}})"
      R"({"metadata":{"name":"what"}})");
  CHECK(s.problems.empty());
  CHECK(s.nodes.size() == 1);
  CHECK(s.claims.size() == 1);
  CHECK(s.slices.size() == 1);
  CHECK(s.ignored.at("Node") == 1);
  CHECK(s.ignored.at("(no kind)") == 1);
}

TEST_CASE("a kind is empty only where the input says so") {
  CHECK_FALSE(read_text(list(kNode)).of(Kind::slice).known());
  CHECK(read_text(list(kNode), {.complete = true}).of(Kind::slice).known());
  CHECK(read_text(R"({"kind":"ResourceSliceList","apiVersion":"resource.k8s.io/v1","items":[]})")
            .of(Kind::slice)
            .known());
  CHECK(read_text(R"({"kind":"ResourceSliceList","apiVersion":"resource.k8s.io/v1","items":null})")
            .of(Kind::slice)
            .known());
  CHECK(read_text(R"({"rawObjects":{"pods":null,"resourceSlices":null}})").of(Kind::slice).known());
}

TEST_CASE("reading that fails midway keeps what came before") {
  test::MemoryIo world;
  world.in.text = list(kNode + "," + kPod);
  world.in.failure = test::Failure{.after = 160, .reason = "Input/output error"};
  Io io = world.io();
  const Snapshot s = read({.paths = {"-"}}, io);
  CHECK(s.nodes.size() == 1);
  REQUIRE_FALSE(s.problems.empty());
  CHECK(s.problems.front().message.find("Input/output error") != std::string::npos);
}

}  // namespace draudit
