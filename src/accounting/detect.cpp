#include "accounting/detect.hpp"

#include <fmt/format.h>

#include <set>

namespace draudit {
namespace {

struct Image {
  std::string_view name;  ///< last component of the repository
  std::string_view tag;
};

Image parse_image(std::string_view image) {
  image = image.substr(0, image.find('@'));  // a digest may follow the tag
  const std::size_t slash = image.rfind('/');
  std::string_view last = slash == std::string_view::npos ? image : image.substr(slash + 1);
  const std::size_t colon = last.find(':');
  if (colon == std::string_view::npos) return {last, {}};
  return {last.substr(0, colon), last.substr(colon + 1)};
}

/// A mirror may rename everything but the image's own name; then the pod has to tell.
bool is_kai_scheduler(const Pod& pod, std::string_view image) {
  if (parse_image(image).name != "scheduler") return false;
  return image.find("kai-scheduler") != std::string_view::npos || pod.meta.ns == "kai-scheduler" ||
         pod.meta.name.starts_with("kai-scheduler");
}

bool older(const Profile* a, const Profile* b) { return a < b; }  // both rows of one table

}  // namespace

KaiVersion detect_kai(const Snapshot& snapshot) {
  KaiVersion out;
  const Profile* found = nullptr;
  std::set<std::string_view> tags;
  for (const Pod& pod : snapshot.pods) {
    if (pod.phase != Phase::running && pod.phase != Phase::pending) continue;
    for (const std::string_view image : pod.images) {
      if (!is_kai_scheduler(pod, image)) continue;
      const std::string_view tag = parse_image(image).tag;
      const Profile* profile = find_profile(tag);
      if (profile == nullptr) {
        if (found == nullptr) {
          out.how = fmt::format("the image of pod {} has no version tag", full_name(pod.meta));
        }
        continue;
      }
      tags.insert(tag);
      if (found != nullptr && !older(profile, found)) continue;
      found = profile;
      out.version = tag.starts_with('v') ? std::string{tag} : fmt::format("v{}", tag);
      out.how = fmt::format("image of pod {}", full_name(pod.meta));
      out.fixed = profile->dedup;
    }
  }
  if (found == nullptr && out.how.empty() && snapshot.scheduler) {
    // A snapshot has no image tags, but each line added something to it; the fix did not.
    const SchedulerParams& s = *snapshot.scheduler;
    out.version = s.numa_topologies           ? std::string{}
                  : s.stuck_after_nanoseconds ? "v0.15"
                  : s.persistent_volumes      ? "v0.14"
                  : s.discovery               ? "v0.13"
                                              : "v0.12";
    out.how = s.numa_topologies
                  ? "the KAI snapshot is of v0.16 or later, with the fix or without"
                  : fmt::format("what the KAI snapshot holds is that of {}", out.version);
  }
  if (tags.size() > 1) out.how += fmt::format(", the oldest of {} versions", tags.size());
  return out;
}

}  // namespace draudit
