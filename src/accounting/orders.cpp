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
  Devices devices;             ///< those that something else of the node registers too
  std::size_t distinct = 0;    ///< all of them
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
                             std::span<const std::uint32_t> members,
                             const std::vector<char>& known) {
  std::map<std::tuple<std::vector<std::uint32_t>, Gpus>, Shape> shapes;
  for (const std::uint32_t i : members) {
    const Charge& c = charges[i];
    std::vector<std::uint32_t> key = c.devices;
    std::sort(key.begin(), key.end());
    Shape& shape = shapes[{std::move(key), c.gpus}];
    shape.members.push_back(i);
    if (shape.members.size() == 1) {
      shape.devices = distinct(c);
      shape.distinct = shape.devices.size();
      shape.references = c.devices.size();
      shape.gpus = c.gpus;
    }
  }
  std::vector<Shape> out;
  out.reserve(shapes.size());
  for (auto& [key, shape] : shapes) out.push_back(std::move(shape));
  // A device of one shape alone never makes a difference to another: what is left keeps the search
  // small, and the bounds beyond it tight.
  std::vector<std::uint8_t> holders(known.size());
  for (const Shape& s : out) {
    for (const std::uint32_t d : s.devices) {
      holders[d] = static_cast<std::uint8_t>(std::min<int>(2, holders[d] + 1));
    }
  }
  for (Shape& s : out) {
    std::erase_if(s.devices, [&](std::uint32_t d) { return holders[d] < 2 && known[d] == 0; });
  }
  return out;
}

struct Extreme {
  Gpus overshoot = 0;
  std::vector<std::uint32_t> order;
  bool exact = true;
};

constexpr std::size_t kMostShapes = 16;

bool intersect(const Devices& a, const Devices& b) {
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() && j != b.end()) {
    if (*i == *j) return true;
    (*i < *j ? i : j)++;
  }
  return false;
}

/// Shapes that share no device, directly or through others, do not see each other's order.
std::vector<std::vector<Shape>> components(std::vector<Shape> shapes) {
  std::vector<std::vector<Shape>> out;
  while (!shapes.empty()) {
    std::vector<Shape> component = {std::move(shapes.front())};
    shapes.erase(shapes.begin());
    for (std::size_t i = 0; i < component.size(); ++i) {
      const Devices devices = component[i].devices;
      const auto apart = std::stable_partition(
          shapes.begin(), shapes.end(),
          [&](const Shape& other) { return !intersect(devices, other.devices); });
      std::move(apart, shapes.end(), std::back_inserter(component));
      shapes.erase(apart, shapes.end());
    }
    std::sort(component.begin(), component.end(),
              [](const Shape& a, const Shape& b) { return a.members < b.members; });
    out.push_back(std::move(component));
  }
  return out;
}

/// Devices of a component that lie alike: held by the same set of its shapes.
struct Overlap {
  std::uint32_t shapes = 0;  ///< a bit for each
  Gpus devices = 0;
};

/// How much each shape of a component overshoots, by the set of shapes that came before.
class Overshoot {
 public:
  Overshoot(const std::vector<Shape>& shapes, const std::vector<char>& known) {
    std::map<std::uint32_t, std::uint32_t> holders;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const Shape& s = shapes[i];
      Gpus from_start = static_cast<Gpus>(s.references) - static_cast<Gpus>(s.distinct) - s.gpus;
      for (const std::uint32_t d : s.devices) {
        if (known[d] != 0) {
          ++from_start;
        } else {
          holders[d] |= std::uint32_t{1} << i;
        }
      }
      from_start_.push_back(from_start);
    }
    std::map<std::uint32_t, Gpus> overlaps;
    for (const auto& [device, set] : holders) ++overlaps[set];
    for (const auto& [set, devices] : overlaps) overlaps_.push_back({set, devices});
  }
  [[nodiscard]] Gpus of(std::size_t shape, std::uint32_t before) const {
    Gpus over = from_start_[shape];
    for (const Overlap& o : overlaps_) {
      if ((o.shapes >> shape & 1U) != 0 && (o.shapes & before) != 0) over += o.devices;
    }
    return std::max<Gpus>(0, over);
  }

 private:
  std::vector<Gpus> from_start_;  ///< references known at the start, less GPUs
  std::vector<Overlap> overlaps_;
};

/// Overshoot of a shape in isolation: with nothing but `known` before it, or with all that others
/// hold too.
Gpus bound(const Shape& s, const std::vector<char>& known, bool most) {
  Gpus over = static_cast<Gpus>(s.references) - static_cast<Gpus>(s.distinct) - s.gpus;
  for (const std::uint32_t d : s.devices) over += most || known[d] != 0 ? 1 : 0;
  return std::max<Gpus>(0, over);
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
    out.exact = false;
    for (const Shape& s : all) {
      out.overshoot += bound(s, known, most);
      append(s);
    }
    return out;
  }

  // best[set]: extreme overshoot of having added exactly this set of shapes.
  const Overshoot overshoot(all, known);
  const std::uint32_t sets = std::uint32_t{1} << all.size();
  std::vector<std::optional<Gpus>> best(sets);
  std::vector<std::uint8_t> last(sets);
  best[0] = 0;
  for (std::uint32_t set = 0; set < sets; ++set) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((set >> i & 1U) != 0) continue;
      const Gpus total = *best[set] + overshoot.of(i, set);
      std::optional<Gpus>& there = best[set | std::uint32_t{1} << i];
      if (!there || (most ? total > *there : total < *there)) {
        there = total;
        last[set | std::uint32_t{1} << i] = static_cast<std::uint8_t>(i);
      }
    }
  }
  out.overshoot += *best[sets - 1];
  std::vector<std::size_t> backwards;
  for (std::uint32_t set = sets - 1; set != 0; set &= ~(std::uint32_t{1} << backwards.back())) {
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
    const std::vector<char> before = known_after(charges, plain, node.devices);
    const std::vector<Shape> shapes = shapes_of(charges, all.overshoots, before);
    const Extreme least = extreme(shapes, nothing, false);
    const Extreme most = extreme(shapes, before, true);
    // Bounds, where they are no more than that, still end at what the pods bring.
    out.used = {fixed + least.overshoot, std::min(everything, fixed + most.overshoot)};
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
  const std::vector<char> stay = known_after(charges, staying, node.devices);
  std::vector<char> others = known_after(charges, terminating.plain, node.devices);
  for (std::size_t d = 0; d < others.size(); ++d)
    others[d] = others[d] != 0 || stay[d] != 0 ? 1 : 0;
  const std::vector<Shape> shapes = shapes_of(charges, terminating.overshoots, others);
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
    out.releasing.most =
        std::min(releasing, releasing - (references(members) - fresh) + most.overshoot);
    out.exact = out.exact && most.exact;
  }
  return out;
}

}  // namespace draudit
