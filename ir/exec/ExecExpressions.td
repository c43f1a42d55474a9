// What a kernel or the host asks, beside the expressions of the `graph` dialect.
#ifndef GCOMPILE_IR_EXEC_EXPRESSIONS
#define GCOMPILE_IR_EXEC_EXPRESSIONS

include "ir/exec/ExecBase.td"

def Exec_ImprovesOp : Exec_Op<"improves"> {
  let summary = "whether a contribution of this key could change the innermost exec.reduce: min, max, argmin or argmax";
  let arguments = (ins Graph_AnyScalar:$key);
  let results = (outs I1:$result);
  let assemblyFormat = "$key `:` type($key) attr-dict";
  let hasVerifier = 1;
}
def Exec_WouldChangeOp : Exec_Op<"would_change"> {
  let summary = "whether an update by `min` or `max` would change the value there";
  let description = [{ `or_tie`: also where the two are equal, as it is where further values decide then. Made by the pass
    exec-select-changes. }];
  let arguments = (ins Graph_UpdateKind:$kind, Graph_StateType:$state, Graph_AnyIndex:$index, Graph_AnyScalar:$value,
                       UnitAttr:$or_tie);
  let results = (outs I1:$result);
  let assemblyFormat = [{ $kind $state `[` $index `]` `=` $value (`or_tie` $or_tie^)? attr-dict
                          `:` functional-type(operands, results) }];
  let hasVerifier = 1;
}
def Exec_ReadTogetherOp : Exec_Op<"read_together"> {
  let summary = "the values of several states at one vertex as they stood together: under the lock of exec.update_tuple";
  let arguments = (ins Variadic<Graph_StateType>:$states, Graph_VertexType:$index);
  let results = (outs AnyTuple:$value);
  let assemblyFormat = "`(` $states `)` `[` $index `]` attr-dict `:` functional-type(operands, $value)";
  let hasVerifier = 1;
}
def Exec_InFrontierOp : Exec_Op<"in_frontier"> {
  let summary = "whether a vertex is in the current frontier (pull)";
  let arguments = (ins Graph_VertexType:$vertex);
  let results = (outs I1:$result);
  let assemblyFormat = "$vertex attr-dict";
  let hasVerifier = 1;
}
def Exec_VisitedBeforeOp : Exec_Op<"visited_before"> {
  let summary = "whether a vertex is in the kept level that the loop over them visited before the present one";
  let description = [{ Made by the pass exec-test-levels. }];
  let arguments = (ins Graph_VertexType:$vertex, Graph_LevelsType:$levels);
  let results = (outs I1:$result);
  let assemblyFormat = "$vertex `of` $levels attr-dict";
  let hasVerifier = 1;
}
def Exec_SegmentsPayOp : Exec_Op<"segments_pay"> {
  let summary = "whether this round is to take the arcs into vertices in segments of their sources";
  let description = [{ On the host; made by the pass exec-segment-pulls. The answer depends on the graph, the machine
    and the rounds so far. `source_bytes`: what the kernel reads of each source. `value_bytes`: what it computes for each
    vertex. `long_lists`: its loops have `partial_sums`. }];
  let arguments = (ins I64Attr:$source_bytes, OptionalAttr<I64Attr>:$value_bytes, UnitAttr:$long_lists);
  let results = (outs I1:$result);
  let assemblyFormat = "$source_bytes attr-dict";
  let builders = [OpBuilder<(ins "std::int64_t":$sourceBytes),
    [{ build($_builder, $_state, $_builder.getI1Type(), sourceBytes, nullptr, false); }]>];
}

#endif
