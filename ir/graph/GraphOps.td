// The operations of the `graph` dialect: what a program says. State, expressions over vertices and edges, data-parallel
// statements. No operation here says how anything runs: the `exec` dialect (ExecOps.td) does.
#ifndef GCOMPILE_IR_GRAPH_OPS
#define GCOMPILE_IR_GRAPH_OPS

include "ir/graph/GraphBase.td"
include "ir/graph/GraphFacts.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def AlgorithmOp : Graph_Op<"algorithm", [Symbol, IsolatedFromAbove, SingleBlock, NoTerminator]> {
  let summary = "one algorithm on one graph";
  let description = [{
    The body's block arguments are first the graph's edge columns (`!graph.state<T, per_edge>`), then the parameters, of
    which those with a value for each vertex are `!graph.state<T, per_vertex>`; none of these states is ever written.
    `arguments` describes each in order: `{name, column}` or `{name, default}` (no `default`: required; for a set the
    default "all" is every vertex, for a value of each vertex "self", "v.degree" and the like are its own), with
    `nonnegative` where the lowering to exec relies on there being no negative value, and with `joint`, the name of the
    option that gives it together with others. `directedness` is `any`,
    `directed` or `undirected`. `directives`: the program's schedule, for all targets; the pass that applies it gives
    each statement its `schedule`, and the algorithm what is said of the layout. `serial_of`: this is the plain serial
    form of that algorithm, for --verify. `needs` (set by the requirements pass): `{in_edges, in_edge_ids}` as
    unit attributes, `vertices = "by_degree"` or `"by_bfs"`, `neighbors_by_degree` and `packed` (unit) where the schedule asks for
    these layouts, `aligned` (f64, the share of the vertices) where a GPU has aligned lists, and the state's size as
    `bytes_per_vertex`, `bytes_per_edge`, `bytes_per_pair` (f64). The lowering to exec adds what a run reaches, where its arguments say that: `roots = ["root"]`, the parameters from which every
    propagate starts, and `along`, the edges along which it goes (`"out"`, `"in"` or `"both"`). For a run in parts it
    adds `numbers`, the location of an operation by which results depend on the numbers of the vertices, if there is one,
    `out_of_copies` and `into_copies` (unit) where it looks at the edges of neighbours, and `edges_of_all` where it looks
    at those of any vertices, or, on several GPUs, at those of any other vertex, `touched_lists` (i64), where a kernel
    sends several states by themselves, of how many, and `whole_lists = {at, reason}` where it cannot run if several
    parts share the edges at a vertex; else `bytes_per_divided_vertex` (f64) are what it needs besides if they do.
    `profiled`: the program measures itself.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$source, StrAttr:$directedness, ArrayAttr:$arguments,
                       OptionalAttr<TypedArrayAttrBase<Graph_DirectiveAttr, "directives">>:$directives,
                       OptionalAttr<FlatSymbolRefAttr>:$serial_of, OptionalAttr<DictionaryAttr>:$needs,
                       OptionalAttr<Graph_ScheduleAttr>:$schedule, UnitAttr:$profiled);
  let regions = (region SizedRegion<1>:$body);
  // What the program says; passes add the rest.
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::StringAttr":$source,
                                 "::llvm::StringRef":$directedness, "::mlir::ArrayAttr":$arguments,
                                 "::mlir::ArrayAttr":$directives), [{
    Properties &said = $_state.getOrAddProperties<Properties>();
    said.setSymName($_builder.getStringAttr(name));
    said.setSource(source);
    said.setDirectedness($_builder.getStringAttr(directedness));
    said.setArguments(arguments);
    said.setDirectives(directives);
    $_state.addRegion();
  }]>];
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
}
def FuncOp : Graph_Op<"func", [Symbol, IsolatedFromAbove, SingleBlock, NoTerminator]> {
  let summary = "a local function: sees its parameters only, ends in graph.return";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$result, ArrayAttr:$names);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `->` $result attr-dict-with-keyword $body";
}
def ReductionOp : Graph_Op<"reduction", [Symbol, IsolatedFromAbove, NoTerminator]> {
  let summary = "a reduction that the program declares: its function of two values, and its neutral element";
  let description = [{ The program promises that `combine` is associative and commutative, and that what the block of
    `neutral` returns changes nothing. An update of the kind `combine` names it. }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, ArrayAttr:$names);
  let regions = (region SizedRegion<1>:$combine, SizedRegion<1>:$neutral);
  let assemblyFormat = "$sym_name `:` $type attr-dict-with-keyword `combine` $combine `neutral` $neutral";
}
def ImportOp : Graph_Op<"import"> {
  let summary = "a C++ header that the program imports, as it names it";
  let arguments = (ins StrAttr:$header);
  let assemblyFormat = "$header attr-dict";
}
def ReturnOp : Graph_Op<"return"> {
  let summary = "leaves a local function";
  let arguments = (ins Graph_AnyScalar:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}
def YieldOp : Graph_Op<"yield", [Terminator]> {
  let summary = "the value of a region";
  let arguments = (ins Variadic<Graph_AnyValue>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{}]>];
}

