// The figures of kai-accounting.md §4 to §9, on states that a person can check by hand.
#include <doctest/doctest.h>

#include <array>
#include <limits>

#include "accounting/demand.hpp"
#include "accounting/index.hpp"
#include "support/state.hpp"

using namespace draudit;
using namespace draudit::test;

namespace {

const std::string kShared = "voice/gpu";

/// The story: two pods on the one GPU of the node.
Jsons story() {
  return {node("n1"), slice("n1", {"gpu-0"}), claim_of(kShared, "gpu-0"), pod("voice/tts", {"gpu"}),
          pod("voice/worker", {"gpu"})};
}

Jsons with(Jsons objects, const Json& more) {
  objects.push_back(more);
  return objects;
}

/// F1: a monitor with admin access to every GPU beside `n` pods with one GPU each.
Jsons monitored(int n, const Json& slices) {
  Jsons out = {node("n1"), slices, pod("obs/monitor", {"all"})};
  Jsons all;
  for (int i = 0; i < n; ++i) {
    const std::string d = "gpu-" + std::to_string(i);
    const std::string name = "work/p" + std::to_string(i);
    all.push_back(result(d, kGpuDriver, "n1", true));
    out.push_back(claim_of(name, d));
    out.push_back(pod(name, {"p" + std::to_string(i)}));
  }
  out.push_back(allocated(claim("obs/all", {request(kGpuDriver, "All", 0, true)}), all));
  return out;
}

Jsons results_of(const Names& devices, const std::string& driver = kGpuDriver) {
  Jsons out;
  for (const std::string& d : devices) out.push_back(result(d, driver));
  return out;
}

Json container(std::int64_t gpus, bool sidecar = false,
               const std::string& resource = "nvidia.com/gpu") {
  Json out = {{"name", "c"}};
  if (gpus != 0) out["resources"]["requests"][resource] = std::to_string(gpus);
  if (sidecar) out["restartPolicy"] = "Always";
  return out;
}

Json containers(const Jsons& init, const Jsons& regular) {
  return {{"spec", {{"initContainers", Json(init)}, {"containers", Json(regular)}}}};
}

/// GPUs of a pod's containers as a version sums them up.
std::int64_t container_gpus(const Json& patch, const char* version = "v0.17.1") {
  const Snapshot s = read_objects({pod("a/p", {}, patch)});
  return demand_of(s.pods.at(0), *find_profile(version)).container_gpus;
}

std::int64_t claim_gpus(const Jsons& requests, const char* version = "v0.17.1",
                        const Json& patch = Json::object()) {
  const Snapshot s = read_objects({claim("a/c", requests, patch)});
  return gpus_of_claim(s.claims.at(0), *find_profile(version));
}

PodStatus status(const Jsons& objects, const char* version, const char* now) {
  const Snapshot s = read_objects(objects);
  AuditOptions options;
  options.now = parse_timestamp(now);
  REQUIRE(options.now.has_value());
  const Index index(s, options);
  return index.status_of(s.pods.at(0), *find_profile(version));
}

/// Names of the claims that KAI relates to the first pod by owner or reservation alone.
std::string related(const Jsons& claims) {
  Jsons objects = claims;
  objects.push_back(pod("a/p"));
  const Snapshot s = read_objects(objects);
  const AuditOptions options;
  std::string out;
  for (const ResourceClaim* c : Index(s, options).claims_of(s.pods.at(0))) {
    out += std::string{c->meta.name} + ";";
  }
  return out;
}

Json plain_claim(const std::string& name) { return claim("a/" + name, {request()}); }

Json bound_to(const Jsons& results) {
  const Json entry = {{"name", "c0"}, {"allocation", allocation(results)}};
  return {{"spec", {{"resourceClaimAllocations", Json::array({entry})}}}};
}

const Json kExtended = annotated("resource.kubernetes.io/extended-resource-claim", "true");

}  // namespace

TEST_CASE("upstream: a shared device is counted once, and twice by the stock version") {
  const State s(story());
  CHECK(figures(s.naive()) == "used 2, idle -1, releasing 0, groups 0");
  CHECK(figures(s.corrected()) == "used 1, idle 0, releasing 0, groups 0");
  CHECK(course(s.naive().steps) == "1 2");
  CHECK(course(s.corrected().steps) == "1 1");
  CHECK(s.held() == "1");
  CHECK(s.share(Cause::shared_device) == "1/0");
  CHECK(upgrade_helps(s.on()) == UpgradeHelps::yes);
}

TEST_CASE("upstream: taking the sharers off again leads back to nothing") {
  const State s(story());
  CHECK(course(release(s.on(), s.corrected())) == "1 0");
  CHECK(course(release(s.on(), s.naive())) == "1 0");
  const std::vector<Step> off = release(s.on(), s.corrected());
  REQUIRE(off.size() == 2);
  CHECK(off.at(0).touched.at(0).before == 2);
  CHECK(off.at(1).touched.at(0).after == 0);
  CHECK(to_string(off.back().after.idle) == "1");
}

TEST_CASE("upstream: distinct devices are each counted") {
  const State s({node("n1"), slice("n1", {"gpu-4", "gpu-6"}), claim_of("voice/a", "gpu-4"),
                 claim_of("voice/b", "gpu-6"), pod("voice/a", {"a"}), pod("voice/b", {"b"})});
  CHECK(figures(s.corrected()) == "used 2, idle 0, releasing 0, groups 0");
  CHECK(figures(s.naive()) == figures(s.corrected()));
  CHECK(s.on().causes.empty());
}

TEST_CASE("upstream: a reservation pod on the claim does not corrupt the references") {
  const State s({node("n1"), slice("n1", {"gpu-0"}), claim_of(kShared, "gpu-0"),
                 pod("voice/tts", {"gpu"}),
                 pod("voice/reservation", {"gpu"}, labelled("app", "kai-resource-reservation"))});
  REQUIRE(s.charge("voice/reservation").devices.size() == 1);
  // It comes first, and must not have the consumer's device for its own.
  REQUIRE(s.corrected().steps.size() == 2);
  CHECK(s.corrected().charges.at(0).reservation);
  CHECK(course(s.corrected().steps) == "0 1");
  CHECK(s.corrected().steps.at(0).touched.empty());
  CHECK(course(replay_in_order(s.on(), s.corrected(), {"voice/tts", "voice/reservation"})) ==
        "1 1");
  CHECK(course(release(s.on(), s.corrected())) == "0 0");
}

