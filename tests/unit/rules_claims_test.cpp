// The rules about claims and pods, placement, limits and input: a firing state, and a near miss for
// each of their traps.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "draudit/result.hpp"
#include "support/state.hpp"

using namespace draudit;
using namespace draudit::test;

namespace {

const std::string kOld = "2026-11-30T00:00:00Z";
const std::string kYoung = "2026-11-30T23:59:30Z";

struct Row {
  std::string what;
  std::string rule;
  Jsons objects;
  std::string want;  ///< "error certain", with "; " between findings; empty: silent
  bool complete = true;
};

Json at(Json of, const std::string& created) {
  of["metadata"]["creationTimestamp"] = created;
  return of;
}
Json leaving(Json of, const std::string& since) {
  of["metadata"]["deletionTimestamp"] = since;
  return of;
}
Json guarded(Json of) {
  of["metadata"]["finalizers"] = Json::array({"resource.kubernetes.io/delete-protection"});
  return of;
}
Json with_uid(Json of, const std::string& uid) {
  of["metadata"]["uid"] = uid;
  return of;
}
/// Reserved for pods of namespace a, by name.
Json held(Json of, const Names& pods) {
  for (const std::string& p : pods) {
    of["status"]["reservedFor"].push_back(
        {{"resource", "pods"}, {"name", p}, {"uid", "uid-a/" + p}});
  }
  return of;
}
Json owned(Json of, const std::string& pod, const std::string& kind = "Pod") {
  of["metadata"]["ownerReferences"].push_back(
      {{"kind", kind}, {"name", pod}, {"uid", "uid-a/" + pod}, {"controller", true}});
  of["metadata"]["annotations"]["resource.kubernetes.io/pod-claim-name"] = "g";
  return of;
}
Json group_reserved(Json of) {
  of["status"]["reservedFor"].push_back({{"apiGroup", "scheduling.k8s.io"},
                                         {"resource", "podgroups"},
                                         {"name", "team"},
                                         {"uid", "uid-a/team"}});
  return of;
}
Json on_nodes(Json of, const std::string& node) {
  const Json field = {
      {"key", "metadata.name"}, {"operator", "In"}, {"values", Json::array({node})}};
  of["status"]["allocation"]["nodeSelector"]["nodeSelectorTerms"] =
      Json::array({{{"matchFields", Json::array({field})}}});
  return of;
}
Json by_label(Json of, const std::string& value) {
  const Json label = {{"key", "zone"}, {"operator", "In"}, {"values", Json::array({value})}};
  of["status"]["allocation"]["nodeSelector"]["nodeSelectorTerms"] =
      Json::array({{{"matchExpressions", Json::array({label})}}});
  return of;
}
Json templated(Json of, const std::string& claim) {
  of["spec"]["resourceClaims"] = Json::array({{{"name", "g"}, {"resourceClaimTemplateName", "t"}}});
  if (!claim.empty()) {
    of["status"]["resourceClaimStatuses"] =
        Json::array({{{"name", "g"}, {"resourceClaimName", claim}}});
  }
  return of;
}
Json team(Json of) {
  of["spec"]["schedulingGroup"]["podGroupName"] = "team";
  return of;
}
Json kind(const std::string& name, const std::string& api, const std::string& full) {
  return {{"apiVersion", api}, {"kind", name}, {"metadata", metadata(full)}};
}
Json device_class(const std::string& name, const std::string& extended = {}) {
  Json out = kind("DeviceClass", "resource.k8s.io/v1", name);
  out["spec"] = Json::object();
  if (!extended.empty()) out["spec"]["extendedResourceName"] = extended;
  return out;
}
Json uses(Json of, const std::string& entry, const std::string& request = {}) {
  Json use = {{"name", entry}};
  if (!request.empty()) use["request"] = request;
  of["spec"]["containers"][0]["resources"]["claims"] = Json::array({use});
  return of;
}
Json extended_status(Json of, const std::string& claim) {
  of["status"]["extendedResourceClaimStatus"] = {{"resourceClaimName", claim},
                                                 {"requestMappings", Json::array()}};
  return of;
}
Json for_extended(Json of) {
  of["metadata"]["annotations"]["resource.kubernetes.io/extended-resource-claim"] = "true";
  return of;
}
Json offering(const std::string& resource, const std::string& n, const std::string& capacity = {}) {
  Json out = node("n1", 0, {{"status", {{"allocatable", {{resource, n}}}}}});
  if (!capacity.empty()) out["status"]["capacity"][resource] = capacity;
  return out;
}
Json done(const std::string& full, const Names& claims = {}) {
  return pod(full, claims, phase("Succeeded"));
}

Jsons all(const Json& a, Jsons more) {
  Jsons out = {node("n1"), a};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

std::vector<Row> rows() {
  const Json c = claim_of("a/c", "d0");
  const Json p = pod("a/p", {"c"});
  const Json ended = done("a/z");
  const Json made = owned(claim_of("a/c", "d0"), "gone");
  const Json waiting = pod("a/p", {"c"}, pending());
  std::vector<Row> t;
  const auto row = [&t](const std::string& rule, const std::string& what, const Jsons& objects,
                        const std::string& want, bool complete = true) {
    t.push_back({what, rule, objects, want, complete});
  };
  const std::string gone = "consumer-gone";
  row(gone, "by hand, some pod ended", all(held(c, {"x"}), {ended}), "error likely");
  row(gone, "made for it", all(held(made, {"gone"}), {ended}), "error certain");
  row(gone, "no pod ended", all(held(made, {"gone"}), {pod("a/q")}), "warning likely");
  row(gone, "the claim is young", all(at(held(made, {"gone"}), kYoung), {ended}), "error possible");
  row(gone, "namespace not listed", all(held(made, {"gone"}), {done("b/z")}), "error possible",
      false);
  row(gone, "many pods are one finding", all(held(c, {"x", "y", "w"}), {ended}), "error likely");
  row(gone, "a live pod", all(held(c, {"p"}), {p}), "");
  row(gone, "a PodGroup", all(group_reserved(c), {ended}), "");
  row(gone, "being deleted for long: another story",
      all(guarded(leaving(held(c, {"x"}), kOld)), {ended}), "");
  row(gone, "ended, not gone", all(held(c, {"z"}), {ended}), "");

  const std::string other = "consumer-replaced";
  const Json now = with_uid(p, "uid-now");
  row(other, "another uid", all(held(c, {"p"}), {now}), "error certain");
  row(other, "the new pod is young", all(held(c, {"p"}), {at(now, kYoung)}), "error possible");
  row(other, "the same uid", all(held(c, {"p"}), {p}), "");
  row(other, "no uid in the dump", all(held(c, {"p"}), {with_uid(p, "")}), "");

  const std::string over = "consumer-ended";
  const auto finished = [](const std::string& when) {
    Json out = done("a/z", {"c"});
    out["status"]["containerStatuses"] =
        Json::array({{{"name", "main"}, {"state", {{"terminated", {{"finishedAt", when}}}}}}});
    return out;
  };
  row(over, "when is not known", all(held(c, {"z"}), {done("a/z", {"c"})}), "warning certain");
  row(over, "long ago", all(held(c, {"z"}), {finished(kOld)}), "error certain");
  row(over, "just now", all(held(c, {"z"}), {finished(kYoung)}), "warning possible");
  row(over, "shared with a live pod", all(held(c, {"z", "p"}), {finished(kOld), p}),
      "warning certain");
  row(over, "live", all(held(c, {"p"}), {p}), "");

  const std::string unused = "unused-allocation";
  const Json nic = allocated(claim("a/c", {request("nic")}), {result("eth0", "dra.net")});
  row(unused, "by hand, no GPU", all(nic, {pod("a/q")}), "warning certain");
  row(unused, "by hand, a GPU: orphan-allocation", all(c, {pod("a/q")}), "");
  row(unused, "its pod is gone", all(made, {ended}), "error certain");
  row(unused, "its pod has ended", all(owned(c, "z"), {ended}), "error certain");
  row(unused, "its pod may be filtered out", all(made, {pod("a/q")}), "warning likely");
  row(unused, "young", all(at(made, kYoung), {ended}), "error possible");
  row(unused, "its pod waits", all(owned(c, "p"), {templated(pod("a/p", {}, pending()), "c")}), "");
  row(unused, "named by a waiting pod", all(nic, {waiting}), "");
  row(unused, "of a PodGroup that is not read", all(owned(c, "team", "PodGroup"), {ended}), "",
      false);
  row(unused, "of a PodGroup that is there",
      all(owned(c, "team", "PodGroup"),
          {ended, kind("PodGroup", "scheduling.k8s.io/v1alpha2", "a/team")}),
      "");
  row(unused, "of a PodGroup that is gone",
      all(owned(c, "team", "PodGroup"),
          {ended, kind("PodGroup", "scheduling.k8s.io/v1alpha2", "a/rest")}),
      "error certain");

  const std::string lacks = "not-reserved";
  row(lacks, "nobody", all(c, {p}), "error certain");
  row(lacks, "another pod only", all(held(c, {"q"}), {pod("a/q", {"c"}), p}), "error certain");
  row(lacks, "a new pod", all(c, {at(p, kYoung)}), "error possible");
  row(lacks, "a terminating pod", all(c, {leaving(p, kOld)}), "error possible");
  row(lacks, "on no node", all(c, {waiting}), "");
  row(lacks, "ended", all(c, {done("a/p", {"c"})}), "");
  row(lacks, "by its PodGroup", all(group_reserved(c), {team(p)}), "");
  row(lacks, "another PodGroup", all(group_reserved(c), {p}), "error certain");
  row(lacks, "reserved for the former pod: another story", all(held(c, {"p"}), {now}), "");
  row(lacks, "two pods, one finding", all(c, {p, pod("a/q", {"c"})}), "error certain");

  const std::string foreign = "foreign-claim";
  const Json tp = templated(pod("a/p"), "c");
  row(foreign, "of another pod", all(held(owned(c, "q"), {"p"}), {tp}), "error certain");
  row(foreign, "of nobody", all(held(c, {"p"}), {tp}), "warning certain");
  row(foreign, "its own", all(held(owned(c, "p"), {"p"}), {tp}), "");
  row(foreign, "its PodGroup's", all(held(owned(c, "team", "PodGroup"), {"p"}), {team(tp)}), "");
  row(foreign, "named directly", all(held(owned(c, "q"), {"p"}), {p}), "");

  const std::string twice = "claim-made-twice";
  const Json second = owned(claim("a/c2", {request()}), "p");
  row(twice, "two", all(held(owned(c, "p"), {"p"}), {tp, second}), "warning certain");
  row(twice, "one leaves", all(held(owned(c, "p"), {"p"}), {tp, leaving(second, kOld)}), "");

  const std::string lags = "claim-status-lags";
  row(lags, "no entry", all(held(owned(c, "p"), {"p"}), {templated(pod("a/p"), "")}),
      "note certain");
  row(lags, "an entry", all(held(owned(c, "p"), {"p"}), {tp}), "");
  row(lags, "by name", all(held(c, {"p"}), {p}), "");

  const std::string wrong = "extended-claim-wrong";
  const Json xp = extended_status(pod("a/p"), "c");
  row(wrong, "missing", {node("n1"), xp}, "error certain");
  row(wrong, "no annotation", all(held(owned(c, "p"), {"p"}), {xp}), "error certain");
  row(wrong, "another pod's", all(for_extended(owned(c, "q")), {xp}), "error certain");
  row(wrong, "young", {node("n1"), at(xp, kYoung)}, "error possible");
  row(wrong, "right", all(held(for_extended(owned(c, "p")), {"p"}), {xp}), "");

  const std::string lack = "extended-claim-missing";
  const Json ask = pod("a/p", {}, asks(1, "example.com/acc"));
  const Json stands = device_class("acc", "example.com/acc");
  row(lack, "no claim", {node("n1"), stands, ask}, "error likely");
  row(lack, "the name of every class",
      {node("n1"), stands, pod("a/p", {}, asks(1, "deviceclass.resource.kubernetes.io/acc"))},
      "error certain");
  row(lack, "a plugin offers it", {offering("example.com/acc", "1"), stands, ask}, "");
  row(lack, "a claim was made", all(held(for_extended(owned(c, "p")), {"p"}), {stands, ask}), "");

  const std::string undeclared = "container-claim-undeclared";
  row(undeclared, "no such entry", all(held(c, {"p"}), {uses(p, "x")}), "error certain");
  row(undeclared, "no such request", all(held(c, {"p"}), {uses(p, "c0", "x")}), "error certain");
  row(undeclared, "right", all(held(c, {"p"}), {uses(p, "c0", "gpu")}), "");

  const std::string stuck = "deletion-stuck";
  row(stuck, "nobody", all(guarded(leaving(held(c, {"x"}), kOld)), {ended}), "error certain");
  row(stuck, "a live pod", all(guarded(leaving(held(c, {"p"}), kOld)), {p}), "note certain");
  row(stuck, "a PodGroup", all(guarded(leaving(group_reserved(c), kOld)), {ended}),
      "warning likely");
  row(stuck, "not for long", all(guarded(leaving(c, kYoung)), {ended}), "");
  row(stuck, "no finalizer", all(leaving(c, kOld), {ended}), "");

  const Json freed =
      merged(held(at(c, kOld), {"p"}), {{"status", {{"deallocationRequested", true}}}});
  row("deallocation-pending", "asked for", all(freed, {p}), "warning likely");
  row("deallocation-pending", "young", all(at(freed, kYoung), {p}), "");

  const Json safe = guarded(held(claim_of("a/s", "d1"), {"q"}));
  const Json q = pod("a/q", {"s"});
  row("unprotected-claim", "one has it", all(held(c, {"p"}), {p, safe, q}), "note certain");
  row("unprotected-claim", "both have", all(guarded(held(c, {"p"})), {p, safe, q}), "");
  row("unprotected-claim", "not allocated", all(claim("a/w", {request()}), {safe, q}), "");

  row("class-missing", "waits", all(claim("a/w", {request("x")}), {pod("a/p"), device_class("y")}),
      "warning certain");
  row("class-missing", "allocated", all(held(c, {"p"}), {p, device_class("y")}), "note certain");
  row("class-missing", "there", all(held(c, {"p"}), {p, device_class(kGpuDriver)}), "");

  row("extended-resource-of-two", "two",
      {node("n1"), pod("a/p"), device_class("x", "e.com/r"), device_class("y", "e.com/r")},
      "warning certain");
  row("extended-resource-of-two", "two names",
      {node("n1"), pod("a/p"), device_class("x", "e.com/r"), device_class("y", "e.com/s")}, "");

  const Json admin = claim("a/m", {request(kGpuDriver, "ExactCount", 1, true)});
  const Json space = kind("Namespace", "v1", "a");
  const Json allowed = merged(space, labelled("resource.kubernetes.io/admin-access", "true"));
  row("admin-access-unlabelled", "no label", all(admin, {pod("a/p"), space}), "warning likely");
  row("admin-access-unlabelled", "label", all(admin, {pod("a/p"), allowed}), "");
  row("admin-access-unlabelled", "no such claim", all(held(c, {"p"}), {p, space}), "");

  row("pod-stuck-terminating", "for long", all(held(c, {"p"}), {leaving(p, kOld)}), "note certain");
  row("pod-stuck-terminating", "just now", all(held(c, {"p"}), {leaving(p, kYoung)}), "");
  row("pod-stuck-terminating", "no device", {node("n1"), leaving(pod("a/p"), kOld)}, "");

  const Json classic = merged(held(c, {"p"}), {{"spec", {{"controller", "x.com"}}}});
  row("classic-claim", "a controller", all(classic, {p}), "warning certain");
  row("classic-claim", "none", all(held(c, {"p"}), {p}), "");

  row("unknown-value", "a consumer", all(reserved_for(c, {"a/x"}, "jobs"), {ended}),
      "note certain");
  row("unknown-value", "a mode", all(claim("a/w", {request("x", "Some")}), {ended}),
      "note certain");
  row("unknown-value", "a PodGroup", all(group_reserved(c), {ended}), "");

  const std::string contra = "contradictory-claim";
  row(contra, "reserved, not allocated", all(held(claim("a/c", {request()}), {"p"}), {waiting}),
      "warning certain");
  row(contra, "a result for no request",
      all(held(allocated(claim("a/c", {request()}), {result("d0", kGpuDriver, "n1", false, "x")}),
               {"p"}),
          {p}),
      "warning certain");
  row(contra, "an alternative's result",
      all(held(allocated(claim("a/c", {first_available()}),
                         {result("d0", kGpuDriver, "n1", false, "gpu/a")}),
               {"p"}),
          {p}),
      "");
  row(contra, "twice for one uid", all(held(c, {"p", "p"}), {p}), "warning certain");
  row(contra, "fine", all(held(c, {"p"}), {p}), "");

  const auto crowd = [&c](int n) { return held(c, numbered("p", n)); };
  row("reservations-nearly-full", "229", all(crowd(229), {ended}), "");
  row("reservations-nearly-full", "230", all(crowd(230), {ended}), "warning certain");
  row("reservations-nearly-full", "256", all(crowd(256), {ended}), "error certain");
  row("reservations-nearly-full", "32", all(crowd(32), {ended}), "note possible");
  row("reservations-nearly-full", "31", all(crowd(31), {ended}), "");

  row("claim-over-limits", "33 requests", all(claim("a/w", Jsons(33, request())), {ended}),
      "warning certain");
  row("claim-over-limits", "32 requests", all(claim("a/w", Jsons(32, request())), {ended}), "");

  const std::string outside = "outside-selector";
  const auto zone = [](const std::string& z) { return node("n1", 0, labelled("zone", z)); };
  row(outside, "another node", all(held(on_nodes(c, "n2"), {"p"}), {p}), "error certain");
  row(outside, "a label", {zone("x"), held(by_label(c, "y"), {"p"}), p}, "warning likely");
  row(outside, "a new pod", all(held(on_nodes(c, "n2"), {"p"}), {at(p, kYoung)}), "error possible");
  row(outside, "its node", all(held(on_nodes(c, "n1"), {"p"}), {p}), "");
  row(outside, "its label", {zone("y"), held(by_label(c, "y"), {"p"}), p}, "");

  const std::string pinned = "pinned-to-missing-node";
  row(pinned, "a claim", all(on_nodes(held(c, {"p"}), "n2"), {waiting}), "warning certain");
  row(pinned, "not every node is there", all(on_nodes(held(c, {"p"}), "n2"), {waiting}),
      "warning likely", false);
  row(pinned, "pods are there, too: node-missing",
      all(on_nodes(held(c, {"p"}), "n2"), {merged(p, {{"spec", {{"nodeName", "n2"}}}})}), "");
  row(pinned, "there", all(on_nodes(held(c, {"p"}), "n1"), {p}), "");

  const Json both = pod("a/p", {"c", "e"}, pending());
  const Json e = held(claim_of("a/e", "d1"), {"p"});
  row("claims-apart", "two nodes",
      all(held(on_nodes(c, "n1"), {"p"}), {on_nodes(e, "n2"), node("n2"), both}), "error certain");
  row("claims-apart", "a label elsewhere",
      all(held(on_nodes(c, "n1"), {"p"}), {by_label(e, "y"), both}), "error likely");
  row("claims-apart", "one node", all(held(on_nodes(c, "n1"), {"p"}), {on_nodes(e, "n1"), both}),
      "");

  const std::string booked = "node-overbooked";
  const auto two = [](const Json& of_node, const std::string& resource,
                      std::int64_t each) -> Jsons {
    return {of_node, pod("a/p", {}, asks(each, resource)), pod("a/q", {}, asks(each, resource))};
  };
  row(booked, "cpu", two(node("n1"), "cpu", 5), "warning likely");
  row(booked, "cpu that fits", two(node("n1"), "cpu", 4), "");
  row(booked, "an extended resource", two(offering("e.com/nic", "1"), "e.com/nic", 1),
      "error certain");
  row(booked, "withdrawn, within capacity", two(offering("e.com/nic", "1", "2"), "e.com/nic", 1),
      "warning likely");
  row(booked, "GPUs: the accounting's", two(node("n1", 1), "nvidia.com/gpu", 1), "");
  return t;
}

struct Ran {
  std::string said;
  RuleRun run;
};

std::string said(const RuleRun& run, const std::string& rule) {
  std::string out;
  for (const Finding& f : run.findings) {
    if (f.rule->name != rule) continue;
    out += (out.empty() ? "" : "; ") + std::string{to_string(f.severity)} + " " +
           std::string{to_string(f.certainty)};
  }
  return out;
}

template <class Use>
void with_run(const Row& row, const Jsons& objects, Use use) {
  const Snapshot snapshot = read_objects(objects, row.complete);
  AuditOptions options;
  options.now = parse_timestamp("2026-12-01T00:00:00Z");
  const Audit result = audit(snapshot, options);
  use(check(result));
}

bool of_these(const Rule& r) {
  return (r.id.starts_with("CLM") && r.id > "CLM002") || r.id.starts_with("PLC") ||
         r.id.starts_with("LIM") || (r.id >= "INP010" && r.id <= "INP012");
}

}  // namespace

TEST_CASE("rules of claims, placement, limits and input: each row says what it should") {
  std::map<std::string, std::set<bool>> seen;
  for (const Row& row : rows()) {
    CAPTURE(row.rule);
    CAPTURE(row.what);
    REQUIRE(find_rule(row.rule) != nullptr);
    seen[row.rule].insert(row.want.empty());
    with_run(row, row.objects, [&](const RuleRun& run) {
      CHECK(said(run, row.rule) == row.want);
      for (const NotCheckable& n : run.not_checkable) CHECK(n.rule->name != row.rule);
      for (const Finding& f : run.findings) {
        CAPTURE(f.message);
        CHECK((f.certainty == Certainty::certain) == f.why_not_certain.empty());
        CHECK_FALSE(f.subject.name.empty());
        CHECK(f.subject.at.line > 0);
      }
    });
  }
  for (const Rule* rule : rules()) {
    if (!of_these(*rule)) continue;
    CAPTURE(std::string{rule->name});
    CHECK(seen[std::string{rule->name}].size() == 2);  // it fires, and it keeps silent
  }
}

TEST_CASE("rules of claims: the same in any order, and an admin row adds nothing") {
  for (const Row& row : rows()) {
    CAPTURE(row.rule);
    CAPTURE(row.what);
    Jsons turned = row.objects;
    std::reverse(turned.begin(), turned.end());
    with_run(row, turned, [&](const RuleRun& run) { CHECK(said(run, row.rule) == row.want); });
  }
}

TEST_CASE("rules of claims: one claim in trouble is one finding, with what follows from it") {
  // Deleted long ago, reserved for a pod that is gone, holding a GPU: not four findings.
  const Json c = guarded(leaving(held(claim_of("a/c", "d0"), {"x"}), kOld));
  const Row row{"", "", {node("n1"), slice("n1", {"d0"}), c, done("a/z")}, ""};
  with_run(row, row.objects, [](const RuleRun& run) {
    REQUIRE(run.findings.size() == 1);
    CHECK(run.findings.at(0).rule->name == "deletion-stuck");
    std::set<std::string> facts;
    for (const Fact& f : run.findings.at(0).facts) facts.insert(f.label + " " + f.text);
    CHECK(facts.count("reserved for x, which is not there") == 1);
    CHECK(facts.count("device gpu.nvidia.com/n1/d0") == 1);
  });
  const Row gone{"",
                 "",
                 {node("n1"), slice("n1", {"d0"}), held(claim_of("a/c", "d0"), {"x"}), done("a/z")},
                 ""};
  with_run(gone, gone.objects, [](const RuleRun& run) {
    REQUIRE(run.findings.size() == 1);
    CHECK(run.findings.at(0).rule->name == "consumer-gone");
  });
}

TEST_CASE("not checkable: what was not read is said, and only where it is asked for") {
  const auto unchecked = [](const Jsons& objects, const std::string& rule) {
    std::string reason;
    with_run({"", "", {}, "", false}, objects, [&](const RuleRun& run) {
      for (const NotCheckable& n : run.not_checkable) {
        if (n.rule->name == rule) reason = n.reason;
      }
    });
    return reason;
  };
  const Json admin = claim("a/m", {request(kGpuDriver, "ExactCount", 1, true)});
  const Json plain = held(claim_of("a/c", "d0"), {"p"});
  CHECK(unchecked({node("n1"), pod("a/p"), admin}, "admin-access-unlabelled") ==
        "no Namespace in the input");
  CHECK(unchecked({node("n1"), pod("a/p"), plain}, "admin-access-unlabelled").empty());
  CHECK(unchecked({node("n1"), pod("a/p"), plain}, "unprotected-claim") ==
        "no claim in the input has finalizers");
  CHECK(unchecked({node("n1"), pod("a/p"), plain}, "class-missing") ==
        "no DeviceClass in the input");
}
