// The `exec` dialect: how a program runs. Every choice (direction, synchronisation, frontier, schedule) is an operation
// or an attribute here; the printers decide nothing. Expressions, scalar control flow (`graph.if`, `graph.while`,
// `graph.repeat`, `graph.break`, sequential `graph.for` over sets and levels on the host), `graph.state` (without init:
// allocation only), `graph.read` and set values are taken over from the `graph` dialect as they are.
#ifndef GCOMPILE_IR_EXEC_OPS
#define GCOMPILE_IR_EXEC_OPS

include "ir/exec/ExecEnums.td"
include "ir/exec/ExecInterfaces.td"
include "ir/graph/GraphBase.td"

def Exec_Dialect : Dialect {
  let name = "exec";
  let cppNamespace = "::gcompile::exec";
  let summary = "Programs with every choice made";
  let description = [{
    Kernels (`exec.parallel`, `exec.reduce`, `exec.filter`, `exec.propagate` and others) run in parallel; each becomes a
    function of its own. What stands around them runs on the host. Every update says how it is made safe. Expressions,
    states and the control flow of scalars are operations of the `graph` dialect. Printers write what stands here, and
    decide nothing.
  }];
  let dependentDialects = ["::gcompile::graph::GraphDialect"];
}
class Exec_Op<string mnemonic, list<Trait> traits = []> : Op<Exec_Dialect, mnemonic, traits>;

// ---- Kernels --------------------------------------------------------------------------------------------------------

/// A data-parallel operation that becomes a function, or several, of its own: it takes `own`, and what every kernel says
/// (Exec_KernelInterface).
class Exec_Kernel<string mnemonic, dag own, list<Trait> traits = []>
    : Exec_Op<mnemonic, !listconcat(traits, [SingleBlock, NoTerminator, Exec_KernelInterface])> {
  let arguments = !con(own, (ins OptionalAttr<ArrayAttr>:$names, UnitAttr:$transposed, UnitAttr:$split,
                                 UnitAttr:$both_ways, UnitAttr:$by_lanes, OptionalAttr<I64Attr>:$grain,
                                 UnitAttr:$may_run_alone));
}

