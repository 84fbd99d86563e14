#include "input/loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

#include "input/locate.hpp"
#include "input/records.hpp"

namespace draudit {
namespace {

/// Which objects are read, by kind and group, and how.
struct KindRow {
  Kind kind;
  std::string_view name;
  std::string_view group;  ///< "" is the core group
  void (*add)(const Value& object, std::string_view json, const Location& at, Snapshot& to);
  void (*drop)(Snapshot& from,
               std::string_view kind);  ///< what a recorded watch shows to be of the past
};

/// The last event of an object in a stream, and where.
struct LastEvents {
  using Name = std::tuple<std::string_view, std::string_view, std::string_view>;
  std::map<std::pair<std::uint32_t, Name>, const WatchEvent*> in_file;
  std::map<Name, const WatchEvent*> deleted;  ///< by namespace, name and uid; the newest

  LastEvents(const Snapshot& snapshot, std::string_view kind) {
    for (const WatchEvent& e : snapshot.events) {
      if (e.kind != kind || e.type == EventType::bookmark || e.type == EventType::error) continue;
      const Name name{e.ns, e.name, e.uid};
      in_file[{e.at.file, name}] = &e;
      if (e.type != EventType::deleted) continue;
      const WatchEvent*& newest = deleted[name];
      if (newest == nullptr || newest->resource_version <= e.resource_version) newest = &e;
    }
  }
  /// Whether a later event of the same stream, or a deletion in another one, tells otherwise.
  [[nodiscard]] bool outdate(const Meta& meta) const {
    const Name name{meta.ns, meta.name, meta.uid};
    if (const auto it = in_file.find({meta.at.file, name}); it != in_file.end()) {
      return meta.at.offset < it->second->at.offset;
    }
    const auto gone = deleted.find(name);
    return gone != deleted.end() && meta.resource_version <= gone->second->resource_version;
  }
};

template <auto List>
void drop(Snapshot& from, std::string_view kind) {
  const LastEvents last(from, kind);
  auto& objects = from.*List;
  objects.erase(std::remove_if(objects.begin(), objects.end(),
                               [&](const auto& o) { return last.outdate(o.meta); }),
                objects.end());
}

/// FNV-1a: a number for a text, the same everywhere.
std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return h;
}

template <auto Read, auto List>
void add(const Value& object, std::string_view json, const Location& at, Snapshot& to) {
  auto record = Read(object);
  record.meta.at = at;
  // Without a version only what it says can tell one copy from another, whatever file it is in.
  if (record.meta.resource_version == 0) record.meta.content = fnv1a(json);
  if (record.meta.name.empty()) object.fail("metadata.name is missing: this is no stored object");
  (to.*List).push_back(std::move(record));
}

constexpr std::array kRows = {
    KindRow{Kind::pod, "Pod", "", add<read_pod, &Snapshot::pods>, drop<&Snapshot::pods>},
    KindRow{Kind::claim, "ResourceClaim", "resource.k8s.io", add<read_claim, &Snapshot::claims>,
            drop<&Snapshot::claims>},
    KindRow{Kind::node, "Node", "", add<read_node, &Snapshot::nodes>, drop<&Snapshot::nodes>},
    KindRow{Kind::slice, "ResourceSlice", "resource.k8s.io", add<read_slice, &Snapshot::slices>,
            drop<&Snapshot::slices>},
    KindRow{Kind::device_class, "DeviceClass", "resource.k8s.io",
            add<read_device_class, &Snapshot::device_classes>, drop<&Snapshot::device_classes>},
    KindRow{Kind::bind_request, "BindRequest", "scheduling.run.ai",
            add<read_bind_request, &Snapshot::bind_requests>, drop<&Snapshot::bind_requests>},
    KindRow{Kind::taint_rule, "DeviceTaintRule", "resource.k8s.io",
            add<read_taint_rule, &Snapshot::taint_rules>, drop<&Snapshot::taint_rules>},
    KindRow{Kind::name_space, "Namespace", "", add<read_namespace, &Snapshot::namespaces>,
            drop<&Snapshot::namespaces>},
    KindRow{Kind::pod_group, "PodGroup", "scheduling.k8s.io",
            add<read_pod_group, &Snapshot::pod_groups>, drop<&Snapshot::pod_groups>},
};

const KindRow* row_of(std::string_view kind, std::string_view api_version) {
  for (const KindRow& row : kRows) {
    if (row.name != kind) continue;
    if (api_version.empty()) return &row;
    const std::size_t slash = api_version.find('/');
    const std::string_view group =
        slash == std::string_view::npos ? std::string_view{} : api_version.substr(0, slash);
    if (group == row.group) return &row;
  }
  return nullptr;
}

/// One of our kinds, where this is not it but can only be meant for it. A kind of the same name in
/// another group is another kind.
std::string_view misspelt(std::string_view kind, std::string_view api_version) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  for (const KindRow& row : kRows) {
    const bool alike = std::equal(kind.begin(), kind.end(), row.name.begin(), row.name.end(),
                                  [&](char a, char b) { return lower(a) == lower(b); });
    if (alike && (kind != row.name || api_version.starts_with("core/"))) return row.name;
  }
  return {};
}

