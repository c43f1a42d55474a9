// Passes on the `graph` dialect: what a program means. See Passes.td; Pipelines.cpp says where each runs.
#pragma once

#include "ir/graph/GraphDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gcompile {

#define GEN_PASS_DECL
#include "ir/graph/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ir/graph/Passes.h.inc"

} // namespace gcompile
