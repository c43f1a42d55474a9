#include "suggest.h"

#include <algorithm>
#include <numeric>

namespace gc::detail {

/// Number of insertions, deletions, replacements and exchanges of neighbours that turn a into b.
static std::size_t edit_distance(const std::string &a, const std::string &b) {
  // Distances of all prefixes of b from a's prefix of i - 2, i - 1 and i letters.
  std::vector<std::size_t> before, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::move(last);
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string suggestion(const std::string &word, const std::vector<std::string> &names) {
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  const std::string *closest = nullptr;
  for (const std::string &name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance < best) {
      best = distance;
      closest = &name;
    }
  }
  return closest ? "; did you mean '" + *closest + "'?" : "";
}

} // namespace gc::detail
