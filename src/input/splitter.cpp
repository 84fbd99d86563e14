#include "input/splitter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace draudit {
namespace {

constexpr int kDeepest = 4;  ///< arrays of arrays of lists: nobody writes more

constexpr std::size_t kGap = 512;  ///< white space between '[' and the first value of a list

constexpr std::string_view kTake =
    "take the dump with: kubectl get pods,resourceclaims,nodes,resourceslices -A -o json";
constexpr std::string_view kCut = "the input ends in the middle of a value";
constexpr std::string_view kTooLarge = "this object is too large to be one of Kubernetes'";
constexpr std::string_view kCutAdvice = "the dump was cut off: take it again";

std::string show(int c) {
  if (c == Scanner::kEnd) return "the end of the input";
  if (c >= 0x20 && c < 0x7f) return fmt::format("'{}'", static_cast<char>(c));
  return fmt::format("byte 0x{:02x}", c);
}

/// Types of the events of a watch.
bool is_event_type(std::string_view word) {
  static constexpr std::array kTypes = {
      std::string_view{"ADDED"},    std::string_view{"MODIFIED"}, std::string_view{"DELETED"},
      std::string_view{"BOOKMARK"}, std::string_view{"ERROR"},
  };
  return std::find(kTypes.begin(), kTypes.end(), word) != kTypes.end();
}

}  // namespace

ListHints hints_of_items(const ListHints& list) {
  constexpr std::string_view kList = "List";
  if (list.kind == kList || !list.kind.ends_with(kList)) return {};
  return {list.kind.substr(0, list.kind.size() - kList.size()), list.api_version};
}

void Splitter::stop(std::string message, std::string advice) {
  sink_.problem(in_.position(), std::move(message), std::move(advice));
  throw Stop{};
}

void Splitter::run() {
  try {
    in_.mark();
    std::string start;
    while (start.size() < 6 && in_.peek() != Scanner::kEnd) {
      start += static_cast<char>(in_.peek());
      in_.advance();
    }
    in_.rewind();
    in_.unmark();
    if (start.starts_with("\xef\xbb\xbf")) {
      for (int i = 0; i < 3; ++i) in_.advance();
    }
    in_.skip_space();
    if (in_.peek() == Scanner::kEnd) {
      stop("there is nothing in it", "did the command that wrote it fail?");
    }
    bool any = false;
    const Position first = in_.position();
    std::uint64_t last_line = 0;  // on which a value ended
    while (in_.peek() != Scanner::kEnd) {
      // What may not come, since reading fails there, is not asked for.
      const std::string_view ahead = in_.ahead(in_.peek() == '{' ? 1 : kGap);
      if (begins_json(ahead)) {
        value(0);
        any = true;
        last_line = in_.position().line;
      } else if (std::string_view{"}],\":"}.find(ahead.front()) != std::string_view::npos ||
                 in_.position().line == last_line) {
        refuse();  // the rest of a value that was cut or broken is no text
      } else {
        text(ahead);
      }
      in_.skip_space();
    }
    if (!any) {
      sink_.problem(first,
                    fmt::format("there is only text in it, and no object{}{}",
                                said_.empty() ? "" : ": ", said_),
                    std::string{kTake});
    }
  } catch (const Stop&) {
    // Said already; what was found before stands.
  }
}

bool Splitter::run_one() {
  try {
    value(0);
    return true;
  } catch (const Stop&) {
    return false;
  }
}

void Splitter::text(std::string_view line) {
  const Position at = in_.position();
  Prose prose;
  const bool closed = skip_prose(in_, line, prose);
  sink_.text(at, prose);
  if (said_.empty()) said_ = prose.said;
  if (!closed) {
    sink_.problem(at, "the log that begins here does not end", std::string{kCutAdvice});
    throw Stop{};
  }
}

void Splitter::value(int depth) {
  const int c = in_.peek();
  if (c == '{') return object();
  if (c == '[') {
    if (depth < kDeepest) return array(depth);
    stop("lists nested this deep hold no Kubernetes objects");
  }
  if (c == Scanner::kEnd) stop(std::string{kCut}, std::string{kCutAdvice});
  refuse();
}

void Splitter::refuse() {
  stop(fmt::format("expected a JSON object or list, found {}", show(in_.peek())),
       std::string{kTake});
}

