#include "accounting/replay.hpp"

#include <algorithm>

#include "accounting/demand.hpp"

namespace draudit {

Replay::Replay(const ReplayNode& node) : node_(node), references_(node.devices) {
  totals_.idle = node.capacity;
}

Step Replay::add(const Charge& charge, std::uint32_t index) {
  Step step{.charge = index, .brought = charge.gpus};
  // Guard 1: a pod whose own GPU figure is 0 registers nothing.
  if (node_.profile->dedup && charge.gpus > 0) {
    Gpus already = 0;
    step.touched.reserve(charge.devices.size());
    for (const std::uint32_t device : charge.devices) {
      std::uint32_t& references = references_[device];
      if (references > 0) ++already;
      ++references;
      step.touched.push_back({device, references - 1, references});
    }
    // Guard 2: no more is deducted than the pod brought.
    step.capped = already > charge.gpus;
    step.deducted = std::min(already, charge.gpus);
  }
  step.counted = charge.gpus - step.deducted;
  if (node_.profile->zeroing && node_.capacity_known && node_.capacity == 0 && step.counted != 0) {
    step.zeroed = true;
    step.counted = 0;
  }
  totals_.used += step.counted;
  totals_.idle -= step.counted;
  if (charge.status == PodStatus::releasing) totals_.releasing += step.counted;
  add_groups(charge);
  step.after = totals_;
  return step;
}

Step Replay::remove(const Charge& charge, std::uint32_t index) {
  Step step{.charge = index, .removal = true, .brought = charge.gpus};
  if (node_.profile->dedup && charge.gpus > 0) {
    Gpus shared = 0;
    step.touched.reserve(charge.devices.size());
    for (const std::uint32_t device : charge.devices) {
      std::uint32_t& references = references_[device];
      const std::uint32_t before = references;
      if (references > 1) ++shared;
      if (references > 0) --references;
      step.touched.push_back({device, before, references});
    }
    step.capped = shared > charge.gpus;
    step.deducted = std::min(shared, charge.gpus);
  }
  step.counted = charge.gpus - step.deducted;
  if (node_.profile->zeroing && node_.capacity_known && node_.capacity == 0 && step.counted != 0) {
    step.zeroed = true;
    step.counted = 0;
  }
  totals_.used -= step.counted;
  totals_.idle += step.counted;
  if (charge.status == PodStatus::releasing) totals_.releasing -= step.counted;
  remove_groups(charge);
  step.after = totals_;
  return step;
}

void Replay::add_groups(const Charge& charge) {
  for (const std::string_view name : charge.groups) {
    Group& group = groups_[name];
    const std::int64_t memory = charge.group_memory;
    const bool was_in_use = group.used > 0;
    group.used = add_saturating(group.used, memory);
    totals_.groups += (group.used > 0 ? 1 : 0) - (was_in_use ? 1 : 0);
    const auto take_a_gpu = [&] {
      // KAI compares with the GPU count of the label, which may be above allocatable (F20).
      if (node_.gpu_count < totals_.idle + gpus_in_use()) totals_.idle -= 1;
    };
    if (charge.status == PodStatus::releasing) {
      group.releasing = add_saturating(group.releasing, memory);
      if (group.used == group.releasing) {
        if (!group.marked_releasing) {
          totals_.releasing += 1;
          group.marked_releasing = true;
        }
        take_a_gpu();
      }
    } else {
      if (group.used <= memory) take_a_gpu();
      if (group.marked_releasing) {
        totals_.releasing -= 1;
        group.marked_releasing = false;
      }
    }
  }
}

void Replay::remove_groups(const Charge& charge) {
  for (const std::string_view name : charge.groups) {
    Group& group = groups_[name];
    const std::int64_t memory = charge.group_memory;
    const bool was_in_use = group.used > 0;
    group.used = add_saturating(group.used, -memory);
    totals_.groups += (group.used > 0 ? 1 : 0) - (was_in_use ? 1 : 0);
    if (charge.status == PodStatus::releasing) {
      group.releasing = add_saturating(group.releasing, -memory);
    }
    if (group.used <= 0) {
      if (node_.gpu_count >= totals_.idle + gpus_in_use()) totals_.idle += 1;
    }
    if (charge.status == PodStatus::releasing) {
      if (group.used <= 0 && group.marked_releasing) {
        totals_.releasing -= 1;
        group.marked_releasing = false;
      }
    } else if (group.used > 0 && group.used == group.releasing && !group.marked_releasing) {
      totals_.releasing += 1;
      group.marked_releasing = true;
    }
  }
}

std::vector<Step> replay(const ReplayNode& node, std::span<const Charge> charges,
                         std::span<const std::uint32_t> order) {
  Replay state(node);
  std::vector<Step> steps;
  steps.reserve(order.size());
  for (const std::uint32_t i : order) steps.push_back(state.add(charges[i], i));
  return steps;
}

}  // namespace draudit
