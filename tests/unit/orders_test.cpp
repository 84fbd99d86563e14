// The range of figures over every order of pods, against orders that are really walked.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "accounting/orders.hpp"
#include "support/state.hpp"

using namespace draudit;
using namespace draudit::test;

namespace {

struct Brought {
  int gpus = 1;
  std::vector<std::uint32_t> devices;
  bool releasing = false;
};

struct Seen {
  Range used;
  Range releasing;
};

std::vector<Charge> charges_of(const std::vector<Brought>& pods) {
  std::vector<Charge> out;
  for (const Brought& b : pods) {
    Charge c;
    c.status = b.releasing ? PodStatus::releasing : PodStatus::running;
    c.gpus = b.gpus;
    c.devices = b.devices;
    out.push_back(std::move(c));
  }
  return out;
}

ReplayNode on(std::size_t devices) {
  return {.profile = &fixed_profile(), .capacity = 100, .gpu_count = 100, .devices = devices};
}

void widen(Seen& seen, const Totals& t, bool first) {
  if (first) seen = {exactly(t.used), exactly(t.releasing)};
  seen.used = {std::min(seen.used.least, t.used), std::max(seen.used.most, t.used)};
  seen.releasing = {std::min(seen.releasing.least, t.releasing),
                    std::max(seen.releasing.most, t.releasing)};
}

Seen by_brute_force(const ReplayNode& node, const std::vector<Charge>& charges) {
  std::vector<std::uint32_t> order(charges.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  Seen out;
  bool first = true;
  do {
    widen(out, replay(node, charges, order).back().after, first);
    first = false;
  } while (std::next_permutation(order.begin(), order.end()));
  return out;
}

/// A claim in mode All over these devices of n1, and a pod that holds it.
void add_all(Jsons& to, const std::string& name, const Names& devices) {
  Jsons results;
  for (const std::string& d : devices) results.push_back(result(d));
  to.push_back(allocated(claim("a/" + name, {request(kGpuDriver, "All")}), results));
  to.push_back(pod("a/" + name, {name}));
}

/// Rotations of a random order, `n` times: the corrected figure stays within the bounds.
void check_random_orders(const State& s, int n) {
  Names order;
  for (const Charge& c : s.corrected().charges) order.push_back(full_name(c.pod->meta));
  std::mt19937 random(7);
  const Figures& f = s.corrected().figures;
  for (int i = 0; i < n; ++i) {
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
    const Totals t = replay_in_order(s.on(), s.corrected(), order).back().after;
    CHECK(t.used >= f.used.least);
    CHECK(t.used <= f.used.most);
    CHECK(t.idle >= f.idle.least);
    CHECK(t.idle <= f.idle.most);
  }
}

}  // namespace

TEST_CASE("orders: a monitor of eight devices beside eight pods gives 1 to 8") {
  std::vector<Brought> pods = {{1, {0, 1, 2, 3, 4, 5, 6, 7}}};
  for (std::uint32_t i = 0; i < 8; ++i) pods.push_back({1, {i}});
  const std::vector<Charge> charges = charges_of(pods);
  const OrderEffect e = order_effect(on(8), charges);
  CHECK(to_string(e.used) == "1…8");
  CHECK(e.exact);
  CHECK(to_string(replay(on(8), charges, e.most_order).back().after.used) == "8");
  CHECK(to_string(replay(on(8), charges, e.least_order).back().after.used) == "1");
}

TEST_CASE("orders: a terminating sharer gives releasing 0 to 1 and used 1") {
  const std::vector<Charge> charges = charges_of({{1, {0}, false}, {1, {0}, true}});
  const OrderEffect e = order_effect(on(1), charges);
  CHECK(to_string(e.used) == "1");
  CHECK(to_string(e.releasing) == "0…1");
}

TEST_CASE("orders: pods that bring no more devices than GPUs leave nothing to chance") {
  const std::vector<Charge> charges = charges_of({{2, {0, 1}}, {1, {0}}, {3, {0, 1, 2}}, {1, {}}});
  const OrderEffect e = order_effect(on(3), charges);
  CHECK(e.used.fixed());
  CHECK(to_string(e.used) == "4");  // three devices, and one GPU without a device
  CHECK(e.most_order == e.least_order);
}

TEST_CASE("orders: the range is that of every permutation, on random small nodes") {
  std::mt19937 random(20261201);
  int flapping = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<Brought> pods;
    const std::size_t n = 2 + random() % 4;
    for (std::size_t i = 0; i < n; ++i) {
      Brought b;
      b.gpus = static_cast<int>(random() % 4);
      b.releasing = random() % 3 == 0;
      const std::size_t k = random() % 5;
      for (std::size_t d = 0; d < k; ++d) {
        b.devices.push_back(static_cast<std::uint32_t>(random() % 4));
      }
      pods.push_back(std::move(b));
    }
    const std::vector<Charge> charges = charges_of(pods);
    const OrderEffect e = order_effect(on(4), charges);
    const Seen seen = by_brute_force(on(4), charges);
    CAPTURE(round);
    CHECK(to_string(e.used) == to_string(seen.used));
    CHECK(to_string(e.releasing) == to_string(seen.releasing));
    CHECK(e.exact);
    flapping += e.used.fixed() ? 0 : 1;
  }
  CHECK(flapping > 30);  // the generator reaches what this is about
}

