#include "accounting/orders.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

namespace draudit {
namespace {

// With a(p) the references of p that are already registered when p is added:
//   used = Σ cur − Σ min(cur, a) = Σ cur − Σ a + Σ max(0, a − cur)
// and Σ a = Σ |K| − |distinct K| whatever the order. So only the last sum, the *overshoot*, moves,
// and only pods with |K| > cur can overshoot. Overshoot grows with what is registered before, so
// those pods first give the least and last the most; among them the order matters, and all that
// matters of it is which set came before: a search over sets, not over permutations.

using Devices = std::vector<std::uint32_t>;  ///< sorted, distinct

/// Pods that are interchangeable: same devices, same GPU entry, same status class.
struct Shape {
  Devices devices;
  std::size_t references = 0;  ///< |K|, repeats included
  Gpus gpus = 0;
  std::vector<std::uint32_t> members;
};

Devices distinct(const Charge& charge) {
  Devices out = charge.devices;
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool may_overshoot(const Charge& c) {
  return c.gpus > 0 && static_cast<Gpus>(c.devices.size()) > c.gpus;
}

std::vector<Shape> shapes_of(std::span<const Charge> charges,
                             std::span<const std::uint32_t> members) {
  std::map<std::tuple<std::vector<std::uint32_t>, Gpus>, Shape> shapes;
  for (const std::uint32_t i : members) {
    const Charge& c = charges[i];
    std::vector<std::uint32_t> key = c.devices;
    std::sort(key.begin(), key.end());
    Shape& shape = shapes[{std::move(key), c.gpus}];
    shape.members.push_back(i);
    if (shape.members.size() == 1) {
      shape.devices = distinct(c);
      shape.references = c.devices.size();
      shape.gpus = c.gpus;
    }
  }
  std::vector<Shape> out;
  out.reserve(shapes.size());
  for (auto& [key, shape] : shapes) out.push_back(std::move(shape));
  return out;
}

struct Extreme {
  Gpus overshoot = 0;
  std::vector<std::uint32_t> order;
  bool exact = true;
};

/// Overshoot of one pod of a shape when `known` devices are registered.
Gpus overshoot(const Shape& shape, const std::vector<char>& known) {
  Gpus already = static_cast<Gpus>(shape.references) - static_cast<Gpus>(shape.devices.size());
  for (const std::uint32_t d : shape.devices) already += known[d] != 0 ? 1 : 0;
  return std::max<Gpus>(0, already - shape.gpus);
}

constexpr std::size_t kMostShapes = 16;

/// Shapes that share no device, directly or through others, do not see each other's order.
std::vector<std::vector<Shape>> components(std::vector<Shape> shapes) {
  std::vector<std::vector<Shape>> out;
  while (!shapes.empty()) {
    std::vector<Shape> component = {std::move(shapes.front())};
    shapes.erase(shapes.begin());
    for (std::size_t i = 0; i < component.size(); ++i) {
      const auto touches = [&component, i](const Shape& s) {
        return std::find_first_of(s.devices.begin(), s.devices.end(), component[i].devices.begin(),
                                  component[i].devices.end()) != s.devices.end();
      };
      const auto apart = std::stable_partition(shapes.begin(), shapes.end(),
                                               [&](const Shape& s) { return !touches(s); });
      std::move(apart, shapes.end(), std::back_inserter(component));
      shapes.erase(apart, shapes.end());
    }
    std::sort(component.begin(), component.end(),
              [](const Shape& a, const Shape& b) { return a.members < b.members; });
    out.push_back(std::move(component));
  }
  return out;
}

/// Extreme overshoot of shapes that hang together over their orders, starting from `known`.
Extreme extreme_of_component(const std::vector<Shape>& all, const std::vector<char>& known,
                             bool most) {
  Extreme out;
  // Once one pod of a shape is in, all its devices are known to the next: those are no choice.
  for (const Shape& s : all) {
    out.overshoot +=
        static_cast<Gpus>(s.members.size() - 1) * (static_cast<Gpus>(s.references) - s.gpus);
  }
  const auto append = [&out](const Shape& s) {
    out.order.insert(out.order.end(), s.members.begin(), s.members.end());
  };
  if (all.size() > kMostShapes) {
    // Safe bounds: as if each came right after `known`, or after everything else.
    std::vector<char> everything = known;
    for (const Shape& s : all) {
      for (const std::uint32_t d : s.devices) everything[d] = 1;
    }
    out.exact = false;
    for (const Shape& s : all) {
      out.overshoot += overshoot(s, most ? everything : known);
      append(s);
    }
    return out;
  }

  // best[set]: extreme overshoot of having added exactly this set of shapes.
  const std::size_t sets = std::size_t{1} << all.size();
  std::vector<std::optional<Gpus>> best(sets);
  std::vector<std::uint8_t> last(sets);
  best[0] = 0;
  std::vector<char> before = known;
  for (std::size_t set = 0; set < sets; ++set) {
    before = known;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      for (const std::uint32_t d : all[i].devices) before[d] = 1;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((set >> i & 1) != 0) continue;
      const Gpus total = *best[set] + overshoot(all[i], before);
      std::optional<Gpus>& there = best[set | std::size_t{1} << i];
      if (!there || (most ? total > *there : total < *there)) {
        there = total;
        last[set | std::size_t{1} << i] = static_cast<std::uint8_t>(i);
      }
    }
  }
  out.overshoot += *best[sets - 1];
  std::vector<std::size_t> backwards;
  for (std::size_t set = sets - 1; set != 0; set &= ~(std::size_t{1} << backwards.back())) {
    backwards.push_back(last[set]);
  }
  std::reverse(backwards.begin(), backwards.end());
  for (const std::size_t i : backwards) append(all[i]);
  return out;
}

Extreme extreme(const std::vector<Shape>& all, const std::vector<char>& known, bool most) {
  Extreme out;
  for (const std::vector<Shape>& component : components(all)) {
    const Extreme part = extreme_of_component(component, known, most);
    out.overshoot += part.overshoot;
    out.order.insert(out.order.end(), part.order.begin(), part.order.end());
    out.exact = out.exact && part.exact;
  }
  return out;
}

std::vector<char> known_after(std::span<const Charge> charges,
                              std::span<const std::uint32_t> members, std::size_t devices) {
  std::vector<char> known(devices, 0);
  for (const std::uint32_t i : members) {
    for (const std::uint32_t d : charges[i].devices) known[d] = 1;
  }
  return known;
}

struct Part {
  std::vector<std::uint32_t> plain;  ///< can't overshoot
  std::vector<std::uint32_t> overshoots;
};

}  // namespace

OrderEffect order_effect(const ReplayNode& node, std::span<const Charge> charges) {
  OrderEffect out;
  Gpus everything = 0;
  Gpus releasing = 0;
  Part all;
  Part terminating;
  std::vector<std::uint32_t> staying;
  bool shares = false;
  const bool dedup = node.profile->dedup;
  for (std::uint32_t i = 0; i < charges.size(); ++i) {
    const Charge& c = charges[i];
    const bool over = dedup && may_overshoot(c);
    (over ? all.overshoots : all.plain).push_back(i);
    everything += c.gpus;
    if (c.gpus <= 0) continue;
    shares = shares || !c.devices.empty();
    if (c.status == PodStatus::releasing) {
      releasing += c.gpus;
      (over ? terminating.overshoots : terminating.plain).push_back(i);
    } else {
      staying.push_back(i);
    }
  }
  const auto in_order = [](std::vector<std::uint32_t> first,
                           const std::vector<std::uint32_t>& then) {
    first.insert(first.end(), then.begin(), then.end());
    return first;
  };
  std::vector<std::uint32_t> canonical(charges.size());
  for (std::uint32_t i = 0; i < canonical.size(); ++i) canonical[i] = i;

  const bool zeroed = node.profile->zeroing && node.capacity_known && node.capacity == 0;
  if (zeroed || !dedup || !shares) {
    out.used = exactly(zeroed ? 0 : everything);
    out.releasing = exactly(zeroed ? 0 : releasing);
    out.most_order = out.least_order = canonical;
    return out;
  }

  // Pods whose GPU entry is 0 register nothing: they take no part (guard 1).
  const auto with_gpus = [&](const std::vector<std::uint32_t>& from) {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t i : from) {
      if (charges[i].gpus > 0) kept.push_back(i);
    }
    return kept;
  };
  const auto references = [&](std::span<const std::uint32_t> members) {
    Gpus n = 0;
    for (const std::uint32_t i : members) n += static_cast<Gpus>(charges[i].devices.size());
    return n;
  };
  const auto count = [](const std::vector<char>& known) {
    return static_cast<Gpus>(std::count(known.begin(), known.end(), 1));
  };
  const std::vector<char> nothing(node.devices, 0);

