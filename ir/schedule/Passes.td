// The pass that gives statements their schedules.
#ifndef GCOMPILE_IR_SCHEDULE_PASSES
#define GCOMPILE_IR_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def ApplySchedule : Pass<"graph-apply-schedule", "::mlir::ModuleOp"> {
  let summary = "turns a section of the program's schedule, and its layout, into attributes of the statements it names";
  let description = [{
    Before: the algorithm's `schedule` says `direction` with the value `pull`.
    After:  `graph.propagate ... {direction = "pull"}`.
    What this version does not know is an error (E0503), never ignored. The lowering checks legality (E0502).
  }];
  let options = [Option<"section", "section", "std::string", "\"cpu\"", "which: cpu or cuda; empty: the layout only">];
}

#endif
