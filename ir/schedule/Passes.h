// The pass that gives statements their schedules. See Passes.td; Pipelines.cpp says where each runs.
#pragma once

#include "ir/exec/ExecDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gcompile {

#define GEN_PASS_DECL
#include "ir/schedule/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ir/schedule/Passes.h.inc"

} // namespace gcompile