TEST_CASE("upstream: a pod that asks for no GPU is refused by the stock version alone") {
  const State s(with(story(), pod("web/cpu")));
  CHECK(to_string(s.naive().figures.idle) == "-1");
  CHECK(to_string(s.corrected().figures.idle) == "0");
  CHECK(to_string(s.charge("web/cpu").gpus) == "0");
}

TEST_CASE("upstream: a pending sharer is charged nowhere, though the claim is reserved for it") {
  const State s({node("n1"), slice("n1", {"gpu-0"}),
                 reserved_for(claim_of(kShared, "gpu-0"), {"voice/tts", "voice/worker"}),
                 pod("voice/tts", {"gpu"}), pod("voice/worker", {"gpu"}, pending())});
  CHECK(figures(s.naive()) == "used 1, idle 0, releasing 0, groups 0");
  REQUIRE(s.audit.pending.size() == 1);
  CHECK(s.audit.pending.at(0).devices.size() == 1);
}

TEST_CASE("a claim of that name in another namespace shares nothing, and that is said") {
  const Jsons common = {node("n1"), slice("n1", {"gpu-0"}), pod("voice/tts", {"gpu"}),
                        pod("other/worker", {"gpu"}), claim_of(kShared, "gpu-0")};
  const State trap(common, {.troubles = true});
  CHECK(figures(trap.naive()) == "used 1, idle 0, releasing 0, groups 0");
  CHECK(trap.share(Cause::shared_device).empty());
  CHECK(trap.charge("other/worker").devices.empty());
  REQUIRE(trap.audit.claim_troubles.size() == 1);
  CHECK(full_name(trap.audit.claim_troubles.at(0).pod->meta) == "other/worker");
  CHECK(trap.audit.claim_troubles.at(0).use.trouble == ClaimTrouble::other_namespace);
  CHECK(trap.audit.claim_troubles.at(0).use.claim == nullptr);

  // The same with a claim where the pod looks for it: the device is shared.
  const State control(with(common, claim_of("other/gpu", "gpu-0")));
  CHECK(figures(control.naive()) == "used 2, idle -1, releasing 0, groups 0");
  CHECK(figures(control.corrected()) == "used 1, idle 0, releasing 0, groups 0");
}

TEST_CASE("every way in which a claim can fail to yield a device has its own name") {
  const Json from_template = {
      {"spec",
       {{"resourceClaims", Json::array({{{"name", "c0"}, {"resourceClaimTemplateName", "t"}}})}}}};
  const State s({node("n1"), slice("n1", {"gpu-0"}), plain_claim("open"), pod("a/missing", {"no"}),
                 pod("a/open", {"open"}), pod("a/template", {}, from_template)},
                {.troubles = true});
  REQUIRE(s.audit.claim_troubles.size() == 3);
  CHECK(s.audit.claim_troubles.at(0).use.trouble == ClaimTrouble::missing);
  CHECK(s.audit.claim_troubles.at(1).use.trouble == ClaimTrouble::unallocated);
  CHECK(s.audit.claim_troubles.at(2).use.trouble == ClaimTrouble::not_created);
  CHECK(s.share(Cause::unallocated_claim) == "1/1");
}

