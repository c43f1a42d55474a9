// Passes on the `exec` dialect, on every target.
#ifndef GCOMPILE_IR_EXEC_PASSES_COMMON
#define GCOMPILE_IR_EXEC_PASSES_COMMON

include "mlir/Pass/PassBase.td"

def PromoteAccumulators : Pass<"exec-promote-accumulators", "::mlir::ModuleOp"> {
  let summary = "keeps what a loop adds to one element in a local variable";
  let description = [{
    Before: `exec.for out_of %u { ... exec.update add plain %delta[%u] = %x }`.
    After:  a local state, updated in the loop and added to `%delta[%u]` after it.
  }];
}

def KeepCopies : Pass<"exec-keep-copies", "::mlir::ModuleOp"> {
  let summary = "keeps the two copies of a propagate's state equal through a loop: one copy before it, not in each turn";
  let description = [{
    Before: in a sequential loop, `exec.update assign plain %side[%v] = %one`, `%n = exec.snapshot "side_next" %side`, and
            the exec.propagate that writes %n and commits it.
    After:  the snapshot in front of the loop, and in it `exec.update assign plain %n[%v] = %one` as well.
    When the propagate ends, the copies are equal: each vertex that changes is committed. Legal where all other writes
    to the state in the loop are plain, and a kernel makes at most one for each vertex. Serial forms stay as they are.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def SegmentPulls : Pass<"exec-segment-pulls", "::mlir::ModuleOp"> {
  let summary = "splits what kernels with `segment_bytes` compute over in-arcs into one pass for each cache segment";
  let description = [{
    Before: `exec.parallel "update" vertices %all { %s = exec.reduce sum { exec.for into %v { ... %x[%u] ... } } ... }`.
    After:  `exec.parallel "clear" ... { %sums[%v] = 0 }`,
            `exec.parallel "gather" ... {segment_width = N} { %p = exec.reduce sum { ... } %sums[%v] += %p }`,
            and the kernel with `%s = graph.read %sums[%v]`. A sum of reals goes on from `%sums[%v]`, so that its terms
            are added in the order of the list: the result is that of the kernel.

    A kernel with `segment_width` goes through the sources N at a time. For each segment it runs its body on the arcs
    from the segment, once for each vertex that has such arcs. N is such that what the body reads of the sources takes
    `segment_bytes`. The schedule has asked for segments, and canSegment has found them legal.

    Before: the kernel with `may_segment`.
    After:  `%pays = exec.segments_pay B; graph.if %pays { the same } else { the kernel }`, where "gather" has
            `source_bytes = B`, the bytes that it reads of each source: the program chooses N.

    With `runtime-combines` there is no "clear", and "gather" has `%sums[%v] = %p`. Where the edges at a vertex are
    divided among parts, kernels stay as they are.
  }];
  let options = [Option<"runtimeCombines", "runtime-combines", "bool", "false",
                        "whether the runtime puts the parts of a sum together">,
                 Option<"mayAlign", "may-align", "bool", "false",
                        "whether the program aligns lists where the schedule says so: kernels that read them stay as "
                        "they are">];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def KeepIndex : Pass<"exec-keep-index", "::mlir::ModuleOp"> {
  let summary = "keeps an index of the best key in place of the search that a sequential loop makes in every turn";
  let description = [{
    Before: in a sequential loop, `exec.reduce argmin over vertices %all { ... }`, which visits all vertices.
    After:  `%i = exec.keep_index argmin { ... }` in front of the loop, and `exec.index_best %i`.
    Of argmin, argmax, min and max. The keys depend on what the vertex has and on what the loop leaves alone; the loop
    changes them at single vertices, outside of kernels, where `exec.reindex` follows each change, or in kernels over a
    set, where `exec.note_change` does and `exec.reindex_noted` follows the kernel. What a search of another kind lacks
    is noted on its loop as a fact. Serial forms stay as they are.

    With `on-device`, `exec.reindex_noted` stands in front of `exec.index_best` instead: what the host changes will be
    changed by kernels (exec-outline-host-writes), and the index follows all of a turn at once. Loops whose kernels go
    over more than one vertex or the edges of one search there: all blocks run these, and search as fast.
  }];
  let options = [Option<"onDevice", "on-device", "bool", "false", "whether kernels will make all changes">];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def FuseKernels : Pass<"exec-fuse-kernels", "::mlir::ModuleOp"> {
  let summary = "makes one kernel of two that follow each other over the same vertices, one thread a vertex";
  let description = [{
    Before: `exec.parallel "commit" vertices %s { a[v] = b[v] } exec.parallel "add" vertices %s { c[v] += a[v] }`.
    After:  `exec.parallel "commit" vertices %s { a[v] = b[v]; c[v] += a[v] }`.
    What one of them writes and the other touches must belong to the vertex. Kernels with cache segments stay apart, and
    so do those whose work is shared by lanes or threads of a GPU. In a loop over levels on a GPU a barrier costs more:
    there one lane may do for the others what belongs to the vertex.
  }];
  let options = [Option<"keepSharing", "keep-sharing", "bool", "true",
                        "whether kernels over all vertices that threads share in different ways stay apart">];
}

def ClosePairs : Pass<"exec-close-pairs", "::mlir::ModuleOp"> {
  let summary = "makes loops that close a state of pairs, as Floyd and Warshall do, one operation that runs in blocks";
  let description = [{
    Before: `graph.for %k { %row = exec.snapshot %d row %k; %column = exec.snapshot %d column %k;
    exec.parallel pairs (%i, %j) { exec.update min %d[%i, %j] = %column[%i, %k] + %row[%k, %j] } }`.
    After:  `exec.close_pairs %d { (%i, %j, %k) ... exec.update min %d[%i, %j] = %d[%i, %k] + %d[%k, %j] }`.
    The loop goes over all vertices and holds nothing else. The kernel has one plain update, at its own pair; it reads of
    the state its own element and these two, and else only what no vertex or edge decides. Then each element has the
    operands of the plain loop in whatever order elements come: no law of the operation is asked for. Serial forms stay
    as they are. A loop that lacks something for this, or that the schedule keeps plain, has that as a fact
    (#graph.way), which `--explain` tells.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def OrderColumns : Pass<"exec-order-columns", "::mlir::ModuleOp"> {
  let summary = "orders edge columns by target for kernels that go against the edges, so that they read them in order";
  let description = [{
    Before: in a kernel that runs more than once, `exec.for into %v (%u, %e) { ... graph.read %weight[%e] ... }`, by ids that are
            anywhere in the column.
    After:  `%c = exec.by_target "weight_by_target" %weight` at the algorithm's beginning, and
            `exec.for into %v (%u, %k) {by_place} { ... graph.read %c[%k] ... }`.
    Legal where the loop asks the edge for nothing but columns. Serial forms stay as they are, and so does a kernel that
    runs once: to copy the column costs as much as to look it up.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def OrderLevels : Pass<"exec-order-levels", "::mlir::ModuleOp"> {
  let summary = "marks loops over kept levels whose vertices must be in ascending order with `ascending`";
  let description = [{
    A frontier lists its vertices as they were found, in another order with every number of threads. That is enough for
    data-parallel statements and reductions. A sequential loop, an intersection or a copy of the level needs the
    ascending order that all other sets have.
  }];
}

def Profile : Pass<"exec-profile", "::mlir::ModuleOp"> {
  let summary = "makes programs measure themselves: each kernel's calls, and the edges that it looks at";
  let description = [{
    Marks every algorithm but the serial forms as `profiled`, whose printed kernels then record when they run.
    Before: `exec.for out_of %u { ... }`. After: `exec.for out_of %u { exec.count_edge ... }`.
    Without `count-edges` the mark is all.
  }];
  let options = [Option<"countEdges", "count-edges", "bool", "true", "whether kernels count the edges that they look at">];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def MarkRaising : Pass<"exec-mark-raising", "::mlir::ModuleOp"> {
  let summary = "marks sums with a number that was checked not to be negative, which need fewer tests for inf";
  let description = [{
    Before: `%d = graph.binary add %dist_u, %w absorbing : i32`, where %w is read of a property that is `nonnegative`.
    After:  `%d = graph.binary add %dist_u, %w absorbing raises : i32`.
    Properties and parameters are finite, as graph-mark-infinity has it. Not on GPUs: there
    near-far kernels wait for memory, and nvcc spills registers of theirs with this form.
  }];
}

def HoistReads : Pass<"exec-hoist-reads", "::mlir::ModuleOp"> {
  let summary = "has a push read what belongs to its vertex once, in front of the loop over the arcs";
  let description = [{
    Before: `push { exec.for out_of %u (%v) { %d = graph.read %dist[%u] relaxed ... exec.update min atomic %dist[%v] } }`.
    After:  `push { %d = graph.read %dist[%u] relaxed  exec.for out_of %u (%v) { ... exec.update min ... } }`.
    Where every arc reads it, of a state that the push leaves alone, or only improves at vertices that it then activates:
    a vertex that has improved since is active again, and pushes the better value.
  }];
}

def MarkRelaxed : Pass<"exec-mark-relaxed", "::mlir::ModuleOp"> {
  let summary = "makes loads and stores that may meet another thread's in one kernel relaxed atomics";
}

def ComputeNeeds : Pass<"exec-compute-needs", "::mlir::ModuleOp"> {
  let summary = "says what a program needs of the graph and of memory";
  let options = [Option<"onDevice", "on-device", "bool", "false",
                        "whether states, sets and tables of modes stand in the memory of a device">,
                 Option<"plainLists", "plain-lists", "bool", "false", "whether lists of neighbours are never packed">,
                 Option<"mayAlign", "may-align", "bool", "false",
                        "whether lists of neighbours may be aligned, here or in the other form of a program">,
                 Option<"oneList", "one-list", "bool", "false",
                        "whether a kernel over the edges of one vertex needs no set of it">];
}

def PrepareForEmission : Pass<"exec-prepare-for-emission", "::mlir::ModuleOp"> {
  let summary = "makes the program printable: what printers need to know stands in the operations";
  let description = [{
    The last pass of every target. Printers read the result; they change nothing, and ask no analysis.

    - Operations on a vertex or edge that may be none get `may_be_none`.
    - Reads of sets that nothing changes until their last use get `lasting`.
    - Kernels by segments get `may_fail` where what they compute of a source may end the program.
    - Values with names that nothing uses are removed, and what only these use.

    Before: `graph.for vertices sequential %s where { ... yield %c } do { ... }`.
    After:  `graph.for vertices sequential %s do { ... exec.require %c ... }`.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def MatchSides : Pass<"exec-match-sides", "::mlir::ModuleOp"> {
  let summary = "lets a propagate go over, and stages run on either side, where both forms can";
  let description = [{
    Before: modules @cpu and @gpu, in which passes have lowered an algorithm; an exec.propagate of each has `hand_over`.
    After:  the same if both stand in the algorithm's own sequence of statements, else `hand_over` and `crossing` are
            gone. A side that only pulls, keeps no rounds or runs it in a loop has none. `goes_over` of exec.sides says
            which it is. If the schedule wants it, it is refused (E0502).

    Before: exec.next_stage between the stages of both forms, and an exec.stage beside them for each.
    After:  the same, and each exec.stage says what its stage `touches` and `writes` in either form. Two stages become
            one where a form hands something over that is no state of the program: a value, a copy, kept levels.
            With one stage beside what both sides run, there are none, and exec.sides has its side.

    A loop of the GPU that goes along one list in each turn gives it little to do: where the schedule says nothing, the
    CPU runs that stage, or the program (`by_one_list`).
  }];
}

#endif
