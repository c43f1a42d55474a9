#include "codegen_hybrid/ProgramPrinter.h"

#include "codegen_cpp/Module.h"
#include "codegen_cpp/Names.h"
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

/// The description of both forms together.
static void printInfo(Writer &out, exec::SidesOp sides) {
  std::string name = cpp::functionName(sides.getAlgorithm()) + "_info";
  const char *on = sides.getOn() == exec::Side::Cpu   ? "cpu"
                   : sides.getOn() == exec::Side::Gpu ? "gpu"
                   : sides.getBySchedule()            ? "migrate"
                                                      : "automatic";
  std::string work = cpp::listed(
      sides.getWork(), [](Attribute amount) { return fmt::format("{}", cast<FloatAttr>(amount).getValueAsDouble()); });
  out.line("/// What the algorithm takes, gives and needs, and where it may run.");
  Writer::Block function = out.block("inline gc::ProgramInfo " + name + "()");
  out.line("return gc::hybrid::info_of(on_cpu::" + name + "(), on_gpu::" + name + "(), {gc::Side::" + on + ", {" +
           work + "}, " + (sides.getGoesOver() ? "true" : "false") + "});");
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
             base + "(graph, " + cpp::functionName(algorithm.getSymName()) + "_info(), given...) {}");
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
      printClass(out, program);
    }
    return programs;
  });
}

} // namespace gcompile::hybrid
