// Passes on the `exec` dialect, in parts: on several machines or several GPUs.
#ifndef GCOMPILE_IR_EXEC_PASSES_PARTS
#define GCOMPILE_IR_EXEC_PASSES_PARTS

include "mlir/Pass/PassBase.td"

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
  let summary = "parts of a graph on several machines: says what is sent to the owners of vertices and edges, and to their copies, and when";
  let description = [{
    Each part owns a block of the vertices, runs kernels over these, and has copies of the vertices at the other ends of
    their arcs. Writes to a kernel's own vertices stay with the owner. An edge has the owner of the vertex that it leaves:
    a kernel over all edges becomes one over vertices and the edges out of them, and a value at an edge that leaves another
    vertex is given and sent as the values of this vertex are.

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
    - Every part knows all members of a set that the program is given. A kernel that runs over it, and asks for others of
      its members too, runs over a name of its own for the part's members.
    - A propagate that pushes and pulls keeps its pull where this reads no property of edges, adds to no number of the
      program, and asks whether a vertex is in the frontier before it reads there what the rounds change. Owners give such
      values before the round (exec.give_active): what a copy has is the value of the last round, or a newer one that a
      vertex of the part itself has, as on one machine. Elsewhere all rounds push.

    - Several GPUs (`on-device`): a program that looks at edges of other vertices gets those of all. Each updates its own
      elements of an array, between exec.start_parts and exec.combine_parts. The host has the whole graph, so that it asks
      owners for values that the program computes alone. A pair that it writes is a kernel of the row's owner.

    - Where the edges at a vertex are divided among the parts of a row, which is known when the program runs: a kernel that
      only pushes along the edges of its vertex is `divided`, and owners give what it reads there. One over all vertices
      that collects over edges is split, in front of it:
      `graph.if %divided { exec.parallel divided { %c[%v] = what this part has }  exec.reduce_to_owner add %c of_lists
       exec.parallel { ... %c[%v] ... } } else { exec.parallel { ... } }`.
      A program with a kernel that is neither says so in `needs`: {whole_lists = {at, reason}}. All else is as before.

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

#endif
