// What a kernel does: loops over the arcs of a vertex, updates with their synchronisation, and hints.
#ifndef GCOMPILE_IR_EXEC_STATEMENTS
#define GCOMPILE_IR_EXEC_STATEMENTS

include "ir/exec/ExecBase.td"

def Exec_ForOp : Exec_Op<"for", [SingleBlock, NoTerminator, AttrSizedOperandSegments]> {
  let summary = "a sequential loop inside a kernel";
  let description = [{
    `domain`: out_of, into, either (operand: the vertex; arguments (other, e)); vertices (operand: a set, which may be
    adjacency algebra: neighbours united, intersected; (w), ascending); pairs. `above`: start after this vertex
    (adjacency is sorted). `below`: stop at this vertex. `by_place`: see exec.by_target. `share_lists`: several threads
    may share a long list. `unpack`: it is all of a push, which takes the packed lists of several vertices out of their
    fields and goes over their arcs (exec-unpack-lists). `shared`: the lanes of a kernel share the loop. `may_be_none`:
    as in graph.degree. `aligned`: where the runtime keeps the vertex's list aligned, it is read there
    (exec-align-lists). `first`: it is all of a pull behind its selection, and looks for the first neighbour in the
    frontier (exec-mark-first). `partial_sums`: all that it does is one contribution to a sum, which may be of several parts
    (exec-vectorise-sums).
  }];
  let arguments = (ins Graph_Domain:$domain, Optional<AnyType>:$over, Optional<Graph_VertexType>:$above,
                       Optional<Graph_VertexType>:$below, ArrayAttr:$names, UnitAttr:$by_place, UnitAttr:$share_lists,
                       UnitAttr:$unpack, UnitAttr:$shared, UnitAttr:$may_be_none, UnitAttr:$aligned, UnitAttr:$first,
                       UnitAttr:$partial_sums);
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
    bitmap of it. `aligned`: as in exec.for. GPU only; made by exec-batch-loops. The lanes of a kernel share the loop.
  }];
  let arguments = (ins Graph_Domain:$domain, Graph_VertexType:$over, Optional<Graph_VertexType>:$above,
                       Optional<Graph_VertexType>:$below, Optional<Graph_StateType>:$sum, ArrayAttr:$names,
                       UnitAttr:$level_bits, UnitAttr:$may_be_none, UnitAttr:$aligned);
  let regions = (region AnyRegion:$where, AnyRegion:$value, AnyRegion:$take);
  let assemblyFormat = [{ $domain $over (`above` $above^)? (`below` $below^)? (`into` $sum^ `:` type($sum))?
                          attr-dict-with-keyword (`where` $where^)? (`value` $value^)? (`take` $take^)? }];
  let hasVerifier = 1;
}
def Exec_BestForOp : Exec_Op<"best_for", [SingleBlock, NoTerminator]> {
  let summary = "a loop over the neighbours of a vertex for the least or greatest value, several evaluated at once";
  let description = [{
    `where` (neighbour, edge; may be empty) says whether they count; if so, `value` (neighbour, edge) yields what they
    bring, and `take` (neighbour, edge, value) contributes it to the innermost exec.reduce, a minimum or maximum.
    Nothing else is written, so the loads of several need not wait for each other. GPU only; made by exec-batch-loops.
    The lanes of a kernel share the loop.
  }];
  let arguments = (ins Graph_Domain:$domain, Graph_VertexType:$over, ArrayAttr:$names, UnitAttr:$may_be_none);
  let regions = (region AnyRegion:$where, SizedRegion<1>:$value, SizedRegion<1>:$take);
  let assemblyFormat = "$domain $over attr-dict-with-keyword (`where` $where^)? `value` $value `take` $take";
  let hasVerifier = 1;
}
def Exec_BreakOp : Exec_Op<"break"> {
  let summary = "leaves the innermost exec.for: early exit of a pull";
  let assemblyFormat = "attr-dict";
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
  let hasVerifier = 1;
}
def Exec_UpdateOp : Exec_Op<"update"> {
  let summary = "an update with its synchronisation; `changed`, where used: whether the value is now different";
  let description = [{ `leader`: in a kernel `by_lanes`, one lane writes what all have computed. `part`, `combiner`: as
    in graph.update. }];
  let arguments = (ins Graph_UpdateKind:$kind, Exec_Sync:$sync, Graph_StateType:$state,
                       Variadic<Graph_AnyIndex>:$indices, Graph_AnyValue:$value, UnitAttr:$checked,
                       UnitAttr:$leader, DefaultValuedAttr<SI64Attr, "-1">:$part,
                       OptionalAttr<FlatSymbolRefAttr>:$combiner);
  let results = (outs I1:$changed);
  let assemblyFormat = [{ $kind $sync $state `[` $indices `]` `=` $value (`checked` $checked^)? attr-dict
                          `:` functional-type(operands, results) }];
  let hasVerifier = 1;
}
def Exec_StartArrayOp : Exec_Op<"start_array"> {
  let summary = "gives an array its length, and all of its elements the same value";
  let description = [{ On the host. A negative length is a runtime error. }];
  let arguments = (ins Graph_StateType:$state, I64:$length, Graph_AnyScalar:$value);
  let assemblyFormat = "$state `of` $length `=` $value attr-dict `:` type($state) `,` type($value)";
  let hasVerifier = 1;
}
def Exec_TakeOp : Exec_Op<"take"> {
  let summary = "raises `given` to `total` in one step, and gives by how much";
  let description = [{ Of several threads that take, each gets what came after the one before it. `value` is 0 where
    nothing came. In exec.asynchronous alone. }];
  let arguments = (ins Exec_Sync:$sync, Graph_StateType:$total, Graph_StateType:$given, Graph_VertexType:$index);
  let results = (outs AnyFloat:$value);
  let assemblyFormat = "$sync $given `[` $index `]` `to` $total attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def Exec_UpdateTupleOp : Exec_Op<"update_tuple", [AttrSizedOperandSegments]> {
  let summary = "graph.update_tuple with its synchronisation (`atomic`: under a striped lock of the element)";
  let arguments = (ins Graph_UpdateKind:$kind, Exec_Sync:$sync, Variadic<Graph_StateType>:$states,
                       Variadic<Graph_VertexType>:$indices, Variadic<Graph_AnyScalar>:$values, UnitAttr:$checked);
  let results = (outs I1:$changed);
  let assemblyFormat = [{ $kind $sync `(` $states `)` `[` $indices `]` `=` `(` $values `)` (`checked` $checked^)? attr-dict
                          `:` functional-type(operands, results) }];
  let hasVerifier = 1;
}
def Exec_ClaimOp : Exec_Op<"claim", [AllTypesMatch<["expected", "desired"]>]> {
  let summary = "compare-and-set: succeeds for the one iteration that changes the value from `expected` to `desired`";
  let description = [{ `atomic`: tested first, then compare-and-swap. `plain`: only this iteration touches it.
    `witness`: in the serial program of --verify, a claim succeeds only with the value that the parallel run ended with.
    If a claim fails for this reason alone, the right one must follow in the same round, or the verification fails. }];
  let arguments = (ins Exec_Sync:$sync, Graph_StateType:$state,
                       Variadic<Graph_AnyIndex>:$indices, Graph_AnyScalar:$expected, Graph_AnyScalar:$desired,
                       UnitAttr:$witness);
  let results = (outs I1:$won);
  let assemblyFormat = [{ $sync $state `[` $indices `]` $expected `to` $desired (`witness` $witness^)? attr-dict
                          `:` functional-type(operands, results) }];
  let hasVerifier = 1;
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
def Exec_ActivateOp : Exec_Op<"activate"> {
  let summary = "puts a vertex into the next frontier, or into the bucket of its new priority";
  let description = [{ `plain`: only this iteration can activate the vertex in this kernel (pull). }];
  let arguments = (ins Exec_Sync:$sync, Graph_VertexType:$vertex);
  let assemblyFormat = "$sync $vertex attr-dict";
  let hasVerifier = 1;
}
def Exec_RelaxOp : Exec_Op<"relax"> {
  let summary = "last in the loop of an ordered push: proposes a priority for the other end of the edge";
  let description = [{
    The target's priority falls to the value if that is less, or with `greatest_first` rises to it if it is greater. Then
    the target is activated: all that an edge does.
    The runtime can then take several edges at a time, and knows the priority of what is activated. GPU only; made by
    exec-mark-relaxations.
  }];
  let arguments = (ins AnyTypeOf<[I32, I64, F32, F64]>:$value, Graph_VertexType:$target);
  let assemblyFormat = "$value `to` $target attr-dict `:` type($value)";
  let hasVerifier = 1;
}
def Exec_PullByArcsOp : Exec_Op<"pull_by_arcs", [SingleBlock, NoTerminator]> {
  let summary = "a pull that the runtime takes apart: which vertices look, what an arc does, and what follows";
  let description = [{
    All of the pull of an exec.propagate but the declarations of `sums`; its regions use the pull's vertex and round.
    `wants` yields whether the vertex looks at the arcs into it. `arc` (u) runs for an arc from an active vertex;
    exec.break in it ends the look. `found` runs once for a vertex of which an arc was taken, whichever it was; `finish`
    (both may be empty) once all arcs have been looked at. `sums` are scalars that arcs add to, from zero: lanes that
    share the arcs of a vertex each have their own, which are added up. `first_only`: an arc may end the look, and does
    if it activates the vertex. `first_takes`: any arc from an active vertex activates it, and ends the look. `aligned`: as in exec.for.
    GPU only; made by exec-split-pull.
  }];
  let arguments = (ins Variadic<Graph_StateType>:$sums, ArrayAttr:$names, UnitAttr:$first_only,
                       UnitAttr:$first_takes, UnitAttr:$aligned);
  let regions = (region SizedRegion<1>:$wants, SizedRegion<1>:$arc, AnyRegion:$found, AnyRegion:$finish);
  let assemblyFormat = [{ ($sums^ `:` type($sums))? attr-dict-with-keyword `wants` $wants `arc` $arc
                          (`found` $found^)? (`finish` $finish^)? }];
  let hasVerifier = 1;
}
def Exec_AskedListsOp : Exec_Op<"asked_lists", [SingleBlock, NoTerminator]> {
  let summary = "a kernel by lanes that the runtime takes apart: which vertices have lists to walk, the walk, and the rest";
  let description = [{
    All of a kernel `by_lanes` over vertices; its regions use the kernel's vertex. `asks` yields whether `lists` runs for
    the vertex, which several lanes do together. `rest` (may be empty) then runs for every vertex, in one thread each, as
    `asks` does. GPU only; made by exec-ask-lists.
  }];
  let regions = (region SizedRegion<1>:$asks, SizedRegion<1>:$lists, AnyRegion:$rest);
  let assemblyFormat = "attr-dict-with-keyword `asks` $asks `lists` $lists (`rest` $rest^)?";
  let hasVerifier = 1;
}
def Exec_SelectOp : Exec_Op<"select", [SingleBlock, NoTerminator]> {
  let summary = "first in a pull, or in a loop over arcs: only the vertices, or arcs, for which `where` yields true are visited";
  let description = [{
    Equal to a `graph.if` around the rest. Several vertices or arcs are tested before the first of them is visited, so
    memory can be asked in time for what the visits need. The test says what holds before the first of those visits. Made
    by the passes exec-prefetch (pulls), exec-select-arcs and exec-select-changes.
  }];
  let regions = (region SizedRegion<1>:$where);
  let assemblyFormat = "attr-dict-with-keyword $where";
  let hasVerifier = 1;
}
def Exec_ExpectOp : Exec_Op<"expect"> {
  let summary = "first in a push: which states decide what an arc does, by their element at its other end";
  let description = [{ GPU only: the elements are loaded while threads wait. Made by exec-expect-reads. }];
  let arguments = (ins Variadic<Graph_StateType>:$states);
  let assemblyFormat = "$states attr-dict `:` type($states)";
  let hasVerifier = 1;
}
def Exec_PrefetchOp : Exec_Op<"prefetch"> {
  let summary = "first in a push: fetches lists of neighbours, edge columns and elements of a state into the cache";
  let description = [{
    For vertices that come later in the loop. Only a hint, made by the pass exec-prefetch; a target without use for it
    leaves the pass out. `written`: the push writes these elements at each arc, and does not look at them before.
  }];
  let arguments = (ins Graph_StateType:$state, Variadic<Graph_StateType>:$columns, UnitAttr:$written);
  let assemblyFormat = "$state (`,` $columns^)? attr-dict `:` type($state) (`,` type($columns)^)?";
  let hasVerifier = 1;
}
def Exec_PrefetchFurtherOp : Exec_Op<"prefetch_further"> {
  let summary = "behind exec.prefetch: fetches elements of a further state, which the push adds to or claims at the neighbours";
  let description = [{ Only a hint, as exec.prefetch. `written`: at each arc. }];
  let arguments = (ins Graph_StateType:$state, UnitAttr:$written);
  let assemblyFormat = "$state attr-dict `:` type($state)";
  let hasVerifier = 1;
}
def Exec_PrefetchOwnOp : Exec_Op<"prefetch_own"> {
  let summary = "behind exec.prefetch: fetches elements of states at the vertices that are worked on later";
  let description = [{ Only a hint, as exec.prefetch. }];
  let arguments = (ins Variadic<Graph_StateType>:$states);
  let assemblyFormat = "$states attr-dict `:` type($states)";
  let hasVerifier = 1;
}
def Exec_PrefetchTargetOp : Exec_Op<"prefetch_target"> {
  let summary = "first in a loop over the arcs out of a vertex: fetches a state's element at the target of a later arc";
  let description = [{ Only a hint, made by the pass exec-prefetch, as exec.prefetch. }];
  let arguments = (ins Graph_StateType:$state, Graph_EdgeType:$edge);
  let assemblyFormat = "$state $edge attr-dict `:` type($state)";
  let hasVerifier = 1;
}
def Exec_CountEdgeOp : Exec_Op<"count_edge"> {
  let summary = "one more edge that this kernel looks at";
  let description = [{ Made by the pass exec-profile; the sums appear in the profile of the program. }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

#endif
