// A loop that one kernel can run: a function object, which the runtime calls in every thread, or on the host.
#pragma once

#include "codegen_cuda/DeviceLaunch.h"
#include "codegen_cuda/HostPrinter.h"

namespace gcompile::cuda {

class LoopPrinter {
public:
  /// `host` prints the code around the loop, `space` is the namespace of the kernels.
  LoopPrinter(HostPrinter &host, cpp::Program &program, std::string space, exec::DeviceLoopOp whole);

  /// The definition of the function object.
  cpp::Writer print();
  /// After print(), for the host: the call that runs the loop, with the values that it begins with and leaves.
  void run(cpp::Writer &out);

private:
  /// What the runtime asks the function object's type.
  void printTraits(cpp::Writer &text);
  /// The call alone.
  std::string call();

  exec::DeviceLoopOp whole;
  mlir::Operation *loop; // that it holds
  std::string space, typeName;
  DeviceLaunch launch;
  HostPrinter body;
};

} // namespace gcompile::cuda
