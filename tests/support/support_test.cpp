// The tests' own tools: a harness that can't fail proves nothing.
#include <doctest/doctest.h>

#include <array>

#include "support/diff.hpp"
#include "support/memory_io.hpp"
#include "support/testdata.hpp"

using draudit::test::Failure;
using draudit::test::line_diff;
using draudit::test::MemoryFiles;
using draudit::test::MemoryIo;
using draudit::test::StringSink;
using draudit::test::StringSource;

namespace {

std::string drain(draudit::ByteSource& source) {
  std::string out;
  std::array<char, 8> buffer{};
  while (const std::size_t n = source.read(buffer)) out.append(buffer.data(), n);
  return out;
}

}  // namespace

TEST_CASE("line_diff: the same is no difference") {
  CHECK(line_diff("", "") == "");
  CHECK(line_diff("a\nb\n", "a\nb\n") == "");
}

TEST_CASE("line_diff: a change with two lines around it") {
  CHECK(line_diff("1\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\nx\n5\n6\n7\n") ==
        "@ line 2\n  2\n  3\n- 4\n+ x\n  5\n  6\n");
}

TEST_CASE("line_diff: changes far apart are two hunks") {
  CHECK(line_diff("1\n2\n3\n4\n5\n6\n7\n8\n", "2\n3\n4\n5\n6\n7\n8\n9\n") ==
        "@ line 1\n- 1\n  2\n  3\n@ line 7\n  7\n  8\n+ 9\n");
}

TEST_CASE("line_diff: something and nothing") {
  CHECK(line_diff("", "a\n") == "@ line 1\n+ a\n");
  CHECK(line_diff("a\n", "") == "@ line 1\n- a\n");
}

TEST_CASE("line_diff: what a terminal hides is spelled out") {
  CHECK(line_diff("a\n", "a") == "@ line 1\n- a\n+ a  (no newline at the end)\n");
  CHECK(line_diff("a\n", "a  \n") == "@ line 1\n- a\n+ a··\n");
  CHECK(line_diff("a\n", "\x1b[1ma\r\n") == "@ line 1\n- a\n+ \\x1b[1ma\\x0d\n");
}

TEST_CASE("line_diff: a long one is cut, and one of huge texts stays cheap") {
  std::string a;
  std::string b;
  for (int i = 0; i < 5000; ++i) {
    a += "a" + std::to_string(i) + "\n";
    b += "b" + std::to_string(i) + "\n";
  }
  const std::string diff = line_diff(a, b);
  CHECK(diff.starts_with("@ line 1\n- a0\n"));
  CHECK(diff.ends_with("… and 9880 more lines\n"));
}

TEST_CASE("StringSource: chunks, the end and a failure") {
  StringSource source("abcdef");
  source.chunk = 4;
  CHECK(drain(source) == "abcdef");
  CHECK(drain(source) == "");

  StringSource broken("abcdef");
  broken.failure = Failure{4, "gone"};
  std::array<char, 8> buffer{};
  CHECK(broken.read(buffer) == 4);
  CHECK_THROWS_WITH_AS(broken.read(buffer), "gone", draudit::IoError);
}

TEST_CASE("StringSink: keeps what fits before the failure") {
  StringSink sink;
  sink.failure = Failure{4, "No space left on device"};
  sink.write("abc");
  CHECK_THROWS_WITH_AS(sink.write("def"), "No space left on device", draudit::IoError);
  CHECK(sink.text == "abcd");
  sink.write("");
  CHECK_THROWS_AS(sink.write("g"), draudit::IoError);
}

TEST_CASE("MemoryFiles: the disk below a folder, and what hides it") {
  const auto root = draudit::test::testdata();
  MemoryFiles files(root);
  CHECK(drain(*files.open("README.md")) == draudit::test::slurp(root / "README.md"));
  CHECK_THROWS_WITH_AS((void)files.open("no-such-file"), "No such file or directory",
                       draudit::IoError);
  CHECK_THROWS_AS((void)files.open("dumps"), draudit::IoError);

  files.contents["README.md"] = "other";
  CHECK(drain(*files.open("README.md")) == "other");

  files.unreadable["README.md"] = Failure{0, "Permission denied"};
  CHECK_THROWS_WITH_AS((void)files.open("README.md"), "Permission denied", draudit::IoError);
  files.unreadable["README.md"] = Failure{2, "Input/output error"};
  const auto source = files.open("README.md");
  CHECK_THROWS_WITH_AS((void)drain(*source), "Input/output error", draudit::IoError);
}

TEST_CASE("MemoryFiles: writes stay in memory, or fail and leave what was there") {
  MemoryFiles files(".");
  files.write_atomically("report.json", "{}");
  CHECK(files.written.at("report.json") == "{}");
  files.unwritable = Failure{0, "Read-only file system"};
  CHECK_THROWS_AS(files.write_atomically("report.json", "[]"), draudit::IoError);
  CHECK(files.written.at("report.json") == "{}");
}

TEST_CASE("MemoryIo: an environment of its own") {
  MemoryIo io;
  io.env["NO_COLOR"] = "1";
  const draudit::Io view = io.io();
  CHECK(view.env("NO_COLOR") == "1");
  CHECK(view.env("PATH") == std::nullopt);
  CHECK_FALSE(view.out_is_terminal);
}