def Exec_ParallelOp : Exec_Kernel<"parallel",
    (ins StrAttr:$name, Graph_Domain:$domain, Optional<Graph_SetType>:$over, Exec_Sharing:$sharing,
    UnitAttr:$may_fail, OptionalAttr<I64Attr>:$segment_bytes, UnitAttr:$may_segment,
    OptionalAttr<I64Attr>:$segment_width, OptionalAttr<I64Attr>:$source_bytes, UnitAttr:$levels_apart,
    UnitAttr:$from_next_level, UnitAttr:$level_bits, UnitAttr:$turned, UnitAttr:$over_previous)> {
  let summary = "one data-parallel kernel over vertices, arcs or pairs: a function of its own in the output";
  let description = [{
    `domain` is vertices (`over`: a set; (v)), pairs ((i, j)) or edges (every arc; (e): for per-edge initialisers).
    `name` is unique in the algorithm. Values of the host that the body uses are the function's parameters.

    Cache segments:

    - `segment_bytes`, `may_segment`: what the schedule asks of exec-segment-pulls.
    - `segment_width`: the kernel takes so many sources of arcs at a time, one segment after the other.
    - `source_bytes`: the same, but the program chooses the width; the kernel reads so many bytes of each source.
    - `may_fail`: what it computes of a source may end the program.

    Kernels over kept levels:

    - `levels_apart`: it reads other vertices in another level than the one that it writes.
    - `from_next_level`: its edges lead to the level that was visited before.
    - `level_bits`: it asks a bitmap for that level.
    - `turned`: in exec.sweep, a step runs either the kernels with this flag or those without it.
    - `over_previous`: it runs over the members of the level that was visited before.
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name $domain ($over^)? $sharing attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "graph::Domain":$domain, "::mlir::Value":$over, "Sharing":$sharing),
    [{ build($_builder, $_state, name, domain, over, sharing, false, nullptr, false, nullptr, nullptr, false, false, false,
          false, false, /*names=*/nullptr, false, false, false, false, /*grain=*/nullptr, false); }]>];
}
def Exec_OnceOp : Exec_Kernel<"once",
    (ins StrAttr:$name)> {
  let summary = "statements of the host that write vertex or edge states, run by one thread of a device";
  let description = [{ GPU only: there the host does not see the arrays. Scalars that the body updates come back. }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name attr-dict-with-keyword $body";
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name),
    [{ build($_builder, $_state, name, /*names=*/nullptr, false, false, false, false, /*grain=*/nullptr, false); }]>];
}
def Exec_ReduceOp : Exec_Kernel<"reduce",
    (ins Graph_ReduceKind:$kind, OptionalAttr<StrAttr>:$name, OptionalAttr<Graph_Domain>:$domain,
    Optional<Graph_SetType>:$over, Exec_Sharing:$sharing, UnitAttr:$combined)> {
  let summary = "a reduction: the body's `exec.contribute`s, combined";
  let description = [{
    `combined`: inside a kernel `by_lanes`, what each lane has found is combined at the end.
    With `domain` (on the host): a parallel kernel as `exec.parallel`, whose body takes the domain's arguments; a function
    of its own that returns the value. Without: sequential inside a kernel, the body has no arguments and holds the
    loops. Floating sums are combined in a fixed order of threads.
  }];
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Graph_AnyScalar:$result);
  let assemblyFormat = [{ $kind ($name^)? (`over` $domain^)? ($over^)? $sharing attr-dict-with-keyword $body
                          `->` type($result) }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "graph::ReduceKind":$kind, "::mlir::StringAttr":$name, "graph::DomainAttr":$domain,
                       "::mlir::Value":$over, "Sharing":$sharing),
    [{ build($_builder, $_state, type, kind, name, domain, over, sharing, false, /*names=*/nullptr, false, false, false, false, /*grain=*/nullptr, false); }]>];
}
def Exec_ContributeOp : Exec_Op<"contribute", [AttrSizedOperandSegments]> {
  let summary = "one contribution to the innermost exec.reduce";
  let description = [{
    sum, min, max, any, all, mode: `value`. count: none. argmin, argmax: `value` is the key, `witness` the vertex or edge.
    any and all end the innermost loop once decided. `leader`: one lane contributes for all.
  }];
  let arguments = (ins Optional<Graph_AnyScalar>:$value, Optional<Graph_AnyScalar>:$witness, UnitAttr:$leader);
  let assemblyFormat = "($value^ `:` type($value))? (`for` $witness^ `:` type($witness))? attr-dict";
  let hasVerifier = 1;
}
def Exec_ImprovesOp : Exec_Op<"improves"> {
  let summary = "whether a contribution of this key could change the innermost exec.reduce: min, max, argmin or argmax";
  let arguments = (ins Graph_AnyScalar:$key);
  let results = (outs I1:$result);
  let assemblyFormat = "$key `:` type($key) attr-dict";
  let hasVerifier = 1;
}
def Exec_FilterOp : Exec_Kernel<"filter",
    (ins StrAttr:$name, Graph_SetType:$set, Exec_Sharing:$sharing)> {
  let summary = "the members of a set for which the body yields true, in parallel; a function of its own";
  let regions = (region SizedRegion<1>:$where);
  let results = (outs Graph_SetType:$result);
  let assemblyFormat = "$name $set $sharing attr-dict-with-keyword $where";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::llvm::StringRef":$name, "::mlir::Value":$set, "Sharing":$sharing),
    [{ build($_builder, $_state, type, name, set, sharing, /*names=*/nullptr, false, false, false, false, /*grain=*/nullptr, false); }]>];
}
def Exec_ForOp : Exec_Op<"for", [SingleBlock, NoTerminator, AttrSizedOperandSegments]> {
  let summary = "a sequential loop inside a kernel";
  let description = [{
    `domain`: out_of, into, either (operand: the vertex; arguments (other, e)); vertices (operand: a set, which may be
    adjacency algebra: neighbours united, intersected; (w), ascending); pairs. `above`: start after this vertex
    (adjacency is sorted). `below`: stop at this vertex. `by_place`: see exec.by_target. `share_lists`: several threads
    may share a long list. `shared`: the lanes of a kernel share the loop. `may_be_none`: as in graph.degree.
  }];
  let arguments = (ins Graph_Domain:$domain, Optional<AnyType>:$over, Optional<Graph_VertexType>:$above,
                       Optional<Graph_VertexType>:$below, ArrayAttr:$names, UnitAttr:$by_place, UnitAttr:$share_lists,
                       UnitAttr:$shared, UnitAttr:$may_be_none);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{ $domain ($over^ `:` type($over))? (`above` $above^)? (`below` $below^)?
                          attr-dict-with-keyword $body }];
  let hasVerifier = 1;
}
def Exec_BatchForOp : Exec_Op<"batch_for", [SingleBlock, NoTerminator, AttrSizedOperandSegments]> {
  let summary = "a loop over the neighbours of a vertex whose iterations a lane may evaluate several at once";
  let description = [{
    Each region takes the neighbour. `where` (may be empty) says whether the neighbour counts. If it does, `value`
    yields a number, which is added to the scalar `sum` or, without one, to the innermost exec.reduce; or `take` makes
    one update. No iteration changes what another one reads, so the loads of several need not wait for each other.
    `level_bits`: `where` only asks whether the neighbour is in the level that was visited before; the kernel may have a
    bitmap of it. GPU only; made by exec-batch-loops. The lanes of a kernel share the loop.
  }];
  let arguments = (ins Graph_Domain:$domain, Graph_VertexType:$over, Optional<Graph_VertexType>:$above,
                       Optional<Graph_VertexType>:$below, Optional<Graph_StateType>:$sum, ArrayAttr:$names,
                       UnitAttr:$level_bits, UnitAttr:$may_be_none);
  let regions = (region AnyRegion:$where, AnyRegion:$value, AnyRegion:$take);
  let assemblyFormat = [{ $domain $over (`above` $above^)? (`below` $below^)? (`into` $sum^ `:` type($sum))?
                          attr-dict-with-keyword (`where` $where^)? (`value` $value^)? (`take` $take^)? }];
  let hasVerifier = 1;
}
def Exec_RequireOp : Exec_Op<"require"> {
  let summary = "the region ends here where the condition does not hold";
  let description = [{
    A region that yields a truth value then yields false; a loop goes on with its next iteration, without an
    exec.relax. Equal to a graph.if around the rest of the block.
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}
def Exec_BreakOp : Exec_Op<"break"> {
  let summary = "leaves the innermost exec.for: early exit of a pull";
  let assemblyFormat = "attr-dict";
}
def Exec_UpdateOp : Exec_Op<"update"> {
  let summary = "an update with its synchronisation; `changed`, where used: whether the value is now different";
  let description = [{ `leader`: in a kernel `by_lanes`, one lane writes what all have computed. }];
  let arguments = (ins Graph_UpdateKind:$kind, Exec_Sync:$sync, Graph_StateType:$state,
                       Variadic<AnyTypeOf<[Graph_VertexType, Graph_EdgeType]>>:$indices, Graph_AnyValue:$value,
                       UnitAttr:$checked, UnitAttr:$leader);
  let results = (outs I1:$changed);
  let assemblyFormat = [{ $kind $sync $state `[` $indices `]` `=` $value (`checked` $checked^)? attr-dict
                          `:` functional-type(operands, results) }];
  let hasVerifier = 1;
}
def Exec_UpdateTupleOp : Exec_Op<"update_tuple", [AttrSizedOperandSegments]> {
  let summary = "graph.update_tuple with its synchronisation (`atomic`: under a striped lock of the vertex)";
  let arguments = (ins Graph_UpdateKind:$kind, Exec_Sync:$sync, Variadic<Graph_StateType>:$states,
                       Graph_VertexType:$index, Variadic<Graph_AnyScalar>:$values, UnitAttr:$checked);
  let results = (outs I1:$changed);
  let assemblyFormat = [{ $kind $sync `(` $states `)` `[` $index `]` `=` `(` $values `)` (`checked` $checked^)? attr-dict
                          `:` functional-type(operands, results) }];
  let hasVerifier = 1;
}
def Exec_ReadTogetherOp : Exec_Op<"read_together"> {
  let summary = "the values of several states at one vertex as they stood together: under the lock of exec.update_tuple";
  let arguments = (ins Variadic<Graph_StateType>:$states, Graph_VertexType:$index);
  let results = (outs AnyTuple:$value);
  let assemblyFormat = "`(` $states `)` `[` $index `]` attr-dict `:` functional-type(operands, $value)";
}
def Exec_ClaimOp : Exec_Op<"claim", [AllTypesMatch<["expected", "desired"]>]> {
  let summary = "compare-and-set: succeeds for the one iteration that changes the value from `expected` to `desired`";
  let description = [{ `atomic`: tested first, then compare-and-swap. `plain`: only this iteration touches it.
    `witness`: in the serial program of --verify, a claim succeeds only with the value that the parallel run ended with.
    If a claim fails for this reason alone, the right one must follow in the same round, or the verification fails. }];
  let arguments = (ins Exec_Sync:$sync, Graph_StateType:$state,
                       Variadic<AnyTypeOf<[Graph_VertexType, Graph_EdgeType]>>:$indices, Graph_AnyScalar:$expected,
                       Graph_AnyScalar:$desired, UnitAttr:$witness);
  let results = (outs I1:$won);
  let assemblyFormat = [{ $sync $state `[` $indices `]` $expected `to` $desired (`witness` $witness^)? attr-dict
                          `:` functional-type(operands, results) }];
  let hasVerifier = 1;
}
def Exec_SnapshotOp : Exec_Op<"snapshot", [AttrSizedOperandSegments, AllTypesMatch<["state", "copy"]>]> {
  let summary = "a copy of a state as it is now, taken in parallel; a second array of the same shape";
  let description = [{ `row`, `column` (dense states): only that row or column is copied and may be read. }];
  let arguments = (ins StrAttr:$name, Graph_StateType:$state, Optional<Graph_VertexType>:$row,
                       Optional<Graph_VertexType>:$column, Exec_Sharing:$sharing);
  let results = (outs Graph_StateType:$copy);
  let assemblyFormat = "$name $state (`row` $row^)? (`column` $column^)? $sharing attr-dict `:` type($state)";
  let hasVerifier = 1;
}
def Exec_ByTargetOp : Exec_Op<"by_target", [AllTypesMatch<["column", "copy"]>]> {
  let summary = "an edge column in the order of the arcs into each vertex, made once for a graph";
  let description = [{
    In `exec.for into ... {by_place}` the edge is an arc's place in that order, by which such columns are read. Made by
    the pass exec-order-columns, at the beginning of an algorithm.
  }];
  let arguments = (ins StrAttr:$name, Graph_StateType:$column);
  let results = (outs Graph_StateType:$copy);
  let assemblyFormat = "$name $column attr-dict `:` type($column)";
}
def Exec_PropagateOp : Exec_Kernel<"propagate",
    (ins StrAttr:$name, Exec_Direction:$direction, Graph_SetType:$from, Optional<AnyTypeOf<[I32, I64]>>:$atMost,
    Exec_Sharing:$sharing, UnitAttr:$dedup, F64Attr:$alpha, F64Attr:$beta, UnitAttr:$by_growth,
    OptionalAttr<Exec_Frontier>:$frontier, OptionalAttr<F64ArrayAttr>:$frontier_options, UnitAttr:$share_lists,
    UnitAttr:$team, OptionalAttr<I64Attr>:$commit_grain, OptionalAttr<Exec_Gather>:$gather,
    OptionalAttr<Exec_LoopPlace>:$loop, UnitAttr:$claim_bitmap, OptionalAttr<I64Attr>:$cull_warp,
    OptionalAttr<I64Attr>:$cull_history, UnitAttr:$round_independent)> {
  let summary = "rounds over a frontier; the loop on the host, each region a kernel function";
  let description = [{
    Round r runs `push` (u, round) for every vertex of the frontier, or `pull` (v, round) for every vertex; both contain
    the edge loop and `exec.activate`. Then `commit` (v, round), if there is one, runs for every vertex of the next
    frontier. Then the host evaluates `until` (round), if there is one. The loop ends when the next frontier is empty,
    or after `atMost` rounds.

    - `direction` hybrid: a round pulls when the arcs out of the frontier exceed (arcs not yet in any frontier) /
      `alpha`, and pushes again when the frontier shrinks and has fewer than n / `beta` vertices (Beamer et al. 2012).
    - `by_growth`: the direction follows the growth of the frontier instead.
    - `frontier`, `frontier_options`: the form of the frontier in rounds that push, and its thresholds.
    - `dedup`: exec.activate may be called more than once for a vertex, and must insert it once. Without it each vertex
      is activated at most once a round.
    - `levels`: the frontiers are kept.
    - `transposed`: a push goes over the arcs into the vertex, a pull over those out of it.
  }];
  let regions = (region AnyRegion:$push, AnyRegion:$pull, AnyRegion:$commit, AnyRegion:$until);
  let results = (outs Optional<Graph_LevelsType>:$levels);
  let assemblyFormat = [{ $name $direction $from (`at_most` $atMost^ `:` type($atMost))? $sharing (`dedup` $dedup^)?
      attr-dict-with-keyword (`push` $push^)? (`pull` $pull^)? (`commit` $commit^)? (`until` $until^)? (`levels` type($levels)^)? }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Type":$levels, "::llvm::StringRef":$name, "Direction":$direction, "::mlir::Value":$from,
                       "::mlir::Value":$atMost, "Sharing":$sharing, "bool":$dedup, "::llvm::APFloat":$alpha,
                       "::llvm::APFloat":$beta, "bool":$byGrowth, "FrontierKindAttr":$frontier,
                       "::mlir::ArrayAttr":$options),
    [{ build($_builder, $_state, levels, name, direction, from, atMost, sharing, dedup, alpha, beta, byGrowth, frontier,
          options, false, false, nullptr, GatherAttr(), LoopPlaceAttr(), false, nullptr, nullptr, false,
          /*names=*/nullptr, false, false, false, false, /*grain=*/nullptr, false); }]>];
}
def Exec_InFrontierOp : Exec_Op<"in_frontier"> {
  let summary = "whether a vertex is in the current frontier (pull)";
  let arguments = (ins Graph_VertexType:$vertex);
  let results = (outs I1:$result);
  let assemblyFormat = "$vertex attr-dict";
}
def Exec_VisitedBeforeOp : Exec_Op<"visited_before"> {
  let summary = "whether a vertex is in the kept level that the loop over them visited before the present one";
  let description = [{ Made by the pass exec-test-levels. }];
  let arguments = (ins Graph_VertexType:$vertex, Graph_LevelsType:$levels);
  let results = (outs I1:$result);
  let assemblyFormat = "$vertex `of` $levels attr-dict";
}
def Exec_SegmentsPayOp : Exec_Op<"segments_pay"> {
  let summary = "whether this round is to take the arcs into vertices in segments of their sources";
  let description = [{ On the host; made by the pass exec-segment-pulls. The answer depends on the graph, the machine
    and the rounds so far. `source_bytes`: what the kernel reads of each source. `value_bytes`: what it computes for each
    vertex. }];
  let arguments = (ins I64Attr:$source_bytes, OptionalAttr<I64Attr>:$value_bytes);
  let results = (outs I1:$result);
  let assemblyFormat = "$source_bytes attr-dict";
  let builders = [OpBuilder<(ins "std::int64_t":$sourceBytes),
    [{ build($_builder, $_state, $_builder.getI1Type(), sourceBytes, nullptr); }]>];
}
def Exec_ActivateOp : Exec_Op<"activate"> {
  let summary = "puts a vertex into the next frontier, or into the bucket of its new priority";
  let description = [{ `plain`: only this iteration can activate the vertex in this kernel (pull). }];
  let arguments = (ins Exec_Sync:$sync, Graph_VertexType:$vertex);
  let assemblyFormat = "$sync $vertex attr-dict";
}
def Exec_PrefetchOp : Exec_Op<"prefetch"> {
  let summary = "first in a push: fetches lists of neighbours, edge columns and elements of a state into the cache";
  let description = [{
    For vertices that come later in the loop. Only a hint, made by the pass exec-prefetch; a target without use for it
    leaves the pass out. `written`: the push mostly writes these elements.
  }];
  let arguments = (ins Graph_StateType:$state, Variadic<Graph_StateType>:$columns, UnitAttr:$written);
  let assemblyFormat = "$state (`,` $columns^)? attr-dict `:` type($state) (`,` type($columns)^)?";
}
def Exec_PrefetchWritesOp : Exec_Op<"prefetch_writes"> {
  let summary = "behind exec.prefetch: fetches elements of a further state, which the push writes at the neighbours";
  let description = [{ Only a hint, as exec.prefetch. }];
  let arguments = (ins Graph_StateType:$state);
  let assemblyFormat = "$state attr-dict `:` type($state)";
}
def Exec_PrefetchTargetOp : Exec_Op<"prefetch_target"> {
  let summary = "first in a loop over the arcs out of a vertex: fetches a state's element at the target of a later arc";
  let description = [{ Only a hint, made by the pass exec-prefetch, as exec.prefetch. }];
  let arguments = (ins Graph_StateType:$state, Graph_EdgeType:$edge);
  let assemblyFormat = "$state $edge attr-dict `:` type($state)";
}
def Exec_SelectOp : Exec_Op<"select", [SingleBlock, NoTerminator]> {
  let summary = "first in a pull, or in a loop over arcs: only the vertices, or arcs, for which `where` yields true are visited";
  let description = [{
    Equal to a `graph.if` around the rest. Several vertices or arcs are tested before the first of them is visited, so
    memory can be asked in time for what the visits need. Made by the passes exec-prefetch (pulls) and exec-select-arcs.
  }];
  let regions = (region SizedRegion<1>:$where);
  let assemblyFormat = "attr-dict-with-keyword $where";
}
def Exec_CountEdgeOp : Exec_Op<"count_edge"> {
  let summary = "one more edge that this kernel looks at";
  let description = [{ Made by the pass exec-profile; the sums appear in the profile of the program. }];
  let assemblyFormat = "attr-dict";
}
def Exec_OrderedOp : Exec_Kernel<"ordered",
    (ins StrAttr:$name, Graph_SetType:$from, Graph_StateType:$priority, I64Attr:$delta,
    OptionalAttr<I64Attr>:$fusion, Exec_Sharing:$sharing, OptionalAttr<I64Attr>:$grows_by)> {
  let summary = "delta-stepping: vertices processed by ascending bucket of `priority` / delta, to a fixpoint";
  let description = [{
    `push` (u) holds the edge loop. `exec.activate %v` puts v into the bucket of its value. Entries whose value has
    improved since are skipped.

    - `delta`: the width of a bucket; 0: chosen from weights and degrees when the graph is known.
    - `grows_by`: the number of the argument that holds the weights; without it each step counts one.
    - `fusion`: a thread goes on with what it has itself added to the current bucket, while that is shorter than this.
    - `transposed`: as in exec.propagate.
  }];
  let regions = (region SizedRegion<1>:$push);
  let assemblyFormat = "$name $from `by` $priority `:` type($priority) $sharing attr-dict-with-keyword $push";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::Value":$from, "::mlir::Value":$priority, "std::int64_t":$delta,
                       "::mlir::IntegerAttr":$fusion, "Sharing":$sharing),
    [{ build($_builder, $_state, name, from, priority, delta, fusion, sharing, nullptr, /*names=*/nullptr, false, false, false, false, /*grain=*/nullptr, false); }]>];
}
def Exec_RelaxOp : Exec_Op<"relax"> {
  let summary = "last in the loop of an ordered push: proposes a priority for the other end of the edge";
  let description = [{
    The target's priority falls to the value if that is less, and then the target is activated: all that an edge does.
    The runtime can then take several edges at a time, and knows the priority of what is activated. GPU only; made by
    exec-mark-relaxations.
  }];
  let arguments = (ins AnyTypeOf<[I32, I64, F32, F64]>:$value, Graph_VertexType:$target);
  let assemblyFormat = "$value `to` $target attr-dict `:` type($value)";
  let hasVerifier = 1;
}
def Exec_ExpectOp : Exec_Op<"expect"> {
  let summary = "first in a push: which states decide what an arc does, by their element at its other end";
  let description = [{ GPU only: the elements are loaded while threads wait. Made by exec-expect-reads. }];
  let arguments = (ins Variadic<Graph_StateType>:$states);
  let assemblyFormat = "$states attr-dict `:` type($states)";
}
def Exec_PullByArcsOp : Exec_Op<"pull_by_arcs", [SingleBlock, NoTerminator]> {
  let summary = "a pull that the runtime takes apart: which vertices look, what an arc does, and what follows";
  let description = [{
    All of the pull of an exec.propagate but the declarations of `sums`; its regions use the pull's vertex and round.
    `wants` yields whether the vertex looks at the arcs into it. `arc` (u) runs for an arc from an active vertex;
    exec.break in it ends the look. `found` runs once for a vertex of which an arc was taken, whichever it was; `finish`
    (both may be empty) once all arcs have been looked at. `sums` are scalars that arcs add to, from zero: lanes that
    share the arcs of a vertex each have their own, which are added up. `first_only`: an arc may end the look, and does
    if it activates the vertex. `first_takes`: any arc from an active vertex ends it. GPU only; made by exec-split-pull.
  }];
  let arguments = (ins Variadic<Graph_StateType>:$sums, ArrayAttr:$names, UnitAttr:$first_only,
                       UnitAttr:$first_takes);
  let regions = (region SizedRegion<1>:$wants, SizedRegion<1>:$arc, AnyRegion:$found, AnyRegion:$finish);
  let assemblyFormat = [{ ($sums^ `:` type($sums))? attr-dict-with-keyword `wants` $wants `arc` $arc
                          (`found` $found^)? (`finish` $finish^)? }];
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
    the graph and by `by_sets`, which says that all kernels run over sets of vertices. GPU only; made by exec-run-loops.
  }];
  let arguments = (ins OptionalAttr<Exec_LoopPlace>:$place, UnitAttr:$by_sets);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`on` $place^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}
