// Where the arrays of a graph go: into the device's memory, or into the host's, where kernels read them.
#ifndef GCOMPILE_CUDA_PLACEMENT_H
#define GCOMPILE_CUDA_PLACEMENT_H

#include <gcompile/core/device_memory.h>
#include <gcompile/cuda/device/memory.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

namespace gc {
namespace cuda {

/// Bytes of the device that this process may still use: the rest of --device-memory, and no more than what is free less
/// a reserve for what the CUDA runtime takes.
inline double usable_memory() {
  std::size_t free = 0, total = 0;
  detail::SpareMemory::release();
  check(cudaMemGetInfo(&free, &total), "no device");
  const double usable = std::max(static_cast<double>(free) - static_cast<double>(total) / 64, 0.0);
  const std::uint64_t limit = device_memory.limit(), used = device_memory.used();
  return limit == 0 ? usable : std::min(usable, limit > used ? static_cast<double>(limit - used) : 0.0);
}

/// Plans what goes where, before anything is allocated. First comes what must be on the device; then the arrays of
/// arcs, in the order in which they are asked for: those first that are read most for their bytes. An array that does
/// not fit stays with the host, and a smaller one may have the room.
class Placement {
public:
  explicit Placement(std::string program) : program_(std::move(program)) { plan_.usable = usable_memory(); }

  /// What has to be on the device.
  void require(const std::string &what, double bytes) {
    if (bytes > 0)
      plan_.parts.push_back({what, bytes, true});
  }
  /// After all of that: throws Error if it does not fit.
  void check_required() const {
    if (plan_.bytes(true) <= plan_.usable)
      return;
    std::string parts;
    for (const DevicePlan::Part &part : plan_.parts)
      parts += (parts.empty() ? "" : ", ") + part.what + " " + mebibytes(part.bytes);
    throw Error(ErrorKind::resource, "out of memory on the GPU: without the edges of this graph, " + program_ +
                                         " needs about " + mebibytes(plan_.bytes(true)) + " there (" + parts + "), " +
                                         mebibytes(plan_.usable) + " may be used");
  }
  /// Whether an array of arcs goes onto the device.
  bool place(const std::string &what, double bytes) {
    bool fits = bytes <= left();
#ifdef GCOMPILE_CUDA_EMULATION
    if (device_memory.limit() == 0 && emulation::tosses()) // either is right
      fits = false;
#endif
    if (bytes > 0)
      plan_.parts.push_back({what, bytes, fits});
    return fits;
  }
  /// How many of `most` elements have room on the device. There are no others.
  std::uint64_t take(const std::string &what, double bytes_of_each, std::uint64_t most) {
    const double fit = std::max(left(), 0.0) / std::max(bytes_of_each, 1.0);
    std::uint64_t count = fit < static_cast<double>(most) ? static_cast<std::uint64_t>(fit) : most;
#ifdef GCOMPILE_CUDA_EMULATION
    if (device_memory.limit() == 0 && emulation::tosses()) // any number is right
      count /= 5;
#endif
    if (count > 0)
      plan_.parts.push_back({what, bytes_of_each * static_cast<double>(count), true});
    return count;
  }
  /// Bytes of the device that nothing is planned for.
  double left() const { return plan_.usable - plan_.bytes(true); }
  const DevicePlan &plan() const { return plan_; }

private:
  static std::string mebibytes(double bytes) {
    char text[40];
    std::snprintf(text, sizeof text, "%.1f MiB", bytes / (1 << 20));
    return text;
  }

  std::string program_;
  DevicePlan plan_;
};

} // namespace cuda
} // namespace gc

#endif
