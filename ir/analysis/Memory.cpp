#include "ir/analysis/Memory.h"

using namespace mlir;

namespace gcompile {

double elementBytes(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type)) {
    double sum = 0;
    for (Type element : tuple.getTypes())
      sum += elementBytes(element);
    return sum;
  }
  if (auto foreign = dyn_cast<graph::ForeignType>(type))
    return foreign.getBytes();
  if (type.isInteger(1))
    return 1;
  if (isa<graph::EdgeType>(type) || type.isInteger(64) || type.isF64())
    return 8;
  if (isa<graph::SetType>(type))
    return 0.125 + 4; // bitmap and list
  return 4;
}

} // namespace gcompile
