#include "slow_model.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace draudit::slow {
namespace {

using nlohmann::json;

// ---------------------------------------------------------------------------- reading JSON

const json& field(const json& object, std::initializer_list<const char*> path) {
  static const json kNothing;
  const json* at = &object;
  for (const char* name : path) {
    if (!at->is_object()) return kNothing;
    const auto found = at->find(name);
    if (found == at->end()) return kNothing;
    at = &*found;
  }
  return *at;
}

std::string text(const json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string text(const json& object, std::initializer_list<const char*> path) {
  return text(field(object, path));
}

std::int64_t number(const json& value, std::int64_t otherwise) {
  return value.is_number_integer() ? value.get<std::int64_t>() : otherwise;
}

bool ends_with(std::string_view name, std::string_view end) {
  return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

bool starts_with(std::string_view name, std::string_view start) {
  return name.substr(0, start.size()) == start;
}

/// §3.3, §5.3, §6.3: the one test for "is this a GPU", on class names and driver names alike.
bool names_gpu(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name.find("gpu") != std::string::npos;
}

/// Go's strconv.ParseInt(s, 10, 64).
std::optional<std::int64_t> go_integer(std::string_view s) {
  if (!s.empty() && s.front() == '+') {
    s.remove_prefix(1);
    if (!s.empty() && s.front() == '-') return std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc() || end != s.data() + s.size()) return std::nullopt;
  return value;
}

/// Go's strconv.ParseFloat(s, 64), as far as decimal numbers go.
std::optional<double> go_decimal(std::string_view s) {
  if (!s.empty() && s.front() == '+') {
    s.remove_prefix(1);
    if (!s.empty() && s.front() == '-') return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc() || end != s.data() + s.size() || std::isnan(value)) return std::nullopt;
  return value;
}

/// Nanoseconds since 1970 of an RFC 3339 time.
std::optional<std::int64_t> nanoseconds(const std::string& s) {
  const auto digits = [&s](std::size_t from, std::size_t count) -> std::int64_t {
    std::int64_t value = 0;
    for (std::size_t i = from; i < from + count; ++i) {
      if (i >= s.size() || s[i] < '0' || s[i] > '9') return -1;
      value = value * 10 + (s[i] - '0');
    }
    return value;
  };
  // Later years would not fit into 64 bits.
  const std::int64_t year = std::min<std::int64_t>(digits(0, 4), 2261);
  const std::int64_t month = digits(5, 2), day = digits(8, 2);
  const std::int64_t hour = digits(11, 2), minute = digits(14, 2), second = digits(17, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1 || hour < 0 || minute < 0 || second < 0) {
    return std::nullopt;
  }
  std::size_t at = 19;
  std::int64_t fraction = 0;
  if (at < s.size() && s[at] == '.') {
    std::int64_t unit = 100'000'000;
    for (++at; at < s.size() && s[at] >= '0' && s[at] <= '9'; ++at, unit /= 10) {
      fraction += unit * (s[at] - '0');
    }
  }
  std::int64_t offset = 0;
  if (at < s.size() && (s[at] == '+' || s[at] == '-')) {
    offset = digits(at + 1, 2) * 3600 + digits(at + 4, 2) * 60;
    if (s[at] == '-') offset = -offset;
  } else if (at >= s.size() || (s[at] != 'Z' && s[at] != 'z')) {
    return std::nullopt;
  }
  // Days since 1970-01-01, counted year by year and month by month.
  const auto leap = [](std::int64_t y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; };
  constexpr std::array<int, 12> kLengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::int64_t days = day - 1;
  for (std::int64_t y = 1970; y < year; ++y) days += leap(y) ? 366 : 365;
  for (std::int64_t m = 1; m < month; ++m) days += kLengths[static_cast<std::size_t>(m - 1)];
  if (month > 2 && leap(year)) ++days;
  const std::int64_t seconds = days * 86'400 + hour * 3600 + minute * 60 + second - offset;
  return seconds * 1'000'000'000 + fraction;
}

// ---------------------------------------------------------------------------- quantities

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kNano = 1'000'000'000;

std::int64_t times(std::int64_t a, std::int64_t b) {
  return a != 0 && b > kMost / a ? kMost : a * b;
}

std::int64_t plus(std::int64_t a, std::int64_t b) { return b > kMost - a ? kMost : a + b; }

/// A Kubernetes quantity, in units and billionths. Resources are never negative.
struct Quantity {
  std::int64_t units = 0;
  std::int64_t nanos = 0;

  /// Both round up, as resource.Quantity does.
  std::int64_t value() const { return plus(units, nanos > 0 ? 1 : 0); }
  std::int64_t milli() const { return plus(times(units, 1000), (nanos + 999'999) / 1'000'000); }
  bool zero() const { return units == 0 && nanos == 0; }
};

Quantity operator+(const Quantity& a, const Quantity& b) {
  const std::int64_t nanos = a.nanos + b.nanos;
  return {plus(plus(a.units, b.units), nanos / kNano), nanos % kNano};
}

Quantity parse_quantity(const json& value) {
  const std::string s = value.is_string() ? value.get<std::string>() : value.dump();
  std::size_t at = !s.empty() && s.front() == '+' ? 1 : 0;
  std::int64_t mantissa = 0;
  int decimals = 0;
  bool point = false;
  for (; at < s.size() && (s[at] == '.' || (s[at] >= '0' && s[at] <= '9')); ++at) {
    if (s[at] == '.') {
      point = true;
    } else if (mantissa <= kMost / 100) {
      mantissa = mantissa * 10 + (s[at] - '0');
      if (point) ++decimals;
    } else if (!point) {
      return {kMost, 0};
    }
  }
  int tens = -decimals;
  std::int64_t binary = 1;
  const std::string suffix = s.substr(at);
  const std::string_view kDecimal = "numkMGTPE";
  constexpr std::array<int, 9> kTens = {-9, -6, -3, 3, 6, 9, 12, 15, 18};
  const std::string_view kBinary = "KMGTPE";
  if (suffix.size() == 2 && suffix[1] == 'i' && kBinary.find(suffix[0]) != kBinary.npos) {
    for (std::size_t i = 0; i <= kBinary.find(suffix[0]); ++i) binary *= 1024;
  } else if (suffix.size() == 1 && kDecimal.find(suffix[0]) != kDecimal.npos) {
    tens += kTens[kDecimal.find(suffix[0])];
  } else if (suffix.size() > 1 && (suffix[0] == 'e' || suffix[0] == 'E')) {
    tens += static_cast<int>(go_integer(std::string_view(suffix).substr(1)).value_or(0));
  }
  Quantity result{times(mantissa, binary), 0};
  for (; tens > 0; --tens) result.units = times(result.units, 10);
  // Below the point: whole units, then billionths, and anything finer rounds up.
  std::int64_t divisor = 1;
  for (; tens < 0 && divisor <= kMost / 10; ++tens) divisor *= 10;
  const std::int64_t rest = result.units % divisor;
  result.units /= divisor;
  if (divisor <= kNano) {
    result.nanos = rest * (kNano / divisor);
  } else {
    const std::int64_t unit = divisor / kNano;
    result.nanos = (rest + unit - 1) / unit;
  }
  return result;
}

using Quantities = std::map<std::string, Quantity>;

Quantities quantities(const json& list) {
  Quantities result;
  if (!list.is_object()) return result;
  for (const auto& [name, value] : list.items()) result[name] = parse_quantity(value);
  return result;
}

// ---------------------------------------------------------------------------- versions

/// §14: what the tag does and does not do.
struct Rules {
  bool dra = false;             ///< claims and slices count at all
  bool suffix_nodes = false;    ///< §3.2: a node's "…gpu" resource takes the GPU slot
  bool suffix_pods = false;     ///< §3.2: so does a pod's
  bool stuck = false;           ///< §4: StuckInReleasing
  bool sidecars = false;        ///< §5.1
  bool container_mig = false;   ///< §5.2.6: MIG of the containers stays in the vector
  bool saturates = false;       ///< §5.3
  bool skips_extended = false;  ///< §5.3, §5.5
  bool zeroes = false;          ///< §7.2
  bool counts_once = false;     ///< §7.3: the fix
};

Rules rules_of(const std::string& version) {
  std::array<std::int64_t, 3> part = {0, 0, 0};
  std::string_view rest = version;
  if (starts_with(rest, "v")) rest.remove_prefix(1);
  for (std::size_t i = 0; i < part.size(); ++i) {
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), part[i]);
    if (error != std::errc()) throw std::invalid_argument("not a KAI version: " + version);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (i + 1 < part.size()) {
      if (!starts_with(rest, ".")) throw std::invalid_argument("not a KAI version: " + version);
      rest.remove_prefix(1);
    }
  }
  const auto since = [&part](std::int64_t minor, std::int64_t patch) {
    return part >= std::array<std::int64_t, 3>{0, minor, patch};
  };
  Rules rules;
  rules.dra = since(13, 0);
  rules.suffix_nodes = since(14, 0);
  rules.suffix_pods = since(14, 0) && !since(15, 0);
  rules.stuck = since(15, 0);
  rules.sidecars =
      since(16, 0) || (since(15, 3) && !since(16, 0)) || (since(14, 6) && !since(15, 0));
  rules.container_mig = since(15, 0);
  rules.saturates = since(17, 0);
  rules.skips_extended = since(17, 0);
  rules.zeroes = since(17, 0);
  rules.counts_once = since(17, 1);
  return rules;
}

// ---------------------------------------------------------------------------- the cluster

struct Cluster {
  std::vector<const json*> pods;
  std::vector<const json*> claims;
  std::vector<const json*> slices;
  std::map<std::string, const json*> nodes;
  std::map<std::string, const json*> bind_requests;  ///< by namespace/pod name
  std::map<std::string, const json*> claim_named;    ///< by namespace/name
};

Cluster read_cluster(const json& list) {
  Cluster cluster;
  const json& items = field(list, {"items"});
  for (const json& item : items) {
    const std::string kind = text(item, {"kind"});
    const std::string name = text(item, {"metadata", "name"});
    const std::string space = text(item, {"metadata", "namespace"});
    if (kind == "Pod") cluster.pods.push_back(&item);
    if (kind == "ResourceSlice") cluster.slices.push_back(&item);
    if (kind == "Node") cluster.nodes[name] = &item;
    if (kind == "ResourceClaim") {
      cluster.claims.push_back(&item);
      cluster.claim_named[space + "/" + name] = &item;
    }
  }
  for (const json& item : items) {
    // §4: by name, not by uid, and only if the node is one of ours.
    if (text(item, {"kind"}) != "BindRequest") continue;
    if (!cluster.nodes.contains(text(item, {"spec", "selectedNode"}))) continue;
    const std::string space = text(item, {"metadata", "namespace"});
    cluster.bind_requests[space + "/" + text(item, {"spec", "podName"})] = &item;
  }
  return cluster;
}

const json* usable_bind_request(const Cluster& cluster, const std::string& pod_key) {
  const auto found = cluster.bind_requests.find(pod_key);
  if (found == cluster.bind_requests.end()) return nullptr;
  const json& request = *found->second;
  // §4: given up on, so as good as absent.
  if (text(request, {"status", "phase"}) == "Failed") {
    const json& limit = field(request, {"spec", "backoffLimit"});
    if (!limit.is_number_integer()) return nullptr;
    if (number(field(request, {"status", "failedAttempts"}), 0) >= number(limit, 0)) {
      return nullptr;
    }
  }
  return &request;
}

// ---------------------------------------------------------------------------- requests of a pod

/// §5.1: GPUs are kept as count times portion.
struct Requirement {
  std::int64_t count = 0;
  double portion = 0;
  std::int64_t memory = 0;
  std::map<std::string, std::int64_t> mig;
  std::map<std::string, std::int64_t> suffixed;  ///< other names that end in "gpu", in thousandths

  double gpus() const { return std::round(portion * 100) * static_cast<double>(count) / 100; }

  void add(const Requirement& other) {
    for (const auto& [name, amount] : other.suffixed) suffixed[name] += amount;
    if (count == 0 && portion == 0) {
      count = other.count;
      portion = other.portion;
    } else if (other.count != 0 || other.portion != 0) {
      // KAI logs an error and leaves the rest out, MIG included.
      if (portion != other.portion) return;
      count += other.count;
    }
    for (const auto& [name, amount] : other.mig) mig[name] += amount;
  }

  void raise_to(const Requirement& other) {
    for (const auto& [name, amount] : other.suffixed) raise(suffixed, name, amount);
    if (portion != 0 && other.portion != 0 && portion != other.portion) return;
    if (other.gpus() > gpus()) {
      count = other.count;
      portion = other.portion;
    }
    for (const auto& [name, amount] : other.mig) raise(mig, name, amount);
  }

 private:
  static void raise(std::map<std::string, std::int64_t>& map, const std::string& name,
                    std::int64_t amount) {
    const auto found = map.find(name);
    if (found == map.end() || found->second < amount) map[name] = amount;
  }
};

bool is_mig(std::string_view name) { return starts_with(name, "nvidia.com/mig-"); }

/// §3.2: shares the GPU slot of the vector by the end of its name. Names without a domain are no
/// extended resources.
bool is_suffixed(std::string_view name) {
  return ends_with(name, "gpu") && name.find('/') != name.npos && name != "nvidia.com/gpu" &&
         name != "amd.com/gpu" && !starts_with(name, "requests.");
}

Requirement requirement(const Quantities& requests) {
  Requirement result;
  for (const auto& [name, quantity] : requests) {
    if (name == "nvidia.com/gpu" || name == "amd.com/gpu") {
      if (quantity.value() >= 1) {
        result.count += quantity.value();
        result.portion = 1;
      } else {
        result.count = 1;  // a literal 0 still claims the slot
      }
    } else if (is_mig(name)) {
      result.mig[name] += quantity.value();
    } else if (is_suffixed(name)) {
      result.suffixed[name] += quantity.milli();
    }
  }
  return result;
}

/// §5.1: what the containers ask for.
Requirement container_requirement(const json& pod, const Rules& rules) {
  Quantities sum;
  for (const json& container : field(pod, {"spec", "containers"})) {
    for (const auto& [name, amount] : quantities(field(container, {"resources", "requests"}))) {
      sum[name] = sum[name] + amount;
    }
  }
  Requirement result = requirement(sum);
  Requirement sidecars;
  Requirement peak;
  for (const json& container : field(pod, {"spec", "initContainers"})) {
    Requirement own = requirement(quantities(field(container, {"resources", "requests"})));
    if (!rules.sidecars) {
      result.raise_to(own);
    } else if (text(container, {"restartPolicy"}) == "Always") {
      sidecars.add(own);
    } else {
      own.add(sidecars);
      peak.raise_to(own);
    }
  }
  result.add(sidecars);
  result.raise_to(peak);
  // Overhead adds its scalars, but neither GPUs nor MIG.
  const Requirement overhead = requirement(quantities(field(pod, {"spec", "overhead"})));
  for (const auto& [name, amount] : overhead.suffixed) result.suffixed[name] += amount;
  return result;
}

// ---------------------------------------------------------------------------- claims of a pod

/// The `exactly` of a request; a v1beta1 request has its fields at the top.
const json& exactly(const json& request) {
  static const json kNothing;
  if (request.contains("exactly")) return request.at("exactly");
  if (request.contains("firstAvailable") || !request.contains("deviceClassName")) return kNothing;
  return request;
}

/// §6.1: the pod that a claim belongs to without being named by it.
std::string pod_of_claim(const json& claim) {
  for (const json& owner : field(claim, {"metadata", "ownerReferences"})) {
    if (text(owner, {"kind"}) == "Pod") return text(owner, {"uid"});
  }
  for (const json& consumer : field(claim, {"status", "reservedFor"})) {
    if (text(consumer, {"resource"}) == "pods") return text(consumer, {"uid"});
  }
  return {};
}

/// §6.1: R(p), by uid.
std::map<std::string, const json*> related_claims(const Cluster& cluster, const json& pod) {
  std::map<std::string, const json*> related;
  const std::string uid = text(pod, {"metadata", "uid"});
  for (const json* claim : cluster.claims) {
    if (!uid.empty() && pod_of_claim(*claim) == uid) {
      related[text(*claim, {"metadata", "uid"})] = claim;
    }
  }
  const std::string space = text(pod, {"metadata", "namespace"});
  for (const json& entry : field(pod, {"spec", "resourceClaims"})) {
    const json& name = field(entry, {"resourceClaimName"});
    if (!name.is_string()) continue;
    const auto found = cluster.claim_named.find(space + "/" + text(name));
    if (found == cluster.claim_named.end()) continue;
    related[text(*found->second, {"metadata", "uid"})] = found->second;
  }
  return related;
}

/// §5.3: devices that the claims' specs ask for.
std::int64_t claimed_devices(const std::map<std::string, const json*>& claims, const Rules& rules) {
  const auto sum = [&rules](std::int64_t a, std::int64_t b) {
    if (rules.saturates) return plus(a, b);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  };
  std::int64_t total = 0;
  for (const auto& [uid, claim] : claims) {
    if (rules.skips_extended &&
        text(*claim, {"metadata", "annotations",
                      "resource.kubernetes.io/extended-resource-claim"}) == "true") {
      continue;
    }
    std::int64_t devices = 0;
    for (const json& request : field(*claim, {"spec", "devices", "requests"})) {
      const json& exact = exactly(request);
      if (!names_gpu(text(exact, {"deviceClassName"}))) continue;
      const std::string mode = text(exact, {"allocationMode"});
      if (mode == "ExactCount") {
        const std::int64_t count = number(field(exact, {"count"}), 0);
        devices = sum(devices, count > 0 ? count : 1);
      } else if (mode == "All") {
        devices = sum(devices, 1);
      }
    }
    if (devices > 0) total = sum(total, devices);
  }
  return total;
}

/// §6.2: the name of the claim behind one entry of spec.resourceClaims.
std::optional<std::string> claim_name(const json& pod, const json& entry) {
  const json& direct = field(entry, {"resourceClaimName"});
  if (direct.is_string()) return text(direct);
  if (!field(entry, {"resourceClaimTemplateName"}).is_string()) return std::nullopt;
  for (const json& status : field(pod, {"status", "resourceClaimStatuses"})) {
    const json& name = field(status, {"resourceClaimName"});
    if (text(status, {"name"}) == text(entry, {"name"}) && name.is_string()) return text(name);
  }
  return std::nullopt;
}

/// §6.2 and §6.3: K(p), with repetitions.
std::vector<std::string> device_keys(const std::map<std::string, const json*>& related,
                                     const json& pod, const json* bind_request) {
  const std::string space = text(pod, {"metadata", "namespace"});
  std::map<std::string, const json*> allocations;  // by the pod's own name for the claim
  for (const json& entry : field(pod, {"spec", "resourceClaims"})) {
    const bool from_template = field(entry, {"resourceClaimTemplateName"}).is_string();
    const std::optional<std::string> name = claim_name(pod, entry);
    const json* claim = nullptr;
    for (const auto& [uid, candidate] : related) {
      if (name && text(*candidate, {"metadata", "namespace"}) == space &&
          text(*candidate, {"metadata", "name"}) == *name) {
        claim = candidate;
      }
    }
    if (claim == nullptr) {
      if (from_template) continue;
      break;  // KAI stops here, and the entries behind this one yield nothing
    }
    const std::string local = text(entry, {"name"});
    allocations[local] = &field(*claim, {"status", "allocation"});
    if (bind_request == nullptr) continue;
    for (const json& update : field(*bind_request, {"spec", "resourceClaimAllocations"})) {
      if (text(update, {"name"}) == local) allocations[local] = &field(update, {"allocation"});
    }
  }
  std::vector<std::string> keys;
  for (const auto& [local, allocation] : allocations) {
    for (const json& result : field(*allocation, {"devices", "results"})) {
      const std::string driver = text(result, {"driver"});
      if (!names_gpu(driver)) continue;
      keys.push_back(driver + "/" + text(result, {"pool"}) + "/" + text(result, {"device"}));
    }
  }
  return keys;
}

// ---------------------------------------------------------------------------- a charged pod

/// A pod that counts on its node, as far as it can be known without the node.
struct Task {
  std::string key;
  std::string node;
  bool reservation = false;
  bool releasing = false;
  bool fraction = false;
  double gpus = 0;
  double portion = 0;
  std::int64_t memory = 0;
  std::map<std::string, std::int64_t> mig;
  std::vector<std::string> devices;
  std::vector<std::string> groups;
};

/// §8: the fraction groups of a pod.
std::vector<std::string> gpu_groups(const json& pod, const json* bind_request) {
  std::vector<std::string> groups;
  if (bind_request != nullptr) {
    for (const json& group : field(*bind_request, {"spec", "selectedGPUGroups"})) {
      groups.push_back(text(group));
    }
  }
  const json& labels = field(pod, {"metadata", "labels"});
  if (!groups.empty() || !labels.is_object() || !labels.contains("runai-gpu-group")) return groups;
  groups.push_back(text(labels.at("runai-gpu-group")));
  for (const auto& [name, value] : labels.items()) {
    if (starts_with(name, "runai-gpu-group/")) groups.push_back(text(value));
  }
  return groups;
}

/// §4: nullopt for a pod that is charged nowhere.
std::optional<Task> charged(const Cluster& cluster, const json& pod, const Rules& rules,
                            std::int64_t now, const json* bind_request) {
  Task task;
  task.key = text(pod, {"metadata", "namespace"}) + "/" + text(pod, {"metadata", "name"});
  task.node = text(pod, {"spec", "nodeName"});
  if (task.node.empty() && bind_request != nullptr) {
    task.node = text(*bind_request, {"spec", "selectedNode"});
  }
  if (!cluster.nodes.contains(task.node)) return std::nullopt;
  const std::string phase = text(pod, {"status", "phase"});
  const json& deletion = field(pod, {"metadata", "deletionTimestamp"});
  const bool bound = !text(pod, {"spec", "nodeName"}).empty();
  constexpr std::int64_t kThreshold = 120'000'000'000;
  if (phase == "Running") {
    if (deletion.is_string()) {
      const std::int64_t end = nanoseconds(text(deletion)).value_or(now);
      task.releasing = !rules.stuck || now - end <= kThreshold;
    }
  } else if (phase == "Pending") {
    task.releasing = deletion.is_string();
    if (!task.releasing && !bound && bind_request == nullptr) return std::nullopt;
  } else {
    return std::nullopt;
  }
  task.reservation = text(pod, {"metadata", "labels", "app"}) == "kai-resource-reservation";
  return task;
}

Task make_task(Task task, const Cluster& cluster, const json& pod, const Rules& rules,
               const json* bind_request) {
  Requirement need = container_requirement(pod, rules);
  std::map<std::string, std::int64_t> container_mig;
  if (rules.container_mig) container_mig = need.mig;
  const std::map<std::string, std::int64_t> suffixed = need.suffixed;

  // §5.2.1 to 3: each annotation replaces what was there before.
  const json& annotations = field(pod, {"metadata", "annotations"});
  const auto memory = go_integer(text(annotations, {"gpu-memory"}));
  const auto fraction = go_decimal(text(annotations, {"gpu-fraction"}));
  if (memory && *memory > 0) {
    need = Requirement();
    need.count = 1;
    need.memory = *memory;
    task.fraction = true;
  }
  if (fraction && *fraction > 0 && *fraction <= 1) {
    need = Requirement();
    need.count = 1;
    need.portion = *fraction;
    task.fraction = true;
  }
  const auto devices = go_integer(text(annotations, {"gpu-fraction-num-devices"}));
  if (task.fraction && devices) {
    need = Requirement();
    need.count = *devices;
    need.portion = fraction.value_or(0);
    need.memory = memory.value_or(0);
  }

  // §5.2.4
  std::int64_t claimed = 0;
  if (rules.dra) {
    const auto related = related_claims(cluster, pod);
    claimed = claimed_devices(related, rules);
    task.devices = device_keys(related, pod, bind_request);
  }

  // §5.2.5 and 6
  if (annotations.is_object()) {
    for (const auto& [name, value] : annotations.items()) {
      const auto amount = go_integer(text(value));
      if (!is_mig(name) || !amount) continue;
      need = Requirement();
      need.mig[name] = *amount;
    }
  }
  const bool mig = !need.mig.empty();
  if (mig) task.fraction = false;
  task.mig = container_mig;
  for (const auto& [name, amount] : need.mig) task.mig[name] = amount;

  // §5.4: the vector's GPU entry.
  if (!mig && !task.fraction) task.gpus = need.gpus() + static_cast<double>(claimed);
  if (rules.suffix_pods) {
    for (const auto& [name, amount] : suffixed) task.gpus = static_cast<double>(amount);
  }
  if (task.reservation) task.gpus = 0;

  task.portion = need.portion;
  task.memory = need.memory;
  if (task.fraction) task.groups = gpu_groups(pod, bind_request);
  return task;
}

// ---------------------------------------------------------------------------- a node

struct Node {
  double capacity = 0;
  std::int64_t gpu_count = 0;   ///< §8: only the groups' idle test reads it
  std::int64_t gpu_memory = 0;  ///< §3.8
  std::map<std::string, double> mig;
};

Node make_node(const Cluster& cluster, const std::string& name, const json& object,
               const Rules& rules) {
  Node node;
  const Quantities allocatable = quantities(field(object, {"status", "allocatable"}));
  std::optional<std::int64_t> suffixed;
  for (const auto& [resource, amount] : allocatable) {
    if (resource == "nvidia.com/gpu" || resource == "amd.com/gpu") {
      node.capacity += static_cast<double>(amount.value());
    } else if (is_mig(resource) && !amount.zero()) {
      node.mig[resource] = static_cast<double>(amount.value());
    } else if (is_suffixed(resource) && !amount.zero()) {
      suffixed = amount.milli();
    }
  }
  if (rules.suffix_nodes && suffixed) node.capacity = static_cast<double>(*suffixed);  // §3.2
  if (rules.dra) {
    for (const json* slice : cluster.slices) {  // §3.3
      if (field(*slice, {"spec", "allNodes"}) == true) continue;
      if (text(*slice, {"spec", "nodeName"}) != name) continue;
      if (!names_gpu(text(*slice, {"spec", "driver"}))) continue;
      node.capacity += static_cast<double>(field(*slice, {"spec", "devices"}).size());
    }
  }
  const json& labels = field(object, {"metadata", "labels"});
  node.gpu_count = go_integer(text(labels, {"nvidia.com/gpu.count"}))
                       .value_or(static_cast<std::int64_t>(node.capacity));
  constexpr std::int64_t kMebi = 1'048'576;
  if (auto memory = go_integer(text(labels, {"nvidia.com/gpu.memory"}))) {
    if (*memory >= kMebi) *memory /= kMebi;  // a label in bytes
    node.gpu_memory = *memory - *memory % 100;
  } else {
    node.gpu_memory = 100;
  }
  return node;
}

// ---------------------------------------------------------------------------- adding pods

/// What adding a task to its node can touch, with devices and groups numbered. Two tasks with the
/// same effect are interchangeable.
struct Effect {
  bool reservation = false;
  bool releasing = false;
  double gpus = 0;
  std::vector<std::size_t> devices;
  std::vector<std::size_t> groups;
  std::int64_t memory = 0;
  std::vector<double> mig;

  auto operator<=>(const Effect&) const = default;
};

struct State {
  double used = 0;
  double idle = 0;
  double releasing = 0;
  std::vector<int> references;  ///< §7.3: a device's
  std::vector<std::int64_t> used_memory;
  std::vector<std::int64_t> releasing_memory;
  std::vector<bool> marked;  ///< §8: group is counted as releasing
  std::vector<double> mig_used;
  std::vector<double> mig_idle;
  std::vector<double> mig_releasing;

  std::int64_t groups_in_use() const {
    return std::count_if(used_memory.begin(), used_memory.end(),
                         [](std::int64_t memory) { return memory > 0; });
  }
};

/// Go's int(f) of a figure, which a claim for 2^63 - 1 devices can carry out of range.
std::int64_t whole(double figure) {
  constexpr double kFar = 4e18;
  return static_cast<std::int64_t>(std::clamp(figure, -kFar, kFar));
}

/// §8
void add_to_group(State& state, const Node& node, const Effect& pod, std::size_t group) {
  const auto take_idle_gpu = [&state, &node] {
    const std::int64_t known = whole(state.idle) + whole(state.used) + state.groups_in_use();
    if (node.gpu_count < known) state.idle -= 1;
  };
  state.used_memory[group] += pod.memory;
  if (pod.releasing) {
    state.releasing_memory[group] += pod.memory;
    if (state.used_memory[group] != state.releasing_memory[group]) return;
    if (!state.marked[group]) {
      state.releasing += 1;
      state.marked[group] = true;
    }
    take_idle_gpu();
    return;
  }
  if (state.used_memory[group] <= pod.memory) take_idle_gpu();
  if (state.marked[group]) {
    state.releasing -= 1;
    state.marked[group] = false;
  }
}

void add(State& state, const Node& node, const Rules& rules, const Effect& pod) {
  double gpus = pod.gpus;
  if (rules.counts_once && gpus > 0) {  // §7.3
    double again = 0;
    for (const std::size_t device : pod.devices) {
      if (state.references[device] > 0) again += 1;
      ++state.references[device];
    }
    gpus -= std::min(again, gpus);
  }
  if (rules.zeroes && node.capacity == 0) gpus = 0;  // §7.2
  state.used += gpus;
  state.idle -= gpus;
  if (pod.releasing) state.releasing += gpus;
  for (std::size_t i = 0; i < pod.mig.size(); ++i) {
    state.mig_used[i] += pod.mig[i];
    state.mig_idle[i] -= pod.mig[i];
    if (pod.releasing) state.mig_releasing[i] += pod.mig[i];
  }
  for (const std::size_t group : pod.groups) add_to_group(state, node, pod, group);
}

/// The pods of one node as effects. `devices` and `groups` say how many of each were numbered.
struct Numbered {
  std::vector<Effect> pods;
  std::size_t devices = 0;
  std::size_t groups = 0;
};

Numbered number_pods(const Node& node, const std::vector<Task>& tasks) {
  Numbered result;
  std::map<std::string, std::size_t> devices;
  std::map<std::string, std::size_t> groups;
  std::set<std::string> seen;
  for (const Task& task : tasks) {
    if (!seen.insert(task.key).second) continue;  // §2: a second pod of that name is refused
    Effect pod;
    pod.reservation = task.reservation;
    pod.releasing = task.releasing;
    pod.gpus = task.gpus;
    if (pod.gpus > 0) {
      for (const std::string& key : task.devices) {
        pod.devices.push_back(devices.emplace(key, devices.size()).first->second);
      }
      std::sort(pod.devices.begin(), pod.devices.end());
    }
    for (const std::string& group : task.groups) {
      pod.groups.push_back(groups.emplace(group, groups.size()).first->second);
    }
    pod.memory = task.memory;  // §8
    if (pod.memory <= 0) {
      pod.memory = static_cast<std::int64_t>(task.portion * static_cast<double>(node.gpu_memory));
    }
    if (pod.groups.empty()) pod.memory = 0;
    for (const auto& [profile, capacity] : node.mig) {
      const auto found = task.mig.find(profile);
      pod.mig.push_back(found == task.mig.end() ? 0 : static_cast<double>(found->second));
    }
    result.pods.push_back(std::move(pod));
  }
  result.devices = devices.size();
  result.groups = groups.size();
  return result;
}

/// Pods that the order of adding can matter to. The others can be added at any time: a group's idle
/// test reads idle + used, which a pod without groups leaves as it was.
std::vector<bool> order_matters(const Numbered& numbered, const Rules& rules) {
  std::vector<int> users(numbered.devices, 0);
  for (const Effect& pod : numbered.pods) {
    for (const std::size_t device : std::set<std::size_t>(pod.devices.begin(), pod.devices.end())) {
      ++users[device];
    }
  }
  std::vector<bool> result;
  for (const Effect& pod : numbered.pods) {
    const bool shares = std::any_of(pod.devices.begin(), pod.devices.end(),
                                    [&users](std::size_t device) { return users[device] > 1; });
    result.push_back((rules.counts_once && shares) || !pod.groups.empty());
  }
  return result;
}

class Watcher {
 public:
  void see(const State& state, const Node& node) {
    widen(figures_.used, state.used);
    widen(figures_.idle, state.idle);
    widen(figures_.releasing, state.releasing);
    widen(figures_.groups, static_cast<double>(state.groups_in_use()));
    std::size_t i = 0;
    for (const auto& [profile, capacity] : node.mig) {
      NodeMig& mig = figures_.mig[profile];
      mig.capacity = capacity;
      widen(mig.used, state.mig_used[i]);
      widen(mig.idle, state.mig_idle[i]);
      widen(mig.releasing, state.mig_releasing[i]);
      ++i;
    }
    first_ = false;
  }

  NodeFigures figures(const Node& node) && {
    figures_.capacity = node.capacity;
    return std::move(figures_);
  }

 private:
  void widen(Range& range, double value) const {
    range.least = first_ ? value : std::min(range.least, value);
    range.most = first_ ? value : std::max(range.most, value);
  }

  NodeFigures figures_;
  bool first_ = true;
};

/// Adds all pods once, in the order of the four lists.
void run(Watcher& watcher, const Node& node, const Rules& rules, const Numbered& numbered,
         const std::array<const std::vector<Effect>*, 4>& lists) {
  State state;
  state.idle = node.capacity;
  state.references.assign(numbered.devices, 0);
  state.used_memory.assign(numbered.groups, 0);
  state.releasing_memory.assign(numbered.groups, 0);
  state.marked.assign(numbered.groups, false);
  state.mig_used.assign(node.mig.size(), 0);
  state.mig_releasing.assign(node.mig.size(), 0);
  for (const auto& [profile, capacity] : node.mig) state.mig_idle.push_back(capacity);
  for (const std::vector<Effect>* list : lists) {
    for (const Effect& pod : *list) add(state, node, rules, pod);
  }
  watcher.see(state, node);
}

std::optional<NodeFigures> node_figures(const Node& node, const Rules& rules,
                                        const std::vector<Task>& tasks, std::size_t max_pods) {
  const Numbered numbered = number_pods(node, tasks);
  const std::vector<bool> matters = order_matters(numbered, rules);
  if (static_cast<std::size_t>(std::count(matters.begin(), matters.end(), true)) > max_pods) {
    return std::nullopt;
  }
  std::vector<Effect> fixed_reservations, reservations, fixed_others, others;
  for (std::size_t i = 0; i < numbered.pods.size(); ++i) {
    const Effect& pod = numbered.pods[i];
    if (pod.reservation) (matters[i] ? reservations : fixed_reservations).push_back(pod);
    if (!pod.reservation) (matters[i] ? others : fixed_others).push_back(pod);
  }
  // §2: reservation pods first, then the others, each in any order. next_permutation gives every
  // order once and takes interchangeable pods for one another.
  std::sort(reservations.begin(), reservations.end());
  std::sort(others.begin(), others.end());
  Watcher watcher;
  do {
    do {
      run(watcher, node, rules, numbered,
          {&fixed_reservations, &reservations, &fixed_others, &others});
    } while (std::next_permutation(others.begin(), others.end()));
  } while (std::next_permutation(reservations.begin(), reservations.end()));
  return std::move(watcher).figures(node);
}

}  // namespace

std::map<std::string, std::optional<NodeFigures>> figures(const json& list,
                                                          const std::string& version,
                                                          const std::string& now_rfc3339,
                                                          std::size_t max_pods) {
  const Rules rules = rules_of(version);
  const std::optional<std::int64_t> now = nanoseconds(now_rfc3339);
  if (!now) throw std::invalid_argument("not an RFC 3339 time: " + now_rfc3339);
  const Cluster cluster = read_cluster(list);
  std::map<std::string, std::vector<Task>> tasks;
  for (const json* pod : cluster.pods) {
    const std::string key =
        text(*pod, {"metadata", "namespace"}) + "/" + text(*pod, {"metadata", "name"});
    const json* bind_request = usable_bind_request(cluster, key);
    std::optional<Task> task = charged(cluster, *pod, rules, *now, bind_request);
    if (!task) continue;
    const std::string node = task->node;
    tasks[node].push_back(make_task(std::move(*task), cluster, *pod, rules, bind_request));
  }
  std::map<std::string, std::optional<NodeFigures>> result;
  for (const auto& [name, object] : cluster.nodes) {
    const Node node = make_node(cluster, name, *object, rules);
    result[name] = node_figures(node, rules, tasks[name], max_pods);
  }
  return result;
}

}  // namespace draudit::slow
