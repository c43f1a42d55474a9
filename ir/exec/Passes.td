// Passes on the `exec` dialect: how a program runs. Each room has its own.
#ifndef GCOMPILE_IR_EXEC_PASSES
#define GCOMPILE_IR_EXEC_PASSES

include "ir/exec/passes/common/Passes.td"
include "ir/exec/passes/cpu/Passes.td"
include "ir/exec/passes/gpu/Passes.td"
include "ir/exec/passes/parts/Passes.td"

#endif
