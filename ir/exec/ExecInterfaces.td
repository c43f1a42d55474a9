// What every kernel of the `exec` dialect says of itself.
#ifndef GCOMPILE_IR_EXEC_INTERFACES
#define GCOMPILE_IR_EXEC_INTERFACES

include "mlir/IR/OpBase.td"

def Exec_KernelInterface : OpInterface<"Kernel"> {
  let description = [{ A data-parallel operation that becomes a function, or several, of its own in the output. }];
  let cppNamespace = "::gcompile::exec";
  let methods = [
    InterfaceMethod<"What the program calls the arguments of its regions.", "::mlir::ArrayAttr", "getNamesAttr">,
    InterfaceMethod<"", "void", "setNamesAttr", (ins "::mlir::ArrayAttr":$names)>,
    InterfaceMethod<[{ It follows edges from their targets to their sources, as the same kernel does along the edges of
                       the transposed graph. }], "bool", "getTransposed">,
    InterfaceMethod<"", "void", "setTransposed", (ins "bool":$value)>,
    InterfaceMethod<"GPU: arcs come one to a call, whichever vertex they belong to.", "bool", "getSplit">,
    InterfaceMethod<"", "void", "setSplit", (ins "bool":$value)>,
    InterfaceMethod<"GPU: these are the arcs out of a vertex and those into it.", "bool", "getBothWays">,
    InterfaceMethod<"", "void", "setBothWays", (ins "bool":$value)>,
    InterfaceMethod<"GPU: several lanes of a warp run an iteration together.", "bool", "getByLanes">,
    InterfaceMethod<"", "void", "setByLanes", (ins "bool":$value)>,
    InterfaceMethod<"CPU: how many elements a thread takes at a time.", "std::optional<uint64_t>", "getGrain">,
    InterfaceMethod<[{ CPU: one thread may be alone at the kernel, and then makes no atomic operations. }], "bool", "getMayRunAlone">,
    InterfaceMethod<"CPU: it visits pairs of vertices, a loop in a loop: its work grows as their number.", "bool",
                    "getOverPairs">,
    InterfaceMethod<"", "void", "setOverPairs", (ins "bool":$value)>,
    InterfaceMethod<[{ Parts of a graph: where several parts share the edges at a vertex, each of these runs it for the
                       vertex, along the edges that it has. }], "bool", "getDivided">,
    InterfaceMethod<"", "void", "setDivided", (ins "bool":$value)>,
  ];
}

#endif
