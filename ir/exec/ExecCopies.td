// A graph that is divided into parts: what moves between the owner of a vertex or an edge and the copies of its state
// elsewhere.
#ifndef GCOMPILE_IR_EXEC_COPIES
#define GCOMPILE_IR_EXEC_COPIES

include "ir/exec/ExecBase.td"

// Each vertex has one owner, the part in whose block it is. A part holds a copy (a mirror) of every vertex of others
// that its arcs lead to or come from. An edge has the owner of the vertex that it leaves; copies of edges are those that
// leave copies. All operations here are made by the pass exec-distribute; every part carries them
// out at the same time.
//
// Where a program may, parts can stand in a grid when it runs. The edges at a vertex are then divided among the parts of
// its owner's row, by the columns of the owners of the other ends. A copy is either of a vertex at the other end of an
// edge, whose owner is in the same column, or of one at which the part has some of the edges, whose owner is in the same
// row.

def Exec_TouchCopyOp : Exec_Op<"touch_copy"> {
  let summary = "in a kernel: the vertex or edge has just been updated; if it is a copy, exec.reduce_to_owner is to send it";
  let description = [{ `list`: a kernel that sends several states by themselves notes the vertices of each in one of its own. }];
  let arguments = (ins AnyTypeOf<[Graph_VertexType, Graph_EdgeType]>:$place, DefaultValuedAttr<I64Attr, "0">:$list);
  let assemblyFormat = "$place attr-dict `:` type($place)";
  let hasVerifier = 1;
}
def Exec_ResetCopiesOp : Exec_Op<"reset_copies"> {
  let summary = "gives all copies a value that no contribution loses against; owners keep theirs";
  let description = [{
    For min, max, and, or: the neutral value, from which a copy filters what its part would send. For a claim: the value
    that is claimed. For sums: zero, from which a copy collects. `everywhere`: of all vertices, or edges, of others, since a
    kernel updates some that it computes.
  }];
  let arguments = (ins Graph_StateType:$state, Graph_AnyScalar:$value, UnitAttr:$everywhere);
  let assemblyFormat = "$state `=` $value (`everywhere` $everywhere^)? attr-dict `:` type($state) `,` type($value)";
  let hasVerifier = 1;
}
def Exec_ReduceToOwnerOp : Exec_Op<"reduce_to_owner", [AttrSizedOperandSegments]> {
  let summary = "touched copies are sent to their owners, which combine them with their own values";
  let description = [{
    On the host, behind the kernel that touches copies, or in the `exchange` of exec.propagate and exec.ordered.

    - `kind`: how the owner combines. With `expected`, which needs `assign`: the owner's value changes only from the
      expected one, as by exec.claim; `with` are the states that the winner writes beside it, sent in the same record.
      For min and max `with` are the further states of an exec.update_tuple. `assign` alone: the owner takes the value.
    - `neutral`: what a copy holds after it was sent, where it collects. Without it the copy keeps its value, as a filter.
    - `activating`: where this changes the owner's value, the vertex is activated. Of a sum, where some part of it has.
    - `always`: each vertex of which a record comes is activated.
    - `list`: that of exec.touch_copy.
    - `of_lists`: not the touched copies, but all of vertices at which a part has some of the edges.
    - A state of edges is not claimed, has no further states, and activates nothing.
  }];
  let arguments = (ins Graph_UpdateKind:$kind, Graph_StateType:$state, Optional<Graph_AnyScalar>:$expected,
                       Optional<Graph_AnyScalar>:$neutral, Variadic<Graph_StateType>:$with, UnitAttr:$activating,
                       UnitAttr:$always, DefaultValuedAttr<I64Attr, "0">:$list, UnitAttr:$of_lists);
  let assemblyFormat = [{ $kind $state (`from` $expected^ `:` type($expected))? (`neutral` $neutral^ `:` type($neutral))?
                          (`with` $with^ `:` type($with))? (`activating` $activating^)? (`always` $always^)?
                          (`of_lists` $of_lists^)? attr-dict
                          `:` type($state) }];
  let hasVerifier = 1;
}
def Exec_ActivateOwnersOp : Exec_Op<"activate_owners"> {
  let summary = "in the exchange of a propagate: the owners of touched copies activate their vertices";
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}
def Exec_StartPartsOp : Exec_Op<"start_parts"> {
  let summary = "in front of a kernel that contributes to an array: its elements stay with the first part, the others collect in neutral ones";
  let description = [{ Between several GPUs, which have no other copy of an array for each kernel. }];
  let arguments = (ins Graph_StateType:$state, Graph_AnyScalar:$neutral);
  let assemblyFormat = "$state `=` $neutral attr-dict `:` type($state) `,` type($neutral)";
  let hasVerifier = 1;
}
def Exec_CombinePartsOp : Exec_Op<"combine_parts"> {
  let summary = "behind it: every part gets what the arrays of all parts combine to, which is the same everywhere";
  let arguments = (ins Graph_UpdateKind:$kind, Graph_StateType:$state);
  let assemblyFormat = "$kind $state attr-dict `:` type($state)";
  let hasVerifier = 1;
}
def Exec_OwnerValueOp : Exec_Op<"owner_value"> {
  let summary = "on the host: the value of one vertex, which its owner gives to all parts";
  let description = [{ With `column`, of the pair of both: rows are with their owners. `checked`: as in graph.read. }];
  let arguments = (ins Graph_StateType:$state, Graph_VertexType:$vertex, Optional<Graph_VertexType>:$column,
                       UnitAttr:$checked);
  let results = (outs Graph_AnyValue:$value);
  let assemblyFormat = [{ $state `[` $vertex (`,` $column^)? `]` (`checked` $checked^)? attr-dict `:` functional-type(operands, results) }];
  let hasVerifier = 1;
}
def Exec_OwnerComputesOp : Exec_Op<"owner_computes", [SingleBlock, NoTerminator]> {
  let summary = "on the host: a value that the owner of one vertex or edge computes and gives to all parts";
  let description = [{ Its body yields the value, and only computes values. Where `place` is none, every part computes
    it: it is the same everywhere. }];
  let arguments = (ins AnyTypeOf<[Graph_VertexType, Graph_EdgeType]>:$place);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Graph_AnyValue:$value);
  let assemblyFormat = "$place `:` type($place) attr-dict-with-keyword $body `->` type($value)";
  let hasVerifier = 1;
}
def Exec_RequireVertexOp : Exec_Op<"require_vertex"> {
  let summary = "on the host: a vertex that is none ends the program, in front of a kernel that goes over its edges";
  let arguments = (ins Graph_VertexType:$vertex);
  let assemblyFormat = "$vertex attr-dict";
  let hasVerifier = 1;
}
def Exec_GiveToCopiesOp : Exec_Op<"give_to_copies"> {
  let summary = "owners send the values of their vertices or edges to the parts that hold copies of them";
  let description = [{ Of a set: which of the vertices are members. `everywhere`: all parts get the values of all vertices,
    or edges, since a kernel reads some that it computes. Of a state of edges, what has changed since it was given last;
    all that give it do so everywhere, or none. `copies`: where parts stand in a grid, to those with copies of vertices at
    the other ends of edges, to those with copies of vertices at which they have some of the edges, or to both. }];
  let arguments = (ins Graph_StateType:$state, UnitAttr:$everywhere,
                       DefaultValuedAttr<Exec_CopiesOf, "CopiesOf::Ends">:$copies);
  let assemblyFormat = "$state (`everywhere` $everywhere^)? attr-dict `:` type($state)";
  let hasVerifier = 1;
}
def Exec_GiveActiveOp : Exec_Op<"give_active"> {
  let summary = "before a round that pulls, owners send the values of their active vertices to those that hold copies";
  let description = [{
    In the `exchange` of an exec.propagate. A copy has then the value of the round's beginning. Other copies keep what they
    hold; the pull does not read them. `each_round`: before a round that pushes as well, and before the first of those the
    values of all vertices. The commit alone changes the state, at active vertices: so all copies are up to date.
    `of_lists`: instead, before a round that pushes, to the parts that have some of the edges at active vertices; of an
    exec.ordered, too.
  }];
  let arguments = (ins Graph_StateType:$state, UnitAttr:$each_round, UnitAttr:$of_lists);
  let assemblyFormat = "$state (`each_round` $each_round^)? (`of_lists` $of_lists^)? attr-dict `:` type($state)";
  let hasVerifier = 1;
}
def Exec_ListsDividedOp : Exec_Op<"lists_divided"> {
  let summary = "on the host: whether parts stand in a grid, where several share the edges at a vertex";
  let results = (outs I1:$value);
  let assemblyFormat = "attr-dict";
}
def Exec_ResumeOp : Exec_Op<"resume"> {
  let summary = "in front of a statement of rounds: between two of these a run that was ended can be resumed";
  let description = [{
    The statement is the next one: graph.while, graph.repeat, exec.propagate or exec.ordered, in no other loop. A resumed
    run begins as any other; in front of the statement, `states` then get the values that they had behind a round, and as
    many rounds are done. They are those that rounds change, and that a later round or a later statement needs.
    `number` counts such statements; `followed`: there is a later one, so that the end of this one is kept as well. Made by
    exec-keep-rounds.
  }];
  let arguments = (ins I64Attr:$number, UnitAttr:$followed, Variadic<Graph_StateType>:$states);
  let assemblyFormat = "$number (`followed` $followed^)? ($states^ `:` type($states))? attr-dict";
  let hasVerifier = 1;
}

#endif
