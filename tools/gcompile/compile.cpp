#include "tools/gcompile/compile.h"
#include "tools/gcompile/build.h"
#include "tools/gcompile/cxx.h"
#include "tools/gcompile/depfile.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"
#include "tools/gcompile/foreign_code.h"
#include "tools/gcompile/program_diagnostics.h"
#include "tools/gcompile/run.h"
#include "tools/gcompile/test_reductions.h"

#include "codegen_cpp/Module.h"
#include "frontend/Frontend.h"
#include "frontend/Lower.h"
#include "frontend/foreign/HeaderReader.h"
#include "ir/Pipelines.h"
#include "ir/exec/ExecDialect.h"
#include "ir/explain/Explain.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "runtime/tool_support/command_line.h"
#include "targets/Target.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <unistd.h>

namespace fs = std::filesystem;

namespace gcompile {

namespace {

/// Shows what has been reported so far and ends if there are errors.
void showDiagnostics(const Diagnostics &diagnostics, const Options &options) {
  if (options.jsonDiagnostics)
    fmt::print(stderr, "{}", diagnostics.renderJson());
  else if (!diagnostics.empty())
    fmt::print(stderr, "{}", diagnostics.render(isatty(STDERR_FILENO) != 0));
  if (diagnostics.hasErrors())
    throw Failure{exitProgramError, ""};
}

/// Reads the headers that a program imports; beside the program first.
HeaderReader headerReader(const Options &options, const std::string &path) {
  const bool device = options.target->kernelsOnDevice;
  return
      [&options, device, folder = folderOf(path)](const std::vector<std::string> &headers, const WantedNames &names) {
        std::vector<std::string> flags = options.cxxFlags;
        flags.push_back("-I" + runtimeHeaders(options)); // gcompile/values.h
        return foreign::readHeaders({folder, flags, device, options.compileCommands}, headers, names);
      };
}

/// One program on its way through the stages; each stage can be asked for once, in order.
class Compilation {
public:
  Compilation(const Options &options, const std::string &path, const std::string &text)
      : options(options), path(path), text(text) {
    diagnostics.setWarningsAsErrors(options.warningsAsErrors);
    for (const std::string &name : options.disabledWarnings)
      if (!diagnostics.disableWarning(name))
        failUsage("unknown option '-Wno-{0}': there is no warning '{0}'", name);
    program = parseAndCheck(printable(path), text, diagnostics, headerReader(options, path));
    if (diagnostics.hasErrors() || !program) {
      showDiagnostics(diagnostics, options);
      failBug("the front end failed without a reason");
    }
    checkOptionNames();
    // Locations carry the bare name, so that the output does not depend on where the compiler runs.
    program->file = printable(baseName(path));
  }

  const ast::Program &tree() const { return *program; }

  /// Leaves only the algorithm that the options name, or the only one. Throws Failure if it is not clear which.
  std::string selectAlgorithm() {
    auto &algorithms = program->algorithms;
    std::string name = options.algorithm;
    if (algorithms.empty())
      failUsage("{}: has no algorithm", path);
    // Those that others call are no programs unless they are asked for.
    auto isProgram = [&](const auto &algorithm) { return !algorithm.called; };
    auto only = std::find_if(algorithms.begin(), algorithms.end(), isProgram);
    if (name.empty() && std::count_if(algorithms.begin(), algorithms.end(), isProgram) != 1)
      failUsage("{}: has several algorithms: choose one with --algorithm={}", path, names());
    if (name.empty())
      name = only->name;
    auto wanted = [&](const auto &algorithm) { return algorithm.name == name; };
    auto others = std::stable_partition(algorithms.begin(), algorithms.end(), wanted);
    if (others == algorithms.begin())
      failUsage("{}: has no algorithm '{}', only {}", path, name, names());
    // The chosen one may call them.
    std::move(others, algorithms.end(), std::back_inserter(program->others));
    algorithms.erase(others, algorithms.end());
    return name;
  }

  /// The `graph` dialect, checked and annotated.
  mlir::ModuleOp graphModule() {
    context.emplace(mlir::MLIRContext::Threading::DISABLED);
    loadDialects(*context);
    handler.emplace(*context, diagnostics, text);
    module = lowerToGraph(*program, *context);
    if (!module)
      fail("the lowering");
    run(buildGraphPipeline, "a pass of the graph pipeline");
    return *module;
  }

  /// The `exec` dialect for the target.
  mlir::ModuleOp execModule() {
    graphModule();
    lower(*module, {/*verify=*/true, options.profile});
    return *module;
  }

