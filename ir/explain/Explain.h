// What the compiler knows about each data-parallel statement, in the user's words: `gcompile --explain`. Everything is
// read from the dialects; nothing is asked or decided here.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace gcompile {

/// One access to shared state.
struct AccessFacts {
  std::string text;   // as written: `depth[u]`, `parent[v] = u;`
  unsigned line;      // in the file
  std::string state;  // its name
  std::string place;  // whose element it is: "the target's"
  std::string role;   // Writes: what makes it legal; reads: whether they need a copy
  std::string pushed; // Writes: how it is made safe, pushing or in a statement of vertices
  std::string pulled; // Writes of edge statements that can pull: the same, pulling; else empty
};

/// Two copies of a state, or why one is enough.
struct SnapshotFacts {
  std::string state;
  bool copied; // whether there is a second array
  std::string reason;
  double bytes; // of the second array, for each element
};

/// One way of running a statement, or one freedom that schedules use.
struct WayFacts {
  std::string name;
  bool legal;
  bool chosen;
  std::string reason;  // why it is legal or not; may be empty where it always is
  bool wanted = false; // one expects it: where it is not legal, the short form tells why, too
};

struct StatementFacts {
  unsigned line;
  std::string label; // may be empty
  std::string text;  // the head of the statement, without its body
  std::vector<AccessFacts> reads, writes;
  std::vector<SnapshotFacts> snapshots;
  std::vector<WayFacts> ways, freedoms;
  std::vector<std::string> device; // how the GPU runs it, where it is compiled for one
  std::vector<std::string> sent;   // what machines that hold parts of the graph send, where it is compiled for them
  bool onOneThread = false;        // of each such machine, though it has several
  double bytesPerVertex = 0;       // the active sets and second copies
  double bytesPerEdge = 0, bytesPerPair = 0;
};

struct AlgorithmFacts {
  std::string name;
  bool inEdges = false;                 // needs the edges into vertices as well
  std::vector<std::string> foreign;     // functions of C++ that are called, and what was believed of them
  std::vector<std::string> reductions;  // that the program declares, and what was believed of them
  std::vector<std::string> layout;      // the orders in which the schedule wants vertices and neighbours
  std::vector<std::string> nonnegative; // edge properties and parameters that must not be negative
  double bytesPerVertex = 0, bytesPerEdge = 0, bytesPerPair = 0; // all state and work lists, without the graph
  std::vector<std::string> sides;                                // where it runs, if it is compiled for a CPU and a GPU
  std::vector<std::string> once;    // sequential statements that a GPU runs as kernels of one thread
  std::vector<std::string> kept;    // by a checkpoint between rounds, where it is compiled for several machines
  std::string divided;              // of several machines: whether these can divide the edges at a vertex, or why not
  std::vector<std::string> loaded;  // what each machine has of the graph beside its part
  std::vector<std::string> asked;   // values of single vertices that owners give to all machines
  std::vector<std::string> removed; // state and writes that the program does without
  std::vector<StatementFacts> statements;
};

/// The facts about every algorithm of `graph`, a checked module of the graph dialect with its schedule applied, in
/// which graph-record-facts has run. `exec` is the same module lowered, from which the needs are taken and, where
/// kernels run on a device, how; with `inParts`, what machines that hold parts of the graph send. Of a program in two
/// forms, these are those of the GPU. `source` is the text of the program.
std::vector<AlgorithmFacts> explain(mlir::ModuleOp graph, mlir::ModuleOp exec, const std::string &source,
                                    bool kernelsOnDevice, bool inParts);

/// For people, a line for each statement, and as one JSON object (docs/explain.md).
std::string explanationText(const std::string &file, const std::vector<AlgorithmFacts> &algorithms);
std::string explanationShort(const std::string &file, const std::vector<AlgorithmFacts> &algorithms);
std::string explanationJson(const std::string &file, const std::vector<AlgorithmFacts> &algorithms);

} // namespace gcompile
