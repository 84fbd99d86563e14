#include "input/loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
};

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
    KindRow{Kind::pod, "Pod", "", add<read_pod, &Snapshot::pods>},
    KindRow{Kind::claim, "ResourceClaim", "resource.k8s.io", add<read_claim, &Snapshot::claims>},
    KindRow{Kind::node, "Node", "", add<read_node, &Snapshot::nodes>},
    KindRow{Kind::slice, "ResourceSlice", "resource.k8s.io", add<read_slice, &Snapshot::slices>},
    KindRow{Kind::device_class, "DeviceClass", "resource.k8s.io",
            add<read_device_class, &Snapshot::device_classes>},
    KindRow{Kind::bind_request, "BindRequest", "scheduling.run.ai",
            add<read_bind_request, &Snapshot::bind_requests>},
    KindRow{Kind::taint_rule, "DeviceTaintRule", "resource.k8s.io",
            add<read_taint_rule, &Snapshot::taint_rules>},
    KindRow{Kind::name_space, "Namespace", "", add<read_namespace, &Snapshot::namespaces>},
    KindRow{Kind::pod_group, "PodGroup", "scheduling.k8s.io",
            add<read_pod_group, &Snapshot::pod_groups>},
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

std::string render(const std::vector<std::string>& path) {
  std::string out;
  for (const std::string& step : path) {
    if (!out.empty() && !step.starts_with('[')) out += '.';
    out += step;
  }
  return out;
}

Position position_in(const Position& start, std::string_view json, std::size_t offset) {
  Position p = start;
  for (std::size_t i = 0; i < std::min(offset, json.size()); ++i) {
    ++p.column;
    if (json[i] == '\n') {
      ++p.line;
      p.column = 1;
    }
  }
  p.offset += offset;
  return p;
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

}  // namespace

struct Loader::Parser {
  simdjson::dom::parser json;
};

Loader::Loader(Snapshot& snapshot, const ReadOptions& options)
    : snapshot_(snapshot), options_(options), parser_(std::make_unique<Parser>()) {}
Loader::~Loader() = default;

void Loader::begin_file(std::string name) {
  snapshot_.files.push_back({.name = std::move(name)});
  problems_in_file_ = 0;
}

void Loader::end_file(std::uint64_t bytes, std::string sha256) {
  snapshot_.files.back().bytes = bytes;
  snapshot_.files.back().sha256 = std::move(sha256);
}

bool Loader::add_problem(Problem problem) {
  problem.file = static_cast<std::uint32_t>(snapshot_.files.size() - 1);
  snapshot_.problems.push_back(std::move(problem));
  if (++problems_in_file_ < options_.max_problems_per_file) return true;
  snapshot_.problems.push_back(
      {.file = static_cast<std::uint32_t>(snapshot_.files.size() - 1),
       .message = "too many problems: the rest of this file was not read"});
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

bool Loader::object(std::string_view json, const Position& at, const ListHints& hints) {
  simdjson::dom::element root;
  simdjson::dom::object fields;
  // The scanner keeps simdjson's padding readable behind the object: no copy.
  const auto error = parser_->json.parse(json.data(), json.size(), false).get(root);
  if (error != simdjson::SUCCESS || root.get(fields) != simdjson::SUCCESS) {
    const auto fault = find_syntax_error(json);
    const Position where = fault ? position_in(at, json, fault->offset) : at;
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
  ReadContext context{*snapshot_.strings, snapshot_.newest};
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
    if (const auto created = parse_timestamp(text_at(fields, "/metadata/creationTimestamp"))) {
      if (!snapshot_.newest || *snapshot_.newest < *created) snapshot_.newest = created;
    }
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
  const Location location{.file = static_cast<std::uint32_t>(snapshot_.files.size() - 1),
                          .offset = at.offset,
                          .length = json.size(),
                          .line = at.line,
                          .column = at.column};
  try {
    row->add(Value{root, context}, json, location, snapshot_);
    snapshot_.newest = context.newest;
    ++snapshot_.files.back().objects;
  } catch (const BadField& bad) {
    const Position where = position_in(at, json, locate(json, bad.path));
    return add_problem({.line = where.line,
                        .column = where.column,
                        .object = label(),
                        .field = render(bad.path),
                        .message = bad.message,
                        .advice = "the object was left out"});
  }
  return true;
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

void Loader::finish() {
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
