// The groups of CPUs of the machine, as the Linux kernel describes them.
#include <gcompile/omp/threads/topology.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

#include <sched.h>
#include <unistd.h>

namespace gc {

namespace {

std::optional<long> number_in(const std::string &path) {
  std::ifstream file(path);
  long number = 0;
  return file >> number && number >= 0 ? std::optional(number) : std::nullopt;
}

/// The first of the CPUs that share the last cache of one.
long first_at_last_cache(const std::string &cpu) {
  long level = 0, first = -1;
  for (int index = 0;; ++index) {
    const std::string cache = cpu + "/cache/index" + std::to_string(index);
    const std::optional<long> of_this = number_in(cache + "/level");
    if (!of_this)
      return first;
    if (const std::optional<long> sharing = number_in(cache + "/shared_cpu_list"); sharing && *of_this > level) {
      level = *of_this;
      first = *sharing; // it stands before the others, as in 4-7,12
    }
  }
}

/// The NUMA node of a CPU, which the kernel links to in the CPU's folder by a name like node3.
long node_of(const std::string &cpu) {
  std::error_code missing;
  for (const auto &entry : std::filesystem::directory_iterator(cpu, missing)) {
    const std::string name = entry.path().filename().string();
    if (name.size() > 4 && name.compare(0, 4, "node") == 0 && name.find_first_not_of("0123456789", 4) == name.npos)
      return std::strtol(name.c_str() + 4, nullptr, 10);
  }
  return -1;
}

} // namespace

Topology Topology::described(const std::string &folder, std::size_t cpus) {
  using Place = std::array<long, 3>; // package, node, first CPU at the last cache
  const long unknown = -1;           // package of a CPU that is switched off
  std::vector<Place> places(cpus, {unknown, unknown, unknown});
  for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
    const std::string at = folder + "/cpu" + std::to_string(cpu);
    const std::optional<long> package = number_in(at + "/topology/physical_package_id");
    if (package)
      places[cpu] = {*package, node_of(at), first_at_last_cache(at)};
  }
  std::vector<Place> known = places;
  known.erase(std::remove_if(known.begin(), known.end(), [&](const Place &place) { return place[0] == unknown; }),
              known.end());
  std::sort(known.begin(), known.end());
  const auto count = known.size();
  known.erase(std::unique(known.begin(), known.end()), known.end());
  if (known.size() == count && count > 1) { // nobody shares a cache
    for (std::vector<Place> *all : {&places, &known})
      for (Place &place : *all)
        place[2] = unknown;
    known.erase(std::unique(known.begin(), known.end()), known.end());
  }
  std::vector<unsigned> groups(cpus);
  for (std::size_t cpu = 0; cpu < cpus; ++cpu)
    if (places[cpu][0] != unknown)
      groups[cpu] = static_cast<unsigned>(std::lower_bound(known.begin(), known.end(), places[cpu]) - known.begin());
  return Topology(std::move(groups));
}

const Topology &Topology::machine() {
  static const Topology topology =
      described("/sys/devices/system/cpu", static_cast<std::size_t>(std::max(sysconf(_SC_NPROCESSORS_CONF), 1L)));
  return topology;
}

unsigned Topology::here() const { return group_of(sched_getcpu()); }

} // namespace gc
