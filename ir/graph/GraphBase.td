// The `graph` dialect itself, its types and its enums; the operations are in GraphOps.td.
#ifndef GCOMPILE_IR_GRAPH_BASE
#define GCOMPILE_IR_GRAPH_BASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "ir/graph/Reductions.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let cppNamespace = "::gcompile::graph";
  let summary = "Programs over one CSR graph, as the user wrote them";
  let description = [{
    A `graph.algorithm` runs on one graph, which its operations refer to implicitly. State is declared by
    `graph.state` and touched only by `graph.read`, `graph.update` and `graph.update_tuple`. Data-parallel statements
    (`graph.for`, `graph.propagate`, a `graph.reduce` outside of them) follow the snapshot rule and the write rule.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  // See GraphFacts.td.
  let discardableAttrs = (ins "::gcompile::graph::FactsAttr":$facts);
  let hasOperationAttrVerify = 1;
}

// ---- Types ----------------------------------------------------------------------------------------------------------

class Graph_Type<string name, string typeMnemonic> : TypeDef<Graph_Dialect, name> { let mnemonic = typeMnemonic; }
def Graph_VertexType : Graph_Type<"Vertex", "vertex"> { let summary = "a vertex id, or none"; }
def Graph_EdgeType : Graph_Type<"Edge", "edge"> { let summary = "an arc: its position in the out-adjacency, or none"; }
def Graph_SetType : Graph_Type<"Set", "set"> { let summary = "a set of vertices"; }
def Graph_LevelsType : Graph_Type<"Levels", "levels"> { let summary = "the kept frontiers of a propagate, in order"; }

def Graph_BucketsType : Graph_Type<"Buckets", "buckets"> {
  let summary = "the members of a set, in buckets by a property of theirs";
}

def Graph_KeptIndexType : Graph_Type<"KeptIndex", "kept_index"> {
  let summary = "the vertex with the best key, kept while keys change";
}

def Graph_ForeignType : Graph_Type<"Foreign", "foreign"> {
  let summary = "a class of an imported C++ header: its values are copied, and taken and given by its functions";
  let parameters = (ins StringRefParameter<"as C++ names it">:$className, "unsigned":$bytes);
  let assemblyFormat = "`<` $className `,` $bytes `>`";
}

class Graph_Op<string mnemonic, list<Trait> traits = []> : Op<Graph_Dialect, mnemonic, traits>;

class Graph_I32Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::gcompile::graph";
}
def Graph_Shape : Graph_I32Enum<"Shape", "how many values a state holds", [
  I32EnumAttrCase<"Scalar", 0, "scalar">, I32EnumAttrCase<"PerVertex", 1, "per_vertex">,
  I32EnumAttrCase<"PerEdge", 2, "per_edge">, I32EnumAttrCase<"Dense", 3, "dense">,
  I32EnumAttrCase<"Array", 4, "array">]>;
def Graph_StateType : Graph_Type<"State", "state"> {
  let summary = "a handle to mutable state: one value, one per vertex, arc or ordered pair of vertices, or an array";
  let parameters = (ins "::mlir::Type":$element, EnumParameter<Graph_Shape>:$shape);
  let assemblyFormat = "`<` $element `,` $shape `>`";
}
/// What an element of a state is found by: a vertex, an edge, or a place in an array.
def Graph_AnyIndex : AnyTypeOf<[Graph_VertexType, Graph_EdgeType, I64], "an index">;
def Graph_AnyScalar : AnyTypeOf<[I1, I32, I64, F32, F64, Graph_VertexType, Graph_EdgeType, AnyTuple,
                                 Graph_ForeignType], "a scalar">;
def Graph_AnyValue : AnyTypeOf<[I1, I32, I64, F32, F64, Graph_VertexType, Graph_EdgeType, AnyTuple,
                                Graph_ForeignType, Graph_SetType, Graph_LevelsType], "a value">;

// ---- Attributes -----------------------------------------------------------------------------------------------------

class Graph_Attr<string name, string attrMnemonic> : AttrDef<Graph_Dialect, name> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
}
def Graph_DirectiveAttr : Graph_Attr<"Directive", "directive"> {
  let summary = "one directive of a schedule, as the program says it";
  let description = [{
    `#graph.directive<cpu "walk" direction hybrid(alpha = 1.5e+01) at loc("bfs.gdsl":7:20)>`. `directive` and `values`
    are indices into the table of directives (ir/schedule/Directives.td), which says what is allowed. Each value has a
    dictionary of its options: numbers. Without a label the directive is said of all statements. Read it through the
    classes of ir/schedule/Schedule.h.
  }];
  let parameters = (ins "::mlir::StringAttr":$section, "::mlir::StringAttr":$label, "unsigned":$directive,
                        ArrayRefParameter<"unsigned">:$values, ArrayRefParameter<"::mlir::DictionaryAttr">:$options,
                        "::mlir::LocationAttr":$place);
  let hasCustomAssemblyFormat = 1;
}
def Graph_ScheduleAttr : Graph_Attr<"Schedule", "schedule"> {
  let summary = "the schedule of one statement, or of an algorithm: at most one directive for each decision";
  let parameters = (ins ArrayRefParameter<"::gcompile::graph::DirectiveAttr">:$directives);
  let assemblyFormat = "`<` `[` $directives `]` `>`";
}