TEST_CASE("orders: many pods of one shape are one choice, not many") {
  const Names four = numbered("gpu-", 4);
  Jsons objects = {node("n1"), slice("n1", four)};
  Jsons results;
  for (const std::string& d : four) results.push_back(result(d));
  objects.push_back(allocated(claim("a/all", {request(kGpuDriver, "All")}), results));
  for (int i = 0; i < 60; ++i) objects.push_back(pod("a/p" + std::to_string(i), {"all"}));
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i);
    objects.push_back(claim_of("a/one" + n, "gpu-" + n));
    objects.push_back(pod("a/one" + n, {"one" + n}));
  }
  const State s(objects);
  CHECK(s.corrected().figures.exact);
  CHECK(to_string(s.corrected().figures.used) == "1…4");
  CHECK(to_string(s.naive().figures.used) == "64");
  check_random_orders(s, 50);
}

TEST_CASE("orders: more than 16 interlocked shapes get bounds, and say so") {
  Jsons objects = {node("n1"), slice("n1", numbered("gpu-", 18))};
  for (int i = 0; i < 17; ++i) {
    const std::string a = "gpu-" + std::to_string(i);
    const std::string b = "gpu-" + std::to_string(i + 1);
    add_all(objects, "pair" + std::to_string(i), {a, b});
  }
  const State s(objects);
  CHECK_FALSE(s.corrected().figures.exact);
  CHECK_FALSE(s.corrected().figures.used.fixed());
  check_random_orders(s, 200);
  // The steps are those of real orders, so they lie inside too.
  const Gpus most = s.corrected().steps.back().after.used;
  CHECK(most <= s.corrected().figures.used.most);
}

TEST_CASE("orders: 16 interlocked shapes are still exact") {
  Jsons objects = {node("n1"), slice("n1", numbered("gpu-", 17))};
  for (int i = 0; i < 16; ++i) {
    const std::string a = "gpu-" + std::to_string(i);
    const std::string b = "gpu-" + std::to_string(i + 1);
    add_all(objects, "pair" + std::to_string(i), {a, b});
  }
  const State s(objects);
  CHECK(s.corrected().figures.exact);
  CHECK(s.corrected().steps.back().after.used == s.corrected().figures.used.most);
  REQUIRE_FALSE(s.corrected().least_steps.empty());
  CHECK(s.corrected().least_steps.back().after.used == s.corrected().figures.used.least);
  check_random_orders(s, 100);
}

TEST_CASE("orders: shapes that share nothing with each other stay exact, however many") {
  Jsons objects = {node("n1"), slice("n1", numbered("gpu-", 60))};
  for (int i = 0; i < 20; ++i) {
    const std::string a = "gpu-" + std::to_string(3 * i);
    const std::string b = "gpu-" + std::to_string(3 * i + 1);
    const std::string c = "gpu-" + std::to_string(3 * i + 2);
    add_all(objects, "x" + std::to_string(i), {a, b});
    add_all(objects, "y" + std::to_string(i), {b, c});
    objects.push_back(claim_of("a/one" + std::to_string(i), b));
    objects.push_back(pod("a/one" + std::to_string(i), {"one" + std::to_string(i)}));
  }
  const State s(objects);
  CHECK(s.corrected().figures.exact);
  // Each of the 20 groups by itself: x, y and one of them in every order.
  const std::vector<Charge> group = charges_of({{1, {0, 1}}, {1, {1, 2}}, {1, {1}}});
  const Range each = by_brute_force(on(3), group).used;
  CHECK_FALSE(s.corrected().figures.used.least == 0);
  CHECK(to_string(s.corrected().figures.used) == to_string(Range{20 * each.least, 20 * each.most}));
  check_random_orders(s, 50);
}
