#include "rules/evidence.hpp"

#include "draudit/selector.hpp"

namespace draudit {

Evidence::Evidence(const Audit& of)
    : audit(of), pools(*of.snapshot), rows(*of.snapshot), claims(of) {
  for (const ResourceClaim& c : of.snapshot->claims) {
    if (!c.allocation || !c.allocation->node_selector) continue;
    const std::string_view name = pinned_node(*c.allocation->node_selector);
    if (!name.empty() && of.snapshot->node(name) == nullptr) pinned_away[name].push_back(&c);
  }
}

}  // namespace draudit
