#include "frontend/foreign/HeaderReader.h"

#include "frontend/Sema.h"
#include "frontend/foreign/Effects.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <algorithm>

using namespace clang;

namespace gcompile::foreign {

namespace {

/// The name of the text that includes the headers, one a line, in the program's folder.
constexpr const char *mainName = "gcompile-imports.cpp";

/// Where something stands, as "geometry.hpp:12": without the program's folder.
std::string placeOf(SourceLocation location, const SourceManager &sources, llvm::StringRef folder) {
  PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(location));
  if (place.isInvalid())
    return "";
  llvm::SmallString<128> path(place.getFilename());
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  llvm::StringRef file = path;
  if (!folder.empty() && file.consume_front(folder))
    file.consume_front("/");
  return file.str() + ":" + std::to_string(place.getLine());
}

/// Keeps the first error, and the import that leads to it.
class FirstError : public DiagnosticConsumer {
public:
  FirstError(ImportedHeaders &result, const std::vector<std::string> &headers, std::string folder)
      : result(result), headers(headers), folder(std::move(folder)) {}

  void HandleDiagnostic(DiagnosticsEngine::Level level, const clang::Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < DiagnosticsEngine::Error || !result.problem.empty())
      return;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    result.problem = text.str();
    if (!info.hasSourceManager() || info.getLocation().isInvalid())
      return;
    const SourceManager &sources = info.getSourceManager();
    SourceLocation at = sources.getExpansionLoc(info.getLocation());
    std::string place = placeOf(at, sources, folder);
    while (sources.getFileID(at) != sources.getMainFileID()) {
      SourceLocation from = sources.getIncludeLoc(sources.getFileID(at));
      if (from.isInvalid())
        return;
      at = from;
    }
    result.unread = std::min<std::size_t>(sources.getExpansionLineNumber(at), headers.size()) - 1;
    if (place.find(mainName) == std::string::npos)
      result.place = place + ": " + result.problem, result.problem = "it has an error";
    else
      result.problem = "no such file is beside the program or in the folders that --cxx-flag=-I names";
  }

private:
  ImportedHeaders &result;
  const std::vector<std::string> &headers;
  std::string folder;
};

/// Finds the wanted functions in what was parsed.
class Finder : public ASTConsumer {
public:
  Finder(ImportedHeaders &result, const std::set<std::string> &names, std::string folder)
      : result(result), names(names), folder(std::move(folder)) {}

  void HandleTranslationUnit(ASTContext &context) override {
    const SourceManager &sources = context.getSourceManager();
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file)
      if (llvm::sys::path::filename(file->first.getName()) != mainName)
        result.files.push_back(file->first.getName().str());
    std::sort(result.files.begin(), result.files.end());
    if (context.getDiagnostics().hasErrorOccurred())
      return;
    EffectProof proof(context);
    for (const std::string &name : names)
      for (const NamedDecl *declaration : find(name, context))
        add(name, declaration, context, proof);
  }