/// These come before structured parameters: no results, no slices as today (dra-objects.md §1.2).
bool too_old(std::string_view api_version) {
  return api_version == "resource.k8s.io/v1alpha1" || api_version == "resource.k8s.io/v1alpha2";
}

bool has(const simdjson::dom::object& o, std::string_view pointer) {
  return o.at_pointer(pointer).error() == simdjson::SUCCESS;
}

/// Kind of an object that does not say it, by its shape (dra-objects.md §5.1).
std::string_view kind_by_shape(const simdjson::dom::object& o) {
  if (has(o, "/spec/containers")) return "Pod";
  if (has(o, "/status/allocatable")) return "Node";
  if (has(o, "/spec/devices/requests")) return "ResourceClaim";
  if (has(o, "/spec/pool") && has(o, "/spec/driver")) return "ResourceSlice";
  if (has(o, "/spec/deviceSelector") && has(o, "/spec/taint")) return "DeviceTaintRule";
  if (has(o, "/spec/podName") && has(o, "/spec/selectedNode")) return "BindRequest";
  return {};
}

std::string_view text_at(const simdjson::dom::object& o, std::string_view pointer) {
  std::string_view text;
  if (o.at_pointer(pointer).get(text) != simdjson::SUCCESS) return {};
  return text;
}

void raise(std::optional<Timestamp>& newest, const std::optional<Timestamp>& to) {
  if (to && (!newest || *newest < *to)) newest = to;
}

std::string render(const std::vector<std::string>& path) {
  std::string out;
  for (const std::string& step : path) {
    if (!out.empty() && !step.starts_with('[')) out += '.';
    out += step;
  }
  return out;
}

/// Same object: same kind, namespace and name. Of several, the newest is kept: by resourceVersion,
/// then by creation, and for the sake of determinism by uid.
template <class T>
void sort_and_merge(std::vector<T>& objects, Snapshot& snapshot, std::string_view kind) {
  std::sort(objects.begin(), objects.end(), [](const T& a, const T& b) {
    const auto key = [](const T& o) {
      return std::tuple{o.meta.ns,
                        o.meta.name,
                        ~o.meta.resource_version,
                        o.meta.created ? -o.meta.created->nanoseconds : 0,
                        o.meta.uid,
                        o.meta.content};
    };
    return key(a) < key(b);
  });
  std::vector<T> kept;
  kept.reserve(objects.size());
  std::uint64_t same = 0;
  std::string_view last_name;  // of which this was said
  std::string_view last_ns;
  for (T& o : objects) {
    if (kept.empty() || kept.back().meta.ns != o.meta.ns || kept.back().meta.name != o.meta.name) {
      kept.push_back(std::move(o));
      continue;
    }
    ++snapshot.duplicates;
    if (kept.back().meta.uid == o.meta.uid) {
      ++same;
    } else if (kept.back().meta.name != last_name || kept.back().meta.ns != last_ns) {
      last_name = kept.back().meta.name;
      last_ns = kept.back().meta.ns;
      // Pods and claims are made anew under one name, the things that they live in hardly ever.
      if (kind == "Node" || kind == "Namespace") snapshot.mixed_clusters = true;
      snapshot.remarks.push_back(
          {fmt::format("{} {} is in the input with two uids, so it was made anew between two "
                       "lists or these are two clusters; the newer one counts",
                       kind, full_name(o.meta))});
    }
  }
  if (same > 0) {
    snapshot.remarks.push_back({fmt::format(
        "{} {} came more than once; the newest counts, by resourceVersion where it has one", same,
        same == 1 ? std::string{kind} : fmt::format("{} objects", kind))});
  }
  objects = std::move(kept);
}

