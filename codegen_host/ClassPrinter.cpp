#include "codegen_host/ClassPrinter.h"

#include "codegen_cpp/Interface.h"
#include "codegen_host/HostPrinter.h"

using namespace mlir;

namespace gcompile::host {

std::string printClass(Program &program, StringRef serialName) {
  program.storage = {"gc::", "graph_.num_vertices()", "graph", "graph_"};
  program.declareMembers();
  HostPrinter host(program);
  host.block(program.op.getBody().front());

  bool serial = program.op.getSerialOf().has_value();
  std::string info = cpp::functionName(program.op.getSymName()) + "_info()";
  std::string initialisers = serial ? "graph_(graph)" : "graph_(gc::checked(graph, " + info + "))";
  std::string fields = "const gc::Graph<V> graph_;\n";
  std::vector<Program::Member> more;
  if (program.usesFrontier)
    more.push_back({"gc::Frontier<V>", "frontier_", "graph"});
  std::string seconds;
  for (auto &[cut, member] : program.segments) {
    more.push_back({cut.first, member, cut.second});
    if (cut.first == "const gc::Segments<V>") // others are cut in a run
      seconds += (seconds.empty() ? "" : " + ") + member + ".seconds()";
  }
  bool segmentsOnly = true;
  program.op.walk([&](exec::ByTargetOp ordered) {
    seconds += (seconds.empty() ? "" : " + ") + program.members.find(ordered.getCopy())->second + ".seconds()";
    segmentsOnly = false;
  });
  if (program.profiled())
    more.push_back({"gc::Profile", "profile_", ""});
  std::string replays;
  for (auto &[state, member] : program.replays) {
    auto [type, outcome] = program.parallel->output(state);
    more.push_back({"gc::Replay<" + type + ">", member, "witness->" + outcome});
    replays += "visit(" + cpp::quoted(state) + ", " + member + ");\n";
  }
  program.listMembers(initialisers, fields, more);

  std::string text = "template <class V> class " + program.name + " {\npublic:\n";
  bool asks = llvm::any_of(program.parameters, [](const auto &parameter) { return parameter.isUsed(); });
  if (serial)
    text += program.name + "(const gc::Graph<V> &graph, const gc::Arguments &" + (asks ? "arguments" : "") +
            ", const " + program.parallel->name + "<V> *" + (replays.empty() ? "" : "witness") + ") : " + initialisers +
            " {}\n\n";
  else
    text += cpp::constructors(program, initialisers);
  text += "/// Runs the algorithm from its beginning.\nvoid run() {\n" +
          std::string(program.profiled() ? "profile_.start();\n" : "") + host.code +
          (program.profiled() ? "profile_.finish();\n" : "") + "}\n\n";
  text += cpp::results(program, "");
  if (!replays.empty())
    text += "/// Calls visit(name, replay) for every result whose claims are won as in the parallel run.\n"
            "template <class Visit> void replays(Visit &&visit) const {\n" +
            replays + "}\n\n";
  if (program.profiled())
    text += "/// The calls of kernels in the last run.\nconst gc::Profile &profile() const { return profile_; }\n\n";
  if (!seconds.empty())
    text += std::string("/// The time that ") +
            (segmentsOnly ? "cutting the edges into segments" : "bringing edges into another order") +
            " took.\ndouble layout_seconds() const { return " + seconds + "; }\n\n";
  text += "private:\n";
  if (!serialName.empty())
    text += "template <class> friend class " + serialName.str() + ";\n\n";
  for (const std::string &function : program.functions)
    text += function + "\n";
  return text + fields + "};\n\n";
}

} // namespace gcompile::host