private:
  /// What a qualified name means at namespace scope.
  static std::vector<const NamedDecl *> find(llvm::StringRef name, ASTContext &context) {
    const DeclContext *scope = context.getTranslationUnitDecl();
    llvm::SmallVector<llvm::StringRef> parts;
    name.split(parts, "::");
    for (llvm::StringRef part : llvm::ArrayRef(parts).drop_back()) {
      const DeclContext *inner = nullptr;
      for (const NamedDecl *declaration : scope->lookup(&context.Idents.get(part))) {
        declaration = declaration->getUnderlyingDecl();
        if (auto *alias = dyn_cast<NamespaceAliasDecl>(declaration))
          declaration = alias->getNamespace();
        if (auto *space = dyn_cast<NamespaceDecl>(declaration))
          inner = space;
        else if (auto *type = dyn_cast<TypeDecl>(declaration); type && !inner)
          inner = dyn_cast_or_null<DeclContext>(context.getTypeDeclType(type)->getAsCXXRecordDecl());
      }
      if (!inner)
        return {};
      scope = inner;
    }
    std::vector<const NamedDecl *> found;
    for (const NamedDecl *declaration : scope->lookup(&context.Idents.get(parts.back()))) {
      declaration = declaration->getUnderlyingDecl();
      if (isa<FunctionDecl, FunctionTemplateDecl>(declaration) &&
          std::find(found.begin(), found.end(), declaration) == found.end())
        found.push_back(declaration);
    }
    return found;
  }

  /// The language's type; Error where it has none.
  static ast::Type typeOf(QualType type) {
    if (auto *reference = type->getAs<LValueReferenceType>();
        reference && reference->getPointeeType().isConstQualified())
      type = reference->getPointeeType();
    ast::Type result;
    if (auto *builtin = type.getCanonicalType().getUnqualifiedType()->getAs<BuiltinType>();
        builtin && !type.isVolatileQualified())
      switch (builtin->getKind()) {
      case BuiltinType::Bool:
        result.kind = ast::TypeKind::Bool;
        break;
      case BuiltinType::Int:
        result.kind = ast::TypeKind::Int;
        break;
      case BuiltinType::Long:
        result.kind = ast::TypeKind::Long;
        break;
      case BuiltinType::Float:
        result.kind = ast::TypeKind::Float;
        break;
      case BuiltinType::Double:
        result.kind = ast::TypeKind::Double;
        break;
      default:
        break;
      }
    return result;
  }

  void add(const std::string &name, const NamedDecl *declaration, ASTContext &context, EffectProof &proof) {
    const SourceManager &sources = context.getSourceManager();
    auto place = [&](SourceLocation location) { return placeOf(location, sources, folder); };
    ast::ForeignFunction result;
    result.name = name;
    result.place = place(declaration->getLocation());
    auto *function = dyn_cast<FunctionDecl>(declaration);
    if (!function) {
      result.signature = "template " + name;
      return add(std::move(result), "it is a template");
    }
    auto spelled = [&](QualType type) { return type.getAsString(context.getPrintingPolicy()); };
    for (const ParmVarDecl *parameter : function->parameters())
      result.signature += (result.signature.empty() ? "" : ", ") + spelled(parameter->getType());
    result.signature = spelled(function->getReturnType()) + " " + name + "(" + result.signature + ")";
    if (auto *method = dyn_cast<CXXMethodDecl>(function); method && !method->isStatic())
      return add(std::move(result), "it needs an object");
    if (function->getAccess() == AS_private || function->getAccess() == AS_protected)
      return add(std::move(result), "it is not public");
    if (function->isVariadic())
      return add(std::move(result), "it takes any number of arguments");
    if (function->isDeleted())
      return add(std::move(result), "it is deleted");
    result.result = typeOf(function->getReturnType());
    if (result.result.kind == ast::TypeKind::Error || function->getReturnType()->isReferenceType())
      return add(std::move(result), "the language has no type for its value");
    for (const ParmVarDecl *parameter : function->parameters()) {
      result.parameters.push_back(typeOf(parameter->getType()));
      if (result.parameters.back().kind == ast::TypeKind::Error)
        return add(std::move(result),
                   "the language has no type for its parameter " + std::to_string(result.parameters.size()));
    }
    if (std::optional<Refusal> refusal = proof.refuse(function)) {
      result.refusal = refusal->reason;
      result.refusalPlace = place(refusal->place);
    } else {
      if (std::optional<Refusal> host = proof.hostOnly(function)) {
        result.hostOnly = host->reason;
        result.hostOnlyPlace = place(host->place);
      }
      for (const std::string &believed : proof.believed(function))
        result.believed.push_back(believed);
    }
    this->result.functions.push_back(std::move(result));
  }

  /// Adds a function that no program can call.
  void add(ast::ForeignFunction function, std::string refusal) {
    function.sayable = false;
    function.parameters.clear();
    function.refusal = std::move(refusal);
    result.functions.push_back(std::move(function));
  }

  ImportedHeaders &result;
  const std::set<std::string> &names;
  std::string folder;
};

class Action : public ASTFrontendAction {
public:
  Action(ImportedHeaders &result, const std::set<std::string> &names, std::string folder)
      : result(result), names(names), folder(std::move(folder)) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<Finder>(result, names, folder);
  }

private:
  ImportedHeaders &result;
  const std::set<std::string> &names;
  std::string folder;
};

/// The options that decide what a header says.
std::vector<std::string> heeded(const std::vector<std::string> &flags) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    llvm::StringRef flag = flags[i];
    const bool alone = flag == "-I" || flag == "-isystem" || flag == "-D" || flag == "-U" || flag == "-include";
    if (alone && i + 1 < flags.size()) {
      result.insert(result.end(), {flags[i], flags[i + 1]});
      ++i;
    } else if (flag.starts_with("-I") || flag.starts_with("-isystem") || flag.starts_with("-D") ||
               flag.starts_with("-U") || flag.starts_with("-std=")) {
      result.push_back(flags[i]);
    }
  }
  return result;
}

} // namespace

ImportedHeaders readHeaders(const ReaderOptions &options, const std::vector<std::string> &headers,
                            const std::set<std::string> &names) {
  ImportedHeaders result;
  std::string folder = options.folder.empty() ? "." : options.folder, code;
  for (const std::string &header : headers)
    code += "#include \"" + header + "\"\n";
  std::string mainFile = folder + "/" + mainName;

  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> files(
      new llvm::vfs::OverlayFileSystem(llvm::vfs::getRealFileSystem()));
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory(new llvm::vfs::InMemoryFileSystem);
  if (auto current = files->getCurrentWorkingDirectory())
    memory->setCurrentWorkingDirectory(*current);
  memory->addFile(mainFile, 0, llvm::MemoryBuffer::getMemBufferCopy(code));
  files->pushOverlay(memory);
  llvm::IntrusiveRefCntPtr<FileManager> manager(new FileManager(FileSystemOptions(), files));

  // Functions of <cmath> then count as those without effects that they are.
  std::vector<std::string> command = {GCOMPILE_CLANG, "-fsyntax-only",   "-w",
                                      "-std=c++17",   "-fno-math-errno", "-fno-caret-diagnostics"};
  for (const std::string &flag : heeded(options.cxxFlags))
    command.push_back(flag);
  command.push_back(mainFile);
  FirstError errors(result, headers, folder);
  tooling::ToolInvocation invocation(command, std::make_unique<Action>(result, names, folder), manager.get(),
                                     std::make_shared<PCHContainerOperations>());
  invocation.setDiagnosticConsumer(&errors);
  if (!invocation.run() && result.problem.empty())
    result.problem = "Clang cannot read it";
  return result;
}

} // namespace gcompile::foreign