/// Names that came with several uids, over all kinds.
struct TwoUids {
  std::uint64_t shared = 0;  ///< names that came more than once
  std::uint64_t differ = 0;

  /// `pair` sees every two neighbours of one name with different uids.
  template <class T, class F>
  void count(const std::vector<T>& objects, F pair) {
    std::vector<const T*> sorted;
    sorted.reserve(objects.size());
    for (const T& o : objects) sorted.push_back(&o);
    const auto name = [](const T* o) { return std::pair{o->meta.ns, o->meta.name}; };
    std::sort(sorted.begin(), sorted.end(), [&](const T* a, const T* b) {
      return std::pair{name(a), a->meta.uid} < std::pair{name(b), b->meta.uid};
    });
    for (std::size_t i = 0; i < sorted.size();) {
      std::size_t end = i + 1;
      bool two = false;
      for (; end < sorted.size() && name(sorted[end]) == name(sorted[i]); ++end) {
        const T& a = *sorted[end - 1];
        const T& b = *sorted[end];
        if (a.meta.uid == b.meta.uid || a.meta.uid.empty()) continue;
        two = true;
        pair(a, b);
      }
      shared += end - i > 1 ? 1U : 0U;
      differ += two ? 1U : 0U;
      i = end;
    }
  }
};

}  // namespace

struct Loader::Parser {
  simdjson::dom::parser json;
};

Loader::Loader(Snapshot& snapshot, const ReadOptions& options)
    : snapshot_(snapshot), options_(options), parser_(std::make_unique<Parser>()) {}
Loader::~Loader() = default;

Loader::FileMark Loader::begin_file(std::string name) {
  const FileMark outer{file_, problems_in_file_, objects_in_file_};
  file_ = static_cast<std::uint32_t>(snapshot_.files.size());
  snapshot_.files.push_back({.name = std::move(name)});
  problems_in_file_ = 0;
  objects_in_file_ = 0;
  return outer;
}

void Loader::end_file(std::uint64_t bytes, std::string sha256, const FileMark& outer) {
  snapshot_.files[file_].bytes = bytes;
  snapshot_.files[file_].sha256 = std::move(sha256);
  file_ = outer.file;
  problems_in_file_ = outer.problems;
  objects_in_file_ = outer.objects;
}

void Loader::skip_file(const std::string& reason, const std::string& name) {
  SkippedFiles& s = snapshot_.skipped_files[reason];
  if (s.files++ == 0) s.first = name;
}

bool Loader::add_problem(Problem problem) {
  problem.file = file_;
  snapshot_.problems.push_back(std::move(problem));
  if (++problems_in_file_ < options_.max_problems_per_file) return true;
  snapshot_.problems.push_back(
      {.file = file_, .message = "too many problems: the rest of this file was not read"});
  return false;
}

void Loader::file_problem(std::string message, std::string advice) {
  add_problem({.message = std::move(message), .advice = std::move(advice)});
}

bool Loader::problem(const Position& at, std::string message, std::string advice) {
  return add_problem({.line = at.line,
                      .column = at.column,
                      .message = std::move(message),
                      .advice = std::move(advice)});
}

