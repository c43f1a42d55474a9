// What runs in parallel: kernels, the runtime's own algorithms, and loops that a device runs as one kernel.
#ifndef GCOMPILE_IR_EXEC_KERNELS
#define GCOMPILE_IR_EXEC_KERNELS

include "ir/exec/ExecBase.td"

/// A data-parallel operation that becomes a function, or several, of its own: it takes `own`, and what every kernel says
/// (Exec_KernelInterface).
class Exec_Kernel<string mnemonic, dag own, list<Trait> traits = []>
    : Exec_Op<mnemonic, !listconcat(traits, [SingleBlock, NoTerminator, Exec_KernelInterface])> {
  let arguments = !con(own, (ins OptionalAttr<ArrayAttr>:$names, UnitAttr:$transposed, UnitAttr:$split,
                                 UnitAttr:$both_ways, UnitAttr:$by_lanes, OptionalAttr<I64Attr>:$grain,
                                 UnitAttr:$may_run_alone, UnitAttr:$over_pairs, UnitAttr:$divided));
}
def Exec_ParallelOp : Exec_Kernel<"parallel",
    (ins StrAttr:$name, Graph_Domain:$domain, Optional<Graph_SetType>:$over, Exec_Sharing:$sharing,
    UnitAttr:$may_fail, OptionalAttr<I64Attr>:$segment_bytes, UnitAttr:$may_segment,
    OptionalAttr<I64Attr>:$segment_width, OptionalAttr<I64Attr>:$source_bytes, UnitAttr:$levels_apart,
    UnitAttr:$from_next_level, UnitAttr:$level_bits, UnitAttr:$turned, UnitAttr:$over_previous,
    UnitAttr:$ordered_sums, OptionalAttr<Exec_Unpack>:$unpack, UnitAttr:$vectorised)> {
  let summary = "one data-parallel kernel over vertices, arcs or pairs: a function of its own in the output";
  let description = [{
    `domain` is vertices (`over`: a set; (v)), pairs ((i, j)) or edges (every arc; (e): for per-edge initialisers).
    `name` is unique in the algorithm. Values of the host that the body uses are the function's parameters.

    Cache segments:

    - `segment_bytes`, `may_segment`: what the schedule asks of exec-segment-pulls.
    - `segment_width`: the kernel takes so many sources of arcs at a time, one segment after the other.
    - `source_bytes`: the same, but the program chooses the width; the kernel reads so many bytes of each source.
    - `may_fail`: what it computes of a source may end the program.

    Parts of a graph:

    - `ordered_sums`: real numbers of the program that it adds to are the same however threads share it.

    Kernels over kept levels:

    - `levels_apart`: it reads other vertices in another level than the one that it writes.
    - `from_next_level`: its edges lead to the level that was visited before.
    - `level_bits`: it asks a bitmap for that level.
    - `turned`: in exec.sweep, a step runs either the kernels with this flag or those without it.
    - `over_previous`: it runs over the members of the level that was visited before.

    Packed lists: `unpack` says what is taken out of those of the kernel's own vertices, some vertices at a time.

    `vectorised`: a thread takes several vertices at once, and adds real numbers in any order.
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name $domain ($over^)? $sharing attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "graph::Domain":$domain, "::mlir::Value":$over, "Sharing":$sharing),
    [{ build($_builder, $_state, name, domain, over, sharing, false, nullptr, false, nullptr, nullptr, false, false, false,
          false, false, /*ordered_sums=*/false, /*unpack=*/nullptr, /*vectorised=*/false, /*names=*/nullptr, false, false, false, false,
          /*grain=*/nullptr, false, false, false); }]>];
}
def Exec_OnceOp : Exec_Kernel<"once",
    (ins StrAttr:$name)> {
  let summary = "statements of the host that write vertex or edge states, run by one thread of a device";
  let description = [{ GPU only: there the host does not see the arrays. Scalars that the body updates come back. }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name),
    [{ build($_builder, $_state, name, /*names=*/nullptr, false, false, false, false, /*grain=*/nullptr, false, false, false); }]>];
}
def Exec_ReduceOp : Exec_Kernel<"reduce",
    (ins Graph_ReduceKind:$kind, OptionalAttr<StrAttr>:$name, OptionalAttr<Graph_Domain>:$domain,
    Optional<Graph_SetType>:$over, Exec_Sharing:$sharing, UnitAttr:$combined, UnitAttr:$ordered_sums,
    UnitAttr:$vectorised)> {
  let summary = "a reduction: the body's `exec.contribute`s, combined";
  let description = [{
    `combined`: inside a kernel `by_lanes`, what each lane has found is combined at the end.
    With `domain` (on the host): a parallel kernel as `exec.parallel`, whose body takes the domain's arguments; a function
    of its own that returns the value. Without: sequential inside a kernel, the body has no arguments and holds the
    loops. Floating sums are combined in a fixed order of threads; with `ordered_sums` they are the same however threads
    share the kernel. `vectorised`: as in exec.parallel.
  }];
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Graph_AnyScalar:$result);
  let assemblyFormat = [{ $kind ($name^)? (`over` $domain^)? ($over^)? $sharing attr-dict-with-keyword $body
                          `->` type($result) }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "graph::ReduceKind":$kind, "::mlir::StringAttr":$name, "graph::DomainAttr":$domain,
                       "::mlir::Value":$over, "Sharing":$sharing),
    [{ build($_builder, $_state, type, kind, name, domain, over, sharing, false, /*ordered_sums=*/false, /*vectorised=*/false, /*names=*/nullptr, false, false, false, false, /*grain=*/nullptr, false, false, false); }]>];
}
def Exec_FilterOp : Exec_Kernel<"filter",
    (ins StrAttr:$name, Graph_SetType:$set, Exec_Sharing:$sharing)> {
  let summary = "the members of a set for which the body yields true, in parallel; a function of its own";
  let regions = (region SizedRegion<1>:$where);
  let results = (outs Graph_SetType:$result);
  let assemblyFormat = "$name $set $sharing attr-dict-with-keyword $where";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::llvm::StringRef":$name, "::mlir::Value":$set, "Sharing":$sharing),
    [{ build($_builder, $_state, type, name, set, sharing, /*names=*/nullptr, false, false, false, false, /*grain=*/nullptr, false, false, false); }]>];
}
def Exec_PropagateOp : Exec_Kernel<"propagate",
    (ins StrAttr:$name, Exec_Direction:$direction, Graph_SetType:$from, Optional<AnyTypeOf<[I32, I64]>>:$atMost,
    Exec_Sharing:$sharing, UnitAttr:$dedup, F64Attr:$alpha, F64Attr:$beta, UnitAttr:$by_growth,
    OptionalAttr<Exec_PullWork>:$by_work, OptionalAttr<Exec_Frontier>:$frontier, OptionalAttr<F64ArrayAttr>:$frontier_options, UnitAttr:$share_lists,
    OptionalAttr<I64Attr>:$commit_grain, OptionalAttr<Exec_Gather>:$gather,
    OptionalAttr<Exec_Place>:$gather_place, OptionalAttr<Exec_LoopPlace>:$loop, UnitAttr:$claim_bitmap, OptionalAttr<I64Attr>:$cull_warp,
    OptionalAttr<I64Attr>:$cull_history, OptionalAttr<Exec_Phases>:$phases, OptionalAttr<I64Attr>:$few_edges,
    OptionalAttr<Exec_Place>:$phases_place, UnitAttr:$round_independent, UnitAttr:$claim_activates,
    OptionalAttr<F64ArrayAttr>:$hand_over,
    OptionalAttr<StrArrayAttr>:$crossing)> {
  let summary = "rounds over a frontier; the loop on the host, each region a kernel function";
  let description = [{
    Round r runs `push` (u, round) for every vertex of the frontier, or `pull` (v, round) for every vertex; both contain
    the edge loop and `exec.activate`. Then `commit` (v, round), if there is one, runs for every vertex of the next
    frontier. Then the host evaluates `until` (round), if there is one. The loop ends when the next frontier is empty,
    or after `atMost` rounds.

    - `direction` hybrid: a round pulls when the arcs out of the frontier exceed (arcs not yet in any frontier) /
      `alpha`, and pushes again when the frontier shrinks and has fewer than n / `beta` vertices (Beamer et al. 2012).
    - `by_growth`: the direction follows the growth of the frontier instead.
    - `by_work`: what a pull looks at, where the schedule leaves the choice to the program. On a CPU a round that pushed
      is followed by one that pulls where this is expected to be less work, whatever `alpha` is. On a GPU `alpha` may be
      doubled where pushes go to memory; exec-split-pull leaves it to pulls that ask best sources.
    - `frontier`, `frontier_options`: the form of the frontier in rounds that push, and its thresholds.
    - `gather_place`: where the schedule says `gather`, until exec-split-edges has found that it can be done.
    - `phases`: rounds that push list edges in memory, for a GPU; hybrid keeps frontiers of up to `few_edges` as edges.
      `phases_place` is as `gather_place`.
    - `dedup`: exec.activate may be called more than once for a vertex, and must insert it once. Without it each vertex
      is activated at most once a round.
    - `levels`: the frontiers are kept.
    - `transposed`: a push goes over the arcs into the vertex, a pull over those out of it.
    - `exchange`: what parts of the graph send to each other: exec.give_active before a pull, all else after a push; made
      by exec-distribute. Before a pull they also tell each other which copies are in the frontier.
    - `hand_over`, `crossing`: in a program for CPU and GPU, the rounds may go over from the one to the other; made by
      graph-mark-hand-over. The frontier has then more vertices than the first number, and more than the second one times
      those of the round before. Of the states named in `crossing` the vertices cross that were in a frontier.
  }];
  let regions = (region AnyRegion:$push, AnyRegion:$pull, AnyRegion:$commit, AnyRegion:$until, AnyRegion:$exchange);
  let results = (outs Optional<Graph_LevelsType>:$levels);
  let assemblyFormat = [{ $name $direction $from (`at_most` $atMost^ `:` type($atMost))? $sharing (`dedup` $dedup^)?
      attr-dict-with-keyword (`push` $push^)? (`pull` $pull^)? (`commit` $commit^)? (`until` $until^)? (`exchange` $exchange^)?
      (`levels` type($levels)^)? }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Type":$levels, "::llvm::StringRef":$name, "Direction":$direction, "::mlir::Value":$from,
                       "::mlir::Value":$atMost, "Sharing":$sharing, "bool":$dedup, "::llvm::APFloat":$alpha,
                       "::llvm::APFloat":$beta, "bool":$byGrowth, "FrontierKindAttr":$frontier,
                       "::mlir::ArrayAttr":$options),
    [{ build($_builder, $_state, levels, name, direction, from, atMost, sharing, dedup, alpha, beta, byGrowth,
          /*by_work=*/PullWorkAttr(), frontier, options, false, nullptr, GatherAttr(), nullptr, LoopPlaceAttr(), false, nullptr, nullptr, PhasesAttr(), nullptr, nullptr, false, false, nullptr, nullptr,
          /*names=*/nullptr, false, false, false, false, /*grain=*/nullptr, false, false, false); }]>];
}
def Exec_OrderedOp : Exec_Kernel<"ordered",
    (ins StrAttr:$name, Graph_SetType:$from, Graph_StateType:$priority, I64Attr:$delta,
    OptionalAttr<I64Attr>:$fusion, Exec_Sharing:$sharing, OptionalAttr<I64Attr>:$grows_by,
    Variadic<Graph_VertexType>:$ends, UnitAttr:$first_end, UnitAttr:$greatest_first)> {
  let summary = "delta-stepping: vertices processed by ascending bucket of `priority` / delta, to a fixpoint";
  let description = [{
    `push` (u) holds the edge loop. `exec.activate %v` puts v into the bucket of its value. Entries whose value has
    improved since are skipped.

    - `greatest_first`: by descending bucket; the push raises the priority. Without it, the push lowers it.

    - `delta`: the width of a bucket; 0: chosen from weights and degrees when the graph is known.
    - `grows_by`: the number of the argument that holds the weights; without it each step counts one.
    - `fusion`: a thread goes on with what it has itself added to the current bucket, while that is shorter than this.
    - `ends`: it may end once all of these have their final priority; with `first_end`, once one of them has. What then
      is not yet final is any value that it could have later. Not together with `greatest_first`.
    - `transposed`: as in exec.propagate.
    - `exchange`: as in exec.propagate, after each step of a bucket.
  }];
  let regions = (region SizedRegion<1>:$push, AnyRegion:$exchange);
  let assemblyFormat = [{ $name $from `by` $priority `:` type($priority) (`until` $ends^ `:` type($ends))? $sharing
                          attr-dict-with-keyword $push (`exchange` $exchange^)? }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::Value":$from, "::mlir::Value":$priority, "std::int64_t":$delta,
                       "::mlir::IntegerAttr":$fusion, "::mlir::ValueRange":$ends, "bool":$firstEnd, "bool":$greatestFirst,
                       "Sharing":$sharing),
    [{ build($_builder, $_state, name, from, priority, delta, fusion, sharing, nullptr, ends, firstEnd, greatestFirst, /*names=*/nullptr, false, false, false, false, /*grain=*/nullptr, false, false, false); }]>];
}
def Exec_AsynchronousOp : Exec_Kernel<"asynchronous",
    (ins StrAttr:$name, Graph_SetType:$from, Optional<Graph_StateType>:$priority, I64Attr:$chunk, I64Attr:$delta,
    OptionalAttr<I64Attr>:$grows_by, UnitAttr:$greatest_first, DefaultValuedAttr<I64Attr, "0">:$levels)> {
  let summary = "a fixpoint without rounds: all threads take active vertices from one work list and add to it";
  let description = [{
    `push` (u) holds the edge loop; `exec.activate %v` adds v. A vertex may be processed by two threads at a time: every
    update is synchronised. `chunk`: how many vertices threads hand to each other at a time. Without `by`, in no order.
    With it, softly by ascending `priority` / delta (OBIM, Nguyen et al. 2013); entries whose value has improved since
    are skipped; `delta` 0 and `greatest_first`: as in exec.ordered. `levels`: softly by what exec.take would give for
    each edge, the most first, so many levels for each doubling; 0: in no order.
  }];
  let regions = (region SizedRegion<1>:$push);
  let assemblyFormat = "$name $from (`by` $priority^ `:` type($priority))? attr-dict-with-keyword $push";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::Value":$from, "::mlir::Value":$priority, "std::int64_t":$chunk,
                       "std::int64_t":$delta, "bool":$greatestFirst, "std::int64_t":$levels),
    [{ build($_builder, $_state, name, from, priority, chunk, delta, nullptr, greatestFirst, levels, /*names=*/nullptr, false, false, false, false, /*grain=*/nullptr, false, false, false); }]>];
}
def Exec_ComponentMinOp : Exec_Op<"component_min"> {
  let summary = "gives every vertex the minimum of a state over its (weakly) connected component";
  let description = [{
    The fixpoint of `propagate u -- v from g { p[v] min= p[u]; }`, computed by hooking and pointer jumping with neighbour
    sampling (Afforest, Sutton et al. 2018). `own`: the state holds each vertex's own id, so hooking to the smaller id
    leaves the minimum at the root.
  }];
  let arguments = (ins Graph_StateType:$state, UnitAttr:$own);
  let assemblyFormat = "$state (`own` $own^)? attr-dict `:` type($state)";
  let hasVerifier = 1;
}
def Exec_CountTrianglesOp : Exec_Op<"count_triangles"> {
  let summary = "the number of triangles of the undirected graph, through a degree-ordered orientation";
  let description = [{
    The value of `sum(u -> v where u < v : count(w in u.neighbors & v.neighbors where v < w))`: each triangle is counted
    once under any total order of the vertices, so the order by degree serves; unless edges are repeated, which count as
    often as they occur between the two smallest corners.
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}
def Exec_ClosePairsOp : Exec_Op<"close_pairs", [SingleBlock, NoTerminator]> {
  let summary = "for every vertex k, in order, an update of each pair (i, j) by what stands at (i, k) and (k, j)";
  let description = [{
    `step` (i, j, k) holds one plain update of `state` at [i, j] and what this needs. Of `state` it reads the elements
    [i, j], [i, k] and [k, j] alone; the last two are those from before the step of this k. Made by
    exec-close-pairs. Source: Floyd and Warshall; S4.

    `closing` says what the step is, where the runtime knows a faster way to the same answer. `tile`: the schedule wants
    blocks of so many vertices k.
  }];
  let arguments = (ins StrAttr:$name, Graph_StateType:$state, OptionalAttr<Exec_Closing>:$closing,
                       OptionalAttr<I64Attr>:$tile, OptionalAttr<ArrayAttr>:$names);
  let regions = (region SizedRegion<1>:$step);
  let assemblyFormat = "$name $state `:` type($state) (`as` $closing^)? attr-dict-with-keyword $step";
  let hasVerifier = 1;
}
def Exec_SweepOp : Exec_Op<"sweep", [SingleBlock, NoTerminator]> {
  let summary = "a loop over kept levels that one kernel of the device runs";
  let description = [{
    `body` (level) holds nothing but kernels over the level, and constants. `reversed`: last level first. GPU only; made
    by exec-sweep-levels.
  }];
  let arguments = (ins Graph_LevelsType:$levels, UnitAttr:$reversed);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$levels (`reversed` $reversed^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}
def Exec_DeviceLoopOp : Exec_Op<"device_loop", [SingleBlock, NoTerminator]> {
  let summary = "a loop of kernels that one cooperative kernel can run, with what the host would do between them";
  let description = [{
    The body is one graph.repeat or graph.while. `place`: where it runs. Without it the runtime chooses, by the size of
    the graph and by `by_sets`, which says that all kernels run over sets of vertices. `by_one_list`: each goes along
    the list of a single vertex, or is one thread's, and no sets are made; one block runs them, unless lists are long. GPU only; made by
    exec-run-loops.
  }];
  let arguments = (ins OptionalAttr<Exec_LoopPlace>:$place, UnitAttr:$by_sets, UnitAttr:$by_one_list);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`on` $place^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

#endif
