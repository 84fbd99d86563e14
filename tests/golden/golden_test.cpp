// One test case for each folder of testdata/cases: what the whole tool prints, byte by byte.
// testdata/README.md says what such a folder holds.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
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

/// Expected files of a case, by their name in its folder.
using Texts = std::map<std::string, std::string>;

const std::string kWritten = "written/";  // what the tool wrote to files of its own

bool accepting() { return environment("DRAUDIT_ACCEPT") == "1"; }

/// Lines that are neither empty nor comments.
std::vector<std::string> word_lines(const fs::path& file) {
  std::vector<std::string> out;
  std::istringstream text(slurp(file));
  for (std::string line; std::getline(text, line);) {
    if (!line.empty() && !line.starts_with('#')) out.push_back(line);
  }
  return out;
}

struct Case {
  fs::path folder;
  std::vector<std::string> args;
  std::vector<std::string> env;  ///< "NAME=VALUE"
  bool has_stdin = false;
};

Case read_case(const fs::path& folder) {
  Case out{.folder = folder, .args = {}, .env = {}};
  if (!fs::exists(folder / "args")) throw std::runtime_error("the case has no file \"args\"");
  out.args = word_lines(folder / "args");
  if (fs::exists(folder / "env")) out.env = word_lines(folder / "env");
  out.has_stdin = fs::exists(folder / "stdin");
  return out;
}

Texts run_case(const Case& c) {
  MemoryIo io(c.folder);
  if (c.has_stdin) io.in.text = slurp(c.folder / "stdin");
  for (const std::string& line : c.env) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) throw std::runtime_error("env: no NAME=VALUE: " + line);
    io.env[line.substr(0, equals)] = line.substr(equals + 1);
  }
  const int status = io.run(c.args);
  Texts out = {
      {"stdout", io.out.text}, {"stderr", io.err.text}, {"status", std::to_string(status) + "\n"}};
  for (const auto& [name, text] : io.files.written) out[kWritten + name] = text;
  return out;
}

Texts read_expected(const fs::path& folder) {
  Texts out;
  for (const char* name : {"stdout", "stderr", "status"}) {
    if (fs::exists(folder / name)) out[name] = slurp(folder / name);
  }
  if (!fs::is_directory(folder / kWritten)) return out;
  for (const auto& entry : fs::recursive_directory_iterator(folder / kWritten)) {
    if (!entry.is_regular_file()) continue;
    out[entry.path().lexically_relative(folder).generic_string()] = slurp(entry.path());
  }
  return out;
}

/// For a POSIX shell.
std::string quoted(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

/// The same by hand. Its environment is as bare as the test's.
std::string command(const Case& c) {
  std::string out = "(cd " + quoted(c.folder.string()) + " && env -i";
  for (const std::string& variable : c.env) out += ' ' + quoted(variable);
  out += ' ' + quoted(environment("DRAUDIT_EXE").value_or("draudit"));
  for (const std::string& arg : c.args) out += ' ' + quoted(arg);
  // Neither stream is a terminal in the test.
  out += c.has_stdin ? " < stdin" : " < /dev/null";
  return out + " | cat)";
}

void accept(const fs::path& folder, const Texts& expected, const Texts& actual) {
  const auto say = [&folder](const char* what, const std::string& name) {
    std::cout << what << " testdata/cases/" << folder.filename().string() << '/' << name << '\n';
  };
  for (const auto& [name, text] : expected) {
    if (actual.contains(name)) continue;
    fs::remove(folder / name);
    say("removed", name);
  }
  for (const auto& [name, text] : actual) {
    const auto old = expected.find(name);
    if (old != expected.end() && old->second == text) continue;
    fs::create_directories((folder / name).parent_path());
    std::ofstream file(folder / name, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw std::runtime_error("can't write " + (folder / name).string());
    say("accepted", name);
  }
}

void compare(const Case& c, const Texts& expected, const Texts& actual) {
  std::string trouble;
  for (const auto& [name, text] : actual) {
    const auto wanted = expected.find(name);
    if (wanted == expected.end()) {
      // Where nothing is to be printed an empty file says so.
      trouble += name + ": the case has no such file; there came\n" + line_diff("", text);
    } else if (wanted->second != text) {
      trouble += name + ":\n" + line_diff(wanted->second, text);
    }
  }
  for (const auto& [name, text] : expected) {
    if (!actual.contains(name)) trouble += name + ": expected, but nothing was written there\n";
  }
  if (trouble.empty()) return;
  FAIL_CHECK(trouble << "by hand: " << command(c)
                     << "\nif the new output is right: DRAUDIT_ACCEPT=1 tools/test golden");
}

void golden(const fs::path& folder) {
  const Case c = read_case(folder);
  const Texts actual = run_case(c);
  const Texts expected = read_expected(folder);
  if (accepting()) {
    accept(folder, expected, actual);
  } else {
    compare(c, expected, actual);
  }
}

void add_cases() {
  if (accepting()) skip_at_the_end();
  const fs::path cases = testdata() / "cases";
  std::size_t found = 0;
  for (const fs::path& folder : entries(cases)) {
    if (!fs::is_directory(folder)) throw std::runtime_error(folder.string() + " is no case");
    add_case(__FILE__, __LINE__, folder.filename().string(), [folder] { golden(folder); });
    ++found;
  }
  if (found == 0) throw std::runtime_error("no cases in " + cases.string());
}

const CasesFrom kCases(add_cases);

}  // namespace
}  // namespace draudit::test
