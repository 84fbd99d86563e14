#include "report/picture.hpp"

#include <algorithm>
#include <map>

namespace draudit {
namespace {

constexpr std::size_t kMostBoxes = 128;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "gpu-2" before "gpu-10", as they sit in the machine.
bool natural_less(std::string_view a, std::string_view b) {
  const auto number = [](std::string_view& text) {
    std::size_t n = 0;
    while (n < text.size() && is_digit(text[n])) ++n;
    std::string_view digits = text.substr(0, n);
    text.remove_prefix(n);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
  };
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view x = number(a);
      const std::string_view y = number(b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.empty() && !b.empty();
}

/// In natural order, but the devices of a claim together, so that a bracket spans its boxes.
std::vector<const Report::Device*> by_claim(const Report::Node& node) {
  std::vector<const Report::Device*> all;
  for (const Report::Device& d : node.devices) all.push_back(&d);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto* a, const auto* b) { return natural_less(a->device, b->device); });
  std::map<std::string_view, std::size_t> first;  // box of a claim
  std::vector<std::pair<std::size_t, const Report::Device*>> keyed;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Report::Device& d = *all[i];
    const std::size_t at = d.claims.empty() ? i : first.emplace(d.claims.front(), i).first->second;
    keyed.emplace_back(at, &d);
  }
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const Report::Device*> out;
  out.reserve(keyed.size());
  for (const auto& k : keyed) out.push_back(k.second);
  return out;
}

bool has_claim(const Picture::Box& box, const std::string& claim) {
  return std::any_of(box.claims.begin(), box.claims.end(),
                     [&](const Picture::Piece& p) { return p.claim == claim; });
}

void join_brackets(std::vector<Picture::Box>& boxes) {
  for (std::size_t i = 0; i + 1 < boxes.size(); ++i) {
    for (Picture::Piece& p : boxes[i].claims) {
      if (!has_claim(boxes[i + 1], p.claim)) continue;
      p.ends = false;
      for (Picture::Piece& q : boxes[i + 1].claims) q.starts = q.starts && q.claim != p.claim;
    }
  }
}

/// Adds `n` of a kind that has no names.
void add_nameless(Picture& picture, Picture::What what, Gpus n) {
  for (; n > 0 && picture.boxes.size() < kMostBoxes; --n) {
    picture.boxes.push_back({.what = what});
  }
  if (n > 0) picture.boxes_left_out += n;
}

void add_ghost(Picture& picture, Picture::Box ghost) {
  if (picture.ghosts.size() >= kMostBoxes) {
    ++picture.ghosts_left_out;
    return;
  }
  ghost.what = Picture::What::ghost;
  ghost.mark = picture.ghosts.size() + 1;
  for (Picture::Box& box : picture.boxes) {
    if (ghost.name.empty() || box.name != ghost.name) continue;
    for (Picture::Pod& pod : box.pods) {
      if (!ghost.pods.empty() && pod.name == ghost.pods.front().name) pod.mark = ghost.mark;
    }
  }
  picture.ghosts.push_back(std::move(ghost));
}

/// References of steps that the corrected account leaves out and the naive one counts.
Gpus add_counted_again(Picture& picture, const Report::Node& node, const std::string& why) {
  Gpus added = 0;
  if (!node.ledger) return added;
  for (const Report::Step& s : node.ledger->steps) {
    Gpus n = s.corrected.deducted - s.naive.deducted;
    for (const Report::Touch& t : s.touched) {
      if (t.before == 0 || n <= 0) continue;
      add_ghost(picture, {.name = t.device, .pods = {{s.pod}}, .why = why});
      --n;
      ++added;
    }
  }
  return added;
}

void add_ghosts(Picture& picture, const Report::Node& node) {
  for (const Report::Cause& c : node.causes) {
    if (c.figure != "used" || c.naive <= 0) continue;
    Gpus n = c.naive;
    if (c.cause == "shared-device") n -= add_counted_again(picture, node, c.cause);
    for (std::size_t i = 0; n > 0 && picture.ghosts.size() < kMostBoxes; --n, ++i) {
      Picture::Box ghost{.why = c.cause};
      if (i < c.devices.size()) ghost.name = c.devices[i];
      if (!c.pods.empty()) ghost.pods.push_back({c.pods[std::min(i, c.pods.size() - 1)]});
      add_ghost(picture, std::move(ghost));
    }
    if (n > 0) picture.ghosts_left_out += n;
  }
}

}  // namespace

std::string_view to_string(Picture::What what) {
  switch (what) {
    case Picture::What::device: return "held by a claim";
    case Picture::What::plugin: return "held by a device plugin";
    case Picture::What::fraction: return "shared by fractions";
    case Picture::What::free: return "free";
    case Picture::What::ghost: return "counted on top";
  }
  return "free";
}

bool slices_known(const Report& report) {
  const auto& kinds = report.completeness.kinds;
  return std::any_of(kinds.begin(), kinds.end(), [](const auto& k) {
    return k.first == info(Kind::slice).name && k.second.known;
  });
}

Picture picture_of(const Report::Node& node, bool with_slices) {
  Picture out;
  for (const Report::Device* d : by_claim(node)) {
    if (out.boxes.size() == kMostBoxes) {
      ++out.boxes_left_out;
      continue;
    }
    Picture::Box box{.name = d->device, .published = d->published || !with_slices};
    for (const std::string& c : d->claims) box.claims.push_back({c});
    for (const std::string& p : d->pods) box.pods.push_back({p});
    out.boxes.push_back(std::move(box));
  }
  join_brackets(out.boxes);
  const Gpus devices = static_cast<Gpus>(node.devices.size());
  add_nameless(out, Picture::What::plugin, node.held_parts.plugin);
  add_nameless(out, Picture::What::fraction, node.held_parts.groups);
  Gpus there = node.physical.value_or(node.capacity.value.value_or(node.capacity.at_least));
  if (!node.physical) {
    // The capacity knows nothing of devices that are in no slice; `physical` does.
    for (const Report::Device& d : node.devices) there += with_slices && !d.published ? 1 : 0;
  }
  add_nameless(out, Picture::What::free,
               there - devices - node.held_parts.plugin - node.held_parts.groups);
  add_ghosts(out, node);
  std::optional<Range> capacity;
  if (node.capacity.value) capacity = exactly(*node.capacity.value);
  out.bars = {Picture::Bar{"capacity", capacity, node.capacity.certainty != Certainty::certain},
              Picture::Bar{"naive", node.naive.printed_used_range},
              Picture::Bar{"corrected", node.corrected.printed_used_range},
              Picture::Bar{"held", exactly(node.held)}};
  for (const Picture::Bar& b : out.bars) {
    if (b.value) out.scale = std::max(out.scale, b.value->most);
  }
  return out;
}

}  // namespace draudit