  /// Lowers a copy of the `graph` dialect to the `exec` dialect, for the errors that show there.
  void lowerCopy() {
    mlir::OwningOpRef<mlir::ModuleOp> copy(module->clone());
    lowerForErrors(*copy);
  }
  void lowerForErrors(mlir::ModuleOp graph) {
    PipelineOptions wanted;
    wanted.refusals = true;
    lower(graph, wanted);
  }

  /// The `graph` dialect with the target's schedule noted at the statements.
  mlir::ModuleOp scheduledModule() {
    graphModule();
    run([&](mlir::OpPassManager &manager) { buildSchedulePipeline(manager, options.target->section); },
        "applying the schedule");
    return *module;
  }

  /// What the compiler knows about each data-parallel statement.
  std::string explanation() {
    scheduledModule();
    run(buildRewritePipeline, "a rewrite of the graph dialect");
    mlir::OwningOpRef<mlir::ModuleOp> scheduled(module->clone());
    run([&](mlir::OpPassManager &manager) { buildFactsPipeline(manager, options.target->kernelsOnDevice); },
        "recording facts", *scheduled);
    run([&](mlir::OpPassManager &manager) { options.target->lower(manager, {}); }, "a pass of the target's pipeline");
    std::vector<AlgorithmFacts> facts =
        explain(*scheduled, *module, text, options.target->kernelsOnDevice, options.target->inParts);
    std::string file = baseName(path);
    return options.explanation == "json"    ? explanationJson(file, facts)
           : options.explanation == "short" ? explanationShort(file, facts)
                                            : explanationText(file, facts);
  }

  /// To be called when every stage that was wanted has run: shows the diagnostics, and ends after errors. What the last
  /// stage has left for others is verified here alone: after each stage that takes as long as the passes, and gdsl-opt
  /// does it.
  void finish(bool forOthers = true) {
    if (forOthers && module && mlir::failed(mlir::verify(*module)))
      fail("the last stage");
    showDiagnostics(diagnostics, options);
  }

private:
  /// The parameters of an algorithm are options beside those that every program has.
  void checkOptionNames() {
    for (const ast::AlgorithmDecl &algorithm : program->algorithms)
      for (const ast::ParameterDecl *parameter : algorithm.plainParameters())
        for (const std::string &name : {parameter->name, parameter->joint})
          if (gc::detail::is_option(name))
            diagnostics.report(diag::parameter_is_option, parameter->range, name);
    if (diagnostics.hasErrors())
      showDiagnostics(diagnostics, options);
  }

  /// From the `graph` dialect to the `exec` dialect for the target.
  void lower(mlir::ModuleOp on, const PipelineOptions &wanted) {
    run([&](mlir::OpPassManager &manager) { options.target->build(manager, wanted); },
        "a pass of the target's pipeline", on);
  }

  template <typename Build> void run(Build build, const char *what) { run(build, what, *module); }
  template <typename Build> void run(Build build, const char *what, mlir::ModuleOp on) {
    mlir::PassManager manager(&*context, mlir::ModuleOp::getOperationName());
    manager.enableVerifier(false); // see finish()
    build(manager);
    if (mlir::failed(manager.run(on)))
      fail(what);
    if (diagnostics.hasErrors())
      showDiagnostics(diagnostics, options);
  }

  [[noreturn]] void fail(const char *stage) {
    if (diagnostics.hasErrors() && handler->bugs().empty())
      showDiagnostics(diagnostics, options);
    failBug("{} failed on {}; please report it with that program\n{}", stage, path, handler->bugs());
  }

  std::string names() const {
    std::string list;
    for (const ast::AlgorithmDecl &algorithm : program->algorithms)
      list += (list.empty() ? "" : ", ") + algorithm.name;
    return list;
  }

