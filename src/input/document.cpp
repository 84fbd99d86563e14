#include "input/document.hpp"

#include <algorithm>
#include <array>

#include "input/prose.hpp"
#include "input/yaml_splitter.hpp"

namespace draudit {
namespace {

// Warnings before the first object are a few lines; where more come, JSON is waited for.
constexpr std::size_t kStart = std::size_t{64} << 10;
constexpr std::string_view kMark = "\xef\xbb\xbf";

std::string_view without_mark(std::string_view start) {
  if (start.starts_with(kMark)) start.remove_prefix(kMark.size());
  return start;
}

/// One of the words without which there is no object of Kubernetes.
bool speaks_of_objects(std::string_view text) {
  static constexpr std::array kWords = {
      std::string_view{"apiVersion"}, std::string_view{"kind"},     std::string_view{"items"},
      std::string_view{"rawObjects"}, std::string_view{"metadata"},
  };
  return std::any_of(kWords.begin(), kWords.end(), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

}  // namespace

std::string why_no_dump(Scanner& in) {
  std::string_view start = without_mark(in.ahead(kStart));
  const std::size_t solid = start.find_first_not_of(" \t\r\n");
  if (solid == std::string_view::npos) return "empty";
  if (start.find('\0') != std::string_view::npos) return "no text";
  start.remove_prefix(solid);
  const Shape shape = shape_of(start);
  const std::string_view line = start.substr(0, start.find('\n'));
  // A log may have lines of JSON, and a file that is cut at its front may begin anywhere.
  const bool at_once = begins_json(start) || shape_of(line) == Shape::yaml || line[0] == '#';
  const bool told = is_tool_prose(line) && (line.size() < 2 || line[1] < '0' || line[1] > '9');
  if (!at_once && !told) return "text that is no JSON or YAML";
  if (shape != Shape::json && shape != Shape::yaml) return "text that is no JSON or YAML";
  if (begins_json(start) && start.front() == '[') {
    const std::size_t next = start.find_first_not_of(" \t\r\n", 1);
    if (next != std::string_view::npos && start[next] != '{') return "a list, but not of objects";
  }
  if (!speaks_of_objects(start)) return "no objects of Kubernetes";
  return {};
}

void read_document(Scanner& in, ObjectSink& sink) {
  if (in.peek() == '{') return Splitter(in, sink).run();
  const std::string_view start = without_mark(in.ahead(kStart));
  const Shape shape = shape_of(start);
  switch (shape) {
    case Shape::yaml:
      for (std::size_t i = 0; i < kMark.size() && in.ahead(1) != start.substr(0, 1); ++i) {
        in.advance();
      }
      YamlSplitter(in, sink).run();
      return;
    case Shape::table:
    case Shape::names:
      sink.problem(in.position(), "there is no object in it", std::string{advice_on(shape)});
      return;
    case Shape::empty:
    case Shape::json:
    case Shape::text: Splitter(in, sink).run();
  }
}

}  // namespace draudit
