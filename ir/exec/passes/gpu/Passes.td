// Passes on the `exec` dialect, on GPUs.
#ifndef GCOMPILE_IR_EXEC_PASSES_GPU
#define GCOMPILE_IR_EXEC_PASSES_GPU

include "mlir/Pass/PassBase.td"

def OutlineHostWrites : Pass<"exec-outline-host-writes", "::mlir::ModuleOp"> {
  let summary = "GPU: puts what the host would write into vertex and edge states into kernels of one thread";
  let description = [{
    Before: `exec.update assign plain %depth[%root] = %zero` in the algorithm's body.
    After:  `exec.once "write_depth" { exec.update assign plain %depth[%root] = %zero }`.
    Serial forms stay on the host and are left as they are, here and in the passes below.
  }];
}

def FoldWrites : Pass<"exec-fold-writes", "::mlir::ModuleOp"> {
  let summary = "GPU: makes writes to elements of one vertex part of the loop over all vertices before them";
  let description = [{
    Before: `exec.parallel vertices %all { %depth[%v] = %inf }; exec.once { %depth[%root] = %zero }`.
    After:  `exec.parallel vertices %all { %depth[%v] = %inf; graph.if (%v == %root) { %depth[%v] = %zero } }`.
    Starting a kernel of one thread takes as long as writing some millions of values. What is written must depend on no
    element, and the loop must get at the states that are written at its own vertex alone.
  }];
}

def SplitEdges : Pass<"exec-split-edges", "::mlir::ModuleOp"> {
  let summary = "GPU: marks the kernels whose arcs may be shared out among the threads, whichever vertex they belong to";
  let description = [{
    A kernel over vertices gets `split` when its body is one loop over the arcs out of its vertex under pure conditions,
    and no iteration of the loop writes what belongs to the vertex: then the owner may be shared. Where the arcs into it
    belong to the loop as well, the kernel gets `both_ways`: the runtime has lists of both kinds for it. In a program for
    undirected graphs `either` is first replaced by the one way that is the same. exec.propagate gets
    `split` for its push, unless its schedule says `gather serial`; another `gather` without it is an error (E0502). Updates of scalars in exec.propagate and exec.ordered, private to a thread on a CPU, become atomic, unless a kernel
    runs a single round.
  }];
  let options = [Option<"singleRounds", "single-rounds", "bool", "false",
                        "whether a kernel runs a single round of a propagate">];
}

def ShareLanes : Pass<"exec-share-lanes", "::mlir::ModuleOp"> {
  let summary = "GPU: marks the kernels whose iterations several lanes of a warp can run together";
  let description = [{
    Before: `exec.parallel ... { %s = exec.reduce sum { exec.for into %v { exec.contribute ... } } exec.update %rank[%v] }`.
    After:  the same, where the kernel has `by_lanes`, the loop over neighbours `shared`, the reduction `combined`, and
            the write outside of the loop `leader`: one lane makes it.
    A loop may also add to scalars of the kernel that start at zero, each by one of `+=`, `|=` and `^=`.
  }];
}

def AskLists : Pass<"exec-ask-lists", "::mlir::ModuleOp"> {
  let summary = "GPU: one thread for each vertex asks whether it has lists to walk, before several lanes walk them";
  let description = [{
    Before: a kernel `by_lanes`, `%c = ...  graph.if %c { exec.for out_of %v {shared} ... }  exec.update %a[%v]`.
    After:  `exec.asked_lists asks { %c = ...  yield %c } lists { exec.for out_of %v {shared} ... } rest { exec.update
            %a[%v] }`.
    Lanes then meet at the vertices that need them, and not at all others. Legal if all lists are walked under one
    condition, nothing is written before it, and what follows reads nothing from before that the walk has written.
    Kernels of a sweep and those that read aligned lists stay as they are: the runtime shares them in another way.
  }];
}

def SplitPull : Pass<"exec-split-pull", "::mlir::ModuleOp"> {
  let summary = "GPU: splits pulls into which vertices look, what an arc does and what follows";
  let description = [{
    Before: `pull { if %guard { exec.for into %v (%u) { %c = exec.in_frontier %u  graph.if %c { ... } } } }`.
    After:  `pull { exec.pull_by_arcs wants { yield %guard } arc (%u) { ... } }`.
    Legal when the pull is a loop over the arcs into the vertex, under guards that read only
    what belongs to the vertex, and each arc from an active vertex either may end the loop or adds to sums that start at
    zero. Then lanes may share the arcs of a vertex, and a vertex whose guard fails is not looked at again.
  }];
}

def MarkRoundIndependence : Pass<"exec-mark-round-independence", "::mlir::ModuleOp"> {
  let summary = "GPU: marks pushes that read nothing that is written in earlier rounds: rounds need no memory order";
  let description = [{
    exec.propagate gets `round_independent` if it has no `commit`, no `dedup` and no `levels`, and its push reads no
    state that it writes. Each write of the push must be one of these:

    - a claim from a constant to another value, the only operation that writes to its state;
    - a write at the element that was just claimed, to a state that only winners of this claim write;
    - an atomic min, max, and, or or add whose result is not used, with one kind for each state.

    Then a block of threads may begin the next round as soon as all blocks have found their part of the frontier, even
    if stores of earlier rounds have not reached it:

    - A claim may see the value from before another claim. Its compare-and-swap then fails, because that never looks at
      an old value. If the claim sees another value, that value stays.
    - A minimum that sees an old, greater value fails at its compare-and-swap in the same way, and tries again.
    - A block knows the outcomes of its claims before it says what it has found, so no claim of a later round comes
      before them.
    - Each element is stored to once, and atomic operations of one kind may come in any order.

    `dedup` and `commit` need more: the next round reads bits and copies that plain stores write.

    It gets `claim_activates` as well if the push has one claim, of an element of the target, and activates the target
    exactly where that is won, unless the schedule says how it claims. Where the next frontier is a bitmap, a thread
    then claims by the target's bit.
  }];
}

