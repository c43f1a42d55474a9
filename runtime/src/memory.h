// Memory that is left, and checks before big allocations.
#ifndef GCOMPILE_SRC_MEMORY_H
#define GCOMPILE_SRC_MEMORY_H

#include <gcompile/core/memory.h>

#include <cstdint>
#include <string>

namespace gc::detail {

/// A count of bytes for people: "1.5 GiB".
std::string format_bytes(double bytes);

/// Bytes of this process that are in memory now. Allocates nothing.
std::uint64_t resident_memory();
/// The most that were at any time.
std::uint64_t peak_memory();

/// Refuses work that does not fit before anything is allocated for it.
class MemoryBudget {
public:
  /// `limit` bytes in all, or what is available if 0.
  explicit MemoryBudget(std::uint64_t limit);

  /// Throws a resource Error "WHAT needs about X, but only Y is available" if `bytes` more do not fit.
  void require(double bytes, const std::string &what) const;
  /// Bytes that were allocated from now on count against an explicit limit.
  void spend(double bytes) { spent_ += bytes; }
  double left() const;

private:
  std::uint64_t limit_;
  double spent_ = 0;
};

} // namespace gc::detail

#endif
