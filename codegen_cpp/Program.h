// What the printers of one generated class share.
#pragma once

#include "codegen_cpp/Names.h"
#include "codegen_cpp/Types.h"
#include "codegen_cpp/Writer.h"
#include "ir/exec/ExecDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gcompile::cpp {

/// Whether an algorithm, or what holds this operation, runs on packed lists of neighbours.
bool hasPackedLists(mlir::Operation *op);

/// The state of the algorithm itself that has this name, which it has.
graph::StateOp stateNamed(graph::AlgorithmOp algorithm, llvm::StringRef name);

/// What follows V in the type of a kept index: the keys' type, and whether the least is the best.
std::string indexParameters(exec::KeepIndexOp index);

/// One algorithm, which becomes a class template.
struct Program {
  graph::AlgorithmOp op;
  std::string name;                           // of the class
  NameScope scope;                            // names of members and functions
  const Program *parallel = nullptr;          // of a serial program: the parallel one
  std::map<std::string, std::string> replays; // of a serial program: outputs whose claims are replayed; the member
  /// A declaration: the value that every object begins with, or what the constructor makes it of; both may be empty.
  struct Member {
    std::string type, name, value, made = "";
  };
  bool usesFrontier = false;
  std::string handOver; // the member for rounds that go over to another form of the program; "": none do
  /// In-arcs in segments: one cutting of them.
  struct Segments {
    bool chosen;          // whether the runtime chooses the segments' width in a run; else the constructor cuts them
    std::uint64_t number; // the bytes of a source's value where it chooses, else the width

    bool operator<(const Segments &other) const {
      return std::tie(chosen, number) < std::tie(other.chosen, other.number);
    }
  };
  std::map<Segments, std::string> segments;        // the member that holds each
  std::map<std::string, std::string> alignedLists; // by the graph's member: the one that holds them
  std::map<std::string, std::string> buckets;      // by their type: the member that runs by priority share

  /// The member with the segments that a kernel, or exec.segments_pay, goes by.
  std::string segmentsOf(mlir::Operation *op);
  /// The member with the aligned lists of the graph that is this member.
  std::string alignedListsOf(const std::string &graph);
  /// The declarations of these members.
  void listSegments(std::vector<Member> &members, const std::string &space, const std::string &madeOf) const;

  /// The type of its graph, and what types that go by the graph have as a last argument.
  std::string graphType() const { return hasPackedLists(op) ? "gc::PackedGraph<V>" : "gc::Graph<V>"; }
  bool packed() const { return hasPackedLists(op); }
  std::string adjacency() const { return packed() ? ", gc::Packed" : ""; }

  /// The propagate whose rounds go over to another form of the program, or come from there; null: none do.
  exec::PropagateOp handingOver() const;
  /// The members with the states that cross then.
  List crossing() const;

  /// Whether the program's kernels record their calls.
  bool profiled() const { return graph::AlgorithmOp(op).getProfiled(); }

  /// What the algorithm takes besides the graph and its columns, in order.
  struct Parameter {
    mlir::BlockArgument argument;
    std::string text;         // its name in the language
    std::string type, name;   // where C++ gives it; the type ends where the name may follow
    mlir::Attribute given;    // the default value, or null
    bool nonnegative = false; // checked to have no negative value
    std::string checked;      // what its member is set to in `set_arguments`; a parallel program's

    bool isUsed() const { return !argument.use_empty(); }
    /// Its value from `arguments`, where `graph` is the graph.
    std::string fromTexts(llvm::StringRef graph) const;
  };
  std::vector<Parameter> parameters;

  /// States, snapshots, parameters and kept levels: the member that holds each.
  llvm::DenseMap<mlir::Value, std::string> members;
  /// Edge columns: their position among the graph's columns.
  llvm::DenseMap<mlir::Value, unsigned> columns;
  std::vector<Member> declarations; // in order
  std::vector<Writer> functions;    // the kernels, in the order of their calls

  /// Of a form of a program whose stages may run on either side.
  struct Stage {
    Writer text = {};
    bool inside = false;   // of a loop or choice in another one
    bool conducts = false; // has such with stages in it
    bool leaves = false;   // ends with the end of the loop around it
  };
  std::vector<Stage> stages; // in order; the last of the algorithm's own sequence is printed elsewhere
  std::string turns;         // what a stage calls for the stages in its loops and choices

  /// How the members are stored.
  struct Storage {
    bool onDevice;
    std::string space;       // of the runtime's arrays and sets: "gc::"
    std::string member;      // what constructors of sets take, in functions of the class
    std::string object;      // the graph itself, in the constructor
    std::string host;        // the graph on the host, in functions
    std::string levels = ""; // what kept levels are of, if not of `space`
    bool inParts = false;    // of pairs, the rows of a part are used
    std::string pairs = "";  // the type of these and what they are made of, if not of `space` and the graph
    std::string pairsMadeOf = "";
  } storage;
  /// Gives every state, snapshot, level list and parameter its member.
  void declareMembers();
  void declareParameters();
  /// Names a parallel program's parameters as none of its members, and says what their members are set to.
  void nameParameters();
  /// The constructor's initialisers (after those that are there) and the declarations of all members, in order, and of
  /// `more`.
  void listMembers(List &initialisers, Writer &fields, const std::vector<Member> &more) const;

  /// In a serial program, the member that replays a claim as the parallel program won it; "" for another claim.
  std::string replayOf(exec::ClaimOp claim);

  /// Of the state of that name: the C++ type of its elements, and its values where the host finds them.
  std::pair<std::string, std::string> output(llvm::StringRef state) const;
};

/// One algorithm's argument: its description in the attribute `arguments`.
struct Argument {
  mlir::BlockArgument value;
  mlir::DictionaryAttr attributes;
  llvm::StringRef name() const { return llvm::cast<mlir::StringAttr>(attributes.get("name")).getValue(); }
  bool isColumn() const { return attributes.contains("column"); }
  bool isNonnegative() const { return attributes.contains("nonnegative"); }
};
std::vector<Argument> argumentsOf(graph::AlgorithmOp op);

/// A default value, or a comment, as on a command line.
std::string defaultText(mlir::Attribute attribute);

} // namespace gcompile::cpp
