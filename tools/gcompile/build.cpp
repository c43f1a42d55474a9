#include "tools/gcompile/build.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"
#include "tools/gcompile/precompiled.h"

#include <csignal>
#include <filesystem>
#include <sys/wait.h>

namespace fs = std::filesystem;

namespace gcompile {

namespace {

/// What every generated program needs of a compiler: the standard library, exceptions, OpenMP where the target uses it,
/// and the library of its exchange.
constexpr const char *smallProgram = R"(#ifdef GCOMPILE_PETSC
#include <petscsf.h>
#endif
#include <cstdio>
#include <stdexcept>
#include <string>
#ifdef _OPENMP
#include <gcompile/omp/threads/threads.h>
#else
static int omp_get_max_threads() { return 1; }
#endif
int main(int count, char **words) {
#ifdef GCOMPILE_PETSC
  PetscBool begun;
  PetscInitialized(&begun);
#endif
  try {
    std::string text(words[0]);
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (int i = 0; i < count; ++i)
      std::puts(words[i]);
    throw std::runtime_error(text + std::to_string(omp_get_max_threads()));
  } catch (const std::exception &error) {
    std::puts(error.what());
  }
}
)";

/// The folder has less space than a compiler needs.
constexpr std::uintmax_t littleSpace = 64u << 20;

bool containsOneOf(const std::string &text, std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    if (text.find(part) != std::string::npos)
      return true;
  return false;
}

/// Why the machine could not run the compiler; empty: it could.
std::string machineProblem(const ToolResult &result, const std::string &folder) {
  std::error_code error;
  if (fs::space(folder, error).available < littleSpace && !error)
    return fmt::format("{} has little space left", fs::path(folder).parent_path().string());
  if (containsOneOf(result.messages, {"No space left on device", "Disk quota exceeded", "File too large"}))
    return "a file could not be written";
  if (containsOneOf(result.messages, {"Killed signal", "Terminated signal"}))
    return "it was ended";
  if (WIFSIGNALED(result.status))
    return fmt::format("it was ended by signal {}", WTERMSIG(result.status));
  if (containsOneOf(result.messages, {"out of memory", "virtual memory exhausted", "annot allocate memory"}))
    return "there is too little memory";
  return "";
}

/// Who is to blame when `result` is a failure: says so and ends.
[[noreturn]] void explainFailure(const Options &options, const Runtime &runtime, const CxxCompiler &compiler,
                                 const std::string &source, const std::vector<std::string> &imports, CxxOutput kind,
                                 const ToolResult &result, TemporaryFolder &folder) {
  std::string other = folder.path() + "/.small" + fs::path(source).extension().string(),
              built = folder.path() + "/.small.out";
  auto reason = [&](const ToolResult &failed) { // the folder will be gone
    std::string line = failed.reason();
    for (std::size_t at; (at = line.find(folder.path() + "/")) != std::string::npos;)
      line.erase(at, folder.path().size() + 1);
    return line;
  };
  if (std::string problem = machineProblem(result, folder.path()); !problem.empty())
    failUsage("{} has failed, {}: {}", compiler.path, problem, reason(result));
  writeIfChanged(other, smallProgram);
  ToolResult small = compileCxx(compiler, runtime, other, built, kind, options.verbose);
  if (!small.succeeded())
    failUsage("{} compiles no program with these options: {}", compiler.path, reason(small));
  if (!options.cxxFlags.empty()) {
    Options plain = options;
    plain.cxxFlags.clear();
    if (compileCxx(findCompiler(plain, runtime), runtime, source, built, kind, options.verbose).succeeded())
      failUsage("{} compiles the program only without --cxx-flag: {}", compiler.path, reason(result));
  }
  if (!imports.empty()) {
    std::string headers;
    for (const std::string &import : imports)
      headers += "#include \"" + import + "\"\n";
    writeIfChanged(other, headers + "int main() {}\n");
    ToolResult read = compileCxx(compiler, runtime, other, built, kind, options.verbose);
    if (!read.succeeded())
      failUsage("{} does not accept the imported headers: {}", compiler.path, reason(read));
    if (containsOneOf(result.messages, {"undefined reference", "undefined symbol", "Undefined symbol"}))
      failUsage("an imported function is declared, but defined nowhere; --cxx-flag=FILE.o gives its code: {}",
                reason(result));
  }
  fs::remove(other);
  folder.keep();
  failBug("{} does not accept the C++ generated for {}; please report it with {}\n{}", compiler.path,
          printable(options.inputs[0]), folder.path() + "/" + baseName(source), result.messages);
}

} // namespace

void buildCxx(const Options &options, const Runtime &runtime, const CxxCompiler &compiler, const std::string &fileName,
              const GeneratedSource &source, const std::string &output, CxxOutput kind,
              const std::vector<std::string> &symbols) {
  TemporaryFolder folder;
  if (kind == CxxOutput::Shared) {
    std::string shown;
    for (const std::string &symbol : symbols)
      shown += symbol + "; ";
    writeIfChanged(folder.path() + "/" + exportsFile, "{ global: " + shown + "local: *; };\n");
  }
  std::string sourcePath = folder.path() + "/" + fileName, builtPath = folder.path() + "/built.out";
  writeIfChanged(sourcePath, source.text);
  CxxCompiler quick = compiler;
  if (source.imports.empty()) // which may expect to be read first
    quick.header = precompiledHeader(compiler, source.text, kind, options.verbose);
  ToolResult result = compileCxx(quick, runtime, sourcePath, builtPath, kind, options.verbose);
  if (!result.succeeded() && !quick.header.empty()) // the header may be to blame
    result = compileCxx(compiler, runtime, sourcePath, builtPath, kind, options.verbose);
  std::error_code error;
  if (!result.succeeded())
    explainFailure(options, runtime, compiler, sourcePath, source.imports, kind, result, folder);
  if (!fs::is_regular_file(builtPath, error) || fs::file_size(builtPath, error) == 0)
    failUsage("{} has written no file: it is not a C++ compiler", compiler.path);
  installFile(builtPath, output, kind == CxxOutput::Executable);
}

} // namespace gcompile
