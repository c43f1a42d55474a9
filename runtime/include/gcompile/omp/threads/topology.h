// Where threads run: packages (sockets) of the machine, whose threads share work with each other first.
#ifndef GCOMPILE_OMP_THREADS_TOPOLOGY_H
#define GCOMPILE_OMP_THREADS_TOPOLOGY_H

#include <cstddef>
#include <utility>
#include <vector>

namespace gc {

/// Which package each logical CPU belongs to.
class Topology {
public:
  /// One package.
  Topology() = default;
  /// `package_of_cpu[i]`: the package, counted from 0, of the CPU with number i.
  explicit Topology(std::vector<unsigned> package_of_cpu) : package_of_cpu_(std::move(package_of_cpu)) {
    for (unsigned package : package_of_cpu_)
      packages_ = package >= packages_ ? package + 1 : packages_;
  }
  /// That of this machine, found out once; one package where the system does not tell.
  static const Topology &machine();

  unsigned packages() const { return packages_; }
  /// An unknown CPU is taken for one of package 0.
  unsigned package_of(int cpu) const {
    const auto i = static_cast<std::size_t>(cpu);
    return cpu >= 0 && i < package_of_cpu_.size() ? package_of_cpu_[i] : 0;
  }
  /// The package that the calling thread runs in. It may be moved to another at any time: good as a preference only.
  unsigned here() const;

private:
  unsigned packages_ = 1;
  std::vector<unsigned> package_of_cpu_;
};

} // namespace gc

#endif
