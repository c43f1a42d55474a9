// How fast the sides of a machine are: what `--calibrate` measures, and programs of two forms choose by.
#ifndef GCOMPILE_HYBRID_RATES_H
#define GCOMPILE_HYBRID_RATES_H

#include <string>

namespace gc {
namespace hybrid {

/// All in seconds. Without a calibration, those of a machine of 2023.
struct Rates {
  double gpu_start = 0.3;    ///< until a GPU takes its first kernel, in a process that has not used it
  double copy_start = 2e-5;  ///< before each copy from one side to the other
  double moved_byte = 4e-11; ///< of the graph or of a state
  double cpu_arc = 4e-9;     ///< on one thread
  double gpu_arc = 2e-11;    ///< on all of the GPU
  double cpu_pair = 4e-10;   ///< an update of a pair, on one thread
  double gpu_pair = 4e-13;   ///< on all of the GPU
};

/// Those of this machine: as calibrated, else the ones above. Throws Error if the file that keeps them is damaged.
Rates kept_rates();

/// Keeps them for the programs of this user on this machine, and gives the file's name.
std::string keep_rates(const Rates &rates);

} // namespace hybrid
} // namespace gc

#endif
