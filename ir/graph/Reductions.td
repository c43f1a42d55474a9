// Every reduction, once: how values are combined into one. The grammar's checks, the lowering, the analyses, the
// interpreter and both printers read these tables (Reductions.h); the runtime has one operator of the same name for each
// (gcompile/core/operators.h).
#ifndef GCOMPILE_IR_GRAPH_REDUCTIONS
#define GCOMPILE_IR_GRAPH_REDUCTIONS

include "mlir/IR/EnumAttr.td"
include "llvm/TableGen/SearchableTable.td"

/// The value that changes nothing when it is combined with another.
class Neutral<int number> { bits<8> value = number; }
def Neutral_Zero : Neutral<0>;     // 0, false
def Neutral_One : Neutral<1>;      // 1
def Neutral_Greatest : Neutral<2>; // inf, true, the greatest value of the type
def Neutral_Lowest : Neutral<3>;   // -inf, the lowest value of the type
def Neutral_AllBits : Neutral<4>;  // all bits set, true

/// How an update combines a new value with the old one.
class Update<string symbol, int number, string mnemonic> : I32EnumAttrCase<symbol, number, mnemonic> {
  bits<8> kind = number;
  /// As a program writes it; empty where only a pass chooses it.
  string token = "";
  /// The `graph.binary` operator that combines two values.
  string binary = "";
  /// Infinity absorbs.
  bit absorbing = 0;
  /// The runtime's functions: `gc::update_NAME` for a value of one thread, `gc::owner_NAME` for one that others read,
  /// `gc::atomic_NAME` for one that others update.
  string function = mnemonic;
  /// The C++ operator that does the same to a value of one thread; empty where the function must be called.
  string assignment = "";
  /// The function of gc::PerThread that combines the values of all threads.
  string total = mnemonic;
  Neutral neutralValue = Neutral_Zero;
  bits<8> neutral = neutralValue.value;

  // What it takes.
  bit truths = 0;   // bool
  bit integers = 1; // int, long
  bit reals = 1;    // float, double
  bit ordered = 0;  // vertices, edges, tuples
  /// The set algebra that it means for vertex sets; empty: it is not for sets.
  string sets = "";

  /// The value only moves one way: a second time changes nothing, and what is read early is at most behind.
  bit monotone = 0;
  /// The result is one of the two values. Several values may then be compared and replaced together.
  bit selects = 0;
  /// It combines bit by bit.
  bit bitwise = 0;
  /// Atomic updates of this kind give the same, whichever older value each of them tests first.
  bit anyOrder = 0;
}

def Update_Assign : Update<"Assign", 0, "assign"> { let token = "="; let truths = 1; let ordered = 1; }
def Update_Add : Update<"Add", 1, "add"> {
  let token = "+="; let binary = "add"; let assignment = "+="; let total = "sum"; let sets = "union"; let anyOrder = 1;
}
def Update_Mul : Update<"Mul", 2, "mul"> {
  let token = "*="; let binary = "mul"; let assignment = "*="; let function = "multiply"; let total = "product";
  let neutralValue = Neutral_One;
}
def Update_Min : Update<"Min", 3, "min"> {
  let token = "min="; let binary = "min"; let ordered = 1; let monotone = 1; let selects = 1; let anyOrder = 1;
  let neutralValue = Neutral_Greatest;
}
def Update_Max : Update<"Max", 4, "max"> {
  let token = "max="; let binary = "max"; let ordered = 1; let monotone = 1; let selects = 1; let anyOrder = 1;
  let neutralValue = Neutral_Lowest;
}
def Update_Or : Update<"Or", 5, "or"> {
  let token = "|="; let binary = "bit_or"; let assignment = "|="; let total = "any"; let truths = 1; let reals = 0;
  let monotone = 1; let bitwise = 1; let anyOrder = 1;
}
def Update_And : Update<"And", 6, "and"> {
  let token = "&="; let binary = "bit_and"; let assignment = "&="; let total = "all"; let truths = 1; let reals = 0;
  let monotone = 1; let bitwise = 1; let anyOrder = 1; let sets = "intersection"; let neutralValue = Neutral_AllBits;
}
/// Add of integers that may be inf; see the pass graph-mark-infinity.
def Update_AddInf : Update<"AddInf", 7, "add_inf"> { let binary = "add"; let absorbing = 1; let total = "sum_inf"; }
def Update_Xor : Update<"Xor", 8, "xor"> {
  let token = "^="; let binary = "bit_xor"; let assignment = "^="; let total = "parity"; let reals = 0;
  let bitwise = 1; let anyOrder = 1;
}

