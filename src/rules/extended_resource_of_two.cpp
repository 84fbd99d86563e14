#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rules/common.hpp"
#include "rules/registry.hpp"
#include "rules/skew.hpp"

namespace draudit {
namespace {

void check_extended_resource_of_two(const Evidence& evidence, const Rule& rule,
                                    std::vector<Finding>& out) {
  std::map<std::string_view, std::vector<const DeviceClass*>> names;
  for (const DeviceClass& c : evidence.audit.snapshot->device_classes) {
    if (!c.extended_resource_name.empty()) names[c.extended_resource_name].push_back(&c);
  }
  for (auto& [name, classes] : names) {
    if (classes.size() < 2) continue;
    // The newest wins, then the smaller name: a class without a time is as old as can be.
    std::stable_sort(classes.begin(), classes.end(),
                     [](const DeviceClass* a, const DeviceClass* b) {
                       const auto age = [](const DeviceClass* c) {
                         return c->meta.created ? c->meta.created->nanoseconds : INT64_MIN;
                       };
                       if (age(a) != age(b)) return age(a) > age(b);
                       return a->meta.name < b->meta.name;
                     });
    Finding f = about(rule, {"ExtendedResource", std::string{name}, {}, classes.front()->meta.at});
    f.message = fmt::format("{}: {} classes stand for it; {} wins", name, classes.size(),
                            classes.front()->meta.name);
    for (const DeviceClass* c : classes) f.objects.push_back(ref("DeviceClass", c->meta));
    as_sure_as_one_cluster(evidence, f);
    out.push_back(std::move(f));
  }
}

}  // namespace

const Rule kExtendedResourceOfTwo{"CLM018",
                                  "extended-resource-of-two",
                                  Severity::warning,
                                  "Two device classes stand for the same extended resource, and "
                                  "the newest wins silently",
                                  "take extendedResourceName off all classes but one",
                                  kClasses,
                                  check_extended_resource_of_two};

}  // namespace draudit
