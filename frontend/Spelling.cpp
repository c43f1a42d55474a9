#include "frontend/Spelling.h"

#include <algorithm>

namespace gcompile {

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> twoAbove(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    twoAbove.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], twoAbove[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string> &candidates) {
  constexpr std::size_t longest = 64; // nobody misspells longer words, and the distance takes quadratic time
  std::string best;
  if (word.size() > longest)
    return best;
  std::size_t bestDistance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string &candidate : candidates) {
    if (candidate.size() > longest || candidate == word)
      continue;
    std::size_t distance = editDistance(word, candidate);
    // A word of one or two letters is near to everything: nothing must be left that has no letter in common.
    if (distance < bestDistance && distance < std::max(word.size(), candidate.size())) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

} // namespace gcompile
