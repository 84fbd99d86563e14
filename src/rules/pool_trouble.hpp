#pragma once

#include "rules/devices.hpp"

/// Which of the rules about a pool is the one that speaks: a pool that two publish explains why its
/// slices are too many, and slices that disagree on their number why it seems incomplete.
namespace draudit {

/// Several nodes publish the pool, each as if it were its own: each has as many slices as all of
/// them say that the pool has.
[[nodiscard]] bool has_two_publishers(const Pool& pool);

/// Made, or changed into a new object, within the time that a driver may take to republish.
[[nodiscard]] bool is_being_published(const Evidence& evidence, const Pool& pool);

/// Of findings about slices alone, which are of one list.
void as_sure_as_slices(const Evidence& evidence, Finding& finding);

}  // namespace draudit
