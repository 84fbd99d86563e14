// A slow, literal second model of how KAI counts the GPUs of a node: the oracle of the property
// tests. It adds one pod after the other, in every order that matters, and notes what it saw.
//
// It is written from reference/kai-accounting.md and never from the library, reads plain JSON, and
// shares no code with it, so that a mistake in one of the two shows as a difference. The § in the
// comments are that document's.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace draudit::slow {

/// The least and the most that a figure reached over all orders of adding the pods.
struct Range {
  double least = 0;
  double most = 0;

  bool operator==(const Range&) const = default;
};

/// One MIG profile, which is a dimension of its own.
struct NodeMig {
  double capacity = 0;
  Range used;
  Range idle;
  Range releasing;

  bool operator==(const NodeMig&) const = default;
};

struct NodeFigures {
  double capacity = 0;
  Range used;  ///< the vector's GPU entry, without the fraction groups
  Range idle;
  Range releasing;
  Range groups;                        ///< fraction groups in use; KAI prints used + groups
  std::map<std::string, NodeMig> mig;  ///< the profiles of which the node offers at least one

  bool operator==(const NodeFigures&) const = default;
};

/// What KAI `version` (a tag such as "v0.17.0") believes of each node of `list`.
///
/// `list` is a kubectl List with the whole cluster: a kind without objects has none, and every node
/// is one of the scheduler's. A node maps to nullopt where more than `max_pods` charged pods can
/// influence each other, which is more orders than anybody wants to wait for.
///
/// Throws std::invalid_argument where `version` or `now_rfc3339` cannot be read. Where KAI itself
/// lets the iteration order of a Go map decide over one pod's request (two names that end in "gpu",
/// two MIG annotations, "nvidia.com/gpu: 2" next to "amd.com/gpu: 0") the names are taken in
/// ascending order.
std::map<std::string, std::optional<NodeFigures>> figures(const nlohmann::json& list,
                                                          const std::string& version,
                                                          const std::string& now_rfc3339,
                                                          std::size_t max_pods = 7);

}  // namespace draudit::slow
