#include "input/yaml_splitter.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

#include "input/prose.hpp"

namespace draudit {
namespace {

constexpr std::size_t kBatch = std::size_t{1} << 20;  ///< bytes of items that wait
constexpr std::size_t kLook = 512;  ///< of a line: more than any indent or key that matters
constexpr std::string_view kYamlTooLarge = "this object is too large to be one of Kubernetes'";

struct StopFile {};  ///< the sink has had enough of this file

/// The JSON text that a YAML document was made into.
class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : left_(text) {}
  std::size_t read(std::span<char> into) override {
    const std::size_t n = std::min(into.size(), left_.size());
    std::copy_n(left_.data(), n, into.data());
    left_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view left_;
};

/// Leads the places of that JSON text back to the YAML.
class Translator : public ObjectSink {
 public:
  Translator(ObjectSink& to, const YamlToJson& from, Position start)
      : to_(to), from_(from), start_(start) {}
  bool object(std::string_view json, const Place& place, const ListHints& hints) override {
    return to_.object(json, back(place), hints);
  }
  bool event(std::string_view type, std::string_view json, const Place& place) override {
    return to_.event(type, json, back(place));
  }
  void list_end(const ListHints& hints, std::string_view metadata, const Position& at) override {
    to_.list_end(hints, metadata, position(at));
  }
  void snapshot_part(std::string_view name, std::string_view json) override {
    to_.snapshot_part(name, json);
  }
  bool problem(const Position& at, std::string message, std::string advice) override {
    return to_.problem(position(at), std::move(message), std::move(advice));
  }
  void text(const Position& at, const Prose& prose) override { to_.text(position(at), prose); }

 private:
  [[nodiscard]] Position position(const Position& at) const {
    const Place whole{.at = start_, .length = 0, .marks = &from_.marks(), .shift = 0};
    return whole.of({}, at.offset);
  }
  [[nodiscard]] Place back(const Place& place) const {
    return {.at = position(place.at),
            .length = place.length,
            .marks = &from_.marks(),
            .shift = place.at.offset};
  }

