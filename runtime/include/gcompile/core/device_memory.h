// The memory of a GPU that a program uses: what it may take, what it needs, and where the arrays of its graph are.
#ifndef GCOMPILE_CORE_DEVICE_MEMORY_H
#define GCOMPILE_CORE_DEVICE_MEMORY_H

#include <array>
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

/// The most GPUs that a program uses.
constexpr unsigned most_gpus = 64;

/// The number of the GPU that this thread uses: a thread uses one, and where there are several, each has its thread.
inline thread_local unsigned gpu_in_use = 0;

/// One object for each GPU, of which a thread sees that of its own.
template <class T> class PerGpu {
public:
  T &mine() { return items_[gpu_in_use]; }
  const std::array<T, most_gpus> &all() const { return items_; }

private:
  std::array<T, most_gpus> items_ = {};
};

/// The memory of GPUs as this process uses it.
class DeviceMemory {
public:
  /// From now on the process uses no more of each GPU than `bytes`; 0: no such limit.
  void limit(std::uint64_t bytes) { limit_ = bytes; }
  std::uint64_t limit() const { return limit_; }
  bool has_room(std::uint64_t bytes) const { return limit_ == 0 || (used() <= limit_ && bytes <= limit_ - used()); }

  void add(std::uint64_t bytes) {
    Use &use = uses_.mine();
    use.now += bytes;
    use.peak = use.now > use.peak ? use.now : use.peak;
  }
  void remove(std::uint64_t bytes) { uses_.mine().now -= bytes; }
  std::uint64_t used() const { return uses_.all()[gpu_in_use].now; }
  /// The most that was allocated on a GPU at any time.
  std::uint64_t peak() const {
    std::uint64_t peak = 0;
    for (const Use &use : uses_.all())
      peak = use.peak > peak ? use.peak : peak;
    return peak;
  }

  /// Told of each plan for the first GPU, before anything is allocated for it; others have the like.
  void when_planned(void (*tell)(const DevicePlan &)) { tell_ = tell; }
  void plan(DevicePlan plan) {
    if (gpu_in_use != 0)
      return;
    plan_ = std::move(plan);
    if (tell_)
      tell_(plan_);
  }
  /// The last one; without parts if there is none.
  const DevicePlan &plan() const { return plan_; }

  /// Loops over all vertices of the first GPU whose lists of arcs are with the host: so many were copied in blocks, so
  /// many read in place.
  struct Loops {
    std::uint64_t streamed = 0, in_place = 0;
  };
  void count_loop(bool streamed) {
    if (gpu_in_use == 0)
      ++(streamed ? loops_.streamed : loops_.in_place);
  }
  const Loops &loops() const { return loops_; }

private:
  struct Use {
    std::uint64_t now = 0, peak = 0;
  };

  std::uint64_t limit_ = 0;
  PerGpu<Use> uses_;
  DevicePlan plan_;
  Loops loops_;
  void (*tell_)(const DevicePlan &) = nullptr;
};

inline DeviceMemory device_memory;

/// How many GPUs --gpus asks for; 0: all that there are.
inline int wanted_gpus = 0;

} // namespace gc

#endif
