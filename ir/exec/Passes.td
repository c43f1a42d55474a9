// Passes on the `exec` dialect: how a program runs.
#ifndef GCOMPILE_IR_EXEC_PASSES
#define GCOMPILE_IR_EXEC_PASSES

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

def TestKeys : Pass<"exec-test-keys", "::mlir::ModuleOp"> {
  let summary = "tests whether an edge's key could win before the test of the neighbour, which needs a load";
  let description = [{
    Before: `exec.reduce argmin { exec.for out_of %v { graph.if (state of %u) { exec.contribute %key for %e } } }`.
    After:  `... exec.for out_of %v { graph.if (exec.improves %key) { graph.if (state of %u) { ... } } }`.
    For min, max, argmin and argmax, if the key needs no load at the neighbour and the condition does. In a list in any
    order, few keys are less than all before them.
  }];
}

def SegmentPulls : Pass<"exec-segment-pulls", "::mlir::ModuleOp"> {
  let summary = "splits what kernels with `segment_bytes` compute over in-arcs into one pass for each cache segment";
  let description = [{
    Before: `exec.parallel "update" vertices %all { %s = exec.reduce sum { exec.for into %v { ... %x[%u] ... } } ... }`.
    After:  `exec.parallel "clear" ... { %sums[%v] = 0 }`,
            `exec.parallel "gather" ... {segment_width = N} { %p = exec.reduce sum { ... } %sums[%v] += %p }`,
            and the kernel with `%s = graph.read %sums[%v]`.

    A kernel with `segment_width` goes through the sources N at a time. For each segment it runs its body on the arcs
    from the segment, once for each vertex that has such arcs. N is such that what the body reads of the sources takes
    `segment_bytes`. The schedule has asked for segments, and canSegment has found them legal.

    Before: the kernel with `may_segment`.
    After:  `%pays = exec.segments_pay B; graph.if %pays { the same } else { the kernel }`, where "gather" has
            `source_bytes = B`, the bytes that it reads of each source: the program chooses N.

    With `runtime-combines` there is no "clear", and "gather" has `%sums[%v] = %p`.
  }];
  let options = [Option<"runtimeCombines", "runtime-combines", "bool", "false",
                        "whether the runtime puts the parts of a sum together">];
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
                        "whether kernels that threads share in different ways stay apart">];
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