// State.
def StateOp : Graph_Op<"state", [SingleBlock, NoTerminator]> {
  let summary = "declares state and, where `init` is not empty, gives every element its initial value";
  let description = [{ `init` takes the vertex, the edge or the two vertices of the element. Without it the state starts
    at zero, false, none or the empty set. A state inside a loop starts afresh in each turn; inside a data-parallel body
    it is scalar and belongs to the iteration. `temporary`: every element is written before it is read, so that no
    initial value is needed. `unordered`: the elements of this output may differ from run to run. `length`: how many
    values an array has; negative is a runtime error. The lowering to exec leaves it to exec.start_array. `tolerance`:
    by how much the elements of this output may differ from run to run, relative to the greater value. }];
  let arguments = (ins StrAttr:$name, Optional<I64>:$length, UnitAttr:$output, UnitAttr:$temporary,
                       UnitAttr:$unordered, OptionalAttr<F64Attr>:$tolerance);
  let regions = (region AnyRegion:$init);
  let results = (outs Graph_StateType:$state);
  let builders = [OpBuilder<(ins "::mlir::Type":$state, "::llvm::StringRef":$name, "bool":$output), [{
    build($_builder, $_state, state, name, ::mlir::Value(), output, false, false, nullptr);
  }]>];
  let assemblyFormat = [{ $name (`of` $length^)? (`output` $output^)? attr-dict `:` type($state) (`init` $init^)? }];
  let hasVerifier = 1;
}
def ReadOp : Graph_Op<"read"> {
  let summary = "the value of one element";
  let description = [{ `checked`: the index may be none or out of range, which is a runtime error. `relaxed` (set by the
    lowering to exec): other threads may update the element in the same kernel, so it is an atomic load. `lasting`
    (sets; set by exec-prepare-for-emission): nothing changes the set until its last use, which may refer to it. }];
  let arguments = (ins Graph_StateType:$state, Variadic<Graph_AnyIndex>:$indices, UnitAttr:$checked,
                       UnitAttr:$relaxed, UnitAttr:$lasting);
  let results = (outs Graph_AnyValue:$value);
  let assemblyFormat = [{ $state `[` $indices `]` (`checked` $checked^)? (`relaxed` $relaxed^)? attr-dict
                          `:` functional-type(operands, $value) }];
  let hasVerifier = 1;
}
def UpdateOp : Graph_Op<"update"> {
  let summary = "writes one element: assigns, or combines with the value there";
  let description = [{ `grows_by_round`: the claim of a propagate, whose value is the number of the round. `part`: of
    tuples, it combines the value with that element alone; others may be updated at the same time. -1: all of it.
    `combiner`: the graph.reduction, if the kind is `combine`. }];
  let arguments = (ins Graph_UpdateKind:$kind, Graph_StateType:$state,
                       Variadic<Graph_AnyIndex>:$indices, Graph_AnyValue:$value, UnitAttr:$checked,
                       UnitAttr:$grows_by_round, DefaultValuedAttr<SI64Attr, "-1">:$part,
                       OptionalAttr<FlatSymbolRefAttr>:$combiner);
  let assemblyFormat = [{ $kind $state `[` $indices `]` `=` $value (`checked` $checked^)? attr-dict
                          `:` functional-type(operands, results) }];
  let hasVerifier = 1;
}
def UpdateTupleOp : Graph_Op<"update_tuple", [AttrSizedOperandSegments]> {
  let summary = "min or max of several states at one vertex, or one pair, together, compared lexicographically";
  let arguments = (ins Graph_UpdateKind:$kind, Variadic<Graph_StateType>:$states,
                       Variadic<Graph_VertexType>:$indices, Variadic<Graph_AnyScalar>:$values, UnitAttr:$checked);
  let assemblyFormat = [{ $kind `(` $states `)` `[` $indices `]` `=` `(` $values `)` (`checked` $checked^)? attr-dict
                          `:` functional-type(operands, results) }];
  let hasVerifier = 1;
}

