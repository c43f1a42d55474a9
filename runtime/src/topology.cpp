// The packages of the machine, as the Linux kernel lists them.
#include <gcompile/omp/threads/topology.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <string>

#include <sched.h>
#include <unistd.h>

namespace gc {

namespace {

/// The kernel's ids of packages are any numbers; here they count from 0 in their order.
std::vector<unsigned> packages_of_cpus() {
  const long unknown = -1; // of a CPU that is switched off
  std::vector<long> ids(static_cast<std::size_t>(std::max(sysconf(_SC_NPROCESSORS_CONF), 1L)), unknown);
  for (std::size_t cpu = 0; cpu < ids.size(); ++cpu) {
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/physical_package_id");
    if (!(file >> ids[cpu]) || ids[cpu] < 0)
      ids[cpu] = unknown;
  }
  std::vector<long> known = ids;
  known.erase(std::remove(known.begin(), known.end(), unknown), known.end());
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  std::vector<unsigned> packages(ids.size());
  for (std::size_t cpu = 0; cpu < ids.size(); ++cpu)
    if (ids[cpu] != unknown)
      packages[cpu] = static_cast<unsigned>(std::lower_bound(known.begin(), known.end(), ids[cpu]) - known.begin());
  return packages;
}

} // namespace

const Topology &Topology::machine() {
  static const Topology topology(packages_of_cpus());
  return topology;
}

unsigned Topology::here() const { return package_of(sched_getcpu()); }

} // namespace gc
