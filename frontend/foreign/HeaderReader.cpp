#include "frontend/foreign/HeaderReader.h"

#include "frontend/Sema.h"
#include "frontend/foreign/DeviceForms.h"
#include "frontend/foreign/Effects.h"
#include "frontend/foreign/Finite.h"
#include "frontend/foreign/ForeignTypes.h"
#include "frontend/foreign/HeaderFlags.h"
#include "frontend/foreign/Templates.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <algorithm>
#include <functional>

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
  Finder(CompilerInstance &compiler, ImportedHeaders &result, const WantedNames &names, std::string folder)
      : compiler(compiler), result(result), names(names), folder(std::move(folder)) {}

  void HandleTranslationUnit(ASTContext &context) override {
    const SourceManager &sources = context.getSourceManager();
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file)
      if (llvm::sys::path::filename(file->first.getName()) != mainName)
        result.files.push_back(file->first.getName().str());
    std::sort(result.files.begin(), result.files.end());
    if (context.getDiagnostics().hasErrorOccurred())
      return;
    EffectProof proof(context);
    ForeignTypes types(compiler.getSema(), proof);
    for (const std::string &name : names.types)
      for (const NamedDecl *declaration : find(name, context))
        if (isType(declaration)) {
          addType(name, declaration, context, types);
          break;
        }
    for (const std::string &name : names.functions)
      for (const NamedDecl *declaration : find(name, context)) // of 'f<int>' there is none
        if (isType(declaration) || isa<FunctionDecl>(declaration))
          add(name, declaration, context, proof, types);
    for (const std::string &name : names.functions)
      addTemplates(name, context, proof, types);
    for (ast::ForeignFunction &restatement : types.restatements())
      result.functions.push_back(std::move(restatement));
    auto placed = [&](SourceLocation location) { return placeOf(location, sources, folder); };
    for (auto &[comparison, function] : types.comparisons(placed)) {
      if (function && comparison.refusal.empty())
        addDeviceForm(comparison, function, context, proof);
      result.functions.push_back(std::move(comparison));
    }
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
      if (std::find(found.begin(), found.end(), declaration) == found.end())
        found.push_back(declaration);
    }
    return found;
  }

  static bool isType(const NamedDecl *declaration) { return isa<TypeDecl, ClassTemplateDecl>(declaration); }

  /// The type that has a name; null: there is none.
  static QualType typeNamed(llvm::StringRef name, ASTContext &context) {
    for (const NamedDecl *each : find(name, context))
      if (auto *type = dyn_cast<TypeDecl>(each))
        return context.getTypeDeclType(type);
    return {};
  }

  /// Adds a type that the program names.
  void addType(const std::string &name, const NamedDecl *declaration, ASTContext &context, ForeignTypes &types) {
    const SourceManager &sources = context.getSourceManager();
    ast::ForeignType result;
    result.name = name;
    result.place = placeOf(declaration->getLocation(), sources, folder);
    if (auto *type = dyn_cast<TypeDecl>(declaration)) {
      std::optional<Refusal> refusal;
      result.type = types.typeOf(context.getTypeDeclType(type), refusal);
      if (refusal)
        result.refusalPlace = placeOf(refusal->place, sources, folder);
      if (!refusal)
        result.fields = types.fieldsOf(context.getTypeDeclType(type));
      if (result.type.kind == ast::TypeKind::Error)
        result.refusal = refusal ? refusal->reason : "it is neither a class nor a type of the language";
    } else {
      result.refusal = "it is a template: a 'using' in the header may give a name to a class of it";
    }
    this->result.types.push_back(std::move(result));
  }

  /// Adds what C++ makes of the templates of a name for the types of the program: where the program says arguments of
  /// the template, "geo::norm<double>", or no other function has the name.
  void addTemplates(const std::string &name, ASTContext &context, EffectProof &proof, ForeignTypes &types) {
    auto [plain, arguments] = llvm::StringRef(name).split('<');
    std::vector<const NamedDecl *> named = find(plain, context);
    TemplateArgumentListInfo said;
    const bool says = arguments.consume_back(">");
    const bool only =
        says ? readArguments(
                   compiler.getSema(), arguments, [&](llvm::StringRef word) { return typeNamed(word, context); }, said)
             : llvm::none_of(named, [](const NamedDecl *each) { return isa<FunctionDecl>(each); });
    std::vector<QualType> given = {context.BoolTy, context.IntTy, context.LongTy, context.FloatTy, context.DoubleTy};
    for (const char *own : {"gdsl::vertex", "gdsl::edge"})
      if (QualType type = typeNamed(own, context); !type.isNull())
        given.push_back(type.getCanonicalType());
    llvm::append_range(given, types.classes());
    for (const NamedDecl *each : named) {
      auto *declared = const_cast<FunctionTemplateDecl *>(dyn_cast<FunctionTemplateDecl>(each));
      if (!declared)
        continue;
      const std::size_t before = result.functions.size();
      std::string why; // there is none that a program can call
      if (only)
        for (const FunctionDecl *instance : instancesOf(compiler.getSema(), declared, given, says ? &said : nullptr)) {
          add(name, instance, context, proof, types);
          if (result.functions.back().sayable) {
            result.functions.back().signature = "template " + signatureOf(name, declared->getTemplatedDecl(), context);
          } else {
            why = result.functions.back().refusal;
            result.functions.pop_back();
          }
        }
      if (result.functions.size() > before)
        continue;
      add(name, declared, context, proof, types);
      if (!why.empty())
        result.functions.back().refusal = why;
    }
  }

  void add(const std::string &name, const NamedDecl *declaration, ASTContext &context, EffectProof &proof,
           ForeignTypes &types) {
    const SourceManager &sources = context.getSourceManager();
    auto place = [&](SourceLocation location) { return placeOf(location, sources, folder); };
    ast::ForeignFunction result;
    result.name = name;
    result.place = place(declaration->getLocation());
    auto *function = dyn_cast<FunctionDecl>(declaration);
    if (!function) {
      bool isClass = isType(declaration);
      result.signature = (isClass ? "type " : "template ") + name;
      return add(std::move(result), isClass ? "it is a type: a function may give a value of it"
                                    : llvm::StringRef(name).ends_with(">") ? "it is a template for other arguments"
                                                                           : "it is a template");
    }
    result.signature = signatureOf(name, function, context);
    if (auto *method = dyn_cast<CXXMethodDecl>(function); method && !method->isStatic())
      return add(std::move(result), "it needs an object");
    if (function->getAccess() == AS_private || function->getAccess() == AS_protected)
      return add(std::move(result), "it is not public");
    if (function->isVariadic())
      return add(std::move(result), "it takes any number of arguments");
    if (function->isDeleted())
      return add(std::move(result), "it is deleted");
    std::optional<Refusal> untyped;
    auto why = [&](const std::string &what) {
      return "the language has no type for its " + what + (untyped ? ", a class: " + untyped->reason : "");
    };
    result.result = types.typeOf(function->getReturnType(), untyped);
    if (function->getReturnType()->isReferenceType())
      return add(std::move(result), "it gives a reference");
    if (result.result.kind == ast::TypeKind::Error)
      return add(std::move(result), why("value"));
    for (const ParmVarDecl *parameter : function->parameters()) {
      result.parameters.push_back(types.typeOf(parameter->getType(), untyped));
      result.parameterNames.push_back(nameOfParameter(function, parameter->getFunctionScopeIndex()));
      if (result.parameters.back().kind == ast::TypeKind::Error)
        return add(std::move(result), why("parameter " + std::to_string(result.parameters.size())));
    }
    if (std::optional<Refusal> refusal = proof.refuse(function)) {
      result.refusal = refusal->reason;
      result.refusalPlace = place(refusal->place);
    } else {
      addDeviceForm(result, function, context, proof);
      result.keepsFinite = keepsFinite(function, proof, context);
      for (const std::string &believed : proof.believed(function))
        result.believed.push_back(believed);
    }
    this->result.functions.push_back(std::move(result));
  }

  /// A function's declaration, for messages.
  static std::string signatureOf(const std::string &name, const FunctionDecl *function, const ASTContext &context) {
    auto spelled = [&](QualType type) { return type.getAsString(context.getPrintingPolicy()); };
    std::string parameters;
    for (const ParmVarDecl *parameter : function->parameters())
      parameters += (parameters.empty() ? "" : ", ") + spelled(parameter->getType());
    return spelled(function->getReturnType()) + " " + name + "(" + parameters + ")";
  }

  /// The name that any declaration of the function gives a parameter.
  static std::string nameOfParameter(const FunctionDecl *function, unsigned index) {
    for (const FunctionDecl *each : function->redecls())
      if (llvm::StringRef name = each->getParamDecl(index)->getName(); !name.empty())
        return name.str();
    return "";
  }

  /// Says how a GPU gets the function, or why it cannot.
  void addDeviceForm(ast::ForeignFunction &result, const FunctionDecl *function, const ASTContext &context,
                     const EffectProof &proof) {
    std::optional<Refusal> host = proof.hostOnly(function);
    DeviceForms forms(context, compiler.getPreprocessor().getHeaderSearchInfo());
    for (const FunctionDecl *each : proof.withoutDeviceForm(function)) {
      if (host)
        break;
      if (std::optional<Refusal> refusal = forms.add(each))
        host = EffectProof::neededBy(function, each, *refusal);
    }
    if (!host)
      result.deviceForms = forms.lines();
    else
      result.hostOnly = host->reason + " (" + placeOf(host->place, context.getSourceManager(), folder) + ")";
  }

  /// Adds a function that no program can call.
  void add(ast::ForeignFunction function, std::string refusal) {
    function.sayable = false;
    function.parameters.clear();
    function.parameterNames.clear();
    function.refusal = std::move(refusal);
    result.functions.push_back(std::move(function));
  }

  CompilerInstance &compiler;
  ImportedHeaders &result;
  const WantedNames &names;
  std::string folder;
};