/// What a reduction says that the program declares: the update names it, and nothing is known of it but what it promises.
def Update_Combine : Update<"Combine", 9, "combine"> { let truths = 1; let total = "combined"; }

def Graph_UpdateKind : I32EnumAttr<"UpdateKind", "how a new value meets the old one", [
  Update_Assign, Update_Add, Update_Mul, Update_Min, Update_Max, Update_Or, Update_And, Update_AddInf,
  Update_Xor, Update_Combine]> {
  let cppNamespace = "::gcompile::graph";
}

/// How a reduction, `sum(v in S : x)`, makes one value of many.
class Reduce<string symbol, int number, string mnemonic> : I32EnumAttrCase<symbol, number, mnemonic> {
  bits<8> kind = number;
  /// The update that makes one of two partial results.
  Update combineBy = Update_Assign;
  /// The same, by its number; that of Assign where an accumulator of the runtime merges them.
  bits<8> combine = combineBy.kind;
  /// The class of that accumulator, and its function for the result.
  string accumulator = "";
  string result = "";
  /// What the result is called in generated code.
  string name = "";
  /// The first value that is the opposite of the neutral one decides.
  bit decides = 0;
  /// The result is the vertex or the edge with the best key.
  bit witness = 0;
  /// A better key can be told from a worse one before it is contributed.
  bit extreme = 0;
  /// The function of the lanes of a GPU that combines what each of them has found; empty: lanes cannot.
  string lanes = "";
}

def Reduce_Sum : Reduce<"Sum", 0, "sum"> { let combineBy = Update_Add; let name = "sum"; let lanes = "sum"; }
def Reduce_Min : Reduce<"Min", 1, "min"> {
  let combineBy = Update_Min; let name = "minimum"; let extreme = 1; let lanes = "min";
}
def Reduce_Max : Reduce<"Max", 2, "max"> {
  let combineBy = Update_Max; let name = "maximum"; let extreme = 1; let lanes = "max";
}
def Reduce_Count : Reduce<"Count", 3, "count"> { let combineBy = Update_Add; let name = "count"; let lanes = "sum"; }
def Reduce_Any : Reduce<"Any", 4, "any"> {
  let combineBy = Update_Or; let name = "found"; let decides = 1; let lanes = "any";
}
def Reduce_All : Reduce<"All", 5, "all"> {
  let combineBy = Update_And; let name = "holds"; let decides = 1; let lanes = "all";
}
def Reduce_ArgMin : Reduce<"ArgMin", 6, "argmin"> {
  let accumulator = "ArgMin"; let result = "witness"; let name = "best"; let witness = 1; let extreme = 1;
  let lanes = "found";
}
def Reduce_ArgMax : Reduce<"ArgMax", 7, "argmax"> {
  let accumulator = "ArgMax"; let result = "witness"; let name = "best"; let witness = 1; let extreme = 1;
  let lanes = "found";
}
def Reduce_Mode : Reduce<"Mode", 8, "mode"> {
  let accumulator = "Mode"; let result = "value"; let name = "mode";
}
/// Sum of integers that may be inf.
def Reduce_SumInf : Reduce<"SumInf", 9, "sum_inf"> { let combineBy = Update_AddInf; let name = "sum"; }

def Graph_ReduceKind : I32EnumAttr<"ReduceKind", "a reduction", [
  Reduce_Sum, Reduce_Min, Reduce_Max, Reduce_Count, Reduce_Any, Reduce_All, Reduce_ArgMin, Reduce_ArgMax, Reduce_Mode,
  Reduce_SumInf]> {
  let cppNamespace = "::gcompile::graph";
}

// ---- The tables, as C++ reads them ---------------------------------------------------------------------------------

def updateTable : GenericTable {
  let FilterClass = "Update";
  let CppTypeName = "UpdateTraits";
  let Fields = ["kind", "str", "token", "binary", "absorbing", "function", "assignment", "total", "neutral", "truths",
                "integers", "reals", "ordered", "sets", "monotone", "selects", "bitwise", "anyOrder"];
}
def reduceTable : GenericTable {
  let FilterClass = "Reduce";
  let CppTypeName = "ReduceTraits";
  let Fields = ["kind", "str", "combine", "accumulator", "result", "name", "decides", "witness", "extreme", "lanes"];
}

#endif