bool Loader::object(std::string_view json, const Place& place, const ListHints& hints) {
  const Position& at = place.at;
  if (++objects_in_file_ > options_.limits.objects) {
    problem(at, fmt::format("there are more than {} objects in it", options_.limits.objects),
            "the rest was not read; raise --max-objects");
    return false;
  }
  simdjson::dom::element root;
  simdjson::dom::object fields;
  // The scanner keeps simdjson's padding readable behind the object: no copy.
  const auto error = parser_->json.parse(json.data(), json.size(), false).get(root);
  if (error != simdjson::SUCCESS || root.get(fields) != simdjson::SUCCESS) {
    const auto fault = find_syntax_error(json);
    const Position where = fault ? place.of(json, fault->offset) : at;
    std::string message =
        error == simdjson::DEPTH_ERROR    ? "nested too deep to be a Kubernetes object"
        : fault                           ? fault->message
        : error == simdjson::NUMBER_ERROR ? "a number in this object is out of range"
                                          : std::string{simdjson::error_message(error)};
    return problem(where, std::move(message), {});
  }

  std::string_view kind = text_at(fields, "/kind");
  std::string_view api_version = text_at(fields, "/apiVersion");
  if (kind.empty()) {
    kind = hints.kind;
    if (api_version.empty()) api_version = hints.api_version;
  }
  if (kind.empty()) kind = kind_by_shape(fields);

  const KindRow* row = row_of(kind, api_version);
  ReadContext context{*snapshot_.strings, {}};
  note(fields);
  if (row == nullptr) {
    const std::string_view near = misspelt(kind, api_version);
    if (!near.empty()) {
      return problem(at,
                     fmt::format("kind {} of {} is none; {} is", kind,
                                 api_version.empty() ? "no apiVersion" : api_version, near),
                     "the object was left out");
    }
    std::string name{kind.empty() ? std::string_view{"(no kind)"} : kind};
    ++snapshot_.ignored[std::move(name)];
    raise(snapshot_.newest, parse_timestamp(text_at(fields, "/metadata/creationTimestamp")));
    return true;
  }
  const auto label = [&] {
    const std::string_view ns = text_at(fields, "/metadata/namespace");
    const std::string_view name = text_at(fields, "/metadata/name");
    return fmt::format("{} {}{}{}", kind, ns, ns.empty() ? "" : "/", name);
  };
  if (too_old(api_version)) {
    return add_problem(
        {.line = at.line,
         .column = at.column,
         .object = label(),
         .field = "apiVersion",
         .message = fmt::format("{} is not supported: it was not counted", api_version),
         .advice = "draudit reads v1alpha3 (Kubernetes 1.31) and newer"});
  }
  const Location location{.file = file_,
                          .offset = at.offset,
                          .length = place.length,
                          .line = at.line,
                          .column = at.column};
  try {
    row->add(Value{root, context}, json, location, snapshot_);
    raise(snapshot_.newest, context.newest);
    if (context.newest) {
      const auto [it, first] = snapshot_.newest_of.try_emplace(row->kind, *context.newest);
      if (!first && it->second < *context.newest) it->second = *context.newest;
    }
    const auto created = parse_timestamp(text_at(fields, "/metadata/creationTimestamp"));
    if (created && (!snapshot_.oldest || *created < *snapshot_.oldest)) snapshot_.oldest = created;
    ++snapshot_.files[file_].objects;
  } catch (const BadField& bad) {
    const Position where = place.of(json, locate(json, bad.path));
    return add_problem({.line = where.line,
                        .column = where.column,
                        .object = label(),
                        .field = render(bad.path),
                        .message = bad.message,
                        .advice = "the object was left out"});
  }
  return true;
}

void Loader::note(const simdjson::dom::object& fields) {
  const std::string_view ns = text_at(fields, "/metadata/namespace");
  if (!ns.empty() && !snapshot_.namespaces_seen.contains(ns)) {
    snapshot_.namespaces_seen.emplace(ns);
  }
}

