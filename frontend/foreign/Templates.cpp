#include "frontend/foreign/Templates.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateDeduction.h"

#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

using namespace clang;

namespace gcompile::foreign {

namespace {

/// Keeps errors for itself while it lives.
class Trial {
public:
  explicit Trial(DiagnosticsEngine &diagnostics)
      : diagnostics(diagnostics), client(diagnostics.getClient()), owner(diagnostics.takeClient()) {
    diagnostics.setClient(&ignored, /*ShouldOwnClient=*/false);
  }
  ~Trial() {
    diagnostics.Reset(/*soft=*/true);
    const bool owned = owner.release() != nullptr;
    diagnostics.setClient(client, owned);
  }
  Trial(const Trial &) = delete;
  Trial &operator=(const Trial &) = delete;
  bool hasFailed() const { return diagnostics.hasErrorOccurred(); }

private:
  DiagnosticsEngine &diagnostics;
  DiagnosticConsumer *client;
  std::unique_ptr<DiagnosticConsumer> owner; // of the client; null: somebody else
  IgnoringDiagConsumer ignored;
};

} // namespace

/// At most so many arguments, and combinations of types: all are tried.
constexpr unsigned mostArguments = 3;
constexpr std::size_t mostTrials = 3000;

bool readArguments(Sema &sema, llvm::StringRef text, llvm::function_ref<QualType(llvm::StringRef)> typeOf,
                   TemplateArgumentListInfo &said) {
  ASTContext &context = sema.Context;
  const SourceLocation nowhere;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ", ");
  for (llvm::StringRef word : words) {
    Expr *value = nullptr;
    const bool isNegative = word.starts_with("-");
    std::uint64_t number = 0;
    if (!word.drop_front(isNegative).getAsInteger(10, number)) {
      if (number > INT64_MAX)
        return false;
      QualType type = number > INT32_MAX ? context.LongTy : context.IntTy;
      value = IntegerLiteral::Create(context, llvm::APInt(context.getIntWidth(type), number), type, nowhere);
      if (isNegative)
        value = sema.CreateBuiltinUnaryOp(nowhere, UO_Minus, value).get();
    } else if (word == "true" || word == "false") {
      value = CXXBoolLiteralExpr::Create(context, word == "true", context.BoolTy, nowhere);
    }
    if (value) {
      said.addArgument(TemplateArgumentLoc(TemplateArgument(value), value));
      continue;
    }
    QualType type = llvm::StringSwitch<QualType>(word)
                        .Case("bool", context.BoolTy)
                        .Case("int", context.IntTy)
                        .Case("long", context.LongTy)
                        .Case("float", context.FloatTy)
                        .Case("double", context.DoubleTy)
                        .Default(QualType());
    if (word.consume_front("::") || type.isNull())
      type = typeOf(word);
    if (type.isNull())
      return false;
    said.addArgument(TemplateArgumentLoc(TemplateArgument(type), context.getTrivialTypeSourceInfo(type, nowhere)));
  }
  return true;
}

std::vector<const FunctionDecl *> instancesOf(Sema &sema, FunctionTemplateDecl *declared,
                                              const std::vector<QualType> &types, TemplateArgumentListInfo *said) {
  std::vector<const FunctionDecl *> found;
  const FunctionDecl *pattern = declared->getTemplatedDecl();
  const unsigned count = pattern->getNumParams();
  // Where all is said, any values do: nothing is deduced of them.
  const bool allSaid = said && said->size() >= declared->getTemplateParameters()->size();
  if ((!said && count == 0) || (!allSaid && count > mostArguments) || types.empty() || pattern->isVariadic() ||
      llvm::any_of(pattern->parameters(), [](const ParmVarDecl *each) { return each->isParameterPack(); }))
    return found;
  std::size_t trials = 1;
  for (unsigned i = 0; i < count && !allSaid; ++i)
    trials *= types.size();
  if (trials > mostTrials) // a part of them would make calls mean something else than in C++
    return found;
  std::vector<Expr *> values; // one of each type
  for (QualType type : types)
    values.push_back(new (sema.Context) OpaqueValueExpr(declared->getLocation(), type, VK_PRValue));
  std::vector<std::size_t> chosen(count, 0); // of the types, one for each argument
  for (bool more = true; more;) {
    std::vector<Expr *> arguments;
    for (std::size_t each : chosen)
      arguments.push_back(values[each]);
    FunctionDecl *function = nullptr;
    {
      Trial trial(sema.getDiagnostics());
      sema::TemplateDeductionInfo info(declared->getLocation());
      const bool deduced =
          sema.DeduceTemplateArguments(declared, said, arguments, function, info, /*PartialOverloading=*/false,
                                       /*AggregateDeductionCandidate=*/false, QualType(), Expr::Classification(),
                                       [](ArrayRef<QualType>) { return false; }) == TemplateDeductionResult::Success;
      if (!deduced || std::find(found.begin(), found.end(), function) != found.end())
        function = nullptr;
      if (function && !function->isDefined())
        sema.InstantiateFunctionDefinition(declared->getLocation(), function, /*Recursive=*/true);
      if (function && !trial.hasFailed() && !function->isInvalidDecl())
        found.push_back(function);
    }
    more = false; // the next combination
    for (std::size_t &each : chosen) {
      if (allSaid)
        break;
      more = ++each < types.size();
      if (more)
        break;
      each = 0;
    }
  }
  return found;
}

} // namespace gcompile::foreign