TEST_CASE("status: every row of the table, and whether it is charged") {
  struct Row {
    const char* what;
    Jsons objects;
    PodStatus want;
    bool charged;
  };
  const Json gated = {{"spec", {{"schedulingGates", Json::array({{{"name", "g"}}})}}}};
  const Json on_node = phase("Pending");
  const std::string now = "2026-12-01T00:00:00Z";
  const Jsons cluster = {node("n1")};
  const auto one = [&](const Json& p) { return with(cluster, p); };
  const std::vector<Row> rows = {
      {"running", one(pod("a/p")), PodStatus::running, true},
      {"running, deleted", one(pod("a/p", {}, deleted(now))), PodStatus::releasing, true},
      {"stuck", one(pod("a/p", {}, deleted("2026-11-30T23:00:00Z"))), PodStatus::stuck_in_releasing,
       true},
      {"pending, deleted long ago", one(pod("a/p", {}, pending(deleted("2026-11-30T20:00:00Z")))),
       PodStatus::releasing, true},
      {"pending with a node", one(pod("a/p", {}, on_node)), PodStatus::bound, true},
      {"pending with a request", with(one(pod("a/p", {}, pending())), bind_request("a/p")),
       PodStatus::binding, true},
      {"gated", one(pod("a/p", {}, pending(gated))), PodStatus::gated, false},
      {"gated with a request", with(one(pod("a/p", {}, pending(gated))), bind_request("a/p")),
       PodStatus::binding, true},
      {"pending", one(pod("a/p", {}, pending())), PodStatus::pending, false},
      {"succeeded", one(pod("a/p", {}, phase("Succeeded"))), PodStatus::succeeded, false},
      {"failed", one(pod("a/p", {}, phase("Failed"))), PodStatus::failed, false},
      {"unknown", one(pod("a/p", {}, phase("Unknown"))), PodStatus::unknown, false},
      {"a phase that nobody knows", one(pod("a/p", {}, phase("Dreaming"))), PodStatus::unknown,
       false},
      {"no phase", one(pod("a/p", {}, {{"status", {{"phase", nullptr}}}})), PodStatus::unknown,
       false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(status(row.objects, "v0.17.0", now.c_str()) == row.want);
    CHECK(is_charged(row.want) == row.charged);
  }
}

TEST_CASE("status: a terminating pod is stuck only past the threshold, from v0.15 on") {
  const Jsons objects = {node("n1"), pod("a/p", {}, deleted("2026-12-01T00:00:00Z"))};
  CHECK(status(objects, "v0.17.0", "2026-12-01T00:00:30Z") == PodStatus::releasing);
  CHECK(status(objects, "v0.17.0", "2026-12-01T00:02:00Z") == PodStatus::releasing);
  CHECK(status(objects, "v0.17.0", "2026-12-01T00:02:01Z") == PodStatus::stuck_in_releasing);
  CHECK(status(objects, "v0.15.0", "2026-12-01T00:05:00Z") == PodStatus::stuck_in_releasing);
  CHECK(status(objects, "v0.14.6", "2026-12-01T00:05:00Z") == PodStatus::releasing);
  CHECK(status(objects, "v0.13.0", "2026-12-01T00:05:00Z") == PodStatus::releasing);
}

TEST_CASE("status: the threshold can be set, and stuck pods are used but not releasing") {
  const Jsons objects = {node("n1", 1),
                         pod("a/p", {}, merged(asks(1), deleted("2026-12-01T00:00:00Z")))};
  Given given;
  given.now = "2026-12-01T00:05:00Z";
  const State stuck(objects, given);
  CHECK(figures(stuck.corrected()) == "used 1, idle 0, releasing 0, groups 0");
  given.options.stuck_after_nanoseconds = std::int64_t{600} * 1'000'000'000;
  const State releasing(objects, given);
  CHECK(figures(releasing.corrected()) == "used 1, idle 0, releasing 1, groups 0");
}

TEST_CASE("a pod on no node or on one outside the shard is charged nowhere") {
  const Json elsewhere = {{"spec", {{"nodeName", "n9"}}}};
  const State s({node("n1", 2), pod("a/p", {}, merged(asks(1), elsewhere))});
  CHECK(figures(s.naive()) == "used 0, idle 2, releasing 0, groups 0");

  Given given;
  given.options.node_pool_key = "kai.scheduler/node-pool";
  const State pool({node("n1", 2), node("n2", 2, labelled("kai.scheduler/node-pool", "b"))}, given);
  CHECK(pool.audit.nodes.size() == 1);
  CHECK(pool.audit.nodes_outside == 1);
  given.options.node_pool_value = "b";
  const State other({node("n1", 2), node("n2", 2, labelled("kai.scheduler/node-pool", "b"))},
                    given);
  CHECK(other.audit.nodes.size() == 1);
  CHECK(other.audit.nodes.at(0).node->meta.name == "n2");
}

TEST_CASE("containers: requests are summed, init containers only raise the peak") {
  CHECK(container_gpus(containers({}, {container(1), container(2)})) == 3);
  CHECK(container_gpus(containers({container(4)}, {container(1)})) == 4);
  CHECK(container_gpus(containers({container(1), container(2)}, {container(2)})) == 2);
  CHECK(container_gpus(containers({container(0)}, {container(1)})) == 1);
  CHECK(container_gpus(containers({}, {container(1), container(1, false, "amd.com/gpu")})) == 2);
  CHECK(container_gpus(containers({}, {container(1, false, "example.com/fpga")})) == 0);
  // Fractions of a unit round up, as the API's Value() does.
  CHECK(container_gpus(asks(0)) == 0);
}

TEST_CASE("containers: sidecars add to the sum where the version knows them") {
  const Json sidecar = containers({container(1, true)}, {container(2)});
  for (const char* knows : {"v0.14.6", "v0.15.3", "v0.16.0", "v0.17.0", "v0.17.1"}) {
    CAPTURE(knows);
    CHECK(container_gpus(sidecar, knows) == 3);
  }
  for (const char* not_yet : {"v0.13.0", "v0.14.0", "v0.15.0", "v0.12.0"}) {
    CAPTURE(not_yet);
    CHECK(container_gpus(sidecar, not_yet) == 2);
  }
  // An init container runs beside the sidecars declared before it, not those after it.
  CHECK(container_gpus(containers({container(1, true), container(3)}, {container(1)})) == 4);
  CHECK(container_gpus(containers({container(3), container(1, true)}, {container(1)})) == 3);
}

TEST_CASE("containers: GPUs inside overhead are no GPUs") {
  Json patch = asks(1);
  patch["spec"]["overhead"]["nvidia.com/gpu"] = "2";
  CHECK(container_gpus(patch) == 1);
}

TEST_CASE("claims: the count is that of the spec") {
  CHECK(claim_gpus({request(kGpuDriver, "ExactCount", 2)}) == 2);
  CHECK(claim_gpus({request(kGpuDriver, "ExactCount", 0)}) == 1);
  CHECK(claim_gpus({request(kGpuDriver, "All")}) == 1);
  CHECK(claim_gpus({request(kGpuDriver, "ExactCount", 2), request(kGpuDriver, "ExactCount", 3)}) ==
        5);
  CHECK(claim_gpus({request("other-device-class", "ExactCount", 5),
                    request(kGpuDriver, "ExactCount", 2)}) == 2);
  CHECK(claim_gpus({}) == 0);
  CHECK(claim_gpus({first_available()}) == 0);
  CHECK(claim_gpus({request(kGpuDriver, "UnknownMode", 5)}) == 0);
  CHECK(claim_gpus({request(kGpuDriver, "ExactCount", 2), request(kGpuDriver, "All")}) == 3);
  CHECK(claim_gpus({request(kGpuDriver, "All", 0, true)}) == 1);
  for (const char* gpu : {"vfio.gpu.nvidia.com", "shared-GPU", "gpu-direct-nic", "nogpu"}) {
    CAPTURE(gpu);
    CHECK(claim_gpus({request(gpu)}) == 1);
  }
  for (const char* none : {"mig.nvidia.com", "h100", "compute-domain-daemon.nvidia.com", ""}) {
    CAPTURE(none);
    CHECK(claim_gpus({request(none)}) == 0);
  }
}

TEST_CASE("claims: counts saturate and never wrap") {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const Json most = request(kGpuDriver, "ExactCount", kMax);
  CHECK(claim_gpus({most, most}) == kMax);
  CHECK(claim_gpus({most, request(kGpuDriver, "All")}) == kMax);
  const State s({node("n1", 1), allocated(claim("a/x", {most}), {result("gpu-0")}),
                 allocated(claim("a/y", {most}), {result("gpu-1")}), pod("a/p", {"x", "y"})});
  CHECK(s.charge("a/p").claim_gpus == kMax);
}

TEST_CASE("claims: those for extended resources are skipped from v0.17 on") {
  CHECK(claim_gpus({request()}, "v0.17.0", kExtended) == 0);
  CHECK(claim_gpus({request()}, "v0.17.1", kExtended) == 0);
  for (const char* version : {"v0.13.0", "v0.14.0", "v0.15.0", "v0.16.0", "v0.16+dedup"}) {
    CAPTURE(version);
    CHECK(claim_gpus({request()}, version, kExtended) == 1);
  }
  CHECK(claim_gpus({request()}, "v0.17.0",
                   annotated("resource.kubernetes.io/extended-resource-claim", "false")) == 1);
}

TEST_CASE("relations: an owner outdoes every reservation, and only the first entry counts") {
  CHECK(related({owned_by(plain_claim("c"), "a/p")}) == "c;");
  CHECK(related({reserved_for(plain_claim("c"), {"a/p"})}) == "c;");
  CHECK(related({reserved_for(plain_claim("c"), {"a/q", "a/p"})}).empty());
  CHECK(related({reserved_for(owned_by(plain_claim("c"), "a/q"), {"a/p"})}).empty());
  CHECK(related({reserved_for(owned_by(plain_claim("c"), "a/p"), {"a/q"})}) == "c;");
  CHECK(related({owned_by(plain_claim("c"), "a/p", "Deployment")}).empty());
  CHECK(related({reserved_for(owned_by(plain_claim("c"), "a/q", "Deployment"), {"a/p"})}) == "c;");
  CHECK(related({reserved_for(plain_claim("c"), {"a/p"}, "services")}).empty());
  CHECK(related({reserved_for(reserved_for(plain_claim("c"), {"a/x"}, "services"), {"a/p"})}) ==
        "c;");
  CHECK(related({owned_by(plain_claim("c"), "a/p"), reserved_for(plain_claim("d"), {"a/p"})}) ==
        "c;d;");
  CHECK(related({}).empty());
}

TEST_CASE("relations: named claims are merged in by uid, and looked up in the pod's namespace") {
  const Snapshot s =
      read_objects({owned_by(plain_claim("c"), "a/p"), plain_claim("d"), claim("b/e", {request()}),
                    pod("a/p", {"c", "d", "d", "e", "gone"})});
  const AuditOptions options;
  const Index index(s, options);
  const std::vector<const ResourceClaim*> claims = index.claims_of(s.pods.at(0));
  REQUIRE(claims.size() == 2);
  CHECK(claims.at(0)->meta.name == "c");
  CHECK(claims.at(1)->meta.name == "d");
}

TEST_CASE("template claims count through their Pod owner and the pod's status") {
  const Json by_template = {
      {"spec",
       {{"resourceClaims", Json::array({{{"name", "g"}, {"resourceClaimTemplateName", "t"}}})}}},
      {"status",
       {{"resourceClaimStatuses", Json::array({{{"name", "g"}, {"resourceClaimName", "p-g"}}})}}}};
  const State s({node("n1"), slice("n1", {"gpu-0"}), owned_by(claim_of("a/p-g", "gpu-0"), "a/p"),
                 pod("a/p", {}, by_template)});
  CHECK(figures(s.corrected()) == "used 1, idle 0, releasing 0, groups 0");
  CHECK(s.charge("a/p").devices.size() == 1);
}

TEST_CASE("BindRequest: its allocation replaces the claim's, also with nothing") {
  Jsons objects = {node("n1"), slice("n1", {"d0", "d1"}), claim_of("a/c", "d0"), pod("a/p", {"c"}),
                   pod("a/q", {"c"})};
  REQUIRE(figures(State(objects).corrected()) == "used 1, idle 1, releasing 0, groups 0");

  const State other(with(objects, bind_request("a/q", "n1", bound_to({result("d1")}))));
  CHECK(figures(other.corrected()) == "used 2, idle 0, releasing 0, groups 0");
  CHECK(other.held() == "1");
  CHECK(other.share(Cause::bind_request_disagrees) == "1/1");

  const Json null_entry = {{"name", "c0"}, {"allocation", nullptr}};
  const Json to_nothing = {{"spec", {{"resourceClaimAllocations", Json::array({null_entry})}}}};
  const State nothing(with(objects, bind_request("a/q", "n1", to_nothing)));
  CHECK(figures(nothing.corrected()) == "used 2, idle 0, releasing 0, groups 0");
  CHECK(nothing.charge("a/q").devices.empty());

  Json wrong_entry = bound_to({result("d1")});
  wrong_entry["spec"]["resourceClaimAllocations"][0]["name"] = "c7";
  const State unnamed(with(objects, bind_request("a/q", "n1", wrong_entry)));
  CHECK(figures(unnamed.corrected()) == "used 1, idle 1, releasing 0, groups 0");
}

TEST_CASE("BindRequest: one that failed for good, or selects a node outside, is not looked at") {
  const Jsons objects = {node("n1"), slice("n1", {"d0", "d1"}), claim_of("a/c", "d0"),
                         pod("a/p", {"c"}), pod("a/q", {"c"})};
  const auto used = [&objects](const std::string& on, const Json& patch) {
    return to_string(
        State(with(objects, bind_request("a/q", on, merged(bound_to({result("d1")}), patch))))
            .corrected()
            .figures.used);
  };
  const auto failed = [](int attempts, const Json& limit) {
    const Json out = {{"spec", {{"backoffLimit", limit}}},
                      {"status", {{"phase", "Failed"}, {"failedAttempts", attempts}}}};
    return out;
  };
  CHECK(used("n1", {{"status", {{"phase", "Succeeded"}}}}) == "2");
  CHECK(used("n1", failed(1, nullptr)) == "1");
  CHECK(used("n1", failed(2, 3)) == "2");
  CHECK(used("n1", failed(3, 3)) == "1");
  CHECK(used("n9", Json::object()) == "1");
}

TEST_CASE("BindRequest: it belongs to a pod by namespace and name, and places a pod without node") {
  const Jsons objects = {node("n1"), slice("n1", {"d0"}), claim_of("a/c", "d0"),
                         pod("a/q", {"c"}, pending())};
  CHECK(figures(State(objects).naive()) == "used 0, idle 1, releasing 0, groups 0");
  CHECK(figures(State(with(objects, bind_request("b/q"))).naive()) ==
        "used 0, idle 1, releasing 0, groups 0");
  CHECK(figures(State(with(objects, bind_request("a/q"))).naive()) ==
        "used 1, idle 0, releasing 0, groups 0");
  // spec.nodeName outdoes the node that the request selects.
  const State placed(
      {node("n1", 1), node("n2", 1), pod("a/q", {}, asks(1)), bind_request("a/q", "n2")});
  CHECK(to_string(placed.on("n1").naive.figures.used) == "1");
  CHECK(to_string(placed.on("n2").naive.figures.used) == "0");
}

TEST_CASE("guard 1: a pod that counts no GPU registers none of its devices") {
  // A MIG pod: its own GPU entry is 0, though it names the device.
  const State s({node("n1"), slice("n1", {"d0"}), claim_of("a/c", "d0"),
                 pod("a/a-mig", {"c"}, asks(1, "nvidia.com/mig-1g.5gb")), pod("a/b", {"c"})});
  REQUIRE(s.charge("a/a-mig").devices.size() == 1);
  REQUIRE(s.charge("a/a-mig").type == PodType::mig);
  const std::vector<Step> steps = replay_in_order(s.on(), s.corrected(), {"a/a-mig", "a/b"});
  CHECK(course(steps) == "0 1");
  CHECK(steps.at(0).touched.empty());
  CHECK(course(release(s.on(), s.corrected())).ends_with("0"));
}

TEST_CASE("guard 2: no more is deducted than the pod brings") {
  const State s(monitored(3, slice("n1", numbered("gpu-", 3))));
  const std::vector<Step> steps =
      replay_in_order(s.on(), s.corrected(), {"work/p0", "work/p1", "work/p2", "obs/monitor"});
  CHECK(course(steps) == "1 2 3 3");
  CHECK(steps.back().capped);
  CHECK(to_string(steps.back().deducted) == "1");
  CHECK(steps.back().touched.size() == 3);
  // In the other order the monitor is the one that counts, and two of the others are taken for it.
  CHECK(course(replay_in_order(s.on(), s.corrected(), {"obs/monitor"})) == "1 1 1 1");
}

TEST_CASE("zeroing: a node without published GPUs records no use from v0.17 on") {
  const Jsons objects = {node("n1"), claim_of(kShared, "gpu-0"), pod("voice/tts", {"gpu"}),
                         pod("voice/worker", {"gpu"})};
  const State s(objects);
  CHECK(figures(s.naive()) == "used 0, idle 0, releasing 0, groups 0");
  CHECK(figures(s.corrected()) == "used 0, idle 0, releasing 0, groups 0");
  CHECK(s.naive().steps.at(0).zeroed);
  // The references are kept all the same.
  CHECK(s.corrected().steps.at(1).touched.at(0).before == 1);
  const State old(objects, {.kai = "v0.16.8"});
  CHECK(figures(old.naive()) == "used 2, idle -2, releasing 0, groups 0");
  CHECK_FALSE(old.naive().steps.at(0).zeroed);
}

TEST_CASE("zeroing: not where the capacity is merely unknown") {
  const State s({node("n1"), claim_of(kShared, "gpu-0"), pod("voice/tts", {"gpu"}),
                 pod("voice/worker", {"gpu"})},
                {.complete = false});
  REQUIRE_FALSE(s.on().capacity.value.has_value());
  CHECK(to_string(s.naive().figures.used) == "2");
  CHECK(to_string(s.corrected().figures.used) == "1");
  CHECK(upgrade_helps(s.on()) == UpgradeHelps::unknown);
}

TEST_CASE("versions before v0.13 do not count claims at all") {
  const State s(with(story(), pod("a/plugin", {}, asks(1))), {.kai = "v0.12.0"});
  CHECK(to_string(s.naive().figures.used) == "1");
  CHECK(to_string(s.naive().capacity) == "0");
  CHECK_FALSE(s.share(Cause::no_dra_accounting).empty());
}

TEST_CASE("F1: a monitor with admin access makes the corrected figure a matter of luck") {
  const State s(monitored(8, slice("n1", numbered("gpu-", 8))));
  CHECK(figures(s.naive()) == "used 9, idle -1, releasing 0, groups 0");
  CHECK(figures(s.corrected()) == "used 1…8, idle 0…7, releasing 0, groups 0");
  CHECK(s.held() == "8");
  CHECK(s.share(Cause::admin_access) == "1/-7…0");
  CHECK(course(s.corrected().steps).ends_with("8"));
  REQUIRE_FALSE(s.corrected().least_steps.empty());
  CHECK(course(s.corrected().least_steps).ends_with("1"));
  CHECK(upgrade_helps(s.on()) == UpgradeHelps::yes);
}

TEST_CASE("F2: allocationMode All counts one GPU, however many it takes") {
  const Names eight = numbered("gpu-", 8);
  Jsons objects = {node("n1"), slice("n1", eight),
                   allocated(claim("a/all", {request(kGpuDriver, "All")}), results_of(eight)),
                   pod("a/p", {"all"})};
  const State one(objects);
  CHECK(figures(one.naive()) == "used 1, idle 7, releasing 0, groups 0");
  CHECK(figures(one.corrected()) == figures(one.naive()));
  CHECK(one.held() == "8");
  CHECK(one.share(Cause::all_mode) == "-7/-7");

  const State two(with(objects, pod("a/q", {"all"})));
  CHECK(to_string(two.naive().figures.used) == "2");
  CHECK(to_string(two.corrected().figures.used) == "1");
  CHECK(two.share(Cause::shared_device) == "1/0");
  CHECK(two.share(Cause::all_mode) == "-7/-7");
}

TEST_CASE("F3: a claim that is named twice by one pod takes its own GPU for shared") {
  const Jsons objects = {node("n1"), slice("n1", {"d0"}), claim_of("a/c", "d0"),
                         pod("a/p", {"c", "c"})};
  const State one(objects);
  CHECK(to_string(one.naive().figures.used) == "1");
  CHECK(to_string(one.corrected().figures.used) == "0");
  CHECK(one.charge("a/p").devices.size() == 2);
  CHECK(one.share(Cause::claim_named_twice) == "0/-1");

  const State two(with(objects, pod("a/q", {"c"})));
  CHECK(to_string(two.corrected().figures.used) == "0…1");
  CHECK(course(replay_in_order(two.on(), two.corrected(), {"a/p", "a/q"})) == "0 0");
  CHECK(course(replay_in_order(two.on(), two.corrected(), {"a/q", "a/p"})) == "1 1");
}

TEST_CASE("F4: a driver without gpu in its name is counted by class and never recognised") {
  const Jsons objects = {
      node("n1", 1), slice("n1", {"x0"}, "accel.example.com"),
      allocated(claim("a/c", {request("shared-gpu")}), {result("x0", "accel.example.com")}),
      pod("a/p", {"c"}), pod("a/q", {"c"})};
  const State s(objects);
  CHECK(figures(s.naive()) == "used 2, idle -1, releasing 0, groups 0");
  CHECK(figures(s.corrected()) == figures(s.naive()));
  CHECK(s.share(Cause::driver_without_gpu) == "2/2");
  CHECK(upgrade_helps(s.on()) == UpgradeHelps::no);

  Given told;
  told.options.gpu_drivers = {"accel.example.com"};
  const State known(objects, told);
  CHECK(known.held() == "1");
  CHECK(known.share(Cause::driver_without_gpu) == "1/1");
}

TEST_CASE("F5: a class named like a GPU's counts devices that are none") {
  Jsons objects = {node("n1"), slice("n1", numbered("gpu-", 8)),
                   slice("n1", numbered("nic-", 8), "dra.net")};
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    objects.push_back(claim_of("a/g" + n, "gpu-" + n));
    objects.push_back(pod("a/g" + n, {"g" + n}));
    objects.push_back(
        allocated(claim("a/n" + n, {request("gpu-direct-nic")}), {result("nic-" + n, "dra.net")}));
    objects.push_back(pod("a/n" + n, {"n" + n}));
  }
  const State s(objects);
  CHECK(figures(s.naive()) == "used 16, idle -8, releasing 0, groups 0");
  CHECK(figures(s.corrected()) == figures(s.naive()));
  CHECK(s.held() == "8");
  CHECK(s.share(Cause::class_is_no_gpu) == "8/8");
  CHECK(upgrade_helps(s.on()) == UpgradeHelps::no);
}

