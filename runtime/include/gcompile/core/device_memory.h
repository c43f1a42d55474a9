// The memory of a GPU that a program uses: what it may take, what it needs, and where the arrays of its graph are.
#ifndef GCOMPILE_CORE_DEVICE_MEMORY_H
#define GCOMPILE_CORE_DEVICE_MEMORY_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gc {

/// What a program needs for a graph, and where each part of it goes: computed before anything is allocated.
struct DevicePlan {
  struct Part {
    std::string what;
    double bytes;
    bool on_device; ///< or in the host's memory, where kernels read it
  };
  double usable = 0; ///< bytes of the GPU that the program may use
  std::vector<Part> parts;

  double bytes(bool on_device) const {
    double sum = 0;
    for (const Part &part : parts)
      if (part.on_device == on_device)
        sum += part.bytes;
    return sum;
  }
};

/// The GPU's memory as this process uses it.
class DeviceMemory {
public:
  /// From now on the process uses no more of it than `bytes`; 0: no such limit.
  void limit(std::uint64_t bytes) { limit_ = bytes; }
  std::uint64_t limit() const { return limit_; }
  bool has_room(std::uint64_t bytes) const { return limit_ == 0 || (used_ <= limit_ && bytes <= limit_ - used_); }

  void add(std::uint64_t bytes) {
    used_ += bytes;
    peak_ = used_ > peak_ ? used_ : peak_;
  }
  void remove(std::uint64_t bytes) { used_ -= bytes; }
  std::uint64_t used() const { return used_; }
  /// The most that was allocated at any time.
  std::uint64_t peak() const { return peak_; }

  /// Told of each plan, before anything is allocated for it.
  void when_planned(void (*tell)(const DevicePlan &)) { tell_ = tell; }
  void plan(DevicePlan plan) {
    plan_ = std::move(plan);
    if (tell_)
      tell_(plan_);
  }
  /// The last one; without parts if there is none.
  const DevicePlan &plan() const { return plan_; }

private:
  std::uint64_t limit_ = 0, used_ = 0, peak_ = 0;
  DevicePlan plan_;
  void (*tell_)(const DevicePlan &) = nullptr;
};

inline DeviceMemory device_memory;

} // namespace gc

#endif