/// What looks at a text that has been parsed.
using MakeConsumer = std::function<std::unique_ptr<ASTConsumer>(CompilerInstance &)>;

class Action : public ASTFrontendAction {
public:
  explicit Action(MakeConsumer make) : make(std::move(make)) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, llvm::StringRef) override {
    return make(compiler);
  }

private:
  MakeConsumer make;
};

/// Whether lines in front of the headers declare functions of them, and change nothing else.
class DeclaredAgain : public ASTConsumer {
public:
  explicit DeclaredAgain(bool &fits) : fits(fits) {}
  void HandleTranslationUnit(ASTContext &context) override {
    fits = !context.getDiagnostics().hasErrorOccurred() && areDefined(context.getTranslationUnitDecl(), context);
  }

private:
  /// Whether each function that the main file declares is defined, which is in a header.
  static bool areDefined(const DeclContext *scope, const ASTContext &context) {
    return llvm::all_of(scope->decls(), [&](const Decl *each) {
      if (!context.getSourceManager().isInMainFile(each->getLocation()))
        return true;
      if (auto *declared = dyn_cast<FunctionTemplateDecl>(each))
        each = declared->getTemplatedDecl();
      if (auto *function = dyn_cast<FunctionDecl>(each))
        return function->isDefined();
      auto *inner = dyn_cast<DeclContext>(each);
      return !inner || isa<TagDecl>(each) || areDefined(inner, context);
    });
  }