// ---- Enums ----------------------------------------------------------------------------------------------------------

def Graph_BinaryKind : Graph_I32Enum<"BinaryKind", "a binary operator", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">, I32EnumAttrCase<"Mul", 2, "mul">,
  I32EnumAttrCase<"Div", 3, "div">, I32EnumAttrCase<"Rem", 4, "rem">, I32EnumAttrCase<"Min", 5, "min">,
  I32EnumAttrCase<"Max", 6, "max">, I32EnumAttrCase<"Pow", 7, "pow">, I32EnumAttrCase<"Eq", 8, "eq">,
  I32EnumAttrCase<"Ne", 9, "ne">, I32EnumAttrCase<"Lt", 10, "lt">, I32EnumAttrCase<"Le", 11, "le">,
  I32EnumAttrCase<"Gt", 12, "gt">, I32EnumAttrCase<"Ge", 13, "ge">,
  // Of integers. An amount that is negative or not less than the number of bits shifts all of them out.
  I32EnumAttrCase<"BitAnd", 14, "bit_and">, I32EnumAttrCase<"BitOr", 15, "bit_or">,
  I32EnumAttrCase<"BitXor", 16, "bit_xor">, I32EnumAttrCase<"ShiftLeft", 17, "shift_left">,
  I32EnumAttrCase<"ShiftRight", 18, "shift_right">]>;
def Graph_UnaryKind : Graph_I32Enum<"UnaryKind", "a unary operator or one-argument function", [
  I32EnumAttrCase<"Neg", 0, "neg">, I32EnumAttrCase<"Not", 1, "not">, I32EnumAttrCase<"Abs", 2, "abs">,
  I32EnumAttrCase<"Sqrt", 3, "sqrt">, I32EnumAttrCase<"Exp", 4, "exp">, I32EnumAttrCase<"Log", 5, "log">,
  I32EnumAttrCase<"Floor", 6, "floor">, I32EnumAttrCase<"Ceil", 7, "ceil">,
  I32EnumAttrCase<"Invert", 8, "invert">, I32EnumAttrCase<"PopCount", 9, "popcount">]>; // of integers
def Graph_LogicKind : Graph_I32Enum<"LogicKind", "a short-circuit connective", [
  I32EnumAttrCase<"And", 0, "and">, I32EnumAttrCase<"Or", 1, "or">]>;
def Graph_Side : Graph_I32Enum<"Side", "which adjacency of a vertex", [
  I32EnumAttrCase<"Out", 0, "out">, I32EnumAttrCase<"In", 1, "in">, I32EnumAttrCase<"Both", 2, "both">]>;
def Graph_SetKind : Graph_I32Enum<"SetKind", "set algebra", [
  I32EnumAttrCase<"Union", 0, "union">, I32EnumAttrCase<"Intersection", 1, "intersection">,
  I32EnumAttrCase<"Difference", 2, "difference">]>;
def Graph_Domain : Graph_I32Enum<"Domain", "what a pattern ranges over, with the arguments of its regions", [
  I32EnumAttrCase<"Vertices", 0, "vertices">,   // operand: a set; (v)
  I32EnumAttrCase<"Pairs", 1, "pairs">,         // (i, j)
  I32EnumAttrCase<"Edges", 2, "edges">,         // operand: the set that the sources come from; (u, v, e)
  I32EnumAttrCase<"EdgesBoth", 3, "edges_both">,// every arc from both ends; operand: a set; (u, v, e)
  I32EnumAttrCase<"OutOf", 4, "out_of">,        // operand: u; (v, e)
  I32EnumAttrCase<"Into", 5, "into">,           // operand: v; (u, e)
  I32EnumAttrCase<"Either", 6, "either">,       // operand: u; out- then in-arcs of u; (v, e)
  I32EnumAttrCase<"Levels", 7, "levels">,       // operand: the levels; (level: a set); sequential only
  I32EnumAttrCase<"EdgesInto", 8, "edges_into">]>; // operand: the set that the targets come from; (v, u, e)

#endif
