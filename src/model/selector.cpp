#include "draudit/selector.hpp"

#include <algorithm>
#include <charconv>

namespace draudit {
namespace {

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

bool holds(const SelectorRequirement& r, std::optional<std::string_view> value) {
  const auto listed = [&] {
    return std::find(r.values.begin(), r.values.end(), *value) != r.values.end();
  };
  switch (r.op) {
    case SelectorOperator::in: return value && listed();
    case SelectorOperator::not_in: return !value || !listed();
    case SelectorOperator::exists: return value.has_value();
    case SelectorOperator::does_not_exist: return !value;
    case SelectorOperator::gt:
    case SelectorOperator::lt: {
      if (!value || r.values.size() != 1) return false;
      const auto have = integer(*value);
      const auto bound = integer(r.values.front());
      if (!have || !bound) return false;
      return r.op == SelectorOperator::gt ? *have > *bound : *have < *bound;
    }
    case SelectorOperator::unknown: return false;
  }
  return false;
}

bool name_holds(const SelectorTerm& term, std::string_view node) {
  return std::all_of(term.fields.begin(), term.fields.end(), [node](const SelectorRequirement& r) {
    return r.key == "metadata.name" && holds(r, std::optional{node});
  });
}

bool empty(const SelectorTerm& term) { return term.labels.empty() && term.fields.empty(); }

}  // namespace

bool holds(const SelectorRequirement& requirement, const std::vector<KeyValue>& labels) {
  return holds(requirement, find(labels, requirement.key));
}

bool matches(const NodeSelector& selector, const Node& node) {
  return std::any_of(selector.begin(), selector.end(), [&node](const SelectorTerm& term) {
    return !empty(term) && name_holds(term, node.meta.name) &&
           std::all_of(term.labels.begin(), term.labels.end(),
                       [&node](const SelectorRequirement& r) { return holds(r, node.labels); });
  });
}

bool matches_name(const NodeSelector& selector, std::string_view node) {
  return std::any_of(selector.begin(), selector.end(), [node](const SelectorTerm& term) {
    return !empty(term) && name_holds(term, node);
  });
}

std::string_view pinned_node(const NodeSelector& selector) {
  if (selector.size() != 1) return {};
  for (const SelectorRequirement& r : selector.front().fields) {
    if (r.key == "metadata.name" && r.op == SelectorOperator::in && r.values.size() == 1) {
      return r.values.front();
    }
  }
  return {};
}

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (toleration.effect && *toleration.effect != taint.effect) return false;
  if (toleration.key.empty()) return toleration.exists;
  if (toleration.key != taint.key) return false;
  return toleration.exists || toleration.value == taint.value;
}

}  // namespace draudit
