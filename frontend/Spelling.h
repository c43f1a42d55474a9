// Spelling suggestions: "did you mean 'depth'?".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gcompile {

/// The least number of inserted, deleted, replaced or swapped neighbouring bytes that turns `a` into `b`.
std::size_t editDistance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, if it is near enough to be a slip of the fingers; otherwise empty. Of several
/// equally near candidates the first one.
std::string nearest(std::string_view word, const std::vector<std::string> &candidates);

} // namespace gcompile
