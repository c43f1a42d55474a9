#include "ir/exec/ExecDialect.h"
#include "mlir/IR/DialectImplementation.h"

#include "ir/exec/ExecEnums.cpp.inc"

#include "ir/exec/ExecDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ir/exec/ExecOps.cpp.inc"

mlir::LogicalResult gcompile::exec::AsynchronousOp::verify() {
  if (getChunk() < 8 || getChunk() > 64)
    return emitOpError("has chunks of ") << getChunk() << " vertices, not 8 to 64";
  if (getPush().getNumArguments() != 1 || !mlir::isa<graph::VertexType>(getPush().getArgument(0).getType()))
    return emitOpError("has a region that does not take one vertex");
  if (!getPriority())
    return getDelta() == 0 ? mlir::success() : emitOpError("has levels of a width, but no priority");
  auto type = mlir::cast<graph::StateType>(getPriority().getType());
  if (type.getShape() != graph::Shape::PerVertex || !type.getElement().isIntOrFloat() || type.getElement().isInteger(1))
    return emitOpError("is ordered by what is no number of each vertex");
  return static_cast<std::int64_t>(getDelta()) >= 0 ? mlir::success() : emitOpError("has levels of a negative width");
}

void gcompile::exec::ExecDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ir/exec/ExecOps.cpp.inc"
      >();
}
