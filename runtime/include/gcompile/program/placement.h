// Where a program runs that has a form for the CPU and one for the GPU.
#ifndef GCOMPILE_PROGRAM_PLACEMENT_H
#define GCOMPILE_PROGRAM_PLACEMENT_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gc {

/// automatic: whichever is faster. migrate: the first rounds on the CPU, then on the GPU. mixed: each stage on a side
/// of its own.
enum class Side { automatic, cpu, gpu, migrate, mixed };

/// What the compiler knows of it.
struct Sides {
  Side on = Side::automatic; ///< what the schedule says, or by_one_list
  /// How often a run goes through all edges, all edges for each vertex, all pairs, all pairs for each vertex.
  std::array<double, 4> work = {};
  bool goes_over = false;   ///< whether it can migrate
  bool by_one_list = false; ///< it is the CPU since each turn of a loop goes along one list
};

/// What the user wants.
struct Wish {
  Side on = Side::automatic;
  std::uint64_t runs = 1;        ///< of the program, for which the device is started once
  std::vector<Side> stages = {}; ///< the CPU or the GPU for each; empty: as `on` says
};

/// Where it has been put. After a run, also what that has moved.
struct Placement {
  Side on = Side::cpu;
  std::string reason;
  std::vector<Side> stages = {}; ///< of a mixed program: the CPU or the GPU for each
  Side ended = Side::cpu;        ///< where the last run has ended
  std::uint64_t moved_bytes = 0; ///< from the one side to the other, in the last run
};

inline const char *name_of(Side side) {
  return side == Side::cpu       ? "cpu"
         : side == Side::gpu     ? "gpu"
         : side == Side::migrate ? "migrate"
         : side == Side::mixed   ? "mixed"
                                 : "auto";
}

} // namespace gc

#endif
