// Indices that sequential loops keep, in place of a search in every turn.
#ifndef GCOMPILE_IR_EXEC_INDICES
#define GCOMPILE_IR_EXEC_INDICES

include "ir/exec/ExecBase.td"

def Exec_KeepIndexOp : Exec_Op<"keep_index", [SingleBlock, NoTerminator]> {
  let summary = "from here on knows the vertex with the least or the greatest key";
  let description = [{
    `keys` (v) contributes the key of v, with v as its witness, or nothing. Until the end of the loop that follows, what it
    reads changes at single vertices alone. `exec.reindex` reports each outside of kernels; kernels note theirs by
    `exec.note_change`, and `exec.reindex_noted` stands between the kernel and what asks next. Made by exec-keep-index.
    Source: S6.
  }];
  let arguments = (ins StrAttr:$name, Graph_ReduceKind:$kind, OptionalAttr<ArrayAttr>:$names);
  let regions = (region SizedRegion<1>:$keys);
  let results = (outs Graph_KeptIndexType:$index);
  let assemblyFormat = "$kind $name attr-dict-with-keyword $keys";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type of the keys.
    ::mlir::Type getKeyType();
  }];
}
def Exec_IndexBestOp : Exec_Op<"index_best"> {
  let summary = "the vertex with the least or the greatest key, of several the one with the smallest id; or none";
  let description = [{ `key`: its key; where no vertex has one, the neutral value of min or max. }];
  let arguments = (ins Graph_KeptIndexType:$index, UnitAttr:$key);
  let results = (outs Graph_AnyScalar:$best);
  let assemblyFormat = "$index (`key` $key^)? attr-dict `:` type($best)";
  let hasVerifier = 1;
}
def Exec_ReindexOp : Exec_Op<"reindex"> {
  let summary = "what the key of a vertex is computed from has changed";
  let description = [{
    `fetches`: its list of out-neighbours, and `columns` of its edges, are fetched: a loop goes along them when it is the
    best one.
  }];
  let arguments = (ins Graph_KeptIndexType:$index, Graph_VertexType:$vertex, Variadic<Graph_StateType>:$columns,
                       UnitAttr:$fetches);
  let assemblyFormat = "$index `[` $vertex `]` (`with` $columns^ `:` type($columns))? attr-dict";
}
def Exec_NoteChangeOp : Exec_Op<"note_change"> {
  let summary = "in a kernel: what the key of a vertex is computed from may have changed";
  let description = [{ The index is as before until `exec.reindex_noted`. A vertex may be noted several times. }];
  let arguments = (ins Graph_KeptIndexType:$index, Graph_VertexType:$vertex);
  let assemblyFormat = "$index `[` $vertex `]` attr-dict";
  let hasVerifier = 1;
}
def Exec_ReindexNotedOp : Exec_Op<"reindex_noted"> {
  let summary = "the keys of the vertices that kernels have noted are computed anew";
  let description = [{ Those of all vertices where very many are noted. }];
  let arguments = (ins Graph_KeptIndexType:$index);
  let assemblyFormat = "$index attr-dict";
  let hasVerifier = 1;
}

#endif
