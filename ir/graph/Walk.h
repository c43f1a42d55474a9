// Walks for what looks at loops, kernels and other operations with regions.
#pragma once

#include "mlir/IR/OpDefinition.h"

#include <type_traits>
#include <utility>

namespace gcompile::graph {

/// Calls `visit` for each operation with regions within `root`, and for `root` itself: those inside first, in order. It
/// may erase what it is called for. Most operations have no regions; mlir::Operation::walk calls something for each.
inline void walkHolders(mlir::Operation *root, llvm::function_ref<void(mlir::Operation *)> visit) {
  for (mlir::Region &region : root->getRegions())
    for (mlir::Block &block : region)
      for (auto next = block.begin(), end = block.end(); next != end;)
        if (mlir::Operation &op = *next++; op.getNumRegions() != 0)
          walkHolders(&op, visit);
  visit(root);
}

/// The type of what a function takes.
template <typename Visit> using Visited = mlir::detail::first_argument<Visit>;

/// The same for operations of the types that the functions take: operations with regions, or interfaces of such. Each
/// is called for what it takes, in one walk; where there are several, none may erase it.
template <typename... Visits>
std::enable_if_t<(!std::is_same_v<Visited<Visits>, mlir::Operation *> && ...)> walkHolders(mlir::Operation *root,
                                                                                           Visits... visits) {
  walkHolders(root, [&](mlir::Operation *op) {
    auto call = [op](auto &visit) {
      using Op = Visited<std::decay_t<decltype(visit)>>;
      static_assert(std::is_void_v<decltype(visit(std::declval<Op>()))>, "such a walk is not interrupted");
      if constexpr (std::is_base_of_v<mlir::OpState, Op>)
        static_assert(!Op::template hasTrait<mlir::OpTrait::ZeroRegions>(), "would not be found");
      if (auto holder = mlir::dyn_cast<Op>(op))
        visit(holder);
    };
    (call(visits), ...);
  });
}

} // namespace gcompile::graph
