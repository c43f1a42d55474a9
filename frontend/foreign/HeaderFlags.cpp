#include "frontend/foreign/HeaderFlags.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace gcompile::foreign {

/// Whether -std names a version of C++ after the one that the runtime is written in.
static bool isNewer(llvm::StringRef flag) { return flag.starts_with("-std=c++2") || flag.starts_with("-std=gnu++2"); }

std::vector<std::string> heeded(const std::vector<std::string> &flags, llvm::StringRef folder) {
  auto placed = [&](llvm::StringRef file) {
    llvm::SmallString<128> path(file);
    if (!folder.empty() && !llvm::sys::path::is_absolute(path))
      path = (folder + "/" + file).str();
    return path.str().str();
  };
  std::vector<std::string> result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    llvm::StringRef flag = flags[i], name;
    for (llvm::StringRef known : {"-include", "-isystem", "-iquote", "-I", "-D", "-U"})
      if (flag.starts_with(known)) {
        name = known;
        break;
      }
    if (flag.starts_with("-std=") && (folder.empty() || isNewer(flag)))
      result.push_back(flag.str());
    if (name.empty() || (flag == name && i + 1 == flags.size()))
      continue;
    llvm::StringRef value = flag == name ? llvm::StringRef(flags[++i]) : flag.drop_front(name.size());
    bool isMacro = name == "-D" || name == "-U";
    result.insert(result.end(), {name.str(), isMacro ? value.str() : placed(value)});
  }
  return result;
}

std::vector<std::string> projectFlags(const ReaderOptions &options, const std::string &header,
                                      ImportedHeaders &result) {
  std::string file = options.compileCommands + "/compile_commands.json", problem;
  std::unique_ptr<tooling::CompilationDatabase> commands =
      tooling::JSONCompilationDatabase::loadFromFile(file, problem, tooling::JSONCommandLineSyntax::AutoDetect);
  if (!commands) {
    result.problem = "-p: " + file + ": " + llvm::StringRef(problem).split('\n').first.str();
    return {};
  }
  result.files.push_back(file);
  llvm::SmallString<128> like(options.folder.empty() ? "." : options.folder);
  llvm::sys::path::append(like, header);
  llvm::sys::fs::make_absolute(like);
  commands = tooling::inferMissingCompileCommands(std::move(commands));
  for (const tooling::CompileCommand &command : commands->getCompileCommands(like))
    return heeded(command.CommandLine, command.Directory);
  return {};
}

} // namespace gcompile::foreign
