#include "codegen_host/ClassPrinter.h"

#include "codegen_cpp/Interface.h"
#include "codegen_cpp/Stages.h"
#include "codegen_host/HostPrinter.h"

using namespace mlir;
using gcompile::cpp::List;
using gcompile::cpp::Writer;

namespace gcompile::host {

/// What the constructor of a serial form takes from the parallel program: the winners of claims, which it replays.
static Writer replays(Program &program, std::vector<Program::Member> &members) {
  Writer visits;
  for (auto &[state, member] : program.replays) {
    auto [type, outcome] = program.parallel->output(state);
    members.push_back({"gc::Replay<" + type + ">", member, "", "witness->" + outcome});
    visits.line("visit(" + cpp::quoted(state) + ", " + member + ");");
  }
  return visits;
}

/// The time that bringing edges into another order took, where the constructor does so.
static void layoutSeconds(Writer &out, const Program &program) {
  List seconds(" + ");
  bool segmentsOnly = true;
  for (auto &[cut, member] : program.segments)
    if (!cut.chosen) // others are cut in a run
      seconds.add(member + ".seconds()");
  graph::AlgorithmOp(program.op).walk([&](exec::ByTargetOp ordered) {
    seconds.add(program.members.find(ordered.getCopy())->second + ".seconds()");
    segmentsOnly = false;
  });
  if (seconds.empty())
    return;
  out.line(std::string("/// The time that ") +
           (segmentsOnly ? "cutting the edges into segments" : "bringing edges into another order") + " took.");
  out.line("double layout_seconds() const { return " + seconds.text() + "; }");
  out.line();
}

/// The constructor of a serial form, from a command line's texts and the parallel program that it checks.
static void serialConstructor(Writer &out, const Program &program, const List &initialisers, bool replays) {
  bool asks = llvm::any_of(program.parameters, [](const auto &parameter) { return parameter.isUsed(); });
  out.line(program.name + "(const " + program.graphType() + " &graph, const gc::Arguments &" +
           (asks ? "arguments" : "") + ", const " + program.parallel->name + "<V> *" + (replays ? "witness" : "") +
           ") : " + initialisers.text() + " {}");
  out.line();
}

void printClass(Writer &out, Program &program, StringRef serialName) {
  program.storage = {false, "gc::", "graph_.num_vertices()", "graph", "graph_"};
  program.declareMembers();
  HostPrinter host(program);
  host.block(program.op.getBody().front());

  const bool serial = program.op.getSerialOf().has_value(), profiled = program.profiled();
  std::vector<Program::Member> more;
  if (program.usesFrontier)
    more.push_back({"gc::Frontier<V" + program.adjacency() + ">", "frontier_", "", "graph"});
  for (auto &[type, member] : program.buckets)
    more.push_back({type, member, "", ""});
  program.listSegments(more, "gc::", "graph");
  if (!program.handOver.empty())
    more.push_back({"gc::HandOver<V>", program.handOver, "", ""});
  if (profiled)
    more.push_back({"gc::Profile", "profile_", "", ""});
  Writer visits = replays(program, more), fields;
  List initialisers;
  initialisers.add(serial ? "graph_(graph)"
                          : "graph_(gc::checked(graph, " + cpp::functionName(program.op.getSymName()) + "_info()))");
  fields.line("const " + program.graphType() + " graph_;");
  program.listMembers(initialisers, fields, more);

  Writer::Block type = out.block("template <class V> class " + program.name, ";");
  out.line("public:");
  if (serial)
    serialConstructor(out, program, initialisers, !visits.empty());
  else
    cpp::constructors(out, program, initialisers);
  if (program.stages.empty())
    cpp::printRun(out, program, host.out, {});
  else
    cpp::printStages(out, program, host.out, {});
  cpp::results(out, program);
  if (!visits.empty()) {
    out.line("/// Calls visit(name, replay) for every result whose claims are won as in the parallel run.");
    {
      Writer::Block function = out.block("template <class Visit> void replays(Visit &&visit) const");
      out.add(visits);
    }
    out.line();
  }
  cpp::printProfile(out, program);
  layoutSeconds(out, program);
  cpp::printSegmentBytes(out, program);
  if (!program.handOver.empty()) {
    out.line("// For the form of the program that goes on where this one stops.");
    out.line("gc::HandOver<V> &hand_over() { return " + program.handOver + "; }");
    out.line("auto crossing() const { return std::tie(" + program.crossing().text() + "); }");
    out.line();
  }
  cpp::printPrivate(out, serialName);
  for (const Writer &function : program.functions) {
    out.add(function);
    out.line();
  }
  out.add(fields);
  type.close();
  out.line();
}

} // namespace gcompile::host
