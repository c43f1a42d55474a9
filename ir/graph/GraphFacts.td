// What analyses find out about a program, as attributes. graph-record-facts leaves them, and ir/explain makes sentences
// of them. A new fact is a record here, a line in ir/graph/passes/RecordFacts.cpp that asks an analysis for it, and its
// words in ir/explain/Words.cpp.
#ifndef GCOMPILE_IR_GRAPH_FACTS
#define GCOMPILE_IR_GRAPH_FACTS

include "ir/graph/GraphBase.td"

// ---- What facts say -------------------------------------------------------------------------------------------------

def Graph_WriteRule : Graph_I32Enum<"WriteRule", "what makes a write legal: the write rule of the language reference", [
  I32EnumAttrCase<"Owned", 0, "owned">,            // no other iteration writes the element
  I32EnumAttrCase<"Reduction", 1, "reduction">,    // += min= max= |= &= *=
  // A plain assignment under a guard on the same element that it makes false: the first writer wins.
  I32EnumAttrCase<"Claim", 2, "claim">,
  I32EnumAttrCase<"UnderClaim", 3, "under_claim">, // a write to the claimed vertex's other state: the winner's alone
  I32EnumAttrCase<"SameValue", 4, "same_value">,   // every iteration that writes the element writes the same value
  I32EnumAttrCase<"Illegal", 5, "illegal">]>;
def Graph_Snapshot : Graph_I32Enum<"Snapshot", "how the snapshot rule is kept for a state that a statement writes", [
  I32EnumAttrCase<"None", 0, "none">,              // nothing is read that another iteration writes
  I32EnumAttrCase<"Invariant", 1, "invariant">,    // a propagate's active vertices, which are read, are never written
  I32EnumAttrCase<"Levels", 2, "levels">,          // what is read is in another level than what is written
  I32EnumAttrCase<"Monotone", 3, "monotone">,      // an early value cannot change the fixpoint
  // A propagate's round writes it at its end, for the vertices that it activated.
  I32EnumAttrCase<"Commit", 4, "commit">,
  I32EnumAttrCase<"Slices", 5, "slices">,          // a second copy of one row and one column
  I32EnumAttrCase<"Copy", 6, "copy">,              // two copies
  I32EnumAttrCase<"Taken", 7, "taken">]>;          // each part of a sum is taken once, whenever it comes
def Graph_Element : Graph_I32Enum<"Element", "whose element an iteration reads or writes", [
  I32EnumAttrCase<"Variable", 0, "variable">,      // a variable has one
  I32EnumAttrCase<"Fixed", 1, "fixed">,            // one for all iterations
  I32EnumAttrCase<"Vertex", 2, "vertex">,          // its vertex's
  I32EnumAttrCase<"RowOrColumn", 3, "row_or_column">, // one in its vertex's row or column
  I32EnumAttrCase<"FirstVertex", 4, "first_vertex">, I32EnumAttrCase<"SecondVertex", 5, "second_vertex">, // of a pair
  I32EnumAttrCase<"Pair", 6, "pair">,              // its pair's
  I32EnumAttrCase<"OtherPair", 7, "other_pair">,   // another pair's
  I32EnumAttrCase<"AnyPair", 8, "any_pair">,       // a pair's, where iterations have no pair
  I32EnumAttrCase<"ActiveEnd", 9, "active_end">, I32EnumAttrCase<"OtherEnd", 10, "other_end">, // of its edge
  I32EnumAttrCase<"Edge", 11, "edge">,             // its edge's
  I32EnumAttrCase<"Inner", 12, "inner">,           // that of a vertex or edge which an inner pattern binds
  I32EnumAttrCase<"Computed", 13, "computed">]>;   // that of a computed index
def Graph_Change : Graph_I32Enum<"Change", "whether a statement writes a state that it reads", [
  I32EnumAttrCase<"Unchanged", 0, "unchanged">, I32EnumAttrCase<"Changed", 1, "changed">]>;