TEST_CASE("F6: a class without gpu in its name hides GPUs") {
  Jsons objects = {node("n1"), slice("n1", numbered("mig-", 56))};
  for (int i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i);
    objects.push_back(
        allocated(claim("a/m" + n, {request("mig.nvidia.com")}), {result("mig-" + n)}));
    objects.push_back(pod("a/m" + n, {"m" + n}));
  }
  const State s(objects);
  CHECK(figures(s.corrected()) == "used 0, idle 56, releasing 0, groups 0");
  CHECK(s.held() == "20");
  CHECK(s.share(Cause::class_without_gpu) == "-20/-20");
}

TEST_CASE("F7: firstAvailable counts nothing, and can swallow a plain GPU") {
  const Json c = allocated(claim("a/c", {first_available()}), {result("d0")});
  const State alone({node("n1"), slice("n1", {"d0"}), c, pod("a/p", {"c"})});
  CHECK(to_string(alone.corrected().figures.used) == "0");
  CHECK(alone.held() == "1");
  CHECK(alone.share(Cause::first_available) == "-1/-1");

  const State swallowed({node("n1", 2), slice("n1", {"d0"}), c, pod("a/p", {"c"}, asks(1)),
                         pod("a/q", {"c"}, asks(1))});
  CHECK(to_string(swallowed.naive().figures.used) == "2");
  CHECK(to_string(swallowed.corrected().figures.used) == "1");
  CHECK(swallowed.held() == "3");
  CHECK(swallowed.share(Cause::first_available) == "-2/-2");
}

