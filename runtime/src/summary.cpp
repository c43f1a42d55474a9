#include "elements.h"
#include "group_steps.h"
#include "results.h"
#include "scan.h"
#include "storage.h"

#include <gcompile/core/types.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_set>

namespace gc::detail {

namespace {

/// The sum of what each process has counted.
std::size_t total(std::size_t own, ProcessGroup *group) { return group ? group->sums({own})[0] : own; }

/// How many different values all processes have.
std::size_t count_different(const std::unordered_set<std::uint64_t> &own, ProcessGroup *group) {
  if (!group)
    return own.size();
  Deal deal(*group); // a value is counted in one process
  for (const std::uint64_t value : own)
    deal.put(static_cast<int>(value % static_cast<std::uint64_t>(group->size())), value);
  std::unordered_set<std::uint64_t> different;
  for (const Bytes &bytes : deal.exchange())
    for (const char *at = bytes.data(), *end = at + bytes.size(); at < end;)
      different.insert(take_value<std::uint64_t>(at));
  return total(different.size(), group);
}

/// The least and the greatest of finite values, and how many these are.
struct Extent {
  double low = inf<double>(), high = -inf<double>();
  std::size_t finite = 0;

  void add(const Extent &other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    finite += other.finite;
  }
};

/// That of the values of all processes.
Extent joined(const Extent &own, ProcessGroup *group) {
  if (!group)
    return own;
  const std::vector<std::uint64_t> words = group->all({bits_of(own.low), bits_of(own.high), own.finite});
  Extent all;
  for (std::size_t i = 0; i < words.size(); i += 3)
    all.add({real_of(words[i]), real_of(words[i + 1]), words[i + 2]});
  return all;
}

} // namespace

std::string summary(const OutputView &view, const OutputInfo &info, const LoadedGraph &graph, ProcessGroup *group) {
  std::string text = info.name + ": ";
  if (info.shape == OutputShape::scalar) {
    if (!group || group->speaks()) // which knows the ends of all edges
      append_value(view, 0, info, graph, text);
    return text;
  }
  if (info.type == ElementType::tuple)
    return text + std::to_string(view.count) + " values";
  const OwnValues own = own_values(view, info.shape, graph, group);
  if (info.type == ElementType::boolean) {
    std::size_t holds = 0;
    for (std::size_t i = own.begin; i < own.end; ++i)
      holds += value_at<std::uint8_t>(element_at(view, i)) != 0;
    return text + "true for " + std::to_string(total(holds, group)) + " of " + std::to_string(view.count);
  }
  if (info.type == ElementType::vertex || info.type == ElementType::edge) {
    std::unordered_set<std::uint64_t> different;
    std::size_t some = 0;
    for (std::size_t i = own.begin; i < own.end; ++i) {
      const ElementRef ref{element_at(view, i), view.storage};
      if (is_none(ref))
        continue;
      ++some;
      different.insert(unsigned_of(ref));
    }
    return text + std::to_string(total(some, group)) + " of " + std::to_string(view.count) + " are set, to " +
           std::to_string(count_different(different, group)) + " different values";
  }
  Extent extent;
  for (std::size_t i = own.begin; i < own.end; ++i) {
    const double value = real_of({element_at(view, i), view.storage}, info.type);
    if (std::isfinite(value))
      extent.add({value, value, 1});
  }
  extent = joined(extent, group);
  if (extent.finite == 0)
    return text + "no finite value";
  text += "from ";
  append_number(extent.low, text);
  text += " to ";
  append_number(extent.high, text);
  if (extent.finite != view.count)
    text += ", finite for " + std::to_string(extent.finite) + " of " + std::to_string(view.count);
  return text;
}

} // namespace gc::detail
