// The code between kernels on one of several devices: `devices_` knows which vertices are this device's.
#pragma once

#include "codegen_cuda/HostLaunch.h"

namespace gcompile::gpus {

class PartsLaunch : public cuda::HostLaunch {
public:
  using HostLaunch::HostLaunch;

  bool goesAlongOneList() const override { return false; } // it is with its owner

  std::string touched(bool ofEdges) override { return ofEdges ? "arcs_.touched()" : "devices_.touched()"; }
  std::string call(llvm::StringRef function, cuda::Lists lists, const std::string &members,
                   const std::string &rest) override;
  std::string callForPairs(const std::string &object) override {
    return "gc::gpus::for_pairs(devices_, " + object + ")";
  }
  void snapshot(exec::SnapshotOp op) override;
  cpp::Text makeSet(mlir::Operation *op) override;
  cpp::Text contains(graph::ContainsOp op) override;
  cpp::Text size(graph::SetSizeOp op) override;

private:
  /// This device's members of a set that all devices know.
  static cpp::Text own(const std::string &members) { return {"devices_.own(" + members + ")"}; }
};

} // namespace gcompile::gpus