void Splitter::array(int depth) {
  in_.advance();
  in_.skip_space();
  if (in_.peek() == ']') return in_.advance();
  do {
    in_.skip_space();
    value(depth + 1);
  } while (more(']'));
}

void Splitter::object() {
  // Whether it is a list is known when its `items` come; until then it is kept.
  const Position at = in_.position();
  in_.mark();
  in_.advance();
  Envelope e;
  in_.skip_space();
  if (in_.peek() == '}') {
    in_.advance();
  } else {
    do {
      in_.skip_space();
      member(key(), e);
    } while (more('}'));
  }
  if (e.is_list) {
    if (e.is_snapshot && e.discovery) sink_.snapshot_part("discovery", {});
    if (!e.is_snapshot && !e.list.kind.empty() && !e.list.kind.ends_with("List") &&
        !sink_.problem(at, fmt::format("a {} has no list of items", e.list.kind), {})) {
      throw Stop{};
    }
    sink_.list_end(hints_of_items(e.list), e.metadata, at);
    return;
  }
  if (in_.overflowed()) {
    if (!sink_.problem(at, std::string{kTooLarge}, {})) throw Stop{};
    return;
  }
  if (e.list.kind.ends_with("List")) {
    in_.unmark();
    if (!sink_.problem(at, fmt::format("this {} has no list of items", e.list.kind), {})) {
      throw Stop{};
    }
    return;
  }
  const std::string_view json = in_.marked();
  const bool go_on = e.event_length > 0 && e.list.kind.empty() && is_event_type(e.event_type)
                         ? sink_.event(e.event_type, json.substr(e.event_from, e.event_length),
                                       {.at = e.event_at, .length = e.event_length})
                         : sink_.object(json, {.at = at, .length = json.size()}, {});
  if (!go_on) throw Stop{};
  in_.unmark();
}

void Splitter::member(const std::string& name, Envelope& e) {
  const int c = in_.peek();
  if (name == "items" && e.is_list) {
    stop("this list has a second \"items\"");
  } else if ((name == "items" || name == "rawObjects") && !e.list.kind.empty() &&
             !e.list.kind.ends_with("List")) {
    stop(fmt::format("a {} has no \"{}\": is this one object or a list?", e.list.kind, name));
  } else if (name == "items" && c == '[') {
    e.is_list = true;
    in_.unmark();
    items(e.list);
  } else if (name == "items" && c == 'n' && e.list.kind.ends_with("List")) {
    e.is_list = true;  // Go writes an empty list as null
    skip();
  } else if (name == "rawObjects" && c == '{') {
    e.is_list = e.is_snapshot = true;
    in_.unmark();
    snapshot_lists();
  } else if (name == "schedulerParams" && c == '{') {
    sink_.snapshot_part(name, kept_value());
  } else if (name == "discovery" && c == '{') {
    skip();
    e.discovery = true;  // of a snapshot, if it turns out to be one
  } else if (name == "type" && c == '"' && e.event_type.empty()) {
    e.event_type = text_value();
  } else if (name == "object" && c == '{' && in_.marking() && e.event_length == 0) {
    e.event_at = in_.position();
    e.event_from = in_.since_mark();
    skip();
    e.event_length = in_.since_mark() - e.event_from;
  } else if (name == "kind" && c == '"') {
    e.list.kind = text_value();
  } else if (name == "apiVersion" && c == '"') {
    e.list.api_version = text_value();
  } else if (name == "metadata" || name == "listMeta") {
    // A list's own metadata is a few words; an object's is not needed apart.
    constexpr std::size_t kSmall = 4096;
    const std::string_view kept = kept_value();
    if (kept.size() <= kSmall) e.metadata = kept;
  } else {
    skip();
  }
}

std::string_view Splitter::kept_value() {
  // Within an object that is kept, its end is; behind the items of a list, nothing is.
  if (!in_.marking()) {
    in_.mark();
    skip();
    const std::string_view kept = in_.marked();
    in_.unmark();
    return kept;
  }
  const std::size_t from = in_.since_mark();
  skip();
  const std::string_view kept = in_.marked();
  return kept.size() >= from ? kept.substr(from) : std::string_view{};
}

