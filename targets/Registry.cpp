#include "targets/Target.h"

namespace gcompile {

// Every target, one line each: the function that gives its record. The first one is the default.
#define TARGETS(TARGET)                                                                                                \
  TARGET(ompTarget)                                                                                                    \
  TARGET(cudaTarget)                                                                                                   \
  TARGET(serialTarget)                                                                                                 \
  TARGET(mpiTarget)                                                                                                    \
  TARGET(hybridTarget)                                                                                                 \
  TARGET(gpusTarget)

#define DECLARE(record) Target record();
TARGETS(DECLARE)

const std::vector<Target> &targets() {
#define LIST(record) record(),
  static const std::vector<Target> all = {TARGETS(LIST)};
  return all;
}

const Target *findTarget(const std::string &name) {
  for (const Target &target : targets())
    if (name == target.name)
      return &target;
  return nullptr;
}

} // namespace gcompile
