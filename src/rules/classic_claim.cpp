#include <fmt/format.h>

#include <map>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_classic_claim(const Evidence& evidence, const Rule& rule, std::vector<Finding>& out) {
  std::map<std::string_view, std::vector<const ResourceClaim*>> controllers;
  for (const ResourceClaim& c : evidence.audit.snapshot->claims) {
    if (!c.controller.empty()) controllers[c.controller].push_back(&c);
  }
  for (const auto& [name, claims] : controllers) {
    Finding f = about(rule, {"Controller", std::string{name}, {}, claims.front()->meta.at});
    f.message =
        fmt::format("{}: allocates {} claim{} by classic DRA; which devices is not recorded", name,
                    claims.size(), claims.size() == 1 ? "" : "s");
    for (const ResourceClaim* c : claims) f.objects.push_back(ref("ResourceClaim", c->meta));
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kClassicClaim{"INP010",
                         "classic-claim",
                         Severity::warning,
                         "Claims are allocated by a controller of classic DRA, so their devices "
                         "can't be checked",
                         "move the driver to structured parameters: Kubernetes 1.32 took classic "
                         "DRA out",
                         kClaims,
                         check_classic_claim};

}  // namespace draudit