  {
    const std::vector<std::uint32_t> plain = with_gpus(all.plain);
    const std::vector<std::uint32_t> members = in_order(plain, all.overshoots);
    const Gpus fixed =
        everything - (references(members) - count(known_after(charges, members, node.devices)));
    const std::vector<Shape> shapes = shapes_of(charges, all.overshoots);
    const Extreme least = extreme(shapes, nothing, false);
    const Extreme most = extreme(shapes, known_after(charges, plain, node.devices), true);
    out.used = {fixed + least.overshoot, fixed + most.overshoot};
    out.exact = least.exact && most.exact;
    if (out.used.fixed()) {
      out.most_order = out.least_order = canonical;
    } else {
      out.most_order = in_order(all.plain, most.order);
      out.least_order = in_order(least.order, all.plain);
    }
  }
  if (releasing == 0) return out;

  // Terminating pods last, after everything else is registered, gives the least releasing; first,
  // the most. Within them the same argument holds.
  const std::vector<std::uint32_t> members = in_order(terminating.plain, terminating.overshoots);
  const std::vector<Shape> shapes = shapes_of(charges, terminating.overshoots);
  const std::vector<char> stay = known_after(charges, staying, node.devices);
  {
    std::vector<char> after = known_after(charges, members, node.devices);
    Gpus fresh = 0;  // distinct devices that the terminating pods register first
    for (std::size_t d = 0; d < after.size(); ++d) fresh += after[d] != 0 && stay[d] == 0 ? 1 : 0;
    const Extreme least = extreme(shapes, stay, false);
    out.releasing.least = releasing - (references(members) - fresh) + least.overshoot;
    out.exact = out.exact && least.exact;
  }
  {
    const Gpus fresh = count(known_after(charges, members, node.devices));
    const Extreme most =
        extreme(shapes, known_after(charges, terminating.plain, node.devices), true);
    out.releasing.most = releasing - (references(members) - fresh) + most.overshoot;
    out.exact = out.exact && most.exact;
  }
  return out;
}

}  // namespace draudit