TEST_CASE("F8: a terminating sharer makes releasing a matter of order") {
  const Json leaving = deleted("2026-12-01T00:00:00Z");
  const State s({node("n1"), slice("n1", {"d0"}), claim_of("a/c", "d0"), pod("a/a", {"c"}),
                 pod("a/b", {"c"}, leaving)});
  CHECK(figures(s.corrected()) == "used 1, idle 0, releasing 0…1, groups 0");
  CHECK(figures(s.naive()) == "used 2, idle -1, releasing 1, groups 0");
  CHECK(to_string(replay_in_order(s.on(), s.corrected(), {"a/b", "a/a"}).back().after.releasing) ==
        "1");
  CHECK(to_string(replay_in_order(s.on(), s.corrected(), {"a/a", "a/b"}).back().after.releasing) ==
        "0");
}

TEST_CASE("F12: a missing named claim ends the walk, a missing template does not") {
  const Jsons common = {node("n1"), slice("n1", {"d0", "d1"}), claim_of("a/c", "d0"),
                        pod("a/q", {"c"})};
  const State s(with(common, pod("a/p", {"gone", "c"})), {.troubles = true});
  CHECK(to_string(s.corrected().figures.used) == "2");
  CHECK(s.charge("a/p").devices.empty());
  CHECK(s.held() == "1");
  CHECK(s.share(Cause::missing_claim_first) == "1/1");
  // The order of entries matters: behind the shared one it does no harm.
  const State behind(with(common, pod("a/p", {"c", "gone"})), {.troubles = true});
  CHECK(to_string(behind.corrected().figures.used) == "1");

  Json p = pod("a/p", {"gone", "c"});
  p["spec"]["resourceClaims"][0] = {{"name", "c0"}, {"resourceClaimTemplateName", "t"}};
  const State made(with(common, p), {.troubles = true});
  CHECK(to_string(made.corrected().figures.used) == "1");
}