def BucketSets : Pass<"exec-bucket-sets", "::mlir::ModuleOp"> {
  let summary = "keeps sets that sequential loops search by a property in buckets by that property";
  let description = [{
    Before: in a sequential loop, `min(v in S : p[v])` and `{v in S where p[v] <= k}`, each of which visits all of S.
    After:  `%b = exec.buckets %S by %p` in front of the loop, `exec.bucket_min %b` and `exec.bucket_select le %b, %k`.
    In the loop, S must only lose members, and p, an integer, must only change at single elements for part of the
    vertices at a time: each change is followed by `exec.move`. Serial forms stay as they are.
  }];
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
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def GuardValues : Pass<"exec-guard-values", "::mlir::ModuleOp"> {
  let summary = "makes a condition in front of a minimum or maximum part of its value, so that no branch depends on it";
  let description = [{
    Before: in a loop of the host over edges, `%c = not %done[%v]  graph.if %c { exec.update min plain %key[%v] = %w }`.
    After:  `%x = exec.guarded min %w where %c  exec.update min plain %key[%v] = %x`.
    Of exec.update and exec.update_tuple, where the condition reads a truth value of the arc's other end, and what else
    the branch computes may be computed anyway. What follows a change stays behind it. Such a condition holds for about
    every other arc, which a processor cannot foresee; a change is rare. Serial forms stay as they are.
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

def TestLevels : Pass<"exec-test-levels", "::mlir::ModuleOp"> {
  let summary = "finds edges to the level that was visited before by a bitmap of its vertices";
  let description = [{
    Before: in a loop from the last level to the first, `%c = eq %depth[%v], %depth[%u] + 1 {next_level}`, an
            element of a state per edge.
    After:  `%c = exec.visited_before %v of %levels`, a bit; the loop is `marked`: it marks the level that it leaves.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def Prefetch : Pass<"exec-prefetch", "::mlir::ModuleOp"> {
  let summary = "fetches into the cache what pushes and pulls need, while they work on earlier vertices";
  let description = [{
    Before: `push { exec.for out_of %u { exec.claim atomic %parent[%v] ... } }`: each neighbour is a cache miss.
    After:  `push { exec.prefetch %parent ... }`; the same for vertices in the order of a priority. Where the
            loop reads a column, it goes by position, and fetches further elements of the state as it goes.
    Before: `pull { %c = ... graph.if %c { exec.for into %v ... } }`: the list of each vertex that passes is one.
    After:  `pull { exec.select { %c = ... yield %c } exec.for into %v ... }`.
    A pull writes nothing that the test of another vertex reads, so tests may come early.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def SelectArcs : Pass<"exec-select-arcs", "::mlir::ModuleOp"> {
  let summary = "tests several arcs of a gather before it visits those that pass, so that no branch waits for memory";
  let description = [{
    Before: `exec.for into %v (%u) { %c = exec.in_frontier %u  graph.if %c { ... %paths[%u] ... } }`.
    After:  `exec.for into %v (%u) { exec.select { %c = exec.in_frontier %u  yield %c } ... %paths[%u] ... }`.
    Legal where nothing in the kernel changes what the test reads, and every arc is tested.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def ShareLists : Pass<"exec-share-lists", "::mlir::ModuleOp"> {
  let summary = "marks pushes, and their loops, with `share_lists` where several threads may share a long list of arcs";
  let description = [{
    Legal where a push is one loop over the arcs out of a vertex, and the arcs are independent of each other. Then a
    vertex with as many arcs as all others together does not hold up the round.
  }];
}

def DropThreads : Pass<"exec-drop-threads", "::mlir::ModuleOp"> {
  let summary = "one thread: takes away what only several threads need";
  let description = [{
    Before: `exec.parallel "relax" ... dynamic { exec.update min atomic %dist[%v] = %d }`.
    After:  `exec.parallel "relax" ... serial { exec.update min plain %dist[%v] = %d }`.
    What is right for threads in any order is right for one thread: the directions, copies and claims stay as they are.
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

def MarkRelaxed : Pass<"exec-mark-relaxed", "::mlir::ModuleOp"> {
  let summary = "makes loads and stores that may meet another thread's in one kernel relaxed atomics";
}

def PartArrays : Pass<"exec-part-arrays", "::mlir::ModuleOp"> {
  let summary = "CPU: gives each thread a part of its own of an array that a kernel only reduces into";
  let description = [{
    Before: in an exec.parallel, `exec.update add atomic %histogram[%i] = %one`, and nothing else about `%histogram`.
    After:  `exec.update add private %histogram[%i] = %one`.
    When the program runs, a long array is updated atomically all the same, and only a short one has copies.
  }];
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

def ChooseGrains : Pass<"exec-choose-grains", "::mlir::ModuleOp"> {
  let summary = "CPU, and parts of a graph: says how many elements of a kernel a thread takes at a time";
  let description = [{
    Before: `exec.parallel "update" vertices %all dynamic { ... }`.
    After:  `exec.parallel "update" vertices %all dynamic attributes {grain = 256} { ... }`.
    Work that varies with degrees is shared in small grains, equal work in large ones. Kernels over sets, frontiers and
    buckets also get `may_run_alone`: when these are small, one thread runs them, and needs no atomic operations.
    Serial forms stay as they are.
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

def ChooseThreads : Pass<"exec-choose-threads", "::mlir::ModuleOp"> {
  let summary = "parts of a graph on several machines: says which kernels the threads of a part share";
  let description = [{
    Threads share every kernel but those over vertices that the program lists, which are few.
    Before: `exec.parallel "relax" vertices {%a} ... static { exec.update min atomic %dist[%v] = %d }`.
    After:  `exec.parallel "relax" vertices {%a} ... serial { exec.update min plain %dist[%v] = %d }`.
    A kernel over the edges of one vertex, which its owner runs (exec-distribute), is serial from the beginning.
    Of the others, those that add real numbers to one of the program, or whose result is such a sum, get `ordered_sums`.
  }];
}

def Distribute : Pass<"exec-distribute", "::mlir::ModuleOp"> {
  let summary = "parts of a graph on several machines: says what is sent to the owners of vertices and to their copies, and when";
  let description = [{
    Each part owns a block of the vertices, runs kernels over these, and has copies of the vertices at the other ends of
    their arcs. Writes to a kernel's own vertices stay with the owner.

    Before: `exec.propagate hybrid push { exec.for out_of %u (%v) { %c = exec.update min plain %dist[%v] = %d
            graph.if %c { exec.activate %v } } } pull { ... }`.
    After:  `exec.reset_copies %dist = %inf  exec.propagate push { ... graph.if %c { exec.touch_copy %v  exec.activate
            %v } } exchange { exec.reduce_to_owner min %dist activating }`.
    Before: `exec.parallel { exec.for into %v (%u) { ... %share[%u] ... } }`.
    After:  `exec.give_to_copies %share  exec.parallel { ... }`, unless the copies are up to date; out of loops that do not
            change the state.

    - Contributions that move a value one way (min, max, and, or) and claims update the copy, which stays as a filter, and
      send it if it changed. A claim is one record with all that the winner writes.
    - Sums are collected in the copy, which is zero again when it was sent.
    - The host does the same everywhere. Scalars that a kernel updates, or reduces to, combine over all parts; so do
      arrays. A value of one vertex is its owner's (exec.owner_value), and a loop over the edges of one vertex becomes a
      kernel, which its owner runs.
    - A propagate that pushes and pulls keeps its pull where this reads no property of edges, adds to no number of the
      program, and asks whether a vertex is in the frontier before it reads there what the rounds change. Owners give such
      values before the round (exec.give_active): what a copy has is the value of the last round, or a newer one that a
      vertex of the part itself has, as on one machine. Elsewhere all rounds push.

    What cannot run in parts yet is an error (E0508). Serial forms stay as they are.
  }];
  let options = [Option<"onDevice", "on-device", "bool", "false",
                        "parts are GPUs, where one thread pulls for a vertex: only pulls that end with the first success are "
                        "kept, along the edges' direction">];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def KeepRounds : Pass<"exec-keep-rounds", "::mlir::ModuleOp"> {
  let summary = "parts of a graph on several machines: says between which rounds a run can be resumed, and what is then kept";
  let description = [{
    Before: `graph.repeat %n { exec.parallel { ... %share[%v] = ... }  %change[] = 0  ... %rank[%v] = ... }`.
    After:  `exec.resume 0 %change, %rank  graph.repeat %n { ... }`.

    Each loop of rounds that stands in no other loop gets one: graph.while, graph.repeat, exec.propagate, exec.ordered.
    The states are those that the rounds change. Not among them are those that each round declares, and those to which
    it first assigns every element, unless the result or a later statement needs them. Statements before the loop run again
    in a resumed run, so that all else has the value that it had. Serial forms stay as they are.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def PrepareForEmission : Pass<"exec-prepare-for-emission", "::mlir::ModuleOp"> {
  let summary = "makes the program printable: what printers need to know stands in the operations";
  let description = [{
    The last pass of every target. Printers read the result; they change nothing, and ask no analysis.

    - Operations on a vertex or edge that may be none get `may_be_none`.
    - Reads of sets that nothing changes until their last use get `lasting`.
    - Kernels by segments get `may_fail` where what they compute of a source may end the program.

    Before: `graph.for vertices sequential %s where { ... yield %c } do { ... }`.
    After:  `graph.for vertices sequential %s do { ... exec.require %c ... }`.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def MatchSides : Pass<"exec-match-sides", "::mlir::ModuleOp"> {
  let summary = "lets a propagate go over from one side to the other where both sides can";
  let description = [{
    Before: modules @cpu and @gpu, in which passes have lowered an algorithm; an exec.propagate of each has `hand_over`.
    After:  the same if both stand in the algorithm's own sequence of statements, else `hand_over` and `crossing` are
            gone. A side that only pulls, keeps no rounds or runs it in a loop has none. `goes_over` of exec.sides says
            which it is. If the schedule wants it, it is refused (E0502).
  }];
}

#endif
