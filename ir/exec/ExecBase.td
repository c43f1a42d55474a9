// The `exec` dialect itself; its operations are in the files that ExecOps.td includes.
#ifndef GCOMPILE_IR_EXEC_BASE
#define GCOMPILE_IR_EXEC_BASE

include "ir/exec/ExecEnums.td"
include "ir/exec/ExecInterfaces.td"
include "ir/graph/GraphBase.td"

def Exec_Dialect : Dialect {
  let name = "exec";
  let cppNamespace = "::gcompile::exec";
  let summary = "Programs with every choice made";
  let description = [{
    Kernels (`exec.parallel`, `exec.reduce`, `exec.filter`, `exec.propagate` and others) run in parallel; each becomes a
    function of its own. What stands around them runs on the host. Every update says how it is made safe. Expressions,
    states and the control flow of scalars are operations of the `graph` dialect. Printers write what stands here, and
    decide nothing.
  }];
  let dependentDialects = ["::gcompile::graph::GraphDialect"];
}
class Exec_Op<string mnemonic, list<Trait> traits = []> : Op<Exec_Dialect, mnemonic, traits>;

/// Where the program says something.
def Exec_Place : Attr<LocationAttr.predicate, "a place of the program"> {
  let storageType = "::mlir::LocationAttr";
  let returnType = "::mlir::LocationAttr";
  let convertFromStorage = "$_self";
}

#endif