def MarkRelaxations : Pass<"exec-mark-relaxations", "::mlir::ModuleOp"> {
  let summary = "GPU: makes exec.relax of ordered pushes that only lower the priority of the other end of each edge";
  let description = [{
    Before: `%n = exec.update min atomic %dist[%v] = %d  graph.if %n { exec.activate %v }`, in a push that is split.
    After:  `exec.relax %d to %v`; a graph.if around it becomes exec.require.

    The value is then all that an arc gives: the runtime can take several arcs at a time, and knows the priority of what
    is activated.
  }];
}

def TurnSweeps : Pass<"exec-turn-sweeps", "::mlir::ModuleOp"> {
  let summary = "GPU: lets each step of a loop over kept levels start from whichever level has fewer edges";
  let description = [{
    Before: in a loop from the last level to the first, `exec.parallel "update" vertices %level {from_next_level}
            { exec.for out_of %u { if (depth[v] == depth[u] + 1) %sum += x } %a[%u] += %sum }`.
    After:  the same, and `exec.parallel "update_from_next" vertices %level {turned, over_previous}
            { exec.for into %v { if (depth[v] == depth[u] + 1) exec.update add atomic %a[%u] = x } }`,
            with a `turned` copy of the other kernels.

    For each level the runtime runs the form that has fewer edges to look at.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def SweepLevels : Pass<"exec-sweep-levels", "::mlir::ModuleOp"> {
  let summary = "GPU: makes one kernel of a loop over kept levels";
  let description = [{
    Before: `graph.for levels sequential %levels do { exec.parallel ... vertices %level { ... } }`.
    After:  `exec.sweep %levels { exec.parallel ... vertices %level { ... } }`.

    Legal where the body holds nothing but kernels over the level, from which no scalar comes back to the host.
  }];
}

def RunLoops : Pass<"exec-run-loops", "::mlir::ModuleOp"> {
  let summary = "GPU: lets one kernel run a loop of kernels, with what the host would do between them";
  let description = [{
    Before: `graph.repeat %times { exec.parallel ... }`.
    After:  `exec.device_loop { graph.repeat %times { exec.parallel ... } }`.

    Legal where the body holds kernels, propagates that keep no levels, copies of states, changes of sets and arithmetic
    of scalars. Then all threads can go through it together, because all have the same scalars and sizes of sets.
    `by_sets` is added where all kernels run over sets. The runtime chooses by it and by the size of the graph, unless
    the schedule says `loop device` or `loop host`. A loop with modes of neighbours, or with both propagates and loops,
    runs as one kernel only with `loop device`. For a loop that holds anything else, `loop device` is an error (E0502).
    It also is one in a profiled program, which measures each kernel.
  }];
  let options = [Option<"profile", "profile", "bool", "false", "whether the program is profiled">];
}

def AlignLists : Pass<"exec-align-lists", "::mlir::ModuleOp"> {
  let summary = "GPU: marks what reads aligned lists of neighbours, where the schedule asks for them";
  let description = [{
    Before: `exec.parallel ... {by_lanes} { exec.for into %v {shared} ... }` and `exec.pull_by_arcs ...`.
    After:  the same with `aligned`, and the algorithm's `needs` say which share of the vertices is aligned.

    A loop is marked if it is shared by the lanes of a kernel over all vertices, goes over the whole list of the arcs
    into the kernel's vertex, and needs only their sources. If nothing can be marked, the directive is an error (E0502).
  }];
}

def BatchLoops : Pass<"exec-batch-loops", "::mlir::ModuleOp"> {
  let summary = "GPU: makes exec.batch_for of loops whose iterations a lane can evaluate several at once";
  let description = [{
    Before: `exec.for into %v { if (depth[v] == depth[u] + 1) exec.update add atomic %a[%u] = %a[%v] }`.
    After:  `%x = %a[%v]; exec.batch_for into %v where { depth[v] == depth[u] + 1 }
            take { exec.update add atomic %a[%u] = %x }`.

    For loops over the neighbours of a vertex that lanes share. Each iteration must add to a sum or, in a loop over
    levels, make one update under a condition; and it must read nothing that others update. Then the loads of several
    iterations need not wait for each other. What is the same in all iterations moves in front of the loop.
  }];
}

def ExpectReads : Pass<"exec-expect-reads", "::mlir::ModuleOp"> {
  let summary = "GPU: says which states decide what a push does at the vertices that it meets";
  let description = [{
    Before: `push { exec.for out_of %u (%v, %e) { ... exec.claim atomic %parent[%v] ... } }`, which is split.
    After:  `push { exec.expect %parent exec.for ... }`: these elements are loaded while threads wait.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

#endif
