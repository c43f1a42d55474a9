// Where threads run: groups of CPUs that are near to each other, whose threads share work with each other first.
#ifndef GCOMPILE_OMP_THREADS_TOPOLOGY_H
#define GCOMPILE_OMP_THREADS_TOPOLOGY_H

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace gc {

/// Which group each logical CPU belongs to. The CPUs of a group share the package, the NUMA node, and the last cache.
class Topology {
public:
  /// One group.
  Topology() = default;
  /// `group_of_cpu[i]`: the group, counted from 0, of the CPU with number i.
  explicit Topology(std::vector<unsigned> group_of_cpu) : group_of_cpu_(std::move(group_of_cpu)) {
    for (unsigned group : group_of_cpu_)
      groups_ = group >= groups_ ? group + 1 : groups_;
  }
  /// Of a machine with so many CPUs, whose kernel describes them in a folder like /sys/devices/system/cpu. What it does
  /// not tell is taken to be shared by all; caches that no two CPUs share make no groups.
  static Topology described(const std::string &folder, std::size_t cpus);
  /// That of this machine, found out once; one group where the system does not tell.
  static const Topology &machine();

  unsigned groups() const { return groups_; }
  /// An unknown CPU is taken for one of group 0.
  unsigned group_of(int cpu) const {
    const auto i = static_cast<std::size_t>(cpu);
    return cpu >= 0 && i < group_of_cpu_.size() ? group_of_cpu_[i] : 0;
  }
  /// The group that the calling thread runs in. It may be moved to another at any time: good as a preference only.
  unsigned here() const;

private:
  unsigned groups_ = 1;
  std::vector<unsigned> group_of_cpu_;
};

} // namespace gc

#endif