  bool &fits;
};

/// Parses a text, in the program's folder, as the options say. False if nothing came of it.
bool parse(const ReaderOptions &options, const std::vector<std::string> &projectFlags, const std::string &code,
           DiagnosticConsumer &errors, MakeConsumer make) {
  std::string mainFile = (options.folder.empty() ? "." : options.folder) + "/" + mainName;
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
  command.insert(command.end(), projectFlags.begin(), projectFlags.end());
  for (const std::string &flag : heeded(options.cxxFlags))
    command.push_back(flag);
  if (options.device)
    for (const std::string &macro :
         {std::string("__CUDACC__=1"), std::string("__host__="), std::string("__forceinline__=inline"),
          std::string("__device__=__attribute__((annotate(\"") + EffectProof::deviceMark + "\")))"})
      command.insert(command.end(), {"-D", macro});
  command.push_back(mainFile);
  tooling::ToolInvocation invocation(command, std::make_unique<Action>(std::move(make)), manager.get(),
                                     std::make_shared<PCHContainerOperations>());
  invocation.setDiagnosticConsumer(&errors);
  return invocation.run();
}

/// Refuses for a GPU what lines in front of the headers would not give it, although they look right.
void tryDeviceForms(const ReaderOptions &options, const std::string &includes, ImportedHeaders &result) {
  auto fits = [&](const std::vector<std::string> &lines) {
    bool fits = false;
    IgnoringDiagConsumer errors;
    const std::string code = llvm::join(lines, "\n") + "\n" + includes;
    return parse(options, result.flags, code, errors,
                 [&](CompilerInstance &) { return std::make_unique<DeclaredAgain>(fits); }) &&
           fits;
  };
  std::vector<std::string> all;
  for (const ast::ForeignFunction &function : result.functions)
    all.insert(all.end(), function.deviceForms.begin(), function.deviceForms.end());
  if (all.empty() || fits(all))
    return;
  for (ast::ForeignFunction &function : result.functions) {
    if (function.deviceForms.empty() || fits(function.deviceForms))
      continue;
    function.deviceForms.clear();
    function.hostOnly = "it, or what it calls, is neither constexpr nor '__host__ __device__', and its declaration "
                        "cannot be repeated before the header (" +
                        function.place + ")";
  }
}

} // namespace

ImportedHeaders readHeaders(const ReaderOptions &options, const std::vector<std::string> &headers,
                            const WantedNames &names) {
  ImportedHeaders result;
  std::string folder = options.folder.empty() ? "." : options.folder, code;
  for (const std::string &header : headers)
    code += "#include \"" + header + "\"\n";
  if (!options.compileCommands.empty())
    result.flags = projectFlags(options, headers[0], result);
  if (!result.problem.empty())
    return result;
  FirstError errors(result, headers, folder);
  const bool read = parse(options, result.flags, code, errors, [&](CompilerInstance &compiler) {
    return std::make_unique<Finder>(compiler, result, names, folder);
  });
  if (!read && result.problem.empty())
    result.problem = "Clang cannot read it";
  if (!options.device)
    for (ast::ForeignFunction &function : result.functions)
      function.deviceForms.clear();
  tryDeviceForms(options, code, result);
  return result;
}

} // namespace gcompile::foreign