  const Options &options;
  const std::string &path;
  const std::string &text;
  Diagnostics diagnostics;
  std::unique_ptr<ast::Program> program;
  std::optional<mlir::MLIRContext> context;
  std::optional<ProgramDiagnosticHandler> handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

std::string printModule(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text + "\n";
}

const char *extensionOf(Emit emit, const Target &target) {
  switch (emit) {
  case Emit::Exe:
    return "";
  case Emit::Source:
    return target.toolchain.sourceEnding;
  case Emit::Object:
    return ".o";
  case Emit::Library:
    return target.toolchain.libraryEnding;
  case Emit::Shared:
    return ".so";
  case Emit::Ast:
    return ".ast";
  case Emit::GraphIr:
    return ".graph.mlir";
  case Emit::ExecIr:
    return ".exec.mlir";
  case Emit::Explanation:
    return "";
  }
  return "";
}

/// Where --keep writes the generated C++: beside the output.
std::string keptSource(const std::string &output, const char *extension) {
  std::error_code error;
  if (fs::exists(output, error) && !fs::is_regular_file(output, error))
    failUsage("{}: is no file that --keep could write beside", output);
  return (fs::path(output).parent_path() / (stem(output) + extension)).string();
}

/// Every file that is to be written can be, and none is the program or another of them; empty names count for nothing.
void checkFiles(const std::string &program, const std::vector<std::string> &outputs) {
  std::vector<fs::path> seen;
  for (const std::string &output : outputs) {
    if (output.empty())
      continue;
    checkWritable(output);
    if (sameFile(program, output))
      failUsage("{}: the output would replace the program", output);
    fs::path place = fs::path(output).lexically_normal();
    for (const fs::path &other : seen)
      if (output != "-" && (other == place || sameFile(other.string(), output)))
        failUsage("{}: would be written twice", output);
    seen.push_back(place);
  }
}

} // namespace

std::string importedText(const Options &options, const std::string &path, const std::string &program) {
  if (program.find("import") == std::string::npos)
    return "";
  Diagnostics diagnostics;
  auto parsed = parseAndCheck(printable(path), program, diagnostics, headerReader(options, path));
  std::string text;
  for (const std::string &file : parsed ? parsed->importedFiles : std::vector<std::string>()) {
    std::ifstream stream(file, std::ios::binary);
    text.append("\n").append(file).append("\n");
    text.append(std::istreambuf_iterator<char>(stream), {});
  }
  return text;
}

GeneratedSource generateSource(const Options &options, const std::string &path, const std::string &program,
                               SourceForm form) {
  const bool main = form == SourceForm::Main;
  Compilation compilation(options, path, program);
  GeneratedSource result;
  if (form != SourceForm::Header || !options.algorithm.empty())
    result.algorithm = compilation.selectAlgorithm();
  for (const ast::ImportDecl &import : compilation.tree().imports)
    result.imports.push_back(import.path);
  result.importedFiles = compilation.tree().importedFiles;
  result.importFlags = compilation.tree().importFlags;
  mlir::ModuleOp module = compilation.execModule();
  compilation.finish();
  // An error could not leave its threads.
  if (form == SourceForm::Shared &&
      module.walk([](exec::AsynchronousOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted())
    failUsage("{}: a statement runs asynchronously, which a shared library cannot do yet", printable(path));
  result.text = options.target->source(module, main, options.gpuVertexBits);
  if (main && options.threads != 0) // before `main` runs, so that the program's own option still counts
    result.text += "\n// The number of threads unless --threads gives another.\n" +
                   options.target->defaultThreads(options.threads);
  if (form == SourceForm::Shared) {
    auto op = module.lookupSymbol<graph::AlgorithmOp>(result.algorithm);
    unsigned bits = options.vertexBits == 0 ? 32 : static_cast<unsigned>(options.vertexBits);
    result.shared = cpp::describeShared(
        op, {options.target->name, program, cpp::mainClass(module), bits, options.target->kernelsOnDevice});
    // The functions are checked against the header.
    result.text = "#pragma GCC visibility push(default)\n" + result.shared.header + "#pragma GCC visibility pop\n\n" +
                  result.text + "\n" + result.shared.entry;
  }
  return result;
}

void compileProgram(const Options &options) {
  const std::string &path = options.inputs[0];
  std::string text = readProgram(path);
  const bool shared = options.emit == Emit::Shared;
  std::string output = options.output.empty()
                           ? (shared ? "lib" : "") + stem(path) + extensionOf(options.emit, *options.target)
                           : options.output;
  bool binary = options.emit == Emit::Exe || options.emit == Emit::Object || shared;
  if (output == "-" && binary)
    failUsage("an executable, an object or a library cannot be written to standard output");
  std::string kept = options.keep && binary ? keptSource(output, extensionOf(Emit::Source, *options.target)) : "";
  checkFiles(path, {output, kept, options.depFile});
  if (!options.depFile.empty() && (path + output + options.depTarget).find('\n') != std::string::npos)
    failUsage("--MF: a depfile has no form for a name with a line break");

  // What is missing is said before any work is done.
  std::optional<Runtime> runtime;
  std::optional<CxxCompiler> compiler;
  if (binary) {
    runtime = findRuntime(options);
    compiler = findCompiler(options, *runtime);
  }

  std::vector<std::string> imported;
  auto generate = [&](SourceForm form) {
    GeneratedSource source = generateSource(options, path, text, form);
    imported = source.importedFiles;
    return source;
  };
  switch (options.emit) {
  case Emit::Ast:
  case Emit::GraphIr:
  case Emit::ExecIr:
  case Emit::Explanation: {
    Compilation compilation(options, path, text);
    if (!options.algorithm.empty())
      compilation.selectAlgorithm();
    std::string result = options.emit == Emit::Ast       ? dumpAst(compilation.tree())
                         : options.emit == Emit::GraphIr ? printModule(compilation.graphModule())
                         : options.emit == Emit::ExecIr  ? printModule(compilation.execModule())
                                                         : compilation.explanation();
    compilation.finish();
    writeIfChanged(output, result);
    break;
  }
  case Emit::Source:
    writeIfChanged(output, generate(SourceForm::Main).text);
    break;
  case Emit::Library:
    writeIfChanged(output, "#pragma once\n\n" + generate(SourceForm::Header).text);
    break;
  case Emit::Exe:
  case Emit::Object: {
    GeneratedSource source = generate(SourceForm::Main);
    addImportFlags(*compiler, source.importFlags, path, source.imports);
    std::string name = printable(stem(path));
    buildCxx(options, *runtime, *compiler, name + extensionOf(Emit::Source, *options.target), source, output,
             options.emit == Emit::Exe ? CxxOutput::Executable : CxxOutput::Object);
    if (!kept.empty())
      writeIfChanged(kept, source.text);
    break;
  }
  case Emit::Shared: {
    GeneratedSource source = generate(SourceForm::Shared);
    addImportFlags(*compiler, source.importFlags, path, source.imports);
    std::string beside = (fs::path(output).parent_path() / source.algorithm).string();
    checkFiles(path, {output, kept, options.depFile, beside + ".h", beside + ".json"});
    buildCxx(options, *runtime, *compiler, printable(stem(path)) + extensionOf(Emit::Source, *options.target), source,
             output, CxxOutput::Shared, source.shared.symbols);
    writeIfChanged(beside + ".h", source.shared.header);
    writeIfChanged(beside + ".json", source.shared.manifest);
    if (!kept.empty())
      writeIfChanged(kept, source.text);
    break;
  }
  }
  if (!options.depFile.empty())
    writeDepFile(options, output, runtime ? &*runtime : nullptr, imported);
}

void interpretProgram(const Options &options) {
  const std::string &path = options.inputs[0];
  std::string text = readProgram(path);
  Compilation compilation(options, path, text);
  std::string algorithm = compilation.selectAlgorithm();
  mlir::ModuleOp module = compilation.graphModule();
  compilation.lowerCopy(); // what cannot be compiled is not interpreted, either
  compilation.finish();
  interpreter::ForeignCode foreign = compileForeign(options, path, module, compilation.tree().importFlags);
  runInterpreted(module.lookupSymbol<graph::AlgorithmOp>(algorithm), foreign, options.programArguments);
}

int withAlgorithm(const Options &options, const std::string &path, const std::string &program,
                  const std::function<int(graph::AlgorithmOp, const interpreter::ForeignCode &)> &use) {
  Compilation compilation(options, path, program);
  std::string algorithm = compilation.selectAlgorithm();
  mlir::ModuleOp module = compilation.scheduledModule();
  return use(module.lookupSymbol<graph::AlgorithmOp>(algorithm),
             compileForeign(options, path, module, compilation.tree().importFlags));
}

void checkPrograms(const Options &options) {
  bool failed = false;
  for (const std::string &path : options.inputs) {
    std::string text = readProgram(path);
    try {
      auto compilation = std::make_unique<Compilation>(options, path, text);
      mlir::ModuleOp module = options.test ? compilation->execModule() : compilation->graphModule();
      if (!options.test)
        compilation->lowerForErrors(module);
      compilation->finish(/*forOthers=*/options.test);
      if (options.test)
        failed |= !testReductions(options, path, compilation->tree(), module);
      if (&path == &options.inputs.back()) // the process is about to end, which is quicker than taking trees apart
        llvm::BuryPointer(std::move(compilation));
    } catch (const Failure &failure) {
      if (failure.exitCode != exitProgramError)
        throw;
      failed = true;
    }
  }
  if (failed)
    throw Failure{exitProgramError, ""};
}

} // namespace gcompile
