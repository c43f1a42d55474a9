// The `exec` dialect: how a program runs. Every choice (direction, synchronisation, frontier, schedule) is an operation
// or an attribute here; the printers decide nothing. Expressions, scalar control flow (`graph.if`, `graph.while`,
// `graph.repeat`, `graph.break`, sequential `graph.for` over sets and levels on the host), `graph.state` (without init:
// allocation only), `graph.read` and set values are taken over from the `graph` dialect as they are.
#ifndef GCOMPILE_IR_EXEC_OPS
#define GCOMPILE_IR_EXEC_OPS

include "ir/exec/ExecCopies.td"
include "ir/exec/ExecExpressions.td"
include "ir/exec/ExecIndices.td"
include "ir/exec/ExecKernels.td"
include "ir/exec/ExecSets.td"
include "ir/exec/ExecSides.td"
include "ir/exec/ExecStatements.td"

#endif