  ObjectSink& to_;
  const YamlToJson& from_;
  Position start_;
};

bool ends_key(std::string_view rest) {
  return rest.empty() || rest.front() == ' ' || rest.front() == '\n' || rest.front() == '\r' ||
         rest.front() == '\t';
}

/// "items:" with nothing but blanks or a comment behind it.
bool opens_items(std::string_view line) {
  constexpr std::string_view kItems = "items:";
  if (!line.starts_with(kItems)) return false;
  line.remove_prefix(kItems.size());
  const std::size_t i = line.find_first_not_of(" \t\r");
  return i == std::string_view::npos || line[i] == '\n' || (i > 0 && line[i] == '#');
}

}  // namespace

void YamlSplitter::problem(const Position& at, std::string message, std::string advice) {
  if (!sink_.problem(at, std::move(message), std::move(advice))) throw StopFile{};
}

YamlSplitter::Line YamlSplitter::look() {
  Line line;
  const std::string_view ahead = in_.ahead(kLook);
  line.indent = std::min(ahead.find_first_not_of(' '), ahead.size());
  line.text = ahead.substr(line.indent);
  const std::string_view t = line.text;
  const std::size_t solid = t.find_first_not_of("\t\r");
  line.blank = t.empty() ? line.indent < kLook
                         : solid == std::string_view::npos || t[solid] == '\n' || t[0] == '#';
  line.item = t.starts_with('-') && ends_key(t.substr(1));
  if (line.indent == 0) {
    line.boundary = (t.starts_with("---") || t.starts_with("...")) && ends_key(t.substr(3));
    line.log = is_tool_prose(t);
  }
  return line;
}

void YamlSplitter::skip_log(const Line& line) {
  const Position at = in_.position();
  Prose prose;
  const bool closed = skip_prose(in_, line.text, prose);
  sink_.text(at, prose);
  if (!closed) {
    problem(at, "the log that begins here does not end", "the dump was cut off: take it again");
  }
}

void YamlSplitter::run() {
  try {
    while (!at_end()) {
      const Line line = look();
      const std::string_view t = line.text;
      if (line.boundary) {
        const std::size_t more = t.find_first_not_of(" \t\r", 3);
        const bool bare = more == std::string_view::npos || t[more] == '\n' || t[more] == '#' ||
                          t.starts_with("...");
        if (bare) {
          in_.skip_line();
          continue;
        }
        for (std::size_t i = 0; i < more; ++i) in_.advance();
        if (in_.peek() == '{' || in_.peek() == '[') continue;  // looked at as a line of its own
        problem(in_.position(), "a value on the line of \"---\" is not read",
                "write it on the next line");
        in_.skip_line();
      } else if (line.blank || (line.indent == 0 && t.starts_with('%'))) {
        in_.skip_line();
      } else if (line.log) {
        skip_log(line);
      } else if (t.starts_with('{') || t.starts_with('[')) {
        in_.skip_space();
        if (!Splitter(in_, sink_).run_one()) return;
      } else if (line.item) {
        items(line.indent, {});
      } else {
        document();
      }
    }
  } catch (const StopFile&) {
    // Said already; what was found before stands.
  }
}

void YamlSplitter::document() {
  const std::size_t base = look().indent;
  Position at = in_.position();
  Envelope envelope;
  bool is_list = false;
  bool sound = true;
  Position list_at;
  in_.mark();
  while (true) {
    const bool end = at_end();
    const Line line = end ? Line{} : look();
    if (end || line.boundary || line.log) {
      // Text between documents ends one as the marker does: both stand in no indented block.
      const bool overflowed = in_.overflowed();
      const std::string_view text = in_.marked();
      if (overflowed) {
        problem(at, std::string{kYamlTooLarge});
      } else if (is_list) {
        if (sound && read_envelope(text, at, envelope)) {
          if (!envelope.list.kind.empty() && !envelope.list.kind.ends_with("List")) {
            problem(list_at, fmt::format("a {} has no list of items", envelope.list.kind));
          }
          sink_.list_end(hints_of_items(envelope.list), envelope.metadata, list_at);
        }
      } else {
        whole(text, at);
      }
      in_.unmark();
      return;
    }
    if (line.indent == base && opens_items(line.text)) {
      const Position here = in_.position();
      const std::string head{in_.marked()};
      if (is_list) {
        problem(here, "this list has a second \"items\"");
      }
      Envelope before;
      const bool known = read_envelope(head, at, before);
      const bool single = !before.list.kind.empty() && !before.list.kind.ends_with("List");
      in_.skip_line();
      if (known && !single && list_of(base)) {
        if (!is_list) list_at = at;
        is_list = true;
        if (!before.list.kind.empty()) envelope.list.kind = before.list.kind;
        if (!before.list.api_version.empty()) {
          envelope.list.api_version = before.list.api_version;
        }
        if (!before.metadata.empty()) envelope.metadata = before.metadata;
        in_.unmark();
        while (!at_end() && look().blank && !look().boundary) in_.skip_line();
        items(look().indent, hints_of_items(envelope.list));
        at = in_.position();
        in_.mark();
      }
      if (!known) sound = false;
      continue;
    }
    in_.skip_line();
  }
}

/// Whether the lines from here on are the items of a block list.
bool YamlSplitter::list_of(std::size_t indent) {
  // Blank lines and comments in between are few, or it is none.
  std::string_view ahead = in_.ahead(kLook * 8);
  while (!ahead.empty()) {
    const std::size_t end = std::min(ahead.find('\n'), ahead.size());
    const std::string_view line = ahead.substr(0, end);
    const std::size_t solid = line.find_first_not_of(" \t\r");
    if (solid != std::string_view::npos && line[solid] != '#') {
      return solid >= indent && line[solid] == '-' && ends_key(line.substr(solid + 1)) &&
             !(solid == 0 && line.starts_with("---"));
    }
    ahead.remove_prefix(std::min(end + 1, ahead.size()));
  }
  return false;
}

void YamlSplitter::items(std::size_t indent, const ListHints& hints) {
  try {
    cut_items(indent, hints);
  } catch (const IoError&) {
    hand_over(hints);  // what came before reading failed stands
    throw;
  }
  hand_over(hints);
}

void YamlSplitter::cut_items(std::size_t indent, const ListHints& hints) {
  while (!at_end()) {
    const Line first = look();
    if (first.boundary || first.log || !first.item || first.indent != indent) return;
    for (std::size_t i = 0; i < indent; ++i) in_.advance();
    const Position at = in_.position();
    in_.mark();
    in_.skip_line();
    while (!at_end()) {
      const Line line = look();
      if (line.boundary || line.log) break;
      if (!line.blank && line.indent <= indent) break;
      in_.skip_line();
    }
    if (in_.overflowed()) {
      hand_over(hints);
      problem(at, std::string{kYamlTooLarge});
    } else {
      Item& item = waiting_.emplace_back();
      item.text = in_.marked();
      item.at = at;
      waiting_bytes_ += item.text.size();
    }
    in_.unmark();
    if (waiting_bytes_ >= kBatch) hand_over(hints);
  }
}

void YamlSplitter::Item::convert() {
  try {
    yaml.convert(text, at, true);
  } catch (const YamlError& e) {
    error = e;
  }
}

void YamlSplitter::hand_over(const ListHints& hints) {
  // Nearly all of the time goes into YAML's grammar, and items know nothing of each other.
  constexpr std::size_t kWorthThreads = std::size_t{64} << 10;
  constexpr std::size_t kMostThreads = 8;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < waiting_.size(); i = next++) waiting_[i].convert();
  };
  std::vector<std::future<void>> others;
  if (waiting_bytes_ >= kWorthThreads) {
    const std::size_t threads =
        std::min({std::size_t{std::thread::hardware_concurrency()}, kMostThreads, waiting_.size()});
    try {
      for (std::size_t i = 1; i < threads; ++i) {
        others.push_back(std::async(std::launch::async, work));
      }
    } catch (const std::system_error&) {
      // No more threads to be had: those that there are do the work.
    }
  }
  work();
  for (std::future<void>& other : others) other.get();
  const std::vector<Item> done = std::exchange(waiting_, {});
  waiting_bytes_ = 0;
  for (const Item& item : done) {
    const std::string_view json = item.yaml.json();
    if (item.error) {
      problem(item.error->at, item.error->message, item.error->advice);
    } else if (!json.starts_with('{')) {
      problem(item.at, "expected an object as item of a list");
    } else if (!sink_.object(json,
                             {.at = item.at,
                              .length = item.text.size(),
                              .marks = &item.yaml.marks(),
                              .shift = 0},
                             hints)) {
      throw StopFile{};
    }
  }
}

