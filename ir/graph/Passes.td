// Passes on the `graph` dialect: what a program means.
#ifndef GCOMPILE_IR_GRAPH_PASSES
#define GCOMPILE_IR_GRAPH_PASSES

include "mlir/Pass/PassBase.td"

def MarkInfinity : Pass<"graph-mark-infinity", "::mlir::ModuleOp"> {
  let summary = "marks additions, subtractions and conversions that may meet inf as absorbing";
  let description = [{
    Before: `%s = graph.binary add %d, %w : i32` where %d reads a state that starts at inf.
    After:  `%s = graph.binary add %d, %w absorbing : i32`.
  }];
}

def CheckWrites : Pass<"graph-check-writes", "::mlir::ModuleOp"> {
  let summary = "the write rule: refuses every write in a data-parallel statement that it cannot prove free of races";
  let description = [{
    Each write must be owned, a reduction, a claim, part of a claim, or the same value from every iteration
    (`EffectTable`). The rule also holds for a statement inside of another, which one iteration runs as a sequence.
    Errors carry the codes E0401 to E0409.
  }];
}

def CheckDeviceFunctions : Pass<"graph-check-device-functions", "::mlir::ModuleOp"> {
  let summary = "refuses calls of C++ functions that a GPU cannot run";
  let description = [{
    Any statement may come to run on the device, so all of them count.
  }];
}
def MarkHandOver : Pass<"graph-mark-hand-over", "::mlir::ModuleOp"> {
  let summary = "finds the propagate whose rounds may begin on the CPU and go on on the GPU";
  let description = [{
    Before: `graph.propagate edges %from ...`.
    After:  the same with `hand_over = [T4, alpha], crossing = ["parent", "depth"]`, the states that it writes.
    What stands before it is cheap, and runs on both sides: loops over vertices that look at no edge, and single values.
    It runs once, in rounds, without `until` and without kept levels, and writes values of vertices alone. Then no
    vertex has changed but those that were in a frontier, and with their values the GPU has all that the CPU has. What
    follows runs on the GPU. The schedule may say `on migrate`; where it cannot be obeyed, it is refused (E0502).
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def CutStages : Pass<"graph-cut-stages", "::mlir::ModuleOp"> {
  let summary = "cuts a program for the CPU and the GPU into stages, each of which may run on either side";
  let description = [{
    Before: statements of an algorithm that look at edges or pairs, or have a side of their own.
    After:  the same with `exec.next_stage` between them, and before the first one. What costs little stands with the
            statement behind it. The algorithm's states have their numbers as `exec.handed`.
    A statement that uses a value of another one is in its stage. A loop or choice is one stage, unless the schedule
    wants a side for a statement in it, at any depth of sequential loops and choices; then what stands in it is cut in
    the same way, and the loop or choice itself is on the CPU. What a loop's body begins with (its variables, and values
    with names) becomes states of the turn. A program of which a propagate may go over, or which the schedule wants on
    one side as a whole, has no stages. Where the schedule wants statements on different sides that must be in one
    stage, it is refused (E0502).
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def SplitSides : Pass<"graph-split-sides", "::mlir::ModuleOp"> {
  let summary = "gives each side of a machine, the CPU and the GPU, the whole program";
  let description = [{
    Before: the algorithms and functions of the program.
    After:  modules @cpu and @gpu with a copy of all each, and an `exec.sides` for each algorithm, which says where it
            runs, and how much work it is; so does an `exec.stage` for each of its stages. Each side then has the passes
            of its own.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def AddSerialForms : Pass<"graph-add-serial-forms", "::mlir::ModuleOp"> {
  let summary = "adds to each algorithm a copy `NAME_serial` with `serial_of`, for --verify";
}

def HoistSetReads : Pass<"graph-hoist-set-reads", "::mlir::ModuleOp"> {
  let summary = "reads what the condition of a selected set depends on in front of the set, not in the loop over it";
  let description = [{
    Before: `for w in {x in g where n < 1} { n += 1; }`, in a data-parallel statement.
    After:  `let m = n; for w in {x in g where m < 1} { n += 1; }`.

    The set is what it is before the loop, but the lowering makes its condition a test in the loop. So a read of a state
    that the statement writes moves in front, unless it depends on the set's own vertex. Other elements cannot change
    within the iteration (snapshot rule).
  }];
}

def HoistVertexReads : Pass<"graph-hoist-vertex-reads", "::mlir::ModuleOp"> {
  let summary = "reads what the vertex has whose edges a statement visits in front of the statement, if this writes there";
  let description = [{
    Before: `for e: u -> v { dist[v] min= dist[u] + e.weight; }`, where u is one vertex.
    After:  `let d = dist[u]; for e: u -> v { dist[v] min= d + e.weight; }`.

    The statement reads what stood there before (snapshot rule): without the pass, a copy of the whole state.
  }];
}

def RemoveDead : Pass<"graph-remove-dead", "::mlir::ModuleOp"> {
  let summary = "removes properties that nothing reads, and writes that nothing reads before the next one";
  let description = [{
    Before: `%t = graph.state "t" ... for v { %t[v] = ...; %r[v] = ... }`, without a read of %t, which is no output.
    After:  `for v { %r[v] = ... }`.
    Before: `%s = graph.state "s" init {...}` and, in front of all that reads it, `for v { %s[v] = ... }`.
    After:  `%s = graph.state "s" {temporary}`, which is not initialised.
    What may end the program with an error stays, and so does what makes a vertex active in a propagate. For --explain
    the algorithm gets a `#graph.removed` for each. Serial forms stay as they are.
  }];
}

def HoistTerms : Pass<"graph-hoist-terms", "::mlir::ModuleOp"> {
  let summary = "computes once for each vertex what all of its edges would compute again";
  let description = [{
    Before: `for v { ... graph.reduce sum into %v value { ^bb0(%u, %e): yield %rank[%u] / degree out %u } }`.
    After:  `for v { %rank_term[v] = %rank[v] / degree out v }`, and the sum is one of `%rank_term[%u]`.
    For loops over all vertices or edges that read at the other end of an edge. The values are those before the
    statement, as the snapshot rule wants, so these states need no copy. Done where an edge saves a load or a division.
    Legal where the term depends on that end and on no variable that the statement writes, and where computing it for a
    vertex without edges cannot fail. Serial forms stay as they are.
  }];
}

def LevelValues : Pass<"graph-level-values", "::mlir::ModuleOp"> {
  let summary = "replaces a value that grows by one along the claims of a propagate by the number of the round";
  let description = [{
    Before: `%d[%u] + 1` assigned to `%d[%v]` where `%v` is claimed, with `%d` 0 at the initial set.
    After:  the round: it needs no load, cannot be inf, and is the same for all writers. The assignment of the claim
            itself, whose guard it makes false, is marked `grows_by_round`.
    Legal where the effect table shows that active vertices are never written. Serial forms stay as they are.
  }];
}

def RecordFacts : Pass<"graph-record-facts", "::mlir::ModuleOp"> {
  let summary = "leaves at each statement, read and write what analyses say of it, for --explain";
  let description = [{
    Before: `graph.update assign %parent[%v] = %u`.
    After:  the same with `graph.facts = #graph.facts<[#graph.write<other_end, claim>, #graph.safety<push,
            compare_and_set>, #graph.safety<pull, one_thread>]>`.
    The facts are those about the program as it is scheduled and will be lowered. Only `--explain` runs the pass, on a
    copy of the program.
  }];
  let options = [Option<"onDevice", "on-device", "bool", "false", "kernels run on a device">];
}

#endif