TEST_CASE("F13: a device that is withdrawn while in use leaves the node over-committed") {
  Jsons objects = {node("n1"), slice("n1", numbered("gpu-", 7))};
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    objects.push_back(claim_of("a/c" + n, "gpu-" + n));
    objects.push_back(pod("a/p" + n, {"c" + n}));
  }
  const State s(objects);
  CHECK(figures(s.corrected()) == "used 8, idle -1, releasing 0, groups 0");
  CHECK(s.share(Cause::unpublished_device) == "-1/-1");
  REQUIRE(s.on().physical.has_value());
  CHECK(to_string(*s.on().physical) == "8");

  const Json was_eight = {{"status", {{"capacity", {{"nvidia.com/gpu", "8"}}}}}};
  const State plugin({node("n1", 7, was_eight), pod("a/p", {}, asks(8))});
  CHECK(figures(plugin.naive()) == "used 8, idle -1, releasing 0, groups 0");
  CHECK(plugin.share(Cause::unhealthy_plugin_gpu) == "-1/-1");
}

TEST_CASE("F14: without slices the use is against nothing, or not recorded") {
  const State s({node("n1"), claim_of("a/c", "d0"), pod("a/p", {"c"})}, {.kai = "v0.16.8"});
  CHECK(figures(s.naive()) == "used 1, idle -1, releasing 0, groups 0");
  CHECK(figures(s.corrected()) == "used 0, idle 0, releasing 0, groups 0");
  CHECK(s.share(Cause::no_capacity) == "0/-1");
  CHECK(s.share(Cause::unpublished_device) == "-1/-1");
}

