// Passes on the `exec` dialect, on CPUs.
#ifndef GCOMPILE_IR_EXEC_PASSES_CPU
#define GCOMPILE_IR_EXEC_PASSES_CPU

include "mlir/Pass/PassBase.td"

def RotateLoops : Pass<"exec-rotate-loops", "::mlir::ModuleOp"> {
  let summary = "has the last kernel of a loop's turn do what the first one of the next turn would, at the same vertex";
  let description = [{
    Before: `repeat { for v { %share[v] = %rank[v] / degree(v) }  for v { ... sum of %share[u] ... %rank[v] = ... } }`,
            each `for` an exec.parallel over all vertices.
    After:  the first kernel in front of the loop, and in it
            `%before = exec.snapshot %share  for v { ... sum of %before[u] ... %rank[v] = ... %share[v] = ... }`.
    Legal where the first kernel assigns states that nothing else writes, and nothing reads outside of the loop; where
    it reads only what the vertex has, and cannot fail. The last turn does it in vain. Where a choice ends the turn,
    both of its branches do it; one that reads the states in earlier kernels alone needs no copy.
    Serial forms stay as they are.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def SwapCopies : Pass<"exec-swap-copies", "::mlir::ModuleOp"> {
  let summary = "exchanges the two arrays of a state in place of a copy, where the state is then written whole";
  let description = [{
    Before: `%x_before = exec.snapshot %x  for v { ... %x_before[u] ... %x[v] = ... }`.
    After:  the same with `swaps`.
    Legal where a kernel over all vertices assigns each its element, and nothing reads the state before but the vertex
    itself, which then reads the copy. Serial forms stay as they are.
  }];
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

def ClaimRounds : Pass<"exec-claim-rounds", "::mlir::ModuleOp"> {
  let summary = "claims a vertex by the number of the round that a commit would give it";
  let description = [{
    Before: in a push, `if %depth[v] == inf { activate v; more }`, which may reach v several times in a round, and
            `commit { %depth[v] = round }`.
    After:  `if %depth[v] == inf || %depth[v] == round { if %depth[v] == inf { if claim %depth[v] inf to round
            { activate v } }; more }`, without a commit, and without `dedup`. A pull sets `%depth[v]` where it activates v.
    Legal where in front of the propagate all vertices get inf, and nothing else writes to the state but inf and numbers
    below 1: then no vertex has the number of a round before that. Push and pull use the state for that test alone. A
    bitmap of those that are activated, which threads would change together, is not needed. Serial forms stay as they are.
  }];
  let dependentDialects = ["::gcompile::exec::ExecDialect"];
}

def UnpackLists : Pass<"exec-unpack-lists", "::mlir::ModuleOp"> {
  let summary = "has kernels over vertices take the packed lists of some vertices at a time out of their fields";
  let description = [{
    Before: of a program with packed lists, `exec.parallel vertices { exec.for into %v { ... } ... graph.degree out %v }`.
    After:  the same with `unpack = 6`: in_lists and out_degrees.
    For the kernel's own vertex: lists of neighbours that it always visits to their end, without the numbers of edges,
    and degrees that it always asks for. A push whose threads may share lists has `unpack` at its loop where it only
    goes along arcs, each of them, and asks for no number of an edge and no row of the vertex. Serial forms stay as they
    are.
  }];
}

def MarkFirst : Pass<"exec-mark-first", "::mlir::ModuleOp"> {
  let summary = "marks pulls that only look for each vertex's first neighbour in the frontier";
  let description = [{
    Before: `pull { exec.select { ... } exec.for into %v { if (exec.in_frontier %u) { ... exec.break } } }`.
    After:  `... exec.for into %v attributes {first} ...`.
    A runtime may test the neighbours of several vertices together, as nothing depends on the arcs that come before.
    Where the loop uses the number of an edge, or leaves the kernel, it stays as it is. So do serial forms.
  }];
}

def VectoriseSums : Pass<"exec-vectorise-sums", "::mlir::ModuleOp"> {
  let summary = "has a thread take several vertices at once where a kernel adds real numbers, and visits no lists";
  let description = [{
    Before: `exec.parallel vertices { %x = graph.read %rank[%v] ... exec.update add private %change[] = %x }`.
    After:  the same, `vectorised`.
    A C++ compiler may not change the order in which real numbers are added, unless the loop says so. What the kernel
    does at a vertex has nothing to do with other vertices: it reads and writes elements of its own vertex alone. Where
    sums are `ordered_sums`, and in serial forms, all stays as it is.

    Before: in a kernel by segments, `exec.reduce sum { exec.for into %v { %x = graph.read %share[%u]  exec.contribute %x } }`.
    After:  the same, and the loop has `partial_sums`: an addition need not wait for the one before it. So segments pay
            for long lists as well: exec.segments_pay has `long_lists`.
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
    Before: in a loop of the host along the list of an index's best vertex, `exec.reindex %i[%v]`: %v may be the next one.
    After:  `exec.reindex %i[%v] {fetches}`: its list, and the columns that the loop reads, are fetched.
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

def SelectChanges : Pass<"exec-select-changes", "::mlir::ModuleOp"> {
  let summary = "tests several arcs of a loop before it updates a minimum or maximum at those that would change it";
  let description = [{
    Before: in a loop of the host over arcs, `graph.if %open { exec.update min plain %key[%v] = %w  graph.if %changed ... }`.
    After:  `exec.select { yield %open & would_change min %key[%v] = %w }  exec.update min plain %key[%v] = %w ...`.
    Of exec.update and exec.update_tuple, with a condition or without one, where what the loop changes does not decide
    about the condition, and the values may be computed for all arcs. Few arcs change anything, in no order that a
    processor foresees. Serial forms stay as they are.
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

def PartArrays : Pass<"exec-part-arrays", "::mlir::ModuleOp"> {
  let summary = "CPU: gives each thread a part of its own of an array that a kernel only reduces into";
  let description = [{
    Before: in an exec.parallel, `exec.update add atomic %histogram[%i] = %one`, and nothing else about `%histogram`.
    After:  `exec.update add private %histogram[%i] = %one`.
    When the program runs, a long array is updated atomically all the same, and only a short one has copies.
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

#endif
