#include "input/document.hpp"

#include <fmt/format.h>

#include "input/prose.hpp"
#include "input/yaml_splitter.hpp"

namespace draudit {

void read_document(Scanner& in, ObjectSink& sink) {
  // Warnings before the first object are a few lines; where more come, JSON is waited for.
  constexpr std::size_t kStart = std::size_t{64} << 10;
  if (in.peek() == '{') return Splitter(in, sink).run();
  std::string_view start = in.ahead(kStart);
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (start.starts_with(kMark)) start.remove_prefix(kMark.size());
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