// Expressions.
class Graph_Expr<string mnemonic, list<Trait> traits = []> : Graph_Op<mnemonic, traits>;
def LetOp : Graph_Expr<"let", [AllTypesMatch<["value", "result"]>]> {
  let summary = "names a value: `let next = ...`";
  let arguments = (ins StrAttr:$name, Graph_AnyValue:$value);
  let results = (outs Graph_AnyValue:$result);
  let assemblyFormat = "$name $value attr-dict `:` type($value)";
}
def ConstantOp : Graph_Expr<"constant", [Pure]> {
  let summary = "a number or truth value";
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyTypeOf<[I1, I32, I64, F32, F64]>:$result);
  let assemblyFormat = "$value attr-dict `->` type($result)";
}
def InfOp : Graph_Expr<"inf", [Pure]> {
  let summary = "infinity: absorbing; the greatest value of an integer type. `lowest`: its opposite (the empty max)";
  let arguments = (ins UnitAttr:$lowest);
  let results = (outs AnyTypeOf<[I32, I64, F32, F64]>:$result);
  let assemblyFormat = "(`lowest` $lowest^)? attr-dict `:` type($result)";
}
def NoneOp : Graph_Expr<"none", [Pure]> {
  let summary = "no vertex or edge; greater than every other";
  let results = (outs AnyTypeOf<[Graph_VertexType, Graph_EdgeType]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def BinaryOp : Graph_Expr<"binary", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "a binary operator on two values of one type";
  let description = [{ `absorbing` (add, sub; set by graph-mark-infinity): an operand may be inf, which absorbs.
    `raises` (absorbing add; set by exec-mark-raising): the second operand is finite and not negative.
    `checked` (div, rem of integers): the divisor may be zero, a runtime error. `next_level` (eq): it asks whether an
    edge leads to the level that a loop over levels has visited before. }];
  let arguments = (ins Graph_BinaryKind:$kind, Graph_AnyScalar:$lhs, Graph_AnyScalar:$rhs, UnitAttr:$absorbing,
                       UnitAttr:$checked, UnitAttr:$next_level, UnitAttr:$raises);
  let results = (outs Graph_AnyScalar:$result);
  let assemblyFormat = [{ $kind $lhs `,` $rhs (`absorbing` $absorbing^)? (`raises` $raises^)?
                          (`checked` $checked^)? attr-dict `:` type($lhs) `->` type($result) }];
  let hasVerifier = 1;
}
def UnaryOp : Graph_Expr<"unary", [Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "a unary operator or a one-argument function";
  let arguments = (ins Graph_UnaryKind:$kind, Graph_AnyScalar:$operand);
  let results = (outs Graph_AnyScalar:$result);
  let assemblyFormat = "$kind $operand attr-dict `:` type($operand)";
}
def CastOp : Graph_Expr<"cast", [Pure]> {
  let summary = "a conversion between numbers";
  let description = [{ `absorbing` (to a wider type; set by graph-mark-infinity): the operand may be inf, which stays
    inf. A narrower type takes what is beyond it as its own inf or its least number. }];
  let arguments = (ins AnyTypeOf<[I32, I64, F32, F64]>:$operand, UnitAttr:$absorbing);
  let results = (outs AnyTypeOf<[I32, I64, F32, F64]>:$result);
  let assemblyFormat = "$operand (`absorbing` $absorbing^)? attr-dict `:` type($operand) `->` type($result)";
}
def LogicOp : Graph_Expr<"logic", [SingleBlock, NoTerminator]> {
  let summary = "short-circuit && and ||: `rhs` is evaluated only if it decides";
  let arguments = (ins Graph_LogicKind:$kind, I1:$lhs);
  let regions = (region SizedRegion<1>:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "$kind $lhs attr-dict-with-keyword $rhs";
}
def ConditionalOp : Graph_Expr<"conditional", [SingleBlock, NoTerminator]> {
  let summary = "if c then a else b; one region is evaluated";
  let arguments = (ins I1:$condition);
  let regions = (region SizedRegion<1>:$whenTrue, SizedRegion<1>:$whenFalse);
  let results = (outs Graph_AnyScalar:$result);
  let assemblyFormat = "$condition attr-dict-with-keyword `:` type($result) $whenTrue `,` $whenFalse";
}
def HashOp : Graph_Expr<"hash", [Pure]> {
  let summary = "a fixed mixer of integers and vertices: the same on every machine, not negative";
  let arguments = (ins Variadic<Graph_AnyScalar>:$operands_);
  let results = (outs I64:$result);
  let assemblyFormat = "$operands_ attr-dict `:` type($operands_)";
}
def CallOp : Graph_Expr<"call"> {
  let summary = "a call of a local function";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Graph_AnyScalar>:$operands_);
  let results = (outs Graph_AnyScalar:$result);
  let assemblyFormat = "$callee `(` $operands_ `)` attr-dict `:` functional-type($operands_, $result)";
}
def ForeignCallOp : Graph_Expr<"foreign_call"> {
  let summary = "a call of a C++ function of an imported header";
  let description = [{
    The front end has proved that the function has no effects. `believed`: the functions without a visible body of which
    it believes what the declaration says. `host_only`: why a GPU cannot run it.
    `device_forms`: lines of C++ before the header with which a GPU can. `keeps_finite`: it gives inf only where it is
    given one, which the front end has proved too.
  }];
  let arguments = (ins StrAttr:$callee, StrArrayAttr:$believed, OptionalAttr<StrAttr>:$host_only,
                       OptionalAttr<StrArrayAttr>:$device_forms, UnitAttr:$keeps_finite,
                       Variadic<Graph_AnyScalar>:$operands_);
  let results = (outs Graph_AnyScalar:$result);
  let assemblyFormat = "$callee `(` $operands_ `)` attr-dict `:` functional-type($operands_, $result)";
}
def TupleOp : Graph_Expr<"tuple", [Pure]> {
  let summary = "a tuple";
  let arguments = (ins Variadic<Graph_AnyScalar>:$elements);
  let results = (outs AnyTuple:$result);
  let assemblyFormat = "$elements attr-dict `:` type($elements) `->` type($result)";
}
def ElementOp : Graph_Expr<"element", [Pure]> {
  let summary = "one element of a tuple";
  let arguments = (ins AnyTuple:$tuple, I64Attr:$index);
  let results = (outs Graph_AnyScalar:$result);
  let assemblyFormat = "$tuple `[` $index `]` attr-dict `:` type($tuple) `->` type($result)";
}
def DegreeOp : Graph_Expr<"degree", [Pure]> {
  let summary = "the number of out-, in- or all neighbours (undirected graphs: the same)";
  let description = [{ `may_be_none` (set by exec-prepare-for-emission): the vertex may be none, a runtime error. }];
  let arguments = (ins Graph_Side:$side, Graph_VertexType:$vertex, UnitAttr:$may_be_none);
  let results = (outs I32:$result);
  let assemblyFormat = "$side $vertex attr-dict";
}
def NumVerticesOp : Graph_Expr<"num_vertices", [Pure]> {
  let summary = "the number of vertices";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}
def NumEdgesOp : Graph_Expr<"num_edges", [Pure]> {
  let summary = "the number of edges (undirected: each once)";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}
def EndpointOp : Graph_Expr<"endpoint", [Pure]> {
  let summary = "the source (`out` side) or target (`in` side) of an edge";
  let description = [{ `may_be_none`: as in graph.degree. }];
  let arguments = (ins Graph_Side:$side, Graph_EdgeType:$edge, UnitAttr:$may_be_none);
  let results = (outs Graph_VertexType:$result);
  let assemblyFormat = "$side $edge attr-dict";
}
def EdgeBetweenOp : Graph_Expr<"edge_between", [Pure]> {
  let summary = "the edge from one vertex to another: the first of several, none if there is none";
  let description = [{ Either vertex may be none, which has no edges. }];
  let arguments = (ins Graph_VertexType:$source, Graph_VertexType:$target);
  let results = (outs Graph_EdgeType:$result);
  let assemblyFormat = "$source `,` $target attr-dict";
}
def NeighborAtOp : Graph_Expr<"neighbor_at", [Pure]> {
  let summary = "one of the out- or in-neighbours of a vertex by its place in the list; none outside of it";
  let description = [{
    The list is in ascending order, and a neighbour stands in it once for every edge. The vertex may be none, whose list
    is empty.
  }];
  let arguments = (ins Graph_Side:$side, Graph_VertexType:$vertex, I64:$place);
  let results = (outs Graph_VertexType:$result);
  let assemblyFormat = "$side $vertex `[` $place `]` attr-dict";
}

// Sets.
def AllVerticesOp : Graph_Expr<"all_vertices", [Pure]> {
  let summary = "the set of all vertices";
  let results = (outs Graph_SetType:$result);
  let assemblyFormat = "attr-dict";
}
def SetOfOp : Graph_Expr<"set_of", [Pure]> {
  let summary = "{a, b, ...}";
  let arguments = (ins Variadic<Graph_VertexType>:$elements);
  let results = (outs Graph_SetType:$result);
  let assemblyFormat = "`[` $elements `]` attr-dict";
}
def NeighborsOp : Graph_Expr<"neighbors", [Pure]> {
  let summary = "the out- or in-neighbours of a vertex, as a set in ascending order";
  let description = [{ `may_be_none`: as in graph.degree. }];
  let arguments = (ins Graph_Side:$side, Graph_VertexType:$vertex, UnitAttr:$may_be_none);
  let results = (outs Graph_SetType:$result);
  let assemblyFormat = "$side $vertex attr-dict";
}
def SetAlgebraOp : Graph_Expr<"set_algebra", [Pure]> {
  let summary = "union, intersection or difference";
  let arguments = (ins Graph_SetKind:$kind, Graph_SetType:$lhs, Graph_SetType:$rhs);
  let results = (outs Graph_SetType:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict";
}
def SetFilterOp : Graph_Expr<"set_filter", [SingleBlock, NoTerminator]> {
  let summary = "{v in S where C}; a data-parallel statement of its own outside of others";
  let arguments = (ins Graph_SetType:$set, OptionalAttr<ArrayAttr>:$names);
  let regions = (region SizedRegion<1>:$where);
  let results = (outs Graph_SetType:$result);
  let assemblyFormat = "$set attr-dict-with-keyword $where";
}
def ContainsOp : Graph_Expr<"contains"> {
  let summary = "membership";
  let arguments = (ins Graph_SetType:$set, Graph_VertexType:$vertex);
  let results = (outs I1:$result);
  let assemblyFormat = "$set `,` $vertex attr-dict";
}
def SetSizeOp : Graph_Expr<"set_size"> {
  let summary = "the number of members";
  let arguments = (ins Graph_SetType:$set);
  let results = (outs I64:$result);
  let assemblyFormat = "$set attr-dict";
}

// Statements.
def IfOp : Graph_Op<"if", [SingleBlock, NoTerminator]> {
  let summary = "if, else";
  let description = [{ `level_bits` (set by exec-sweep-levels): the condition asks no more than whether a neighbour is in
    the level that was visited before, of which the kernel may have a bitmap. }];
  let arguments = (ins I1:$condition, UnitAttr:$level_bits);
  let regions = (region SizedRegion<1>:$thenRegion, AnyRegion:$elseRegion);
  let assemblyFormat = "$condition attr-dict-with-keyword $thenRegion (`else` $elseRegion^)?";
}
def WhileOp : Graph_Op<"while", [SingleBlock, NoTerminator]> {
  let summary = "while, with its condition in a region";
  let arguments = (ins OptionalAttr<StrAttr>:$label, OptionalAttr<Graph_ScheduleAttr>:$schedule);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $condition `do` $body";
}
def RepeatOp : Graph_Op<"repeat", [SingleBlock, NoTerminator]> {
  let summary = "a sequential loop: at most `times` turns where given, until `until` (evaluated after a turn) holds";
  let arguments = (ins Optional<AnyTypeOf<[I32, I64]>>:$times, OptionalAttr<StrAttr>:$label,
                       OptionalAttr<Graph_ScheduleAttr>:$schedule);
  let regions = (region SizedRegion<1>:$body, AnyRegion:$until);
  let assemblyFormat = "($times^ `:` type($times))? attr-dict-with-keyword $body (`until` $until^)?";
}
def BreakOp : Graph_Op<"break"> {
  let summary = "leaves the innermost while, repeat or sequential for";
  let assemblyFormat = "attr-dict";
}
def ForOp : Graph_Op<"for", [SingleBlock, NoTerminator]> {
  let summary = "a data-parallel statement, or with `sequential` an ordinary loop";
  let description = [{
    The regions take the arguments that the domain names. `where` (may be empty) yields i1. Results never depend on the
    order of iterations. `reversed`: levels, last first. `term`: graph-hoist-terms has made it. Of sequential loops, set by
    passes on the exec dialect: of loops over levels `ascending` (each level in the order of its vertices) and `marked`
    (the level that is left is marked in a bitmap); `may_be_none`, as in graph.degree.
  }];
  let arguments = (ins Graph_Domain:$domain, Optional<AnyType>:$over, UnitAttr:$sequential, UnitAttr:$reversed,
                       OptionalAttr<StrAttr>:$label, ArrayAttr:$names, OptionalAttr<Graph_ScheduleAttr>:$schedule,
                       UnitAttr:$term, UnitAttr:$ascending, UnitAttr:$marked, UnitAttr:$may_be_none);
  let regions = (region AnyRegion:$where, SizedRegion<1>:$body);
  let assemblyFormat = [{ $domain (`sequential` $sequential^)? (`reversed` $reversed^)? ($over^ `:` type($over))?
                          attr-dict-with-keyword (`where` $where^)? `do` $body }];
  let hasVerifier = 1;
}
def PropagateOp : Graph_Op<"propagate", [SingleBlock, NoTerminator, AttrSizedOperandSegments]> {
  let summary = "rounds of an edge statement over the vertices that changed in the round before";
  let description = [{
    `domain` is edges, edges_both or edges_into: the first argument is the active vertex, the second the other end.
    Regions `where` (may be empty) and `body` take (u, v, e, round: i32), for edges_into (v, u, e, round: i32); `until`
    (may be empty) takes (round) and is evaluated after each round. `ordered`: process by ascending value of that state,
    or by descending value if the body raises it.
    `hand_over`, `crossing` (set by graph-mark-hand-over): as in exec.propagate.
  }];
  let arguments = (ins Graph_Domain:$domain, Graph_SetType:$from, Optional<Graph_StateType>:$ordered,
                       Optional<AnyTypeOf<[I32, I64]>>:$atMost, OptionalAttr<StrAttr>:$label, ArrayAttr:$names,
                       OptionalAttr<Graph_ScheduleAttr>:$schedule, OptionalAttr<F64ArrayAttr>:$hand_over,
                       OptionalAttr<StrArrayAttr>:$crossing);
  let regions = (region AnyRegion:$where, SizedRegion<1>:$body, AnyRegion:$until);
  let results = (outs Optional<Graph_LevelsType>:$levels);
  let assemblyFormat = [{ $domain $from (`ordered` $ordered^ `:` type($ordered))?
                          (`at_most` $atMost^ `:` type($atMost))? attr-dict-with-keyword (`where` $where^)? `do` $body
                          (`until` $until^)? (`levels` type($levels)^)? }];
  let hasVerifier = 1;
}
def ReduceOp : Graph_Expr<"reduce", [SingleBlock, NoTerminator]> {
  let summary = "a reduction over a pattern";
  let description = [{
    `value` yields the reduced value (any, all: the condition; argmin, argmax: the key; count: absent). `argmin` and
    `argmax` give the pattern's own vertex or, with `edge`, its edge; ties go to the smallest id; none if empty.
    `mode`: the most frequent value, ties to the smallest.
  }];
  let arguments = (ins Graph_ReduceKind:$kind, Graph_Domain:$domain, Optional<AnyType>:$over, UnitAttr:$edge,
                       ArrayAttr:$names);
  let regions = (region AnyRegion:$where, AnyRegion:$value);
  let results = (outs Graph_AnyScalar:$result);
  let assemblyFormat = [{ $kind $domain ($over^ `:` type($over))? attr-dict-with-keyword (`where` $where^)?
                          (`value` $value^)? `->` type($result) }];
  let hasVerifier = 1;
}

#endif
