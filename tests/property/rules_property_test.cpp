// What must hold of the rules about devices, pools and taints for every state: dra-objects.md §7.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "draudit/input.hpp"
#include "draudit/result.hpp"
#include "property/generator.hpp"
#include "support/memory_io.hpp"

namespace draudit {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kSeeds = 200;

void for_seeds(const std::function<void(std::uint64_t)>& body) {
  if (const char* one = std::getenv("DRAUDIT_SEED")) {
    body(std::strtoull(one, nullptr, 10));
    return;
  }
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    CAPTURE(seed);
    body(seed);
  }
}

bool of_family(const Finding& f, std::string_view families) {
  return families.find(f.rule->id.substr(0, 3)) != std::string_view::npos;
}

/// Rules of the families that fired: name, subject and how sure, each as one line.
std::multiset<std::string> said(const Json& list, std::string_view families, bool words = false) {
  test::MemoryIo world;
  world.in.text = list.dump();
  Io io = world.io();
  const Snapshot s = read({.paths = {"-"}, .complete = true}, io);
  REQUIRE(s.problems.empty());
  AuditOptions options;
  options.now = parse_timestamp(gen::kNow);
  const Audit audit = draudit::audit(s, std::move(options));
  std::multiset<std::string> out;
  for (const Finding& f : check(audit).findings) {
    if (!of_family(f, families)) continue;
    std::string line = std::string{f.rule->name} + " " + std::string{to_string(f.certainty)};
    if (words) line += " " + f.message;
    for (const Fact& x : f.facts) {
      if (words) line += " | " + x.text;
    }
    out.insert(std::move(line));
  }
  return out;
}

/// Rules about exclusive devices, C1 to C6: DEV001 to DEV008.
std::multiset<std::string> exclusivity(const Json& list) {
  std::multiset<std::string> out;
  for (const std::string& line : said(list, "DEV", true)) {
    const Rule* rule = find_rule(line.substr(0, line.find(' ')));
    REQUIRE(rule != nullptr);
    if (rule->id <= "DEV008") out.insert(line);
  }
  return out;
}

/// Every string that is a quantity below these keys, in another spelling.
void respell(Json& j, bool quantity = false) {
  if (j.is_object()) {
    for (auto& [key, child] : j.items()) {
      const bool below = quantity || key == "consumedCapacity" || key == "counters" ||
                         key == "capacity" || key == "allocatable";
      respell(child, below);
    }
  } else if (j.is_array()) {
    for (Json& child : j) respell(child, quantity);
  } else if (quantity && j.is_string()) {
    const std::string text = j.get<std::string>();
    if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos &&
        text.size() < 9) {
      j = text + "000m";
    }
  }
}

}  // namespace

TEST_CASE("rules: the random states have what the rules look for") {
  std::map<std::string, std::size_t> fired;
  for_seeds([&](std::uint64_t seed) {
    for (const std::string& line : said(gen::random_dra_state(seed), "DEV SLC TNT")) {
      ++fired[line.substr(0, line.find(' '))];
    }
  });
  for (const char* name :
       {"device-allocated-twice", "device-dedicated-and-shared", "share-id-twice",
        "counters-overdrawn", "capacity-overdrawn", "pool-incomplete", "pool-invalid",
        "stale-generation", "device-unpublished", "noexecute-taint-in-use",
        "noschedule-taint-in-use", "gpus-in-two-books"}) {
    CAPTURE(name);
    CHECK(fired[name] > 0);
  }
}

TEST_CASE("rules: admin access adds nothing to who excludes whom") {
  for_seeds([](std::uint64_t seed) {
    Json list = gen::random_dra_state(seed);
    const std::multiset<std::string> before = exclusivity(list);
    Json rows = Json::array();
    std::string api = "resource.k8s.io/v1";
    for (const Json& item : list["items"]) {
      if (item["kind"] != "ResourceClaim" || !item.contains("status")) continue;
      api = item["apiVersion"];
      const Json& status = item["status"];
      if (!status.contains("allocation") || status["allocation"].is_null()) continue;
      for (Json row : status["allocation"]["devices"].value("results", Json::array())) {
        row.erase("shareID");
        row.erase("consumedCapacity");
        row["adminAccess"] = true;
        rows.push_back(row);
      }
    }
    list["items"].push_back(
        {{"apiVersion", api},
         {"kind", "ResourceClaim"},
         {"metadata", {{"name", "monitor"}, {"namespace", "zz"}, {"uid", "monitor"}}},
         {"spec", {{"devices", {{"requests", Json::array()}}}}},
         {"status", {{"allocation", {{"devices", {{"results", rows}}}}}}}});
    CHECK(exclusivity(list) == before);
  });
}

TEST_CASE("rules: taking a slice away makes nothing about devices certain that was not said") {
  std::size_t removed = 0;
  for_seeds([&removed](std::uint64_t seed) {
    Json list = gen::random_dra_state(seed);
    const auto certain = [](const Json& of) {
      std::set<std::string> out;
      for (const std::string& line : exclusivity(of)) {
        const Rule* rule = find_rule(line.substr(0, line.find(' ')));
        // What claims alone show does not depend on slices; the rest may only become less.
        if (rule->id <= "DEV003") continue;
        if (line.find(" certain ") != std::string::npos) out.insert(std::string{rule->name});
      }
      return out;
    };
    const std::set<std::string> before = certain(list);
    Json& items = list["items"];
    std::map<std::string, std::vector<const Json*>> pools;
    const auto pool_of = [](const Json& item) {
      return item["spec"]["driver"].get<std::string>() + "/" +
             item["spec"]["pool"]["name"].get<std::string>();
    };
    for (const Json& item : items) {
      if (item["kind"] == "ResourceSlice") pools[pool_of(item)].push_back(&item["spec"]);
    }
    // Of a pool that is whole: one that is not may become it by losing what is too much.
    const auto is_whole = [&](const std::string& name) {
      const auto& slices = pools[name];
      std::set<std::string> devices;
      return std::all_of(slices.begin(), slices.end(), [&](const Json* spec) {
        const Json& pool = (*spec)["pool"];
        bool fine = pool["generation"] == slices.front()->at("pool")["generation"] &&
                    pool["resourceSliceCount"].get<std::size_t>() == slices.size();
        for (const Json& d : spec->value("devices", Json::array())) {
          fine = fine && devices.insert(d["name"].get<std::string>()).second;
        }
        return fine;
      });
    };
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i]["kind"] != "ResourceSlice" || !is_whole(pool_of(items[i]))) continue;
      Json without = list;
      without["items"].erase(i);
      for (const std::string& name : certain(without)) CHECK(before.contains(name));
      ++removed;
    }
  });
  if (std::getenv("DRAUDIT_SEED") == nullptr) CHECK(removed > 100);
}

TEST_CASE("rules: other names of pools change nothing but names") {
  for_seeds([](std::uint64_t seed) {
    const Json list = gen::random_dra_state(seed);
    if (list.dump().find("-mig-") != std::string::npos) return;  // names that say what they are
    CHECK(said(gen::rename_everything(list, seed), "DEV SLC TNT") == said(list, "DEV SLC TNT"));
  });
}

TEST_CASE("rules: quantities mean the same however they are written") {
  for_seeds([](std::uint64_t seed) {
    const Json list = gen::random_dra_state(seed);
    Json other = list;
    respell(other);
    REQUIRE(other != list);
    CHECK(said(other, "DEV SLC TNT", true) == said(list, "DEV SLC TNT", true));
  });
}

}  // namespace draudit
