#include "codegen_hybrid/ProgramPrinter.h"

#include "codegen_cpp/Module.h"
#include "codegen_cpp/Names.h"
#include "codegen_cpp/Stages.h"
#include "codegen_cpp/Types.h"
#include "codegen_cuda/CudaPrinter.h"
#include "codegen_host/ProgramPrinter.h"
#include "ir/exec/ExecDialect.h"

#include <fmt/format.h>

using namespace mlir;
using gcompile::cpp::Printed;
using gcompile::cpp::Writer;

namespace gcompile::hybrid {

static exec::SidesOp sidesOf(ModuleOp module, StringRef algorithm) {
  for (auto sides : module.getOps<exec::SidesOp>())
    if (sides.getAlgorithm() == algorithm)
      return sides;
  llvm_unreachable("every algorithm has its sides");
}

static std::string amounts(ArrayAttr work) {
  return "{" +
         cpp::listed(work, [](Attribute each) { return fmt::format("{}", cast<FloatAttr>(each).getValueAsDouble()); }) +
         "}";
}

/// What is known of the stages: the states that they hand on, where they may run, what they need and change.
static void printStages(Writer &out, graph::AlgorithmOp form) {
  SmallVector<exec::StageOp> stages = cpp::stagesOf(form);
  if (stages.empty())
    return;
  std::vector<StringRef> states = cpp::handedStates(stages);
  auto extent = [&](StringRef name) {
    graph::StateType type = cpp::stateNamed(form, name).getType();
    const bool set = isa<graph::SetType>(type.getElement());
    const graph::Shape shape = set ? graph::Shape::PerVertex : type.getShape();
    const char *times = shape == graph::Shape::PerVertex ? "each_vertex"
                        : shape == graph::Shape::PerEdge ? "each_edge"
                        : shape == graph::Shape::Dense   ? "each_pair"
                                                         : "once";
    return "{sizeof(" + (set ? "V" : cpp::elementName(type.getElement())) + "), gc::hybrid::Extent::" + times + "}";
  };
  auto bits = [&](ArrayAttr names) {
    std::uint64_t all = 0;
    for (StringRef name : names.getAsValueRange<StringAttr>())
      all |= std::uint64_t(1) << (llvm::find(states, name) - states.begin());
    return fmt::format("{:#x}", all);
  };
  out.line("/// Its stages, each of which may run on either side.");
  out.line("template <class V>");
  Writer::Block function = out.block("gc::hybrid::Stages " + cpp::functionName(form.getSymName()) + "_stages()");
  out.line("gc::hybrid::Stages stages;");
  out.line("stages.states = {" + cpp::listed(states, extent) + "}; // " +
           cpp::listed(states, [](StringRef name) { return name.str(); }));
  SmallVector<Attribute> outputs;
  for (auto state : form.getBody().getOps<graph::StateOp>())
    if (state.getOutput() && llvm::is_contained(states, state.getName()))
      outputs.push_back(state.getNameAttr());
  out.line("stages.outputs = " + bits(ArrayAttr::get(form.getContext(), outputs)) + ";");
  if (stages.front().getBoth()) {
    out.line("stages.begins_on_both = true;");
    out.line("stages.initial = " + bits(stages.front().getWrites()) + ";");
  }
  for (exec::StageOp stage : stages)
    if (!stage.getBoth())
      out.line("stages.list.push_back({gc::Side::" +
               std::string(stage.getOn() == exec::Side::Cpu   ? "cpu"
                           : stage.getOn() == exec::Side::Gpu ? "gpu"
                                                              : "automatic") +
               ", " + amounts(stage.getWork()) + ", " + bits(stage.getTouches()) + ", " + bits(stage.getWrites()) +
               (stage.getInside() > 0 || stage.getByOneList() ? ", " + std::to_string(stage.getInside()) : "") +
               (stage.getTurns()       ? ", true"
                : stage.getByOneList() ? ", false"
                                       : "") +
               (stage.getByOneList() ? ", true" : "") + "});");
  out.line("return stages;");
}

/// The description of both forms together.
static void printInfo(Writer &out, exec::SidesOp sides) {
  std::string name = cpp::functionName(sides.getAlgorithm()) + "_info";
  const char *on = sides.getOn() == exec::Side::Cpu   ? "cpu"
                   : sides.getOn() == exec::Side::Gpu ? "gpu"
                   : sides.getBySchedule()            ? "migrate"
                                                      : "automatic";
  out.line("/// What the algorithm takes, gives and needs, and where it may run.");
  Writer::Block function = out.block("inline gc::ProgramInfo " + name + "()");
  out.line("return gc::hybrid::info_of(on_cpu::" + name + "(), on_gpu::" + name + "(), {gc::Side::" + on + ", " +
           amounts(sides.getWork()) + ", " + (sides.getGoesOver() ? "true" : "false") +
           (sides.getByOneList() ? ", true" : "") + "});");
}

/// The class that holds both forms of an algorithm.
static void printClass(Writer &out, const Printed &program) {
  const std::string &name = program.name;
  graph::AlgorithmOp algorithm = program.op;
  std::string base = "gc::hybrid::Program<V, on_cpu::" + name + "<V>, on_gpu::" + name + "<V>>";
  {
    Writer::Block type = out.block("template <class V> class " + name + " : public " + base, ";");
    out.line("public:");
    out.line("/// With what the constructors of both forms take.");
    out.line("template <class... Given> explicit " + name + "(const gc::Graph<V> &graph, const Given &...given) : " +
             base + "(graph, " + cpp::functionName(algorithm.getSymName()) + "_info(), " +
             (cpp::stagesOf(algorithm).empty() ? "{}" : cpp::functionName(algorithm.getSymName()) + "_stages<V>()") +
             ", given...) {}");
  }
  out.line();
  if (program.serial.empty())
    return;
  out.line("/// The serial form that checks it where it has run.");
  out.line("template <class V> using " + program.serial + " = gc::hybrid::Serial<V, on_cpu::" + program.serial +
           "<V>, on_gpu::" + program.serial + "<V>, " + name + "<V>>;");
  out.line();
}

std::string printProgram(ModuleOp module, bool main) {
  auto cpu = module.lookupSymbol<ModuleOp>("cpu"), gpu = module.lookupSymbol<ModuleOp>("gpu");
  std::vector<std::string> includes = {"gcompile/hybrid.h"};
  for (const std::vector<std::string> &form : {host::includesOf(cpu, "gcompile/omp.h"), cudaIncludes(gpu)})
    for (const std::string &header : form)
      if (!llvm::is_contained(includes, header))
        includes.push_back(header);
  return cpp::printSource(cpu, includes, main, [&](Writer &out) {
    {
      Writer::Block space = out.block("namespace on_cpu", " // namespace on_cpu");
      out.line();
      host::printPrograms(out, cpu, host::ProgramOptions().check);
    }
    out.line();
    std::vector<Printed> programs;
    {
      Writer::Block space = out.block("namespace on_gpu", " // namespace on_gpu");
      out.line();
      programs = printCudaPrograms(out, gpu);
    }
    out.line();
    for (const Printed &program : programs) {
      graph::AlgorithmOp algorithm = program.op;
      printInfo(out, sidesOf(module, algorithm.getSymName()));
      out.line();
      printStages(out, algorithm);
      out.line();
      printClass(out, program);
    }
    return programs;
  });
}

} // namespace gcompile::hybrid
