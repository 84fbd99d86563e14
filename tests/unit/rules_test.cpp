// Each rule fires on a state and keeps silent on one that is nearly the same.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "draudit/result.hpp"
#include "support/state.hpp"

using namespace draudit;
using namespace draudit::test;

namespace {

struct Side {
  Jsons objects;
  Given given = {};
};

struct Both {
  Side fires;
  Side silent;
};

Jsons with(Jsons objects, const Json& more) {
  objects.push_back(more);
  return objects;
}

Jsons story(const Names& published = {"d0"}) {
  return {node("n1"), slice("n1", published), reserved_for(claim_of("a/c", "d0"), {"a/p", "a/q"}),
          pod("a/p", {"c"}), pod("a/q", {"c"})};
}

/// One pod with one claim, over devices that are all published.
Jsons one_pod(const Json& c, const Names& published = {"d0"}) {
  return {node("n1"), slice("n1", published), c, pod("a/p", {"c"})};
}

Json claim_with(const Json& asked, const Names& devices, const std::string& driver = kGpuDriver,
                bool admin = false) {
  Jsons results;
  for (const std::string& d : devices) results.push_back(result(d, driver, "n1", admin));
  return allocated(claim("a/c", {asked}), results);
}

/// Two pods with a GPU each, and one that holds both.
Jsons monitored(bool admin) {
  return {node("n1"),
          slice("n1", {"d0", "d1"}),
          claim_of("a/x", "d0"),
          claim_of("a/y", "d1"),
          pod("a/x", {"x"}),
          pod("a/y", {"y"}),
          claim_with(request(kGpuDriver, "All", 0, admin), {"d0", "d1"}, kGpuDriver, admin),
          pod("a/monitor", {"c"})};
}

Jsons gang(int free) {
  const Json member = pending(annotated("pod-group-name", "g"));
  return {node("n1", free), claim("a/c", {request()}), pod("a/p", {"c"}, member),
          pod("a/q", {"c"}, member)};
}

Jsons bound_to(const std::string& device) {
  const Json entry = {{"name", "c0"}, {"allocation", allocation({result(device)})}};
  const Json patch = {{"spec", {{"resourceClaimAllocations", Json::array({entry})}}}};
  return with(story({"d0", "d1"}), bind_request("a/q", "n1", patch));
}

Jsons generations(int second) {
  Json newer = slice("n1", {"d1"});
  newer["metadata"] = metadata("newer");
  newer["spec"]["pool"]["generation"] = second;
  return {node("n1"), slice("n1", {"d0"}), newer, pod("a/p")};
}

Jsons attached(bool used) {
  const Json everywhere = {{"spec", {{"nodeName", nullptr}, {"allNodes", true}}}};
  Jsons out = {node("n1"), slice("n1", {"d0"}, kGpuDriver, everywhere), claim_of("a/c", "d0")};
  if (used) out.push_back(pod("a/p", {"c"}));
  return out;
}

Jsons extended() {
  Json made = claim("a/c", {request()},
                    annotated("resource.kubernetes.io/extended-resource-claim", "true"));
  made = reserved_for(owned_by(allocated(made, {result("d0")}), "a/p"), {"a/p"});
  return {node("n1"), slice("n1", {"d0"}), made, pod("a/p", {}, asks(1))};
}

Jsons by_template(bool owned) {
  Json p = pod("a/p");
  p["spec"]["resourceClaims"] = Json::array({{{"name", "g"}, {"resourceClaimTemplateName", "t"}}});
  p["status"]["resourceClaimStatuses"] = Json::array({{{"name", "g"}, {"resourceClaimName", "c"}}});
  Json c = reserved_for(claim_of("a/c", "d0"), owned ? Names{"a/p"} : Names{"a/first", "a/p"});
  if (owned) c = owned_by(c, "a/p");
  return {node("n1"), slice("n1", {"d0"}), c, p};
}

Given at_version(const std::string& kai) { return {.kai = kai}; }

Given troubled() {
  Given out;
  out.troubles = true;
  return out;
}

Given capacity(std::int64_t gpus) {
  Given out;
  out.options.capacity = {{"n1", gpus}};
  return out;
}

Given partial() {
  Given out;
  out.complete = false;
  return out;
}

Jsons discount() {
  Jsons out = one_pod(claim_with(request(kGpuDriver, "All"), numbered("d", 8)), numbered("d", 8));
  out.push_back(pod("a/waits", {"c"}, pending(asks(4))));
  return out;
}

/// By name. A rule of the table without an entry fails the test below.
std::map<std::string, Both> table() {
  const Json label_8 = labelled("nvidia.com/gpu.count", "8");
  const Json label_7 = labelled("nvidia.com/gpu.count", "7");
  const Json kai_label = labelled("app", "kai-resource-reservation");
  const Json leaving = deleted("2026-12-01T00:00:00Z");
  const auto capacity_8 = [](std::int64_t allocatable) -> Jsons {
    return {node("n1", allocatable, {{"status", {{"capacity", {{"nvidia.com/gpu", "8"}}}}}}),
            pod("a/p", {}, asks(1))};
  };
  const auto offers = [](const std::string& resource) -> Jsons {
    return {node("n1", 0, {{"status", {{"allocatable", {{resource, "8"}}}}}}), pod("a/p")};
  };
  const Json monitor_less = claim_of("a/c", "d0");
  std::map<std::string, Both> t;
  t["over-counted-node"] = {{story()}, {story({"d0", "d1"})}};
  t["double-counted-device"] = {{story({"d0", "d1"})}, {story()}};
  t["over-committed-node"] = {
      {one_pod(claim_with(request(kGpuDriver, "ExactCount", 2), {"d0", "d1"}))},
      {one_pod(claim_with(request(kGpuDriver, "ExactCount", 2), {"d0", "d1"}), {"d0", "d1"})}};
  t["under-counted-node"] = {{one_pod(claim_with(request("h100"), {"d0"}))},
                             {one_pod(monitor_less)}};
  t["flapping-node"] = {{monitored(true)}, {story()}};
  t["admin-access-counted"] = {{monitored(true)}, {monitored(false)}};
  t["all-mode-undercounted"] = {
      {one_pod(claim_with(request(kGpuDriver, "All"), {"d0", "d1"}), {"d0", "d1"})},
      {one_pod(claim_with(request(kGpuDriver, "All"), {"d0"}))}};
  t["claim-named-twice"] = {
      {{node("n1"), slice("n1", {"d0"}), monitor_less, pod("a/p", {"c", "c"})}},
      {one_pod(monitor_less)}};
  t["driver-without-gpu"] = {
      {one_pod(claim_with(request("shared-gpu"), {"x"}, "accel.example.com"))},
      {one_pod(claim_with(request("shared-gpu"), {"d0"}))}};
  t["class-is-no-gpu"] = {{one_pod(claim_with(request("gpu-direct-nic"), {"nic"}, "dra.net"))},
                          {one_pod(claim_with(request("direct-nic"), {"nic"}, "dra.net"))}};
  t["class-without-gpu"] = {{one_pod(claim_with(request("h100"), {"d0"}))},
                            {one_pod(claim_with(request("gpu-h100"), {"d0"}))}};
  t["first-available-uncounted"] = {{one_pod(claim_with(first_available(), {"d0"}))},
                                    {one_pod(monitor_less)}};
  t["releasing-depends-on-order"] = {{{node("n1"), slice("n1", {"d0"}), monitor_less,
                                       pod("a/p", {"c"}), pod("a/q", {"c"}, leaving)}},
                                     {{node("n1"), slice("n1", {"d0"}), monitor_less,
                                       pod("a/p", {"c"}, leaving), pod("a/q", {"c"}, leaving)}}};
  t["shared-eviction-dead-end"] = {{story()}, {story({"d0", "d1"})}};
  t["gang-on-unallocated-claim"] = {{gang(1)}, {gang(2)}};
  t["bind-request-disagrees"] = {{bound_to("d1")}, {bound_to("d0")}};
  const Jsons two = {node("n1"), slice("n1", {"d0"}), monitor_less, pod("a/q", {"c"})};
  t["missing-claim-first"] = {{with(two, pod("a/p", {"gone", "c"})), troubled()},
                              {with(two, pod("a/p", {"c", "gone"})), troubled()}};
  t["device-withdrawn"] = {{one_pod(claim_of("a/c", "d1"))}, {one_pod(monitor_less)}};
  t["unhealthy-plugin-gpu"] = {{capacity_8(7)}, {capacity_8(8)}};
  t["slices-missing"] = {{{node("n1"), monitor_less, pod("a/p", {"c"})}},
                         {one_pod(claim_of("a/c", "d1"))}};
  t["dual-advertised"] = {{{node("n1", 1), slice("n1", {"d0"}), pod("a/p")}},
                          {{node("n1", 1), slice("n1", {"d0"}, "gpu.amd.com"), pod("a/p")}}};
  t["stale-generation-counted"] = {{generations(2)}, {generations(1)}};
  t["partitions-beside-parent"] = {
      {{node("n1"), slice("n1", {"gpu-0", "gpu-0-mig-1g5gb-0"}), pod("a/p")}},
      {{node("n1"), slice("n1", {"gpu-1", "gpu-0-mig-1g5gb-0"}), pod("a/p")}}};
  t["network-attached-devices"] = {{attached(true)}, {attached(false)}};
  const auto part_of_gpu = [&](const Names& claims) -> Jsons {
    return {node("n1", 1), slice("n1", {"d0"}), monitor_less,
            pod("a/p", claims, fraction("0.5", "g1"))};
  };
  t["fraction-with-claim"] = {{part_of_gpu({"c"})}, {part_of_gpu({})}};
  t["discount-beyond-demand"] = {{discount(), capacity(4)}, {discount(), capacity(5)}};
  t["removal-drift"] = {{monitored(true)}, {story()}};
  t["phase-unknown-uncounted"] = {{one_pod(monitor_less)}, {one_pod(monitor_less)}};
  t["phase-unknown-uncounted"].fires.objects.back() = pod("a/p", {"c"}, phase("Unknown"));
  t["orphan-allocation"] = {{{node("n1"), slice("n1", {"d0"}), monitor_less, pod("a/p")}},
                            {one_pod(monitor_less)}};
  t["label-above-allocatable"] = {
      {{node("n1", 7, label_8), pod("a/p", {}, fraction("0.5", "g1"))}},
      {{node("n1", 7, label_7), pod("a/p", {}, fraction("0.5", "g1"))}}};
  t["foreign-reservation-label"] = {
      {{node("n1", 1), pod("a/p", {}, merged(asks(1), kai_label))}},
      {{node("n1", 1), pod("a/gpu-reservation-0", {}, merged(asks(1), kai_label))}}};
  t["suffix-gpu-resource"] = {{offers("example.com/gpu")}, {offers("example.com/gpus")}};
  t["extended-claim-counted-twice"] = {{extended(), at_version("v0.16.8")},
                                       {extended(), at_version("v0.17.0")}};
  t["related-by-reservation"] = {{by_template(false)}, {by_template(true)}};
  t["fraction-without-group"] = {{{node("n1", 1), pod("a/p", {}, fraction("0.5", ""))}},
                                 {{node("n1", 1), pod("a/p", {}, fraction("0.5", "g1"))}}};
  t["unresolved-claim"] = {{with(two, pod("a/p", {"gone"})), troubled()}, {two}};
  t["unallocated-claim"] = {{one_pod(claim("a/c", {request()})), troubled()},
                            {one_pod(monitor_less)}};
  const auto slices_of_mig = [](int slices) -> Jsons {
    const Json offer = {{"status", {{"allocatable", {{"nvidia.com/mig-1g.5gb", "1"}}}}}};
    return {node("n1", 0, offer), pod("a/p", {}, asks(slices, "nvidia.com/mig-1g.5gb"))};
  };
  t["mig-over-committed"] = {{slices_of_mig(2)}, {slices_of_mig(1)}};
  const Json elsewhere = {{"spec", {{"nodeName", "n2"}}}};
  t["node-missing"] = {{{node("n1"), pod("a/p", {}, elsewhere)}},
                       {{node("n1"), node("n2"), pod("a/p", {}, elsewhere)}}};
  t["capacity-unknown"] = {{{node("n1"), monitor_less, pod("a/p", {"c"})}, partial()},
                           {{node("n1"), monitor_less, pod("a/p", {"c"})}}};
  return t;
}

const Finding* find_finding(const RuleRun& run, std::string_view name) {
  for (const Finding& f : run.findings) {
    if (f.rule->name == name) return &f;
  }
  return nullptr;
}

std::string names_of(const RuleRun& run) {
  std::string out;
  for (const Finding& f : run.findings) out += std::string{f.rule->name} + " ";
  return out;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::vector<std::string> fingerprints(const Side& side) {
  const State s(side.objects, side.given);
  std::vector<std::string> out;
  for (const Finding& f : check(s.audit).findings) out.push_back(f.fingerprint);
  std::sort(out.begin(), out.end());
  return out;
}

Jsons rewritten(const Jsons& objects, const std::string& from, const std::string& to) {
  Jsons out;
  for (const Json& o : objects) out.push_back(Json::parse(replaced(o.dump(), from, to)));
  return out;
}

Json scheduler(const std::string& version) {
  const Json c = {{"name", "s"}, {"image", "ghcr.io/kai-scheduler/scheduler:" + version}};
  const Json patch = {{"spec", {{"nodeName", nullptr}, {"containers", Json::array({c})}}}};
  return pod("kai-scheduler/s", {}, patch);
}

/// Families with a table of their own: rules_devices_test.cpp, rules_claims_test.cpp.
bool elsewhere(const Rule& rule) {
  if (rule.id.starts_with("DEV") || rule.id.starts_with("SLC") || rule.id.starts_with("TNT")) {
    return true;
  }
  return (rule.id.starts_with("CLM") && rule.id > "CLM002") || rule.id.starts_with("PLC") ||
         rule.id.starts_with("LIM") || (rule.id >= "INP010" && rule.id <= "INP012");
}

}  // namespace

TEST_CASE("rules: each fires on its state, and is silent on the near miss") {
  const std::map<std::string, Both> all = table();
  std::size_t here = 0;
  for (const Rule* rule : rules()) {
    if (elsewhere(*rule)) continue;
    ++here;
    const std::string name{rule->name};
    CAPTURE(name);
    const auto it = all.find(name);
    REQUIRE_MESSAGE(it != all.end(), "no state for this rule");
    {
      const State s(it->second.fires.objects, it->second.fires.given);
      const RuleRun run = check(s.audit);
      CAPTURE(names_of(run));
      CHECK(find_finding(run, name) != nullptr);
    }
    {
      const State s(it->second.silent.objects, it->second.silent.given);
      const RuleRun run = check(s.audit);
      CHECK(find_finding(run, name) == nullptr);
      // Silent for the right reason: it did run.
      for (const NotCheckable& n : run.not_checkable) CHECK(n.rule->name != name);
    }
  }
  CHECK(all.size() == here);
}

TEST_CASE("rules: ids and names are unique, in order, and found") {
  std::set<std::string_view> names;
  std::set<std::string_view> ids;
  for (const Rule* rule : rules()) {
    CHECK(names.insert(rule->name).second);
    CHECK(ids.insert(rule->id).second);
    CHECK(find_rule(rule->id) == rule);
    CHECK(find_rule(rule->name) == rule);
    CHECK_FALSE(rule->summary.empty());
    CHECK_FALSE(rule->mend.empty());
  }
  CHECK(find_rule("no-such-rule") == nullptr);
}

TEST_CASE("findings: every one has a subject, a message, a mend and a reason where not certain") {
  for (const auto& entry : table()) {
    CAPTURE(entry.first);
    const State s(entry.second.fires.objects, entry.second.fires.given);
    const RuleRun run = check(s.audit);
    for (const Finding& f : run.findings) {
      CAPTURE(std::string{f.rule->name});
      CHECK_FALSE(f.subject.name.empty());
      CHECK_FALSE(f.message.empty());
      CHECK_FALSE(f.mend.empty());
      CHECK(f.fingerprint.size() == 32);
      CHECK((f.certainty == Certainty::certain) == f.why_not_certain.empty());
      CHECK(f.subject.at.line > 0);
    }
    for (std::size_t i = 1; i < run.findings.size(); ++i) {
      CHECK(run.findings[i - 1].severity >= run.findings[i].severity);
    }
  }
}

TEST_CASE("fingerprints: one for each rule, subject and node, and no two for the same") {
  for (const auto& entry : table()) {
    CAPTURE(entry.first);
    const State s(entry.second.fires.objects, entry.second.fires.given);
    std::map<std::string, std::string> of;
    std::set<std::string> seen;
    for (const Finding& f : check(s.audit).findings) {
      const std::string key =
          std::string{f.rule->id} + "|" + f.subject.kind + "|" + f.subject.name + "|" + f.node;
      CHECK(of.emplace(key, f.fingerprint).first->second == f.fingerprint);
      seen.insert(f.fingerprint);
    }
    CHECK(seen.size() == of.size());
  }
}

TEST_CASE("fingerprints: the same under other uids, another order and in another place") {
  for (const auto& entry : table()) {
    CAPTURE(entry.first);
    const Side& side = entry.second.fires;
    const std::vector<std::string> before = fingerprints(side);
    REQUIRE_FALSE(before.empty());
    CHECK(fingerprints({rewritten(side.objects, "\"uid-", "\"other-"), side.given}) == before);
    Jsons turned = side.objects;
    std::reverse(turned.begin(), turned.end());
    CHECK(fingerprints({turned, side.given}) == before);
  }
}

TEST_CASE("fingerprints: another node or another rule is another finding") {
  const std::vector<std::string> here = fingerprints({story()});
  const std::vector<std::string> there = fingerprints({rewritten(story(), "\"n1\"", "\"n2\"")});
  REQUIRE(here.size() == there.size());
  for (const std::string& f : here) {
    CHECK(std::find(there.begin(), there.end(), f) == there.end());
  }
  const std::set<std::string> distinct(here.begin(), here.end());
  CHECK(distinct.size() == here.size());
}

TEST_CASE("certainty: as sure as the capacity is, with the reason") {
  const Json label = labelled("nvidia.com/gpu.count", "1");
  const Jsons pods = {claim_of("a/c", "d0"), pod("a/p", {"c"}), pod("a/q", {"c"})};
  const auto finding_of = [&pods](const Jsons& cluster) {
    Jsons objects = pods;
    objects.insert(objects.end(), cluster.begin(), cluster.end());
    const State s(objects, partial());
    const RuleRun run = check(s.audit);
    const Finding* f = find_finding(run, "over-counted-node");
    REQUIRE(f != nullptr);
    return std::pair{f->certainty, f->why_not_certain};
  };
  CHECK(finding_of({node("n1"), slice("n1", {"d0"})}) ==
        std::pair{Certainty::certain, std::string{}});
  CHECK(finding_of(Jsons{node("n1", 0, label)}).first == Certainty::likely);
  CHECK(finding_of(Jsons{node("n1", 0, label)}).second.find("label") != std::string::npos);
  CHECK(finding_of(Jsons{node("n1", 1)}).first == Certainty::likely);
  CHECK(finding_of(Jsons{node("n1", 1)}).second.find("device plugin") != std::string::npos);
}

TEST_CASE("certainty: over-counted is only possible where corrected may be above capacity too") {
  Jsons objects = monitored(true);
  objects.at(1) = slice("n1", {"d0"});  // d1 is withdrawn: corrected is 1…2 of 1
  const State s(objects);
  const RuleRun run = check(s.audit);
  const Finding* f = find_finding(run, "over-counted-node");
  REQUIRE(f != nullptr);
  CHECK(f->certainty == Certainty::possible);
  CHECK(f->why_not_certain.find("order") != std::string::npos);
}

TEST_CASE("a rule whose kind is missing cannot be checked, and says which") {
  Given given = partial();
  const State s({node("n1", 1), pod("a/p", {}, asks(1))}, given);
  const RuleRun run = check(s.audit);
  std::set<std::string_view> names;
  for (const NotCheckable& n : run.not_checkable) {
    if (elsewhere(*n.rule)) continue;
    names.insert(n.rule->name);
    CHECK(n.reason.find("ResourceClaim") != std::string::npos);
  }
  CHECK(names.contains("unresolved-claim"));
  CHECK(names.contains("orphan-allocation"));
  CHECK_FALSE(names.contains("over-counted-node"));
  const State complete({node("n1", 1), pod("a/p", {}, asks(1))});
  CHECK(check(complete.audit).not_checkable.empty());
}

TEST_CASE("over-counted is a note where the cluster runs the fix, and an error if asked for") {
  const Jsons fixed = with(story(), scheduler("v0.17.1"));
  const State s(fixed);
  REQUIRE(s.audit.running.fixed);
  RuleRun run = check(s.audit);
  const Finding* f = find_finding(run, "over-counted-node");
  REQUIRE(f != nullptr);
  CHECK(f->severity == Severity::note);

  const State asked(fixed, at_version("v0.17.0"));
  run = check(asked.audit);
  REQUIRE(find_finding(run, "over-counted-node") != nullptr);
  CHECK(find_finding(run, "over-counted-node")->severity == Severity::error);

  const State stock(with(story(), scheduler("v0.17.0")));
  run = check(stock.audit);
  REQUIRE(find_finding(run, "over-counted-node") != nullptr);
  CHECK(find_finding(run, "over-counted-node")->severity == Severity::error);

  const State room(with(story({"d0", "d1"}), scheduler("v0.17.1")));
  run = check(room.audit);
  REQUIRE(find_finding(run, "double-counted-device") != nullptr);
  CHECK(find_finding(run, "double-counted-device")->severity == Severity::note);
}

TEST_CASE("over-counted: the proof names devices, pods in order, idle and KAI's sentence") {
  const State s(story());
  const RuleRun run = check(s.audit);
  const Finding* f = find_finding(run, "over-counted-node");
  REQUIRE(f != nullptr);
  REQUIRE(f->devices.size() == 1);
  CHECK(f->devices.at(0).device == "gpu.nvidia.com/n1/d0");
  CHECK(f->devices.at(0).published);
  REQUIRE(f->devices.at(0).pods.size() == 2);
  CHECK(f->devices.at(0).pods.at(0).pod == "a/p");
  CHECK_FALSE(f->devices.at(0).pods.at(0).again);
  CHECK(f->devices.at(0).pods.at(1).again);
  std::map<std::string, std::string> facts;
  for (const Fact& x : f->facts) facts[x.label] = x.text;
  CHECK(facts["idle"].starts_with("-1: "));
  CHECK(facts["the scheduler says"] ==
        "Node didn't have enough resources: GPUs, requested: 0, used: 2, capacity: 1");
  CHECK(facts["upgrade"].starts_with("helps"));
}

TEST_CASE("unresolved-claim: a claim of that name in another namespace is said to be there") {
  const Jsons objects = {node("n1"), slice("n1", {"d0"}), claim_of("a/c", "d0"), pod("a/p", {"c"}),
                         pod("b/q", {"c"})};
  const State trap(objects, troubled());
  RuleRun run = check(trap.audit);
  const Finding* f = find_finding(run, "unresolved-claim");
  REQUIRE(f != nullptr);
  CHECK(f->subject.name == "b/c");
  CHECK(f->message.find("in another namespace") != std::string::npos);
  CHECK(f->pods == Names{"b/q"});
  CHECK(find_finding(run, "over-counted-node") == nullptr);

  // With a claim there the device is shared, and that is what is said.
  const State control(with(objects, claim_of("b/c", "d0")));
  run = check(control.audit);
  CHECK(find_finding(run, "unresolved-claim") == nullptr);
  CHECK(find_finding(run, "over-counted-node") != nullptr);
}

TEST_CASE("exit status: by severity, and unable comes first") {
  const Snapshot s = read_objects(story());
  AuditOptions options;
  const Result r = conclude(s, options);
  CHECK(r.complete());
  CHECK(exit_status(r, FailOn::error) == 1);
  CHECK(exit_status(r, FailOn::never) == 0);
  const Snapshot fine = read_objects(with(story({"d0", "d1"}), pod("x/y")));
  const Result warned = conclude(fine, options);
  CHECK(exit_status(warned, FailOn::error) == 0);
  CHECK(exit_status(warned, FailOn::warning) == 1);
  const Snapshot no_claims = read_objects({node("n1"), pod("a/p", {"c"})}, false);
  const Result unable = conclude(no_claims, options);
  CHECK_FALSE(unable.unable.empty());
  CHECK(exit_status(unable, FailOn::never) == 2);
}