bool Loader::event(std::string_view type, std::string_view json, const Place& place) {
  WatchEvent event;
  for (const EventType t : {EventType::added, EventType::modified, EventType::deleted,
                            EventType::bookmark, EventType::error}) {
    if (to_string(t) == type) event.type = t;
  }
  const bool state = event.type == EventType::added || event.type == EventType::modified;
  // Before anything else reads with the same parser; a state is read once more as an object.
  {
    simdjson::dom::element root;
    simdjson::dom::object fields;
    if (parser_->json.parse(json.data(), json.size()).get(root) == simdjson::SUCCESS &&
        root.get(fields) == simdjson::SUCCESS) {
      StringPool& pool = *snapshot_.strings;
      event.kind = pool.intern(text_at(fields, "/kind"));
      if (event.kind.empty()) event.kind = pool.intern(kind_by_shape(fields));
      event.ns = pool.intern(text_at(fields, "/metadata/namespace"));
      event.name = pool.intern(text_at(fields, "/metadata/name"));
      event.uid = pool.intern(text_at(fields, "/metadata/uid"));
      const std::string_view version = text_at(fields, "/metadata/resourceVersion");
      std::from_chars(version.data(), version.data() + version.size(), event.resource_version);
      if (event.type == EventType::error) {
        snapshot_.remarks.push_back(
            {fmt::format("{}:{}: the watch ended with an error: {}", snapshot_.files[file_].name,
                         place.at.line, text_at(fields, "/message"))});
      }
      note(fields);
      raise(snapshot_.newest, parse_timestamp(text_at(fields, "/metadata/creationTimestamp")));
    } else if (!state) {
      return object(json, place, {});  // says what is wrong with it
    }
  }
  event.at = {.file = file_,
              .offset = place.at.offset,
              .length = place.length,
              .line = place.at.line,
              .column = place.at.column};
  snapshot_.events.push_back(event);
  return !state || object(json, place, {});
}

void Loader::text(const Position& at, const Prose& prose) {
  const auto file = file_;
  if (snapshot_.skipped.empty() || snapshot_.skipped.back().file != file) {
    snapshot_.skipped.push_back({.file = file, .line = at.line});
  }
  SkippedText& s = snapshot_.skipped.back();
  s.lines += prose.lines;
  s.bytes += prose.bytes;
  if (s.said.empty()) s.said = prose.said;
}

void Loader::list_end(const ListHints& hints, std::string_view metadata, const Position& at) {
  if (const KindRow* row = row_of(hints.kind, hints.api_version)) {
    snapshot_.coverage[row->kind].known_complete = true;
  }
  if (metadata.empty()) return;
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::object fields;
  if (parser.parse(metadata.data(), metadata.size()).get(root) != simdjson::SUCCESS ||
      root.get(fields) != simdjson::SUCCESS) {
    return;  // its brackets balance, and nothing else of it is used
  }
  if (!text_at(fields, "/continue").empty()) {
    ++snapshot_.unfinished_lists;
    problem(at, "this list goes on: it was read in pages, and only one is here",
            "take it again without limit=");
  }
}

void Loader::snapshot_part(std::string_view name, std::string_view json) {
  if (!snapshot_.scheduler) snapshot_.scheduler.emplace();
  SchedulerParams& params = *snapshot_.scheduler;
  if (name == "discovery") params.discovery = true;
  if (name == "persistentVolumes") params.persistent_volumes = true;
  if (name == "nodeResourceTopologies") params.numa_topologies = true;
  if (name != "schedulerParams") return;
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::object fields;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS ||
      root.get(fields) != simdjson::SUCCESS) {
    return;
  }
  params.node_pool_key = text_at(fields, "/partitionParams/NodePoolLabelKey");
  params.node_pool_value = text_at(fields, "/partitionParams/NodePoolLabelValue");
  std::int64_t threshold = 0;
  if (fields["stuckInReleasingThreshold"].get(threshold) == simdjson::SUCCESS) {
    params.stuck_after_nanoseconds = threshold;
  }
}

