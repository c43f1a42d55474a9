#include "codegen_cpp/Stages.h"

using namespace mlir;

namespace gcompile::cpp {

SmallVector<exec::StageOp> stagesOf(graph::AlgorithmOp algorithm) {
  SmallVector<exec::StageOp> stages;
  auto form = algorithm->getParentOfType<ModuleOp>();
  if (auto program = form->getParentOfType<ModuleOp>())
    for (auto stage : program.getOps<exec::StageOp>())
      if (stage.getAlgorithm() == algorithm.getSymName())
        stages.push_back(stage);
  return stages;
}

std::vector<StringRef> handedStates(ArrayRef<exec::StageOp> stages) {
  std::vector<StringRef> names;
  for (exec::StageOp stage : stages)
    for (StringRef name : stage.getTouches().getAsValueRange<StringAttr>())
      if (!llvm::is_contained(names, name))
        names.push_back(name);
  return names;
}

void printStages(Writer &out, const Program &program, const Writer &body, const std::vector<std::string> &last) {
  auto nth = [](std::size_t number) { return "gc::hybrid::Nth<" + std::to_string(number) + ">"; };
  std::vector<Program::Stage> stages = program.stages;
  llvm::find_if(llvm::reverse(stages), [](const Program::Stage &stage) { return !stage.inside; })->text = body;
  out.line("/// Runs the algorithm from its beginning.");
  {
    Writer::Block run = out.block("void run()");
    if (program.profiled())
      out.line("profile_.start();");
    for (auto [k, stage] : llvm::enumerate(stages))
      if (!stage.inside)
        out.line("run(" + nth(k) + "()" + (stage.conducts ? ", gc::hybrid::turns_of(*this)" : "") + ");");
    if (program.profiled())
      out.line("profile_.finish();");
  }
  out.line();
  out.line("// For the program that runs its stages on both sides.");
  out.line("static constexpr unsigned num_stages = " + std::to_string(stages.size()) + ";");
  for (auto [k, stage] : llvm::enumerate(stages)) {
    const std::string type = stage.inside ? "bool" : "void";
    Writer::Block function = out.block(stage.conducts ? "template <class Turns> " + type + " run(" + nth(k) +
                                                            ", Turns " + program.turns + ")"
                                                      : type + " run(" + nth(k) + ")");
    out.add(stage.text);
    if (stage.leaves)
      continue;
    for (const std::string &line : last)
      out.line(line);
    if (stage.inside)
      out.line("return true;");
  }
  std::vector<StringRef> states = handedStates(stagesOf(program.op));
  out.line("static constexpr unsigned num_states = " + std::to_string(states.size()) + ";");
  for (auto [k, name] : llvm::enumerate(states)) {
    std::string member = program.members.lookup(stateNamed(program.op, name).getState());
    out.line("auto &state(" + nth(k) + ") { return " + member + "; }");
    out.line("const auto &state(" + nth(k) + ") const { return " + member + "; }");
  }
  if (program.storage.onDevice)
    out.line("const auto &device_graph() const { return graph_; }");
  if (program.profiled())
    out.line("gc::Profile &recorder() { return profile_; }");
  out.line();
}

} // namespace gcompile::cpp
