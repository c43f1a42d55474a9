// The code between kernels on one of several devices: `devices_` knows which vertices are this device's.
#pragma once

#include "codegen_cuda/HostLaunch.h"

namespace gcompile::gpus {

class PartsLaunch : public cuda::HostLaunch {
public:
  using HostLaunch::HostLaunch;

  bool goesAlongOneList() const override { return false; } // it is with its owner

  std::string touched() override { return "devices_.touched()"; }
  std::string call(llvm::StringRef function, cuda::Lists lists, const std::string &members,
                   const std::string &rest) override;
  cpp::Text makeSet(mlir::Operation *op) override;
  cpp::Text size(graph::SetSizeOp op) override;

private:
  /// This device's members of a set that all devices know.
  static cpp::Text own(const std::string &members) { return {"devices_.own(" + members + ")"}; }
};

} // namespace gcompile::gpus