def Graph_Safety : Graph_I32Enum<"Safety", "how a write is made safe, and why that is enough", [
  I32EnumAttrCase<"Owned", 0, "owned">,            // plain: no other iteration writes the element
  I32EnumAttrCase<"Winner", 1, "winner">,          // plain: only the winner of the claim writes it
  I32EnumAttrCase<"OneThread", 2, "one_thread">,   // plain: one thread handles all edges of that vertex
  I32EnumAttrCase<"Serial", 3, "serial">,          // plain: one thread runs the statement
  I32EnumAttrCase<"CompareAndSet", 4, "compare_and_set">, I32EnumAttrCase<"Atomic", 5, "atomic">,
  I32EnumAttrCase<"Private", 6, "private">,        // one copy for each thread
  I32EnumAttrCase<"AtomicInRounds", 7, "atomic_in_rounds">, // the same, but one kernel of a device runs many rounds
  I32EnumAttrCase<"Relaxed", 8, "relaxed">,        // an atomic store
  I32EnumAttrCase<"Runtime", 9, "runtime">]>;      // by an algorithm of the runtime
def Graph_Way : Graph_I32Enum<"Way", "a way of running a statement", [
  I32EnumAttrCase<"Parallel", 0, "parallel">, I32EnumAttrCase<"OneThread", 1, "one_thread">,
  I32EnumAttrCase<"Push", 2, "push">, I32EnumAttrCase<"Pull", 3, "pull">, I32EnumAttrCase<"Hybrid", 4, "hybrid">,
  I32EnumAttrCase<"Priority", 5, "priority">, I32EnumAttrCase<"Asynchronous", 6, "asynchronous">,
  I32EnumAttrCase<"Components", 7, "components">, I32EnumAttrCase<"Triangles", 8, "triangles">, // of the runtime
  I32EnumAttrCase<"Blocks", 9, "blocks">,          // a loop over steps that closes a state of pairs, in blocks of steps
  I32EnumAttrCase<"Index", 10, "index">]>;         // a search, by an index that the loop around it keeps
def Graph_Freedom : Graph_I32Enum<"Freedom", "what schedules, or the lowering, may make use of", [
  I32EnumAttrCase<"Segments", 0, "segments">,      // cache segments
  I32EnumAttrCase<"EarlyExit", 1, "early_exit">,   // a pull may leave a vertex after the first edge that succeeded
  I32EnumAttrCase<"ActivatesOnce", 2, "activates_once">,
  I32EnumAttrCase<"Duplicates", 3, "duplicates">,  // a vertex may be processed twice in a round
  I32EnumAttrCase<"Asynchronous", 4, "asynchronous">, I32EnumAttrCase<"Priority", 5, "priority">]>;
def Graph_Verdict : Graph_I32Enum<"Verdict", "whether something leaves the result as it is", [
  I32EnumAttrCase<"Legal", 0, "legal">, I32EnumAttrCase<"Illegal", 1, "illegal">]>;
def Graph_Choice : Graph_I32Enum<"Choice", "whether something is done", [
  I32EnumAttrCase<"No", 0, "not_chosen">, I32EnumAttrCase<"Default", 1, "by_default">,
  I32EnumAttrCase<"Schedule", 2, "by_schedule">,
  I32EnumAttrCase<"AtRunTime", 3, "at_run_time">]>; // the program decides
def Graph_Removal : Graph_I32Enum<"Removal", "what a program does without", [
  I32EnumAttrCase<"State", 0, "state">,            // a state that nothing reads
  I32EnumAttrCase<"Write", 1, "write">,            // a write that nothing reads before the next one
  I32EnumAttrCase<"Init", 2, "init">]>;            // the initial value of a state

// ---- Facts ----------------------------------------------------------------------------------------------------------

