// The pass from the `graph` dialect to the `exec` dialect.
#ifndef GCOMPILE_IR_CONVERSION_PASSES
#define GCOMPILE_IR_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def GraphToExec : Pass<"graph-to-exec", "::mlir::ModuleOp"> {
  let summary = "chooses direction, frontier, synchronisation and double buffers, and lowers to the exec dialect";
  let description = [{
    Before: `graph.propagate edges %from where {...} do { graph.update assign %parent[%v] = %u }`.
    After:  `exec.propagate hybrid %from push { exec.for out_of %u { exec.claim atomic ... } } pull { ... }`.
    Algorithms with `serial_of` become plain serial programs that assume nothing about order.
  }];
  let options = [
    Option<"alpha", "alpha", "double", "15",
           "a round pulls once the arcs out of its frontier exceed those out of unvisited vertices divided by this">,
    Option<"alphaEndingEarly", "alpha-ending-early", "double", "40",
           "the same where a pull ends with its first success">,
    Option<"runtimeAlgorithms", "runtime-algorithms", "bool", "true",
           "whether algorithms of the runtime stand for components and triangle counts">,
    Option<"pullsLabels", "pulls-labels", "bool", "false",
           "where they do not: whether rounds that spread the least label of a component may pull">,
    Option<"recordsNumbers", "records-numbers", "bool", "false",
           "whether `needs` tells where results come to depend on the numbers of the vertices">,
    Option<"sharesLists", "shares-lists", "bool", "false",
           "whether a loop over the edges of one vertex is a kernel over the edges out of a set of that vertex">,
    Option<"byWork", "by-work", "bool", "false",
           "whether a propagate without an alpha of its schedule has `by_work`, if those who were active look no more">];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

#endif
