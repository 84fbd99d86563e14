#include <array>

#include "input/records.hpp"

// Pieces that several kinds have: selectors, taints, tolerations, conditions.
namespace draudit {
namespace {

template <class T>
struct Word {
  std::string_view word;
  T value;
};

template <class T, std::size_t N>
T meaning(const std::array<Word<T>, N>& words, std::string_view word, T otherwise) {
  for (const Word<T>& w : words) {
    if (w.word == word) return w.value;
  }
  return otherwise;
}

constexpr std::array kOperators = {
    Word<SelectorOperator>{"In", SelectorOperator::in},
    Word<SelectorOperator>{"NotIn", SelectorOperator::not_in},
    Word<SelectorOperator>{"Exists", SelectorOperator::exists},
    Word<SelectorOperator>{"DoesNotExist", SelectorOperator::does_not_exist},
    Word<SelectorOperator>{"Gt", SelectorOperator::gt},
    Word<SelectorOperator>{"Lt", SelectorOperator::lt},
};
constexpr std::array kEffects = {
    Word<TaintEffect>{"None", TaintEffect::none},
    Word<TaintEffect>{"PreferNoSchedule", TaintEffect::prefer_no_schedule},
    Word<TaintEffect>{"NoSchedule", TaintEffect::no_schedule},
    Word<TaintEffect>{"NoExecute", TaintEffect::no_execute},
};

TaintEffect effect_of(std::string_view word) {
  return meaning(kEffects, word, TaintEffect::unknown);
}

constexpr Field<SelectorRequirement> kRequirement[] = {
    {"key", [](const Value& v, SelectorRequirement& r) { r.key = v.string(); }},
    {"operator",
     [](const Value& v, SelectorRequirement& r) {
       r.op = meaning(kOperators, v.string(), SelectorOperator::unknown);
     }},
    {"values", [](const Value& v, SelectorRequirement& r) { r.values = read_strings(v); }},
};
void read_requirements(const Value& v, std::vector<SelectorRequirement>& into) {
  v.each([&](const Value& e) { read_fields(e, into.emplace_back(), kRequirement); });
}
constexpr Field<SelectorTerm> kTerm[] = {
    {"matchExpressions", [](const Value& v, SelectorTerm& t) { read_requirements(v, t.labels); }},
    {"matchFields", [](const Value& v, SelectorTerm& t) { read_requirements(v, t.fields); }},
};
constexpr Field<NodeSelector> kSelector[] = {
    {"nodeSelectorTerms",
     [](const Value& v, NodeSelector& s) {
       v.each([&](const Value& e) { read_fields(e, s.emplace_back(), kTerm); });
     }},
};

constexpr Field<Taint> kTaint[] = {
    {"key", [](const Value& v, Taint& t) { t.key = v.string(); }},
    {"value", [](const Value& v, Taint& t) { t.value = v.string(); }},
    {"effect", [](const Value& v, Taint& t) { t.effect = effect_of(v.string()); }},
    {"timeAdded", [](const Value& v, Taint& t) { t.added = v.timestamp(); }},
};

constexpr Field<Toleration> kToleration[] = {
    {"key", [](const Value& v, Toleration& t) { t.key = v.string(); }},
    {"operator", [](const Value& v, Toleration& t) { t.exists = v.string() == "Exists"; }},
    {"value", [](const Value& v, Toleration& t) { t.value = v.string(); }},
    {"effect",
     [](const Value& v, Toleration& t) {
       if (const std::string_view word = v.string(); !word.empty()) t.effect = effect_of(word);
     }},
    {"tolerationSeconds",
     [](const Value& v, Toleration& t) {
       if (!v.is_null()) t.seconds = v.integer();
     }},
};

constexpr Field<Condition> kCondition[] = {
    {"type", [](const Value& v, Condition& c) { c.type = v.string(); }},
    {"status", [](const Value& v, Condition& c) { c.status = v.string(); }},
    {"reason", [](const Value& v, Condition& c) { c.reason = v.string(); }},
    {"message", [](const Value& v, Condition& c) { c.message = v.string(); }},
    {"lastTransitionTime",
     [](const Value& v, Condition& c) {
       c.changed = v.timestamp();
       note_time(v);
     }},
    {"lastHeartbeatTime", [](const Value& v, Condition&) { note_time(v); }},
};

// v1.30 and older nest the two names in `source`.
constexpr Field<PodClaim> kClaimSource[] = {
    {"resourceClaimName", [](const Value& v, PodClaim& c) { c.claim = v.string(); }},
    {"resourceClaimTemplateName",
     [](const Value& v, PodClaim& c) { c.from_template = v.string(); }},
};
constexpr Field<PodClaim> kPodClaim[] = {
    {"name", [](const Value& v, PodClaim& c) { c.name = v.string(); }},
    kClaimSource[0],
    kClaimSource[1],
    {"source", [](const Value& v, PodClaim& c) { read_fields(v, c, kClaimSource); }},
};
constexpr Field<PodClaimStatus> kClaimStatusOfPod[] = {
    {"name", [](const Value& v, PodClaimStatus& c) { c.name = v.string(); }},
    {"resourceClaimName", [](const Value& v, PodClaimStatus& c) { c.claim = v.string(); }},
};

template <class T, std::size_t N>
std::vector<T> read_list(const Value& list, const Field<T> (&table)[N]) {
  std::vector<T> out;
  list.each([&](const Value& e) { read_fields(e, out.emplace_back(), table); });
  out.shrink_to_fit();
  return out;
}

}  // namespace

std::optional<NodeSelector> read_node_selector(const Value& selector) {
  if (selector.is_null()) return std::nullopt;
  return read_object(selector, kSelector);
}

Taint read_taint(const Value& taint) { return read_object(taint, kTaint); }

std::vector<Taint> read_taints(const Value& taints) { return read_list(taints, kTaint); }
std::vector<Toleration> read_tolerations(const Value& tolerations) {
  return read_list(tolerations, kToleration);
}
std::vector<Condition> read_conditions(const Value& conditions) {
  return read_list(conditions, kCondition);
}
std::vector<PodClaim> read_pod_claims(const Value& list) { return read_list(list, kPodClaim); }
std::vector<PodClaimStatus> read_claim_statuses(const Value& list) {
  return read_list(list, kClaimStatusOfPod);
}

std::vector<std::string_view> read_strings(const Value& list) {
  std::vector<std::string_view> out;
  list.each([&](const Value& e) { out.push_back(e.string()); });
  return out;
}

}  // namespace draudit
