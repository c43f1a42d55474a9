#include "memory.h"

#include <gcompile/core/error.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>

#include <sys/resource.h>

namespace gc::detail {

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The number in a file that holds one, or `unlimited` (also for the word "max").
std::uint64_t number_in(const std::string &path) {
  std::ifstream file(path);
  std::uint64_t number;
  return file >> number ? number : unlimited;
}

/// The value of "KEY VALUE" or "KEY: VALUE kB" in a file of such lines, or `unlimited`.
std::uint64_t field_in(const std::string &path, const std::string &key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string name, unit;
    std::uint64_t number;
    if (fields >> name >> number && name == key)
      return fields >> unit && unit == "kB" ? number * 1024 : number;
  }
  return unlimited;
}

/// What one control group leaves: its limit less what is used and cannot be reclaimed.
std::uint64_t left_in_group(const std::string &folder, const char *limit_file, const char *usage_file) {
  const std::uint64_t limit = number_in(folder + limit_file);
  const std::uint64_t used = number_in(folder + usage_file);
  if (limit == unlimited || used == unlimited)
    return unlimited;
  std::uint64_t reclaimable = field_in(folder + "memory.stat", "inactive_file");
  if (reclaimable == unlimited)
    reclaimable = 0;
  const std::uint64_t fixed = used - std::min(used, reclaimable);
  return limit - std::min(limit, fixed);
}

std::uint64_t left_in_groups() {
  std::uint64_t left = unlimited;
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool unified = controllers.empty();
    if (!unified && controllers.find("memory") == std::string::npos)
      continue;
    const std::string root = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    std::string path = line.substr(second + 1);
    while (true) { // the group itself and all that contain it
      const std::string folder = root + (path == "/" ? "" : path) + "/";
      left = std::min(left, unified ? left_in_group(folder, "memory.max", "memory.current")
                                    : left_in_group(folder, "memory.limit_in_bytes", "memory.usage_in_bytes"));
      if (path.empty() || path == "/")
        break;
      path.resize(path.rfind('/'));
    }
  }
  return left;
}

std::uint64_t left_in_address_space() {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return unlimited;
  std::uint64_t used = field_in("/proc/self/status", "VmSize:");
  if (used == unlimited)
    used = 0;
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used);
}

} // namespace

std::string format_bytes(double bytes) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = 0;
  while (bytes >= 1024 && unit < 6) {
    bytes /= 1024;
    ++unit;
  }
  char text[64];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
  return text;
}

MemoryBudget::MemoryBudget(std::uint64_t limit) : limit_(limit) {}

double MemoryBudget::left() const {
  const double machine = static_cast<double>(available_memory());
  if (limit_ == 0)
    return machine;
  return std::min(machine, std::max(0.0, static_cast<double>(limit_) - spent_));
}

void MemoryBudget::require(double bytes, const std::string &what) const {
  const double available = left();
  if (bytes > available)
    throw Error(ErrorKind::resource, what + " needs about " + format_bytes(bytes) + " of memory, but only " +
                                         format_bytes(available) + " is available");
}

} // namespace gc::detail

void gc::require_array(std::uint64_t length, std::uint64_t element_bytes, const char *where) {
  constexpr double small = 1 << 20; // to ask what is available takes longer than to fill it
  const double bytes = static_cast<double>(length) * static_cast<double>(element_bytes);
  if (bytes > small)
    detail::MemoryBudget(0).require(bytes, std::string(where) + ": an array of " + std::to_string(length) + " values");
}

std::uint64_t gc::available_memory() {
  using namespace gc::detail;
  return std::min({field_in("/proc/meminfo", "MemAvailable:"), left_in_groups(), left_in_address_space()});
}
