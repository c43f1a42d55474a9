#include "frontend/foreign/DeviceForms.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>

using namespace clang;

namespace gcompile::foreign {

bool isDeviceMath(const FunctionDecl *function, const ASTContext &context) {
  // Those of CUDA's math_functions.h that take and give int, long, float and double.
  static const llvm::StringSet<> names = {
      "abs",     "acos",     "acosh",  "asin",      "asinh",     "atan", "atan2",     "atanh",  "cbrt",
      "ceil",    "copysign", "cos",    "cosh",      "erf",       "erfc", "exp",       "exp2",   "expm1",
      "fabs",    "fdim",     "floor",  "fma",       "fmax",      "fmin", "fmod",      "hypot",  "ilogb",
      "labs",    "ldexp",    "llabs",  "llrint",    "llround",   "log",  "log10",     "log1p",  "log2",
      "logb",    "lrint",    "lround", "nearbyint", "nextafter", "pow",  "remainder", "rint",   "round",
      "scalbln", "scalbn",   "sin",    "sinh",      "sqrt",      "tan",  "tanh",      "tgamma", "trunc"};
  if (unsigned id = function->getBuiltinID()) {
    llvm::StringRef name = context.BuiltinInfo.getName(id);
    static const llvm::StringSet<> bits = {"__builtin_clz",        "__builtin_clzll", "__builtin_popcount",
                                           "__builtin_popcountll", "__builtin_ffs",   "__builtin_ffsll"};
    if (bits.contains(name)) // of others, in what is constexpr, nvcc makes code that gives 0
      return true;
    name.consume_front("__builtin_");
    return names.contains(name) || (name.consume_back("f") && names.contains(name));
  }
  return function->getIdentifier() && names.contains(function->getName()) &&
         (function->isInStdNamespace() || function->getDeclContext()->getRedeclContext()->isTranslationUnit()) &&
         context.getSourceManager().isInSystemHeader(function->getLocation());
}

void DeviceForms::addLine(std::string line) {
  if (std::find(declarations.begin(), declarations.end(), line) == declarations.end())
    declarations.push_back(std::move(line));
}

bool DeviceForms::addInside(const Decl *of, std::string declaration) {
  for (const DeclContext *scope = of->getDeclContext(); !scope->isTranslationUnit(); scope = scope->getParent()) {
    if (auto *linkage = dyn_cast<LinkageSpecDecl>(scope)) {
      declaration = std::string("extern \"") + (linkage->getLanguage() == LinkageSpecLanguageIDs::C ? "C" : "C++") +
                    "\" { " + declaration + " }";
      continue;
    }
    auto *space = dyn_cast<NamespaceDecl>(scope);
    if (!space || space->hasAttrs())
      return false;
    declaration = std::string(space->isInline() ? "inline " : "") + "namespace " +
                  (space->isAnonymousNamespace() ? "" : space->getName().str() + " ") + "{ " + declaration + " }";
  }
  addLine(std::move(declaration));
  return true;
}

std::optional<bool> DeviceForms::addInclude(const Decl *declaration) {
  const SourceManager &sources = context.getSourceManager();
  SourceLocation at = sources.getExpansionLoc(declaration->getLocation());
  if (!sources.isInSystemHeader(at))
    return std::nullopt;
  for (;;) { // the header that includes it for the user
    SourceLocation from = sources.getExpansionLoc(sources.getIncludeLoc(sources.getFileID(at)));
    if (from.isInvalid())
      return false;
    if (!sources.isInSystemHeader(from))
      break;
    at = from;
  }
  OptionalFileEntryRef file = sources.getFileEntryRefForID(sources.getFileID(at));
  if (!file)
    return false;
  addLine("#include <" + search.suggestPathToFileForDiagnostics(*file, "") + ">");
  return true;
}

std::optional<std::string> DeviceForms::headOf(const TemplateDecl *declared) {
  if (declared->hasAssociatedConstraints())
    return std::nullopt;
  std::string head;
  for (const NamedDecl *parameter : *declared->getTemplateParameters()) {
    const std::string pack = parameter->isParameterPack() ? "..." : "";
    head += head.empty() ? "" : ", ";
    if (isa<TemplateTypeParmDecl>(parameter))
      head += "class" + pack + " " + parameter->getName().str();
    else if (auto *value = dyn_cast<NonTypeTemplateParmDecl>(parameter); value && value->getType()->isBuiltinType())
      head += value->getType().getCanonicalType().getAsString(context.getPrintingPolicy()) + pack + " " +
              parameter->getName().str();
    else
      return std::nullopt;
  }
  return "template <" + head + "> ";
}

bool DeviceForms::addTag(const TagDecl *tag) {
  if (auto *special = dyn_cast<ClassTemplateSpecializationDecl>(tag))
    return addTemplate(special->getSpecializedTemplate()) && addArguments(special->getTemplateArgs().asArray());
  if (std::optional<bool> included = addInclude(tag))
    return *included;
  if (tag->getName().empty() || tag->hasAttr<AbiTagAttr>())
    return false;
  if (auto *enumeration = dyn_cast<EnumDecl>(tag))
    return enumeration->isFixed() &&
           addInside(tag,
                     std::string(enumeration->isScoped() ? "enum class " : "enum ") + tag->getName().str() + " : " +
                         enumeration->getIntegerType().getCanonicalType().getAsString(context.getPrintingPolicy()) +
                         ";");
  return addInside(tag, tag->getKindName().str() + " " + tag->getName().str() + ";");
}

bool DeviceForms::addTemplate(const TemplateDecl *declared) {
  if (std::optional<bool> included = addInclude(declared))
    return *included;
  auto *of = dyn_cast<ClassTemplateDecl>(declared);
  std::optional<std::string> head = of ? headOf(declared) : std::nullopt;
  return head && addInside(declared,
                           *head + of->getTemplatedDecl()->getKindName().str() + " " + declared->getName().str() + ";");
}

bool DeviceForms::addArguments(llvm::ArrayRef<TemplateArgument> arguments) {
  return llvm::all_of(arguments, [&](const TemplateArgument &argument) {
    switch (argument.getKind()) {
    case TemplateArgument::Type:
      return addType(argument.getAsType());
    case TemplateArgument::Pack:
      return addArguments(argument.pack_elements());
    case TemplateArgument::Integral:
    case TemplateArgument::Expression: // whether its names are known is seen when the lines are read
      return true;
    default:
      return false;
    }
  });
}

bool DeviceForms::addType(QualType type) {
  if (type->isDependentType())
    type = type.getDesugaredType(context);
  else
    type = type.getCanonicalType();
  const Type *bare = type.getTypePtr();
  if (isa<BuiltinType, AutoType, TemplateTypeParmType>(bare))
    return true;
  if (isa<PointerType, ReferenceType>(bare))
    return addType(bare->getPointeeType());
  if (auto *array = dyn_cast<ArrayType>(bare))
    return addType(array->getElementType());
  if (auto *function = dyn_cast<FunctionProtoType>(bare))
    return addType(function->getReturnType()) &&
           llvm::all_of(function->param_types(), [&](QualType each) { return addType(each); });
  if (auto *tag = dyn_cast<TagType>(bare))
    return addTag(tag->getDecl());
  if (auto *special = dyn_cast<TemplateSpecializationType>(bare))
    return special->getTemplateName().getAsTemplateDecl() &&
           addTemplate(special->getTemplateName().getAsTemplateDecl()) && addArguments(special->template_arguments());
  return false;
}

std::optional<Refusal> DeviceForms::add(const FunctionDecl *function) {
  auto because = [&](const std::string &reason) {
    return Refusal{"it is neither constexpr nor '__host__ __device__', and " + reason, function->getLocation()};
  };
  if (isa<CXXMethodDecl>(function))
    return because("C++ has no second declaration of a method");
  if (context.getSourceManager().isInSystemHeader(function->getLocation()))
    return because("is the system's");
  std::string head;
  if (function->getTemplateSpecializationKind() == TSK_ExplicitSpecialization)
    return because("a template has it as a special case");
  if (const FunctionTemplateDecl *declared = function->getPrimaryTemplate()) {
    std::optional<std::string> parameters = headOf(declared);
    if (!parameters)
      return because("it is a template that the compiler cannot declare again");
    head = *parameters;
    function = declared->getTemplatedDecl();
  }
  QualType result = function->getDeclaredReturnType();
  PrintingPolicy policy = context.getPrintingPolicy();
  policy.FullyQualifiedName = true;
  policy.SuppressTagKeyword = true;
  auto spelled = [&](QualType type, std::string declarator) {
    if (!type->isDependentType() && !type->getContainedAutoType())
      type = type.getCanonicalType();
    type.getAsStringInternal(declarator, policy);
    return declarator;
  };
  const bool isNamed = function->getDeclName().isIdentifier() || function->getOverloadedOperator() != OO_None;
  bool repeats = isNamed && addType(result) && !function->getTrailingRequiresClause() &&
                 !function->hasAttr<AbiTagAttr>() && !function->hasAttr<AsmLabelAttr>();
  std::string parameters;
  for (const ParmVarDecl *parameter : function->parameters()) {
    repeats &= addType(parameter->getType());
    parameters += (parameters.empty() ? "" : ", ") + spelled(parameter->getType(), "");
  }
  auto *type = function->getType()->getAs<FunctionProtoType>();
  repeats &=
      type && (!isNoexceptExceptionSpec(type->getExceptionSpecType()) ||
               type->getExceptionSpecType() == EST_BasicNoexcept || type->getExceptionSpecType() == EST_NoexceptTrue);
  std::string declarator = function->getNameAsString() + "(" + parameters + ")";
  if (type && type->getExceptionSpecType() != EST_None)
    declarator += " noexcept";
  if (!repeats || !addInside(function, head + (function->isNoReturn() ? "[[noreturn]] " : "") +
                                           (function->getStorageClass() == SC_Static ? "static " : "") +
                                           "__host__ __device__ " + spelled(result, declarator) + ";"))
    return because("the compiler cannot declare it again");
  return std::nullopt;
}

} // namespace gcompile::foreign
