// Priorities in levels of the same width.
#ifndef GCOMPILE_CORE_PRIORITY_LEVELS_H
#define GCOMPILE_CORE_PRIORITY_LEVELS_H

#include <gcompile/core/types.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace gc {

/// Which level a priority belongs to: the levels are `delta` wide.
template <class P> class PriorityLevels {
public:
  explicit PriorityLevels(double delta) : delta_(delta > 0 ? delta : 1) {
    const auto width = static_cast<std::uint64_t>(std::min(delta_, 9e18));
    shift_ = static_cast<double>(width) == delta_ && (width & (width - 1)) == 0 ? __builtin_ctzll(width) : -1;
  }

  GCOMPILE_HD std::int64_t of(P priority) const {
    if constexpr (std::is_integral<P>::value) {
      if (shift_ >= 0)
        return static_cast<std::int64_t>(priority) >> shift_;
    }
    const double index = std::floor(static_cast<double>(priority) / delta_);
    const double limit = 4e18; // of the result, with room for windows
    return index >= limit    ? static_cast<std::int64_t>(limit)
           : index <= -limit ? -static_cast<std::int64_t>(limit)
                             : static_cast<std::int64_t>(index);
  }

private:
  double delta_;
  int shift_; // of a width that is a power of two, or -1
};

} // namespace gc

#endif