void Splitter::items(const ListHints& list) {
  const ListHints hints = hints_of_items(list);
  in_.advance();
  in_.skip_space();
  if (in_.peek() == ']') return in_.advance();
  do {
    in_.skip_space();
    one_object(hints);
  } while (more(']'));
}

void Splitter::one_object(const ListHints& hints) {
  const Position at = in_.position();
  const int c = in_.peek();
  in_.mark();
  skip();
  if (c != '{') {
    if (!sink_.problem(at, fmt::format("expected an object, found {}", show(c)), {})) throw Stop{};
  } else if (in_.overflowed()) {
    if (!sink_.problem(at, std::string{kTooLarge}, {})) throw Stop{};
  } else if (!sink_.object(in_.marked(), {.at = at, .length = in_.since_mark()}, hints)) {
    throw Stop{};
  }
  in_.unmark();
}

void Splitter::snapshot_lists() {
  // KAI's /get-snapshot: the name of each array says what is in it (kai-accounting.md §13).
  struct Row {
    std::string_view key;
    std::string_view kind;
  };
  static constexpr std::array kRows = {
      Row{"pods", "Pod"},
      Row{"nodes", "Node"},
      Row{"resourceClaims", "ResourceClaim"},
      Row{"resourceSlices", "ResourceSlice"},
      Row{"deviceClasses", "DeviceClass"},
      Row{"bindRequests", "BindRequest"},
  };
  in_.advance();
  in_.skip_space();
  if (in_.peek() == '}') return in_.advance();
  do {
    in_.skip_space();
    const std::string name = key();
    ListHints hints;
    hints.kind = name;
    for (const Row& row : kRows) {
      if (row.key == name) hints.kind = row.kind;
    }
    sink_.snapshot_part(name, {});
    const Position at = in_.position();
    if (in_.peek() == '[') {
      ListHints list = hints;
      list.kind += "List";
      items(list);
    } else if (in_.peek() == 'n') {
      skip();  // Go writes an empty list as null
    } else {
      skip();
      if (!sink_.problem(at, fmt::format("rawObjects.{} is no list", name), {})) throw Stop{};
      continue;
    }
    sink_.list_end(hints, {}, at);
  } while (more('}'));
}

std::string Splitter::key() {
  if (in_.peek() != '"') {
    if (in_.peek() == Scanner::kEnd) stop(std::string{kCut}, std::string{kCutAdvice});
    stop(fmt::format("expected a key in quotes, found {}", show(in_.peek())));
  }
  std::string name = text_value();
  in_.skip_space();
  expect(':', "after a key");
  in_.skip_space();
  return name;
}

std::string Splitter::text_value() {
  // Not for content: keys and kinds have no escapes, and one that has is none that is looked for.
  std::string out;
  in_.advance();
  while (true) {
    const int c = in_.peek();
    if (c == Scanner::kEnd) stop(std::string{kCut}, std::string{kCutAdvice});
    in_.advance();
    if (c == '"') return out;
    constexpr std::size_t kLongest = 1024;
    if (out.size() < kLongest) out += static_cast<char>(c);
    if (c == '\\') {
      if (in_.peek() == Scanner::kEnd) stop(std::string{kCut}, std::string{kCutAdvice});
      if (out.size() < kLongest) out += static_cast<char>(in_.peek());
      in_.advance();
    }
  }
}

void Splitter::skip() {
  switch (in_.skip_value()) {
    case SkipResult::ok: return;
    case SkipResult::truncated: stop(std::string{kCut}, std::string{kCutAdvice});
    case SkipResult::mismatched:
      stop(fmt::format("{} closes a bracket that was not opened", show(in_.peek())));
  }
}

bool Splitter::more(char close) {
  in_.skip_space();
  const int c = in_.peek();
  if (c == ',') {
    in_.advance();
    return true;
  }
  if (c == close) {
    in_.advance();
    return false;
  }
  if (c == Scanner::kEnd) stop(std::string{kCut}, std::string{kCutAdvice});
  stop(fmt::format("expected ',' or '{}', found {}", close, show(c)));
}

void Splitter::expect(char c, std::string_view what) {
  if (in_.peek() == c) return in_.advance();
  if (in_.peek() == Scanner::kEnd) stop(std::string{kCut}, std::string{kCutAdvice});
  stop(fmt::format("expected '{}' {}, found {}", c, what, show(in_.peek())));
}

}  // namespace draudit
