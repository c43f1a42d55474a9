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
    `by_schedule` the schedule wants that. `by_one_list`: it is the CPU, since each turn of a loop goes along one list.
  }];
  let arguments = (ins StrAttr:$algorithm, Exec_Side:$on, F64ArrayAttr:$work, UnitAttr:$goes_over, UnitAttr:$by_schedule,
                       UnitAttr:$by_one_list);
  let assemblyFormat = "$algorithm `on` $on `work` $work attr-dict";
  let hasVerifier = 1;
}
def Exec_NextStageOp : Exec_Op<"next_stage"> {
  let summary = "between two stages of an algorithm, which may run on different sides";
  let description = [{
    In the algorithm's own sequence of statements, in the body of a sequential loop or in a choice there, at any depth;
    made by graph-cut-stages. Nothing but states, arguments and constants is defined before it and used behind it. A
    loop or choice with stages in it is a stage on the CPU, which counts the turns and chooses; what stands in the body
    before the first exec.next_stage belongs to it. Other targets, and serial forms, do not look at it.
  }];
  let assemblyFormat = "attr-dict";
}

def Exec_StageOp : Exec_Op<"stage"> {
  let summary = "one stage of the algorithm of the same name, which runs on one side";
  let description = [{
    Beside exec.sides, in the order of the program, where there are several. `on`: where the schedule wants it. `work`:
    as exec.sides. `touches`: the states that it reads or writes part of, which must be there; `writes`: those that it
    changes; both are found by exec-match-sides in the forms. `both`: it costs little, and each side runs it before all
    others. `inside`: it has a loop or a choice, in which so many of the next stages stand, at any depth; `turns`: a
    loop, so that they run several times. `by_one_list`: as exec.sides.
  }];
  let arguments = (ins StrAttr:$algorithm, Exec_Side:$on, F64ArrayAttr:$work, StrArrayAttr:$touches,
                       StrArrayAttr:$writes, UnitAttr:$both, DefaultValuedAttr<I64Attr, "0">:$inside,
                       UnitAttr:$turns, UnitAttr:$by_one_list);
  let assemblyFormat = "$algorithm `on` $on `work` $work `touches` $touches `writes` $writes attr-dict";
}

#endif
