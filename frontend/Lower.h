// From the checked syntax tree to the `graph` dialect.
#pragma once

#include "frontend/Ast.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace gcompile {

/// One `graph.algorithm` for each algorithm of a program that Sema accepted, and one `graph.func` for each function.
/// Every operation carries its place in the `.gdsl` file. The result verifies.
mlir::OwningOpRef<mlir::ModuleOp> lowerToGraph(const ast::Program &program, mlir::MLIRContext &context);

} // namespace gcompile
