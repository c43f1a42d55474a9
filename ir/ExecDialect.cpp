#include "ir/ExecDialect.h"
#include "mlir/IR/DialectImplementation.h"

#include "ir/ExecEnums.cpp.inc"

#include "ir/ExecDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ir/ExecOps.cpp.inc"

void gcompile::exec::ExecDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ir/ExecOps.cpp.inc"
      >();
}