TEST_CASE("F15: the same GPUs by device plugin and by DRA, stale slices and partitions") {
  const State dual({node("n1", 8), slice("n1", numbered("gpu-", 8))});
  CHECK(to_string(dual.naive().capacity) == "16");
  CHECK(dual.share(Cause::dual_advertised) == "8/8");
  CHECK(to_string(dual.on().physical.value_or(-1)) == "8");

  Json newer = slice("n1", {"gpu-0", "gpu-1"});
  newer["metadata"]["name"] = "newer";
  newer["metadata"]["uid"] = "newer";
  newer["spec"]["pool"]["generation"] = 2;
  const State stale({node("n1"), slice("n1", {"gpu-0"}), newer});
  CHECK(to_string(stale.naive().capacity) == "3");
  CHECK(stale.share(Cause::stale_generation) == "1/1");

  const State parts({node("n1"), slice("n1", {"gpu-0", "gpu-0-mig-1g5gb-0", "gpu-0-mig-1g5gb-1"})});
  CHECK(to_string(parts.naive().capacity) == "3");
  CHECK(parts.share(Cause::partitions) == "2/2");

  const Json everywhere = {{"spec", {{"nodeName", nullptr}, {"allNodes", true}}}};
  const State attached({node("n1"), slice("n1", {"d0"}, kGpuDriver, everywhere),
                        claim_of("a/c", "d0"), pod("a/p", {"c"})});
  CHECK(to_string(attached.naive().capacity) == "0");
  CHECK(attached.share(Cause::network_attached) == "-1/-1");
}

TEST_CASE("F16: what a fraction or MIG pod holds besides is neither counted nor registered") {
  const State s({node("n1", 1), slice("n1", {"d0"}), claim_of("a/c", "d0"),
                 pod("a/p", {"c"}, fraction("0.5", "g1"))});
  CHECK(figures(s.corrected()) == "used 0, idle 1, releasing 0, groups 1");
  CHECK(s.held() == "2");
  CHECK(s.share(Cause::fraction_with_claim) == "-1/-1");
}

TEST_CASE("F19: phase Unknown holds GPUs, and an allocation without consumer is an orphan") {
  const State s({node("n1"), slice("n1", {"d0", "d1"}), claim_of("a/c", "d0"),
                 claim_of("a/left", "d1"), pod("a/p", {"c"}, phase("Unknown"))});
  CHECK(to_string(s.corrected().figures.used) == "0");
  CHECK(s.held() == "1");
  CHECK(s.share(Cause::phase_unknown) == "-1/-1");
  REQUIRE(s.audit.orphans.size() == 1);
  CHECK(s.audit.orphans.at(0).claim->meta.name == "left");
}

TEST_CASE("F20: with a gpu.count label above allocatable the first groups do not lower idle") {
  const Json label = labelled("nvidia.com/gpu.count", "8");
  Jsons objects = {node("n1", 7, label), pod("a/p", {}, fraction("0.5", "g1"))};
  const State one(objects);
  CHECK(figures(one.naive()) == "used 0, idle 7, releasing 0, groups 1");
  CHECK(one.share(Cause::label_above_allocatable) == "1/1");
  const State two(with(objects, pod("a/q", {}, fraction("0.5", "g2"))));
  CHECK(figures(two.naive()) == "used 0, idle 6, releasing 0, groups 2");
  // A label that says the truth does no harm.
  const State right({node("n1", 7, labelled("nvidia.com/gpu.count", "7")),
                     pod("a/p", {}, fraction("0.5", "g1"))});
  CHECK(figures(right.naive()) == "used 0, idle 6, releasing 0, groups 1");
  CHECK(right.share(Cause::label_above_allocatable).empty());
}

TEST_CASE("F21: the reservation label makes any pod free of GPUs, and can be another one") {
  const Jsons objects = {
      node("n1", 2), pod("a/p", {}, merged(asks(1), labelled("app", "kai-resource-reservation")))};
  const State s(objects);
  CHECK(figures(s.naive()) == "used 0, idle 2, releasing 0, groups 0");
  CHECK(s.charge("a/p").reservation);
  CHECK(s.held() == "1");
  CHECK(s.share(Cause::reservation_label) == "-1/-1");

  Given other;
  other.options.reservation_label = "mine";
  const State ordinary(objects, other);
  CHECK(figures(ordinary.naive()) == "used 1, idle 1, releasing 0, groups 0");
  CHECK(ordinary.on().causes.empty());
}

TEST_CASE("F22: a resource that ends in gpu is worth a thousand, as a request in v0.14 only") {
  const Json offers = {{"status", {{"allocatable", {{"metax-tech.com/gpu", "8"}}}}}};
  const Jsons objects = {node("n1", 0, offers), pod("a/p", {}, asks(1, "metax-tech.com/gpu"))};
  const State v14(objects, {.kai = "v0.14.0"});
  CHECK(figures(v14.naive()) == "used 1000, idle 7000, releasing 0, groups 0");
  CHECK_FALSE(v14.share(Cause::suffix_request).empty());
  const State v15(objects, {.kai = "v0.15.0"});
  CHECK(figures(v15.naive()) == "used 0, idle 8000, releasing 0, groups 0");
  CHECK(v15.share(Cause::suffix_capacity) == "7992/7992");
}

TEST_CASE("F23: before v0.17 an extended resource and the claim made for it both count") {
  Json made = owned_by(claim("a/p-ext", {request(kGpuDriver)}, kExtended), "a/p");
  made = reserved_for(allocated(made, {result("d0")}), {"a/p"});
  const Jsons objects = {node("n1"), slice("n1", {"d0"}), made, pod("a/p", {}, asks(1))};
  const State old(objects, {.kai = "v0.16.8"});
  CHECK(figures(old.naive()) == "used 2, idle -1, releasing 0, groups 0");
  CHECK(figures(old.corrected()) == "used 1, idle 0, releasing 0, groups 0");
  CHECK(old.share(Cause::extended_claim_twice) == "1/0");
  const State now(objects);
  CHECK(figures(now.naive()) == "used 1, idle 0, releasing 0, groups 0");
  CHECK(now.held() == "1");
}

