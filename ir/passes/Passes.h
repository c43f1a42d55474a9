// The passes, one file each; see Passes.td. Pipelines.cpp says where each runs.
#pragma once

#include "ir/ExecDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gcompile {

#define GEN_PASS_DECL
#include "ir/passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ir/passes/Passes.h.inc"

} // namespace gcompile
