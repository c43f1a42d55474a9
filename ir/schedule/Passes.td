// The pass that gives statements their schedules.
#ifndef GCOMPILE_IR_SCHEDULE_PASSES
#define GCOMPILE_IR_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def ApplySchedule : Pass<"graph-apply-schedule", "::mlir::ModuleOp"> {
  let summary = "gives each statement what a section of the program's schedule, and the layout, say of it";
  let description = [{
    Before: the `directives` of the algorithm say `direction pull` in the section of the target.
    After:  `graph.propagate ... {schedule = #graph.schedule<[<cpu "" direction pull at loc(...)>]>}`.
    The front end has checked words and numbers. What the lowering knows of a statement, it checks (E0502).
  }];
  let options = [
    Option<"section", "section", "std::string", "\"cpu\"", "which: cpu, cuda or hybrid; empty: the layout only">,
    Option<"layout", "layout", "bool", "true", "whether the layout is applied, too">];
}

#endif
