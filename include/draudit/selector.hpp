#pragma once

#include "draudit/objects.hpp"

/// Whether things that select nodes, and things that repel, do so (dra-objects.md §2.5).
namespace draudit {

/// Terms are ORed, requirements of a term ANDed; an empty term and an empty list match nothing.
/// A node without a label fails In, Exists, Gt and Lt and passes NotIn and DoesNotExist.
/// An operator of a later version matches nothing.
[[nodiscard]] bool matches(const NodeSelector& selector, const Node& node);

/// As `matches`, but only what the selector says of the node's name: true where it says nothing.
/// Names don't change; labels may have changed since the selector was made.
[[nodiscard]] bool matches_name(const NodeSelector& selector, std::string_view node);

/// The one node that the selector names, or empty.
[[nodiscard]] std::string_view pinned_node(const NodeSelector& selector);

/// Whether one requirement holds for a set of labels, sorted by key.
[[nodiscard]] bool holds(const SelectorRequirement& requirement,
                         const std::vector<KeyValue>& labels);

/// Whether the toleration is for this taint, leaving its seconds aside.
[[nodiscard]] bool tolerates(const Toleration& toleration, const Taint& taint);

}  // namespace draudit
