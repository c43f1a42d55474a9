// A program in two forms, for the CPU and the GPU of one machine.
#ifndef GCOMPILE_IR_EXEC_SIDES
#define GCOMPILE_IR_EXEC_SIDES

include "ir/exec/ExecBase.td"

def Exec_SidesOp : Exec_Op<"sides"> {
  let summary = "where an algorithm runs whose forms are in the modules @cpu and @gpu beside this operation";
  let description = [{
    Made by graph-split-sides, one for each algorithm. `on`: where the schedule wants it; `chosen`: the program decides
    when it starts. `work`: how often a run goes through all edges, all edges for each vertex, all pairs, and all pairs
    for each vertex, as far as that is known before it runs. `goes_over`: a propagate has `hand_over`, and with
    `by_schedule` the schedule wants that.
  }];
  let arguments = (ins StrAttr:$algorithm, Exec_Side:$on, F64ArrayAttr:$work, UnitAttr:$goes_over, UnitAttr:$by_schedule);
  let assemblyFormat = "$algorithm `on` $on `work` $work attr-dict";
  let hasVerifier = 1;
}

#endif
