#include <doctest/doctest.h>

#include "draudit/selector.hpp"

namespace draudit {
namespace {

using Op = SelectorOperator;

Node node(std::string_view name, std::vector<KeyValue> labels) {
  Node n;
  n.meta.name = name;
  n.labels = std::move(labels);
  return n;
}

TEST_CASE("selector: each operator, with the label and without") {
  const Node with = node("atlas", {{"cards", "8"}, {"zone", "a"}});
  struct Row {
    SelectorRequirement requirement;
    bool matches;
  };
  const Row rows[] = {
      {{"zone", Op::in, {"b", "a"}}, true},      {{"zone", Op::in, {"b"}}, false},
      {{"rack", Op::in, {"a"}}, false},          {{"zone", Op::not_in, {"b"}}, true},
      {{"zone", Op::not_in, {"a"}}, false},      {{"rack", Op::not_in, {"a"}}, true},
      {{"zone", Op::exists, {}}, true},          {{"rack", Op::exists, {}}, false},
      {{"zone", Op::does_not_exist, {}}, false}, {{"rack", Op::does_not_exist, {}}, true},
      {{"cards", Op::gt, {"7"}}, true},          {{"cards", Op::gt, {"8"}}, false},
      {{"cards", Op::lt, {"9"}}, true},          {{"cards", Op::lt, {"8"}}, false},
      {{"zone", Op::gt, {"1"}}, false},          {{"rack", Op::lt, {"1"}}, false},
      {{"zone", Op::unknown, {"a"}}, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.requirement.key);
    CAPTURE(static_cast<int>(row.requirement.op));
    CHECK(matches({SelectorTerm{{row.requirement}, {}}}, with) == row.matches);
  }
}

TEST_CASE(
    "selector: terms are alternatives, what is in one must all hold, nothing matches nothing") {
  const Node atlas = node("atlas", {{"zone", "a"}});
  const SelectorRequirement zone_a{"zone", Op::in, {"a"}};
  const SelectorRequirement zone_b{"zone", Op::in, {"b"}};
  const SelectorRequirement is_atlas{"metadata.name", Op::in, {"atlas"}};
  const SelectorRequirement is_titan{"metadata.name", Op::in, {"titan"}};
  CHECK(matches({SelectorTerm{{zone_b}, {}}, SelectorTerm{{zone_a}, {}}}, atlas));
  CHECK_FALSE(matches({SelectorTerm{{zone_a, zone_b}, {}}}, atlas));
  CHECK(matches({SelectorTerm{{zone_a}, {is_atlas}}}, atlas));
  CHECK_FALSE(matches({SelectorTerm{{zone_a}, {is_titan}}}, atlas));
  CHECK_FALSE(matches({}, atlas));
  CHECK_FALSE(matches({SelectorTerm{}}, atlas));

  CHECK(matches_name({SelectorTerm{{zone_b}, {is_atlas}}}, "atlas"));
  CHECK(matches_name({SelectorTerm{{zone_b}, {}}}, "atlas"));
  CHECK_FALSE(matches_name({SelectorTerm{{zone_b}, {is_titan}}}, "atlas"));
  CHECK(pinned_node({SelectorTerm{{}, {is_titan}}}) == "titan");
  CHECK(pinned_node({SelectorTerm{{zone_a}, {}}}).empty());
}

TEST_CASE("toleration: key, value and effect must fit, what is left out fits all") {
  const Taint lost{"gpu.example.com/lost", "yes", TaintEffect::no_execute, {}};
  CHECK(tolerates({.exists = true}, lost));
  CHECK_FALSE(tolerates({}, lost));
  CHECK(tolerates({.key = "gpu.example.com/lost", .exists = true}, lost));
  CHECK(tolerates({.key = "gpu.example.com/lost", .value = "yes"}, lost));
  CHECK_FALSE(tolerates({.key = "gpu.example.com/lost", .value = "no"}, lost));
  CHECK_FALSE(tolerates({.key = "gpu.example.com/xid", .exists = true}, lost));
  CHECK_FALSE(tolerates({.exists = true, .effect = TaintEffect::no_schedule}, lost));
  CHECK(tolerates({.exists = true, .effect = TaintEffect::no_execute}, lost));
}

}  // namespace
}  // namespace draudit
