// The `exec` dialect: how a program runs. Every choice (direction, synchronisation, frontier, schedule) is an operation
// or an attribute here; the printers decide nothing. Expressions, scalar control flow (`graph.if`, `graph.while`,
// `graph.repeat`, `graph.break`, sequential `graph.for` over sets and levels on the host), `graph.state` (without init:
// allocation only), `graph.read` and set values are taken over from the `graph` dialect as they are.
#ifndef GCOMPILE_IR_EXEC_OPS
#define GCOMPILE_IR_EXEC_OPS

include "ir/exec/ExecEnums.td"
include "ir/graph/GraphBase.td"

def Exec_Dialect : Dialect {
  let name = "exec";
  let cppNamespace = "::gcompile::exec";
  let summary = "Programs with every choice made";
  let dependentDialects = ["::gcompile::graph::GraphDialect"];
}
class Exec_Op<string mnemonic, list<Trait> traits = []> : Op<Exec_Dialect, mnemonic, traits>;

def Exec_ParallelOp : Exec_Op<"parallel", [SingleBlock, NoTerminator]> {
  let summary = "one data-parallel kernel over vertices, arcs or pairs: a function of its own in the output";
  let description = [{
    `domain` is vertices (`over`: a set; (v)), pairs ((i, j)) or edges (every arc; (e): for per-edge initialisers).
    `name` is unique in the algorithm. Values of the host that the body uses are the function's parameters.
    `transposed`: the kernel is about the arcs into its vertices, not those out of them.
  }];
  let arguments = (ins StrAttr:$name, Graph_Domain:$domain, Optional<Graph_SetType>:$over, Exec_Sharing:$sharing);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name $domain ($over^)? $sharing attr-dict-with-keyword $body";
}
def Exec_OnceOp : Exec_Op<"once", [SingleBlock, NoTerminator]> {
  let summary = "statements of the host that write vertex or edge states, run by one thread of a device";
  let description = [{ GPU only: there the host does not see the arrays. Scalars that the body updates come back. }];
  let arguments = (ins StrAttr:$name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name attr-dict-with-keyword $body";
}
def Exec_ReduceOp : Exec_Op<"reduce", [SingleBlock, NoTerminator]> {
  let summary = "a reduction: the body's `exec.contribute`s, combined";
  let description = [{
    With `domain` (on the host): a parallel kernel as `exec.parallel`, whose body takes the domain's arguments; a function
    of its own that returns the value. Without: sequential inside a kernel, the body has no arguments and holds the
    loops. Floating sums are combined in a fixed order of threads.
  }];
  let arguments = (ins Graph_ReduceKind:$kind, OptionalAttr<StrAttr>:$name, OptionalAttr<Graph_Domain>:$domain,
                       Optional<Graph_SetType>:$over, Exec_Sharing:$sharing);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Graph_AnyScalar:$result);
  let assemblyFormat = [{ $kind ($name^)? (`over` $domain^)? ($over^)? $sharing attr-dict-with-keyword $body
                          `->` type($result) }];
}
def Exec_ContributeOp : Exec_Op<"contribute", [AttrSizedOperandSegments]> {
  let summary = "one contribution to the innermost exec.reduce";
  let description = [{
    sum, min, max, any, all, mode: `value`. count: none. argmin, argmax: `value` is the key, `witness` the vertex or edge.
    any and all end the innermost loop once decided.
  }];
  let arguments = (ins Optional<Graph_AnyScalar>:$value, Optional<Graph_AnyScalar>:$witness);
  let assemblyFormat = "($value^ `:` type($value))? (`for` $witness^ `:` type($witness))? attr-dict";
}
def Exec_ImprovesOp : Exec_Op<"improves"> {
  let summary = "whether a contribution of this key could change the innermost exec.reduce: min, max, argmin or argmax";
  let arguments = (ins Graph_AnyScalar:$key);
  let results = (outs I1:$result);
  let assemblyFormat = "$key `:` type($key) attr-dict";
}
def Exec_FilterOp : Exec_Op<"filter", [SingleBlock, NoTerminator]> {
  let summary = "the members of a set for which the body yields true, in parallel; a function of its own";
  let arguments = (ins StrAttr:$name, Graph_SetType:$set, Exec_Sharing:$sharing);
  let regions = (region SizedRegion<1>:$where);
  let results = (outs Graph_SetType:$result);
  let assemblyFormat = "$name $set $sharing attr-dict-with-keyword $where";
}
def Exec_ForOp : Exec_Op<"for", [SingleBlock, NoTerminator, AttrSizedOperandSegments]> {
  let summary = "a sequential loop inside a kernel";
  let description = [{
    `domain`: out_of, into, either (operand: the vertex; arguments (other, e)); vertices (operand: a set, which may be
    adjacency algebra: neighbours united, intersected; (w), ascending); pairs. `above`: start after this vertex
    (adjacency is sorted). `below`: stop at this vertex. `no_edge`: e is not used.
  }];
  let arguments = (ins Graph_Domain:$domain, Optional<AnyType>:$over, Optional<Graph_VertexType>:$above,
                       Optional<Graph_VertexType>:$below, ArrayAttr:$names);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{ $domain ($over^ `:` type($over))? (`above` $above^)? (`below` $below^)?
                          attr-dict-with-keyword $body }];
}
def Exec_BreakOp : Exec_Op<"break"> {
  let summary = "leaves the innermost exec.for: early exit of a pull";
  let assemblyFormat = "attr-dict";
}
def Exec_UpdateOp : Exec_Op<"update"> {
  let summary = "an update with its synchronisation; `changed`, where used: whether the value is now different";
  let arguments = (ins Graph_UpdateKind:$kind, Exec_Sync:$sync, Graph_StateType:$state,
                       Variadic<AnyTypeOf<[Graph_VertexType, Graph_EdgeType]>>:$indices, Graph_AnyValue:$value,
                       UnitAttr:$checked);
  let results = (outs I1:$changed);
  let assemblyFormat = [{ $kind $sync $state `[` $indices `]` `=` $value (`checked` $checked^)? attr-dict
                          `:` functional-type(operands, results) }];
}
def Exec_UpdateTupleOp : Exec_Op<"update_tuple", [AttrSizedOperandSegments]> {
  let summary = "graph.update_tuple with its synchronisation (`atomic`: under a striped lock of the vertex)";
  let arguments = (ins Graph_UpdateKind:$kind, Exec_Sync:$sync, Variadic<Graph_StateType>:$states,
                       Graph_VertexType:$index, Variadic<Graph_AnyScalar>:$values, UnitAttr:$checked);
  let results = (outs I1:$changed);
  let assemblyFormat = [{ $kind $sync `(` $states `)` `[` $index `]` `=` `(` $values `)` (`checked` $checked^)? attr-dict
                          `:` functional-type(operands, results) }];
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
    `witness`: in the serial program of --verify, succeed only for the value that the parallel run ended with. What
    fails for that alone is due: who is to win comes in the same round of the propagate, or the verification fails. }];
  let arguments = (ins Exec_Sync:$sync, Graph_StateType:$state,
                       Variadic<AnyTypeOf<[Graph_VertexType, Graph_EdgeType]>>:$indices, Graph_AnyScalar:$expected,
                       Graph_AnyScalar:$desired, UnitAttr:$witness);
  let results = (outs I1:$won);
  let assemblyFormat = [{ $sync $state `[` $indices `]` $expected `to` $desired (`witness` $witness^)? attr-dict
                          `:` functional-type(operands, results) }];
}
def Exec_SnapshotOp : Exec_Op<"snapshot", [AttrSizedOperandSegments, AllTypesMatch<["state", "copy"]>]> {
  let summary = "a copy of a state as it is now, taken in parallel; a second array of the same shape";
  let description = [{ `row`, `column` (dense states): only that row or column is copied and may be read. }];
  let arguments = (ins StrAttr:$name, Graph_StateType:$state, Optional<Graph_VertexType>:$row,
                       Optional<Graph_VertexType>:$column, Exec_Sharing:$sharing);
  let results = (outs Graph_StateType:$copy);
  let assemblyFormat = "$name $state (`row` $row^)? (`column` $column^)? $sharing attr-dict `:` type($state)";
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
def Exec_PropagateOp : Exec_Op<"propagate", [SingleBlock, NoTerminator]> {
  let summary = "rounds over a frontier; the loop on the host, each region a kernel function";
  let description = [{
    Round r runs `push` (u, round) for every frontier vertex, or `pull` (v, round) for every vertex; both contain the
    edge loop and `exec.activate`. Then `commit` (v, round), where not empty, runs for every vertex of the next frontier.
    Then `until` (round), where not empty, is evaluated on the host. Ends when the next frontier is empty or after `atMost` rounds.
    hybrid: pull when the frontier's out-arcs exceed (arcs not yet in any frontier) / alpha, back to push when it has
    fewer than n / beta vertices and shrinks (GAPBS). `by_growth`: the direction follows the change of state instead (S5).
    `frontier`: how rounds that push run, with the options of its kind: queue T1; hybrid T1, T2, T3, alpha, beta. `dedup`: exec.activate may be called more than once for a vertex and
    must insert it once; without it each vertex is activated at most once a round. `levels`: the frontiers are kept.
    `transposed`: a push goes over the arcs into the vertex, a pull over those out of it.
  }];
  let arguments = (ins StrAttr:$name, Exec_Direction:$direction, Graph_SetType:$from,
                       Optional<AnyTypeOf<[I32, I64]>>:$atMost, Exec_Sharing:$sharing, UnitAttr:$dedup,
                       F64Attr:$alpha, F64Attr:$beta, UnitAttr:$by_growth,
                       OptionalAttr<Exec_Frontier>:$frontier, OptionalAttr<F64ArrayAttr>:$frontier_options);
  let regions = (region AnyRegion:$push, AnyRegion:$pull, AnyRegion:$commit, AnyRegion:$until);
  let results = (outs Optional<Graph_LevelsType>:$levels);
  let assemblyFormat = [{ $name $direction $from (`at_most` $atMost^ `:` type($atMost))? $sharing (`dedup` $dedup^)?
      attr-dict-with-keyword (`push` $push^)? (`pull` $pull^)? (`commit` $commit^)? (`until` $until^)? (`levels` type($levels)^)? }];
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
  let description = [{ On the host; made by the pass exec-segment-pulls. The graph, the machine and the rounds so far say it. }];
  let arguments = (ins I64Attr:$source_bytes);
  let results = (outs I1:$result);
  let assemblyFormat = "$source_bytes attr-dict";
}
def Exec_ActivateOp : Exec_Op<"activate"> {
  let summary = "puts a vertex into the next frontier, or into the bucket of its new priority";
  let description = [{ `plain`: only this iteration can activate the vertex in this kernel (pull). }];
  let arguments = (ins Exec_Sync:$sync, Graph_VertexType:$vertex);
  let assemblyFormat = "$sync $vertex attr-dict";
}
def Exec_PrefetchOp : Exec_Op<"prefetch"> {
  let summary = "first in a push: has the lists of vertices to come, their edge columns and a state's elements at the neighbours fetched into the cache";
  let description = [{
    Only a hint, made by the pass exec-prefetch; a target without use for it leaves the pass out. `written`: the push
    writes these elements, mostly.
  }];
  let arguments = (ins Graph_StateType:$state, Variadic<Graph_StateType>:$columns, UnitAttr:$written);
  let assemblyFormat = "$state (`,` $columns^)? attr-dict `:` type($state) (`,` type($columns)^)?";
}
def Exec_PrefetchWritesOp : Exec_Op<"prefetch_writes"> {
  let summary = "behind exec.prefetch: has a further state's elements at the neighbours, which the push writes, fetched";
  let description = [{ Only a hint, as exec.prefetch. }];
  let arguments = (ins Graph_StateType:$state);
  let assemblyFormat = "$state attr-dict `:` type($state)";
}
def Exec_PrefetchTargetOp : Exec_Op<"prefetch_target"> {
  let summary = "first in a loop over the arcs out of a vertex: has a state's element at the target of an arc some way on fetched";
  let description = [{ Only a hint, made by the pass exec-prefetch, as exec.prefetch. }];
  let arguments = (ins Graph_StateType:$state, Graph_EdgeType:$edge);
  let assemblyFormat = "$state $edge attr-dict `:` type($state)";
}
def Exec_SelectOp : Exec_Op<"select", [SingleBlock, NoTerminator]> {
  let summary = "first in a pull, or in a loop over arcs: only the vertices, or arcs, for which `where` yields true are visited";
  let description = [{
    Equal to a `graph.if` around the rest. Some vertices or arcs are tested before the first of them is visited, so that
    what visits wait for is known some way ahead. Made by the passes exec-prefetch (pulls) and exec-select-arcs.
  }];
  let regions = (region SizedRegion<1>:$where);
  let assemblyFormat = "attr-dict-with-keyword $where";
}
def Exec_CountEdgeOp : Exec_Op<"count_edge"> {
  let summary = "one more edge that this kernel looks at";
  let description = [{ Made by the pass exec-profile; the sums appear in the profile of the program. }];
  let assemblyFormat = "attr-dict";
}
def Exec_OrderedOp : Exec_Op<"ordered", [SingleBlock, NoTerminator]> {
  let summary = "delta-stepping: vertices processed by ascending bucket of `priority` / delta, to a fixpoint";
  let description = [{
    `transposed`: as in exec.propagate. `push` (u) holds the edge loop; `exec.activate %v` puts v into the bucket of its value. Entries whose value has
    improved since are skipped. `delta` 0: chosen from weights and degrees when the graph is known;
    the weights are those of the algorithm's argument number `grows_by`, without which each step counts one.
    `fusion`: a thread goes on with what it added to the current bucket itself while that is shorter than this.
  }];
  let arguments = (ins StrAttr:$name, Graph_SetType:$from, Graph_StateType:$priority, I64Attr:$delta,
                       OptionalAttr<I64Attr>:$fusion, Exec_Sharing:$sharing);
  let regions = (region SizedRegion<1>:$push);
  let assemblyFormat = "$name $from `by` $priority `:` type($priority) $sharing attr-dict-with-keyword $push";
}
def Exec_AsynchronousOp : Exec_Op<"asynchronous", [SingleBlock, NoTerminator]> {
  let summary = "a fixpoint without rounds: all threads take active vertices from one work list and add to it";
  let description = [{
    `push` (u) holds the edge loop; `exec.activate %v` adds v. A vertex may be processed by two threads at a time: every
    update is synchronised. `chunk`: how many vertices threads hand to each other at a time. Without `by`, in no order.
    With it, softly by ascending `priority` / delta (OBIM, Nguyen et al. 2013); entries whose value has improved since
    are skipped; `delta` 0: chosen as by exec.ordered.
  }];
  let arguments = (ins StrAttr:$name, Graph_SetType:$from, Optional<Graph_StateType>:$priority, I64Attr:$chunk,
                       I64Attr:$delta);
  let regions = (region SizedRegion<1>:$push);
  let assemblyFormat = "$name $from (`by` $priority^ `:` type($priority))? attr-dict-with-keyword $push";
  let hasVerifier = 1;
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
