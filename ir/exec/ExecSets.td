// Second arrays of a state, and sets that are kept in buckets.
#ifndef GCOMPILE_IR_EXEC_SETS
#define GCOMPILE_IR_EXEC_SETS

include "ir/exec/ExecBase.td"

def Exec_SnapshotOp : Exec_Op<"snapshot", [AttrSizedOperandSegments, AllTypesMatch<["state", "copy"]>]> {
  let summary = "a copy of a state as it is now, taken in parallel; a second array of the same shape";
  let description = [{ `row`, `column` (dense states): only that row or column is copied and may be read. `swaps`
    (of vertices; set by exec-swap-copies): the two arrays are exchanged, since the state is written whole before it is
    read. }];
  let arguments = (ins StrAttr:$name, Graph_StateType:$state, Optional<Graph_VertexType>:$row,
                       Optional<Graph_VertexType>:$column, Exec_Sharing:$sharing, UnitAttr:$swaps);
  let results = (outs Graph_StateType:$copy);
  let assemblyFormat = [{ $name $state (`row` $row^)? (`column` $column^)? $sharing (`swaps` $swaps^)? attr-dict
                          `:` type($state) }];
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

#endif
