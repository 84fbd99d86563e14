// How many GPUs KAI thinks a node has (kai-accounting.md §3), and where draudit knows it from.
#include <doctest/doctest.h>

#include "accounting/capacity.hpp"
#include "support/state.hpp"

using namespace draudit;
using namespace draudit::test;

namespace {

Json allocatable(const Json& amounts) { return {{"status", {{"allocatable", amounts}}}}; }

/// What a version computes for n1, where everything was read.
std::string kai(const Jsons& objects, const char* version = "v0.17.0") {
  return to_string(State(objects, {.kai = version}).naive().capacity);
}

std::string value(const State& s) {
  const Capacity& c = s.on().capacity;
  return c.value ? to_string(*c.value) : "?";
}

std::int64_t memory(const std::string& label) {
  const Snapshot s = read_objects({node("n1", 0, labelled("nvidia.com/gpu.memory", label))});
  return gpu_memory_mib(s.nodes.at(0));
}

Json named(Json object, const std::string& name) {
  object["metadata"]["name"] = name;
  object["metadata"]["uid"] = name;
  return object;
}

}  // namespace

TEST_CASE("capacity: published devices of drivers with gpu in their name") {
  CHECK(kai({node("n1"), slice("n1", numbered("g", 4), "nvidia.com/gpu")}) == "4");
  CHECK(kai({node("n1"), slice("n1", numbered("g", 4), "nvidia.com/gpu"),
             slice("n1", numbered("a", 2), "amd.com/gpu")}) == "6");
  CHECK(kai({node("n1")}) == "0");
  for (const char* gpu : {"gpu.amd.com", "gpu.intel.com", "GPU.example.com"}) {
    CAPTURE(gpu);
    CHECK(kai({node("n1"), slice("n1", {"d"}, gpu)}) == "1");
  }
  for (const char* none : {"compute-domain.nvidia.com", "dra.net", "tpu.google.com"}) {
    CAPTURE(none);
    CHECK(kai({node("n1"), slice("n1", {"d"}, none)}) == "0");
  }
}

TEST_CASE("capacity: slices are each node's own") {
  const State s(
      {node("n1"), node("n2"), slice("n1", numbered("g", 4)), slice("n2", numbered("g", 8))});
  CHECK(to_string(s.on("n1").naive.capacity) == "4");
  CHECK(to_string(s.on("n2").naive.capacity) == "8");
}

TEST_CASE("capacity: slices for all nodes or by selector give none anywhere") {
  CHECK(kai({node("n1"), slice("n1", {"g"}, kGpuDriver, {{"spec", {{"allNodes", true}}}})}) == "0");
  CHECK(kai({node("n1"), slice("n1", {"g"}, kGpuDriver, {{"spec", {{"nodeName", nullptr}}}})}) ==
        "0");
  CHECK(kai({node("n1"), slice("n1", {"g"}, kGpuDriver, {{"spec", {{"allNodes", false}}}})}) ==
        "1");
}

TEST_CASE("capacity: every generation of a pool counts, and every slice of it") {
  Json old = named(slice("n1", {"g0", "g1"}), "old");
  Json now = named(slice("n1", {"g0", "g1"}), "now");
  now["spec"]["pool"]["generation"] = 2;
  CHECK(kai({node("n1"), old, now}) == "4");
  const State s({node("n1"), old, now});
  CHECK(s.share(Cause::stale_generation) == "2/2");
  now["spec"]["pool"]["generation"] = 1;
  now["spec"]["devices"] = Json::array({{{"name", "g2"}}});
  const State split({node("n1"), old, now});
  CHECK(value(split) == "3");
  CHECK(split.share(Cause::stale_generation).empty());
}

TEST_CASE("capacity: device plugins of NVIDIA and AMD add up, and MIG is apart") {
  CHECK(kai({node("n1", 0, allocatable({{"nvidia.com/gpu", "3"}, {"amd.com/gpu", "2"}}))}) == "5");
  const State mig(Jsons{node("n1", 1, allocatable({{"nvidia.com/mig-1g.5gb", "7"}}))});
  CHECK(value(mig) == "1");
  REQUIRE(mig.naive().figures.mig.contains("nvidia.com/mig-1g.5gb"));
  CHECK(mig.naive().figures.mig.at("nvidia.com/mig-1g.5gb").capacity == 7);
}

TEST_CASE("capacity: a node in dual mode has both, though the GPUs are the same") {
  const State s({node("n1", 8), slice("n1", numbered("g", 8))});
  CHECK(value(s) == "16");
  REQUIRE(s.on().capacity.parts.size() == 2);
  CHECK(s.on().capacity.parts.at(0).what == "nvidia.com/gpu");
  CHECK(s.on().capacity.parts.at(1).what == "gpu.nvidia.com");
  // GPUs of two vendors are not the same ones.
  const State two(
      {node("n1", 0, allocatable({{"amd.com/gpu", "8"}})), slice("n1", numbered("g", 8))});
  CHECK(value(two) == "16");
  CHECK(two.share(Cause::dual_advertised).empty());
}

TEST_CASE("capacity: it is allocatable that counts, not capacity") {
  CHECK(kai({node("n1", 7, {{"status", {{"capacity", {{"nvidia.com/gpu", "8"}}}}}})}) == "7");
}