def Graph_FactInterface : AttrInterface<"Fact"> {
  let cppNamespace = "::gcompile::graph";
  let description = [{ Something that has been found out about an operation. }];
  let methods = [InterfaceMethod<"Whether an operation of this kind may have it.", "bool", "isAbout",
                                 (ins "::mlir::Operation *":$op)>];
}
/// `operations`: those that may have it, by their C++ names.
class Graph_Fact<string name, string factMnemonic, string operations, dag values>
    : AttrDef<Graph_Dialect, name # "Fact", [DeclareAttrInterfaceMethods<Graph_FactInterface>]> {
  let mnemonic = factMnemonic;
  let parameters = values;
  let assemblyFormat = "`<` params `>`";
  let extraClassDefinition = "bool $cppClass::isAbout(::mlir::Operation *op) const { return ::llvm::isa<" # operations
                           # ">(op); }";
}
/// All of them.
def Graph_FactsAttr : AttrDef<Graph_Dialect, "Facts"> {
  let mnemonic = "facts";
  let summary = "what has been found out about an operation: its discardable attribute `graph.facts`";
  let parameters = (ins ArrayRefParameter<"::gcompile::graph::Fact">:$facts);
  let assemblyFormat = "`<` `[` $facts `]` `>`";
}

def Graph_ReadFact : Graph_Fact<"Read", "read", "ReadOp",
    (ins EnumParameter<Graph_Element>:$element, EnumParameter<Graph_Change>:$change)> {
  let summary = "what a statement reads, and whether it writes the same state";
}
def Graph_WriteFact : Graph_Fact<"Write", "write", "UpdateOp, UpdateTupleOp",
    (ins EnumParameter<Graph_Element>:$element, EnumParameter<Graph_WriteRule>:$rule)> {
  let summary = "what a statement writes, and what makes that legal";
}
def Graph_SafetyFact : Graph_Fact<"Safety", "safety", "UpdateOp, UpdateTupleOp",
    (ins EnumParameter<Graph_Way>:$way, EnumParameter<Graph_Safety>:$safety)> {
  let summary = "how a write is made safe where the statement runs that way";
}
def Graph_CopyFact : Graph_Fact<"Copy", "copy", "ForOp, PropagateOp",
    (ins "::mlir::StringAttr":$state, EnumParameter<Graph_Snapshot>:$snapshot, EnumParameter<Graph_WriteRule>:$rule)> {
  let summary = "how the snapshot rule is kept for a state that the statement reads and writes";
  let description = [{ `rule`: that of the state's first claim or write under a claim, otherwise of its first write. }];
}
def Graph_MemoryFact : Graph_Fact<"Memory", "memory", "ForOp, PropagateOp",
    (ins EnumParameter<Graph_Shape>:$shape, "::mlir::FloatAttr":$bytes, "::mlir::StringAttr":$state)> {
  let summary = "what the statement needs besides the program's state: bytes for each vertex, edge or pair";
  let description = [{ `state`: it is a second copy of that state; otherwise empty. }];
}
def Graph_WayFact : Graph_Fact<"Way", "way", "ForOp, PropagateOp, ReduceOp, SetFilterOp",
    (ins EnumParameter<Graph_Way>:$way, EnumParameter<Graph_Verdict>:$verdict, EnumParameter<Graph_Choice>:$choice,
         "::mlir::StringAttr":$reason)> {
  let summary = "whether the statement may run that way, and whether it does";
  let description = [{ `reason`: what an analysis says of the verdict, in words that fit after "because"; or empty. }];
}
def Graph_FreedomFact : Graph_Fact<"Freedom", "freedom", "ForOp, PropagateOp",
    (ins EnumParameter<Graph_Freedom>:$freedom, EnumParameter<Graph_Verdict>:$verdict,
         EnumParameter<Graph_Choice>:$choice, "::mlir::StringAttr":$reason)> {
  let summary = "whether schedules, or the lowering, may make use of something, and whether they do";
  let description = [{ `reason`: as in #graph.way. }];
}
def Graph_SearchFact : Graph_Fact<"Search", "search", "ForOp, WhileOp, RepeatOp",
    (ins "::mlir::LocationAttr":$place, "::mlir::StringAttr":$reason)> {
  let summary = "why the loop keeps no index for a search of all vertices that it makes in every turn";
  let description = [{ `place`: that of the search. `reason`: as in #graph.way. }];
}
def Graph_RemovedFact : Graph_Fact<"Removed", "removed", "AlgorithmOp",
    (ins EnumParameter<Graph_Removal>:$removal, "::mlir::StringAttr":$state, "::mlir::LocationAttr":$place)> {
  let summary = "what graph-remove-dead has left out";
}

#endif