bool YamlSplitter::read_envelope(std::string_view text, const Position& at, Envelope& into) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return true;
  try {
    yaml_.convert(text, at, false);
  } catch (const YamlError& e) {
    problem(e.at, e.message, e.advice);
    return false;
  }
  simdjson::dom::parser parser;
  simdjson::dom::object fields;
  if (yaml_.json() == "null") return true;  // comments alone
  if (parser.parse(yaml_.json().data(), yaml_.json().size()).get(fields) != simdjson::SUCCESS) {
    problem(at, "this is neither a list nor an object");
    return false;
  }
  std::string_view word;
  if (fields["kind"].get(word) == simdjson::SUCCESS) into.list.kind = word;
  if (fields["apiVersion"].get(word) == simdjson::SUCCESS) into.list.api_version = word;
  for (const char* key : {"metadata", "listMeta"}) {
    simdjson::dom::object metadata;
    if (fields[key].get(metadata) == simdjson::SUCCESS) into.metadata = simdjson::minify(metadata);
  }
  return true;
}

void YamlSplitter::whole(std::string_view text, const Position& at) {
  try {
    yaml_.convert(text, at, false);
  } catch (const YamlError& e) {
    problem(e.at, e.message, e.advice);
    return;
  }
  const std::string_view json = yaml_.json();
  if (json == "null") return;  // comments alone
  Translator back(sink_, yaml_, at);
  if (!json.starts_with('{')) {
    problem(at, "this is neither a list nor an object",
            "take the dump with: kubectl get pods,resourceclaims,nodes,resourceslices -A -o json");
  } else if (!yaml_.may_be_envelope()) {
    const Place place{.at = at, .length = text.size(), .marks = &yaml_.marks(), .shift = 0};
    if (!sink_.object(json, place, {})) throw StopFile{};
  } else {
    TextSource source(json);
    Scanner scanner(source, json.size());
    if (!Splitter(scanner, back).run_one()) throw StopFile{};
  }
}

}  // namespace draudit