TEST_CASE("capacity: a resource that ends in gpu overwrites the slot in thousandths, by version") {
  const Json metax = allocatable({{"metax-tech.com/gpu", "8"}});
  const Jsons both = {node("n1", 4, metax)};
  CHECK(kai(both, "v0.12.0") == "4");
  CHECK(kai(both, "v0.13.0") == "4");
  for (const char* overwrites : {"v0.14.0", "v0.14.6", "v0.15.0", "v0.15.3", "v0.16.0", "v0.17.0",
                                 "v0.17.1", "v0.16+dedup"}) {
    CAPTURE(overwrites);
    CHECK(kai(both, overwrites) == "8000");
  }
  CHECK(kai({node("n1", 0, allocatable({{"mthreads.com/vgpu", "2"}}))}) == "2000");
  CHECK(kai({node("n1", 0, allocatable({{"example.com/gpus", "2"}}))}) == "0");
  // Slices are added after that.
  CHECK(kai({node("n1", 4, metax), slice("n1", {"g"})}) == "8001");
}

TEST_CASE("capacity: versions before v0.13 know no slices") {
  CHECK(kai({node("n1", 2), slice("n1", numbered("g", 4))}, "v0.12.0") == "2");
  CHECK(kai({node("n1", 2), slice("n1", numbered("g", 4))}, "v0.13.0") == "6");
}

TEST_CASE("memory label: MiB or bytes, floored to hundreds, 100 where it is no number") {
  CHECK(memory("4096") == 4000);
  CHECK(memory("4295000001") == 4000);
  CHECK(memory("40960") == 40900);
  CHECK(memory("1048575") == 1048500);
  CHECK(memory("85899345920") == 81900);
  CHECK(memory("many") == 100);
  CHECK(memory("") == 100);
  CHECK(memory("40Gi") == 100);
  const Snapshot s = read_objects({node("n1")});
  CHECK(gpu_memory_mib(s.nodes.at(0)) == 100);
}

TEST_CASE("count label: a number or nothing") {
  const auto count = [](const std::string& label) {
    const Snapshot s = read_objects({node("n1", 0, labelled("nvidia.com/gpu.count", label))});
    return gpu_count_label(s.nodes.at(0));
  };
  CHECK(count("8") == 8);
  CHECK(count("0") == 0);
  CHECK_FALSE(count("eight").has_value());
  CHECK_FALSE(count("8 ").has_value());
}

TEST_CASE("source: slices and allocatable together are certain") {
  const State s({node("n1", 1), slice("n1", {"g"})}, {.complete = false});
  CHECK(s.on().capacity.source == CapacitySource::slices_and_allocatable);
  CHECK(s.on().capacity.certainty == Certainty::certain);
  CHECK(value(s) == "2");
}

TEST_CASE("source: without slices allocatable is likely, then the label") {
  const State plugin({node("n1", 4, labelled("nvidia.com/gpu.count", "8"))}, {.complete = false});
  CHECK(plugin.on().capacity.source == CapacitySource::allocatable);
  CHECK(plugin.on().capacity.certainty == Certainty::likely);
  CHECK(value(plugin) == "4");
  CHECK_FALSE(plugin.on().physical.has_value());

  const State label({node("n1", 0, labelled("nvidia.com/gpu.count", "8")), node("n2")},
                    {.complete = false});
  CHECK(label.on().capacity.source == CapacitySource::label);
  CHECK(label.on().capacity.certainty == Certainty::likely);
  CHECK(value(label) == "8");
  // A node without the label where others carry it has no GPU, unless a pod shows one.
  CHECK(label.on("n2").capacity.value == Gpus{0});
  CHECK(label.on("n2").capacity.certainty == Certainty::likely);
  const Json on_n2 = {{"spec", {{"nodeName", "n2"}}}};
  const State shown({node("n1", 0, labelled("nvidia.com/gpu.count", "8")), node("n2"),
                     claim_of("a/c", "d"), pod("a/p", {"c"}, on_n2)},
                    {.complete = false});
  CHECK_FALSE(shown.on("n2").capacity.value.has_value());
}

TEST_CASE("source: a flag outdoes everything") {
  Given given;
  given.options.capacity = {{"n1", 3}};
  const State s({node("n1", 8), slice("n1", numbered("g", 8))}, given);
  CHECK(s.on().capacity.source == CapacitySource::flag);
  CHECK(s.on().capacity.certainty == Certainty::certain);
  CHECK(value(s) == "3");
  CHECK(to_string(s.corrected().capacity) == "3");
}

TEST_CASE("source: unknown says how many there are at least, and idle of nothing") {
  const State s({node("n1"), claim_of("a/c", "d0"), claim_of("a/d", "d1"), pod("a/p", {"c"}),
                 pod("a/q", {"c"}), pod("a/r", {"d"})},
                {.complete = false});
  CHECK(s.on().capacity.source == CapacitySource::unknown);
  CHECK(s.on().capacity.certainty == Certainty::possible);
  CHECK(value(s) == "?");
  CHECK(to_string(s.on().capacity.at_least) == "2");
}

TEST_CASE("not read is not empty: only --complete or an empty typed list makes it 0") {
  const Jsons objects = {node("n1"), claim_of("a/c", "d0"), pod("a/p", {"c"})};
  CHECK(value(State(objects, {.complete = false})) == "?");
  CHECK(value(State(objects, {.complete = true})) == "0");

  const auto beside = [&objects](const std::string& more) {
    MemoryIo world;
    world.files.contents["state.json"] = list_of(objects).dump();
    world.files.contents["more.json"] = more;
    Io io = world.io();
    const Snapshot s = read({.paths = {"state.json", "more.json"}}, io);
    REQUIRE(s.problems.empty());
    const Audit a = audit(s, {});
    REQUIRE(a.nodes.size() == 1);
    const std::optional<Gpus>& v = a.nodes.at(0).capacity.value;
    return v ? to_string(*v) : "?";
  };
  CHECK(beside(R"({"kind":"ResourceSliceList","apiVersion":"resource.k8s.io/v1","metadata":{},
                   "items":[]})") == "0");
  CHECK(beside(R"({"kind":"List","apiVersion":"v1","metadata":{},"items":[]})") == "?");
  CHECK(beside(R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]})") == "?");
}
