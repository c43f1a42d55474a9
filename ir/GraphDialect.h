// The `graph` dialect: what a program says. See GraphOps.td.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/GraphEnums.h.inc"

#include "ir/GraphDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/GraphTypes.h.inc"

#define GET_OP_CLASSES
#include "ir/GraphOps.h.inc"