def Exec_AsynchronousOp : Exec_Kernel<"asynchronous",
    (ins StrAttr:$name, Graph_SetType:$from, Optional<Graph_StateType>:$priority, I64Attr:$chunk, I64Attr:$delta,
    OptionalAttr<I64Attr>:$grows_by)> {
  let summary = "a fixpoint without rounds: all threads take active vertices from one work list and add to it";
  let description = [{
    `push` (u) holds the edge loop; `exec.activate %v` adds v. A vertex may be processed by two threads at a time: every
    update is synchronised. `chunk`: how many vertices threads hand to each other at a time. Without `by`, in no order.
    With it, softly by ascending `priority` / delta (OBIM, Nguyen et al. 2013); entries whose value has improved since
    are skipped; `delta` 0: chosen as by exec.ordered.
  }];
  let regions = (region SizedRegion<1>:$push);
  let assemblyFormat = "$name $from (`by` $priority^ `:` type($priority))? attr-dict-with-keyword $push";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::Value":$from, "::mlir::Value":$priority, "std::int64_t":$chunk,
                       "std::int64_t":$delta),
    [{ build($_builder, $_state, name, from, priority, chunk, delta, nullptr, /*names=*/nullptr, false, false, false, false, /*grain=*/nullptr, false); }]>];
}
def Exec_BucketsOp : Exec_Op<"buckets"> {
  let summary = "from here on keeps the members of a set in buckets by an integer per-vertex state";
  let description = [{
    Until the end of the loop that follows, `set` only loses members, and every change of `priority` is reported by
    `exec.move`. Made by the pass exec-bucket-sets; a target without such buckets leaves the pass out.
  }];
  let arguments = (ins StrAttr:$name, Graph_StateType:$set, Graph_StateType:$priority);
  let results = (outs Graph_BucketsType:$buckets);
  let assemblyFormat = "$name $set `by` $priority attr-dict `:` type($set) `,` type($priority)";
  let hasVerifier = 1;
}
def Exec_BucketMinOp : Exec_Op<"bucket_min"> {
  let summary = "the least priority of a member, or inf";
  let arguments = (ins Graph_BucketsType:$buckets);
  let results = (outs AnyTypeOf<[I32, I64]>:$least);
  let assemblyFormat = "$buckets attr-dict `:` type($least)";
}
def Exec_BucketSelectOp : Exec_Op<"bucket_select"> {
  let summary = "the members whose priority is `kind` (le, lt or eq) of a bound";
  let arguments = (ins Graph_BinaryKind:$kind, Graph_BucketsType:$buckets, AnyTypeOf<[I32, I64]>:$bound);
  let results = (outs Graph_SetType:$result);
  let assemblyFormat = "$kind $buckets `,` $bound attr-dict `:` type($bound)";
  let hasVerifier = 1;
}
def Exec_MoveOp : Exec_Op<"move"> {
  let summary = "the priority of a vertex has changed: it goes to its new bucket";
  let arguments = (ins Graph_BucketsType:$buckets, Graph_VertexType:$vertex);
  let assemblyFormat = "$buckets `[` $vertex `]` attr-dict";
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

#endif