void Loader::replay_events() {
  if (snapshot_.events.empty()) return;
  // By place in the stream, not by resourceVersion: that is opaque, and a restored server's falls.
  for (const KindRow& row : kRows) row.drop(snapshot_, row.name);
  std::uint64_t bookmarks = 0;
  std::uint64_t deleted = 0;
  for (const WatchEvent& e : snapshot_.events) {
    bookmarks += e.type == EventType::bookmark ? 1U : 0U;
    deleted += e.type == EventType::deleted ? 1U : 0U;
  }
  snapshot_.remarks.push_back({fmt::format(
      "{} {} of a watch replayed, {} of them {}, {} {}: what is audited is the state at its end",
      snapshot_.events.size(), snapshot_.events.size() == 1 ? "event" : "events", deleted,
      deleted == 1 ? "a deletion" : "deletions", bookmarks,
      bookmarks == 1 ? "bookmark" : "bookmarks")});
}

void Loader::tell_clusters_apart() {
  std::set<std::string_view> ids;
  for (const Namespace& n : snapshot_.namespaces) {
    if (n.meta.name == "kube-system" && !n.meta.uid.empty()) ids.insert(n.meta.uid);
  }
  if (ids.size() > 1) {
    snapshot_.mixed = fmt::format("the namespace kube-system has {} uids", ids.size());
  }
  const auto used = [](const ResourceClaim& c) {
    return c.allocation && !c.reserved_for.empty() && !c.meta.uid.empty();
  };
  TwoUids all;
  all.count(snapshot_.claims, [&](const ResourceClaim& a, const ResourceClaim& b) {
    if (!snapshot_.mixed.empty() || !used(a) || !used(b)) return;
    snapshot_.mixed = fmt::format("the claim {} is in use under two uids", full_name(a.meta));
  });
  all.count(snapshot_.nodes, [](const Node&, const Node&) {});
  all.count(snapshot_.pods, [](const Pod&, const Pod&) {});
  // Some objects are made anew between two dumps of one cluster, most are not.
  constexpr std::uint64_t kMany = 5;
  if (snapshot_.mixed.empty() && all.differ >= kMany && all.differ * 2 > all.shared) {
    snapshot_.mixed = fmt::format("{} of {} names that came more than once have two uids",
                                  all.differ, all.shared);
  }
  if (snapshot_.mixed.empty()) return;
  const std::string message = fmt::format("these are two clusters: {}", snapshot_.mixed);
  if (options_.allow_mixed) {
    snapshot_.remarks.push_back({message});
  } else {
    snapshot_.problems.push_back(
        {.file = 0,
         .message = message,
         .advice = "audit each by itself; --allow-mixed takes them for one"});
  }
}

void Loader::finish() {
  replay_events();
  tell_clusters_apart();
  sort_and_merge(snapshot_.pods, snapshot_, "Pod");
  sort_and_merge(snapshot_.claims, snapshot_, "ResourceClaim");
  sort_and_merge(snapshot_.nodes, snapshot_, "Node");
  sort_and_merge(snapshot_.slices, snapshot_, "ResourceSlice");
  sort_and_merge(snapshot_.device_classes, snapshot_, "DeviceClass");
  sort_and_merge(snapshot_.bind_requests, snapshot_, "BindRequest");
  sort_and_merge(snapshot_.taint_rules, snapshot_, "DeviceTaintRule");
  sort_and_merge(snapshot_.namespaces, snapshot_, "Namespace");
  sort_and_merge(snapshot_.pod_groups, snapshot_, "PodGroup");
  const std::array<std::size_t, kKinds> counts = {
      snapshot_.pods.size(),        snapshot_.claims.size(),         snapshot_.nodes.size(),
      snapshot_.slices.size(),      snapshot_.device_classes.size(), snapshot_.bind_requests.size(),
      snapshot_.taint_rules.size(), snapshot_.namespaces.size(),     snapshot_.pod_groups.size(),
  };
  for (const KindRow& row : kRows) {
    KindCoverage& c = snapshot_.coverage[row.kind];
    c.objects = counts[static_cast<std::size_t>(row.kind)];
    if (options_.complete) c.known_complete = true;
  }
  std::sort(snapshot_.remarks.begin(), snapshot_.remarks.end(),
            [](const Remark& a, const Remark& b) { return a.message < b.message; });
}

}  // namespace draudit