TEST_CASE("F24: a claim without owner counts for the first of the pods that it is reserved for") {
  const auto by_status = [](const std::string& name) {
    Json p = pod(name);
    p["spec"]["resourceClaims"] =
        Json::array({{{"name", "g"}, {"resourceClaimTemplateName", "t"}}});
    p["status"]["resourceClaimStatuses"] =
        Json::array({{{"name", "g"}, {"resourceClaimName", "c"}}});
    return p;
  };
  const State s({node("n1"), slice("n1", {"d0"}),
                 reserved_for(claim_of("a/c", "d0"), {"a/p", "a/q"}), by_status("a/p"),
                 by_status("a/q")});
  CHECK(to_string(s.charge("a/p").gpus) == "1");
  CHECK(to_string(s.charge("a/q").gpus) == "0");
  CHECK(s.share(Cause::related_by_reservation) == "0/0");
}

TEST_CASE("fractions: memory by portion or by annotation, groups by label or BindRequest") {
  const Json label = labelled("nvidia.com/gpu.memory", "40960");
  const State s({node("n1", 4, label), pod("a/half", {}, fraction("0.5", "g1")),
                 pod("a/memory", {},
                     merged(annotated("gpu-memory", "1024"), labelled("runai-gpu-group", "g1"))),
                 pod("a/bound", {}, fraction("0.25", "old")),
                 bind_request("a/bound", "n1", {{"spec", {{"selectedGPUGroups", {"g2"}}}}})});
  CHECK(s.charge("a/half").group_memory == 20450);
  CHECK(s.charge("a/half").type == PodType::fraction);
  CHECK(s.charge("a/memory").group_memory == 1024);
  CHECK(s.charge("a/memory").type == PodType::gpu_memory);
  REQUIRE(s.charge("a/bound").groups.size() == 1);
  CHECK(s.charge("a/bound").groups.at(0) == "g2");
  CHECK(figures(s.corrected()) == "used 0, idle 2, releasing 0, groups 2");
}

TEST_CASE("fractions: several groups are those of the prefixed labels, beside the plain one only") {
  Json labels = fraction("0.5", "");
  labels["metadata"]["labels"] = {{"runai-gpu-group/a", "g1"}, {"runai-gpu-group/b", "g2"}};
  const State bare({node("n1", 4), pod("a/p", {}, labels)});
  CHECK(bare.charge("a/p").groups.empty());
  CHECK(figures(bare.corrected()) == "used 0, idle 4, releasing 0, groups 0");
  labels["metadata"]["labels"]["runai-gpu-group"] = "g0";
  const State plain({node("n1", 4), pod("a/p", {}, labels)});
  CHECK(plain.charge("a/p").groups.size() == 3);
  CHECK(figures(plain.corrected()) == "used 0, idle 1, releasing 0, groups 3");
}

TEST_CASE("fractions: the portion is in (0, 1], wins over memory, and drops whole GPUs") {
  const auto type_of = [](const Json& patch) {
    const Snapshot s = read_objects({pod("a/p", {}, patch)});
    return demand_of(s.pods.at(0), fixed_profile()).type;
  };
  CHECK(type_of(annotated("gpu-fraction", "1")) == PodType::fraction);
  CHECK(type_of(annotated("gpu-fraction", "1.01")) == PodType::regular);
  CHECK(type_of(annotated("gpu-fraction", "0")) == PodType::regular);
  CHECK(type_of(annotated("gpu-fraction", "half")) == PodType::regular);
  CHECK(type_of(annotated("gpu-memory", "-1")) == PodType::regular);
  CHECK(type_of(annotated("gpu-memory", "1Gi")) == PodType::regular);
  CHECK(type_of(merged(annotated("gpu-memory", "9"), annotated("gpu-fraction", "0.5"))) ==
        PodType::fraction);
  const State s({node("n1", 4), pod("a/p", {}, merged(asks(2), fraction("0.5", "g1")))});
  CHECK(to_string(s.corrected().figures.used) == "0");
}

TEST_CASE("fractions: a group is releasing only when all of it is") {
  const Json leaving = deleted("2026-12-01T00:00:00Z");
  const Jsons one = {node("n1", 1), pod("a/p", {}, merged(fraction("0.5", "g1"), leaving))};
  CHECK(figures(State(one).corrected()) == "used 0, idle 0, releasing 1, groups 1");
  CHECK(figures(State(with(one, pod("a/q", {}, fraction("0.5", "g1")))).corrected()) ==
        "used 0, idle 0, releasing 0, groups 1");
}

TEST_CASE("MIG: slices are a dimension of their own, and the GPU entry is 0") {
  const Json offers = {{"status", {{"allocatable", {{"nvidia.com/mig-1g.5gb", "7"}}}}}};
  const State s({node("n1", 1, offers), pod("a/p", {}, asks(2, "nvidia.com/mig-1g.5gb"))});
  CHECK(to_string(s.corrected().figures.used) == "0");
  REQUIRE(s.corrected().figures.mig.size() == 1);
  const MigFigures& m = s.corrected().figures.mig.begin()->second;
  CHECK(m.capacity == 7);
  CHECK(m.used == 2);
  CHECK(m.idle == 5);
}

TEST_CASE("whether the upgrade helps: not needed, and at times") {
  CHECK(upgrade_helps(State({node("n1", 2), pod("a/p", {}, asks(1))}).on()) ==
        UpgradeHelps::not_needed);
  // A monitor over two GPUs of which one is no longer published.
  const State s(monitored(2, slice("n1", {"gpu-0"})));
  CHECK(figures(s.corrected()) == "used 1…2, idle -1…0, releasing 0, groups 0");
  CHECK(upgrade_helps(s.on()) == UpgradeHelps::at_times);
}

TEST_CASE("the running version is told by the scheduler's image") {
  const auto scheduler = [](const std::string& image) {
    const Json c = {{"name", "scheduler"}, {"image", image}};
    return pod("kai-scheduler/scheduler-0", {}, {{"spec", {{"containers", Json::array({c})}}}});
  };
  const State old(with(story(), scheduler("ghcr.io/nvidia/kai-scheduler/scheduler:v0.16.8")));
  CHECK(old.audit.running.version == "v0.16.8");
  CHECK(old.naive().profile->version == "v0.16.0");
  CHECK_FALSE(old.audit.running.fixed);
  const State fixed(with(story(), scheduler("mirror:5000/scheduler:v0.17.1@sha256:00")));
  CHECK(fixed.audit.running.version == "v0.17.1");
  CHECK(fixed.audit.running.fixed);
  CHECK(fixed.naive().profile == &stock_profile());
  const State none(story());
  CHECK(none.audit.running.version.empty());
  CHECK(none.naive().profile == &stock_profile());
}
