// The enums of the `exec` dialect.
#ifndef GCOMPILE_IR_EXEC_ENUMS
#define GCOMPILE_IR_EXEC_ENUMS

include "mlir/IR/EnumAttr.td"

class Exec_I32Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::gcompile::exec";
}
def Exec_Sync : Exec_I32Enum<"Sync", "how an update is made safe", [
  I32EnumAttrCase<"Plain", 0, "plain">,         // only this iteration touches it
  I32EnumAttrCase<"Atomic", 1, "atomic">,       // others may update it too: atomic read-modify-write, tested first
  I32EnumAttrCase<"Private", 2, "private">,     // a scalar: one copy a thread, combined at the end of the kernel
  I32EnumAttrCase<"Relaxed", 3, "relaxed">]>;   // an atomic store without read-modify-write: one
                                                // writer at a time or the same value, while others may read it
def Exec_Direction : Exec_I32Enum<"Direction", "which end drives a propagate", [
  I32EnumAttrCase<"Push", 0, "push">, I32EnumAttrCase<"Pull", 1, "pull">, I32EnumAttrCase<"Hybrid", 2, "hybrid">]>;
def Exec_Frontier : Exec_I32Enum<"FrontierKind", "the states of rounds that push, on CPUs", [
  I32EnumAttrCase<"Queue", 0, "queue">,         // a queue, shared by threads unless it is short
  I32EnumAttrCase<"Serial", 1, "serial">,       // one thread and its queue
  I32EnumAttrCase<"Read", 2, "read">,           // a mark a vertex, all scanned in each round
  I32EnumAttrCase<"Hybrid", 3, "hybrid">]>;     // one of these each round, by the sizes of the frontiers (S1)
def Exec_Gather : Exec_I32Enum<"Gather", "how the threads of a GPU share the arcs of active vertices", [
  I32EnumAttrCase<"Serial", 0, "serial">,       // a thread takes all arcs of a vertex
  I32EnumAttrCase<"Warp", 1, "warp">,           // a warp takes them
  I32EnumAttrCase<"Cta", 2, "cta">,             // a block (CTA) takes them
  I32EnumAttrCase<"Scan", 3, "scan">,           // arcs are dealt out evenly, by a prefix sum of the degrees
  I32EnumAttrCase<"ScanWarpCta", 4, "scan_warp_cta">, // long lists to a block or a warp, the others dealt out
  I32EnumAttrCase<"BlockScan", 5, "block_scan">, // arcs are dealt out in a block, by a prefix sum over its threads
  I32EnumAttrCase<"BlockScanWarpCta", 6, "block_scan_warp_cta">]>; // those of short lists
def Exec_Phases : Exec_I32Enum<"Phases", "what goes through memory in rounds that push on a GPU (Merrill et al. 2012)", [
  I32EnumAttrCase<"ContractExpand", 1, "contract_expand">, // the edges of the frontier, between rounds
  I32EnumAttrCase<"TwoPhase", 2, "two_phase">,  // the vertices of the frontier between rounds, its edges inside of them
  I32EnumAttrCase<"Hybrid", 3, "hybrid">]>;     // contract_expand for few edges, two_phase for many
def Exec_PullWork : Exec_I32Enum<"PullWork", "what a pull looks at of the arcs of a vertex", [
  I32EnumAttrCase<"First", 0, "first">,         // those up to the first from the frontier
  I32EnumAttrCase<"All", 1, "all">]>;           // all, of each vertex that was never in the frontier
def Exec_LoopPlace : Exec_I32Enum<"LoopPlace", "who starts the turns of a loop, or the rounds of a propagate", [
  I32EnumAttrCase<"Host", 0, "host">, I32EnumAttrCase<"Device", 1, "device">]>;
def Exec_Side : Exec_I32Enum<"Side", "where a program of two forms runs", [
  I32EnumAttrCase<"Chosen", 0, "chosen">,       // by the graph and the machine, when it starts
  I32EnumAttrCase<"Cpu", 1, "cpu">, I32EnumAttrCase<"Gpu", 2, "gpu">]>;
def Exec_Closing : Exec_I32Enum<"Closing", "what a step of exec.close_pairs is known to be", [
  I32EnumAttrCase<"ShortestPaths", 0, "shortest_paths">, // min= D[i, k] + D[k, j], whose infinity absorbs
  I32EnumAttrCase<"TransitiveClosure", 1, "transitive_closure">, // |= D[i, k] && D[k, j] of flags
  // min= (D[i, k].0 + D[k, j].0, D[i, k].1) of an integer, whose infinity absorbs, and a vertex; or D[k, j].1
  I32EnumAttrCase<"PathsByFirst", 2, "paths_by_first">, I32EnumAttrCase<"PathsByLast", 3, "paths_by_last">,
  I32EnumAttrCase<"WidestPaths", 4, "widest_paths">]>; // max= min(D[i, k], D[k, j]) of integers
def Exec_CopiesOf : Exec_I32Enum<"CopiesOf", "of parts in a grid, which copies", [
  I32EnumAttrCase<"Ends", 0, "ends">,           // of vertices at the other ends of edges
  I32EnumAttrCase<"Lists", 1, "lists">,         // of those at which the part has some of the edges
  I32EnumAttrCase<"Both", 2, "both">]>;
def Exec_Unpack : I32BitEnumAttr<"Unpack", "what a kernel takes out of the packed lists of some vertices at a time", [
  I32BitEnumAttrCaseBit<"OutLists", 0, "out_lists">, I32BitEnumAttrCaseBit<"InLists", 1, "in_lists">,
  I32BitEnumAttrCaseBit<"OutDegrees", 2, "out_degrees">, I32BitEnumAttrCaseBit<"InDegrees", 3, "in_degrees">]> {
  let cppNamespace = "::gcompile::exec";
}
def Exec_Sharing : Exec_I32Enum<"Sharing", "how threads share a parallel loop", [
  I32EnumAttrCase<"Serial", 0, "serial">,       // no threads at all (the program that --verify runs)
  I32EnumAttrCase<"Static", 1, "static">,       // equal work each
  I32EnumAttrCase<"Dynamic", 2, "dynamic">]>;   // chunks taken as threads come free: work varies with degree

#endif
