#include "frontend/foreign/Finite.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace gcompile::foreign {

namespace {

class FiniteProof {
public:
  explicit FiniteProof(ASTContext &context) : context(context) {}

  /// Whether the function's own body can make a number that is inf.
  bool makesInf(const FunctionDecl *function) {
    const FunctionDecl *body = nullptr;
    if (isKnownBuiltin(function->getBuiltinID()))
      return false;
    if (!function->hasBody(body)) {
      auto *method = dyn_cast<CXXMethodDecl>(function); // of the compiler's own: it copies, or begins with zeros
      return !(method && method->isDefaulted()) && !givesNoWhole(function->getReturnType());
    }
    if (auto *constructor = dyn_cast<CXXConstructorDecl>(body))
      for (const CXXCtorInitializer *each : constructor->inits())
        if (makesInf(each->getInit()))
          return true;
    return makesInf(body->getBody());
  }

private:
  /// Those without a body that give a small number, or what they take.
  static bool isKnownBuiltin(unsigned id) {
    switch (id) {
    case Builtin::BIabs:
    case Builtin::BIlabs:
    case Builtin::BIllabs:
    case Builtin::BI__builtin_abs:
    case Builtin::BI__builtin_labs:
    case Builtin::BI__builtin_llabs:
    case Builtin::BI__builtin_clz:
    case Builtin::BI__builtin_clzl:
    case Builtin::BI__builtin_clzll:
    case Builtin::BI__builtin_ctz:
    case Builtin::BI__builtin_ctzl:
    case Builtin::BI__builtin_ctzll:
    case Builtin::BI__builtin_popcount:
    case Builtin::BI__builtin_popcountl:
    case Builtin::BI__builtin_popcountll:
    case Builtin::BI__builtin_unreachable:
    case Builtin::BI__builtin_is_constant_evaluated:
      return true;
    default:
      return false;
    }
  }

  static bool givesNoWhole(QualType type) {
    return type->isRealFloatingType() || type->isBooleanType() || type->isVoidType();
  }

  bool isWide(QualType type) const {
    return type->isIntegralOrEnumerationType() && !type->isBooleanType() && !type->isDependentType() &&
           context.getIntWidth(type) >= 32;
  }

  /// The value of a whole number that is known; nothing where it is not.
  std::optional<llvm::APSInt> constant(const Expr *e) const {
    Expr::EvalResult result;
    if (e->isValueDependent() || !e->getType()->isIntegralOrEnumerationType() || !e->EvaluateAsInt(result, context))
      return std::nullopt;
    return result.Val.getInt();
  }

  /// Whether a number is far from the greatest of any type with so many bits.
  static bool isSmall(const llvm::APSInt &number, unsigned bits) {
    return number.isSigned() ? number.getSignificantBits() < bits - 1 : number.getActiveBits() < bits - 2;
  }

  /// Whether a number is less than the greatest int, whatever it is computed from.
  bool isNarrow(const Expr *e) const {
    e = e->IgnoreParens();
    if (!isWide(e->getType()))
      return true;
    if (std::optional<llvm::APSInt> number = constant(e))
      return isSmall(*number, 32);
    if (auto *widened = dyn_cast<CastExpr>(e); widened && widened->getCastKind() == CK_IntegralCast)
      return isNarrow(widened->getSubExpr());
    if (auto *choice = dyn_cast<ConditionalOperator>(e))
      return isNarrow(choice->getTrueExpr()) && isNarrow(choice->getFalseExpr());
    auto *operation = dyn_cast<BinaryOperator>(e);
    if (!operation)
      return false;
    auto small = [&](const Expr *operand, bool signless) {
      std::optional<llvm::APSInt> number = constant(operand);
      return number && isSmall(*number, 32) && !(signless && number->isNegative());
    };
    if (operation->getOpcode() == BO_Rem)
      return small(operation->getRHS(), false);
    return operation->getOpcode() == BO_And && (small(operation->getLHS(), true) || small(operation->getRHS(), true));
  }

  bool makesInf(const Stmt *statement) {
    if (!statement)
      return false;
    if (auto *e = dyn_cast<Expr>(statement)) {
      if (isWide(e->getType()))
        if (std::optional<llvm::APSInt> number = constant(e))
          return !isSmall(*number, context.getIntWidth(e->getType()));
      if (auto *cast = dyn_cast<CastExpr>(e)) {
        const bool wide = isWide(e->getType());
        if (wide && cast->getCastKind() == CK_FloatingToIntegral)
          return true;
        if (wide && cast->getCastKind() == CK_IntegralCast &&
            context.getIntWidth(cast->getSubExpr()->getType()) > context.getIntWidth(e->getType()) &&
            !isNarrow(cast->getSubExpr()))
          return true;
      }
      if (auto *given = dyn_cast<CXXDefaultArgExpr>(e))
        return makesInf(given->getExpr());
      if (auto *given = dyn_cast<CXXDefaultInitExpr>(e))
        return makesInf(given->getExpr());
      if (auto *reference = dyn_cast<DeclRefExpr>(e))
        if (auto *variable = dyn_cast<VarDecl>(reference->getDecl()); variable && variable->hasGlobalStorage())
          return constantHasInf(variable);
      if (auto *member = dyn_cast<MemberExpr>(e)) {
        if (auto *variable = dyn_cast<VarDecl>(member->getMemberDecl()))
          return constantHasInf(variable);
        if (auto *field = dyn_cast<FieldDecl>(member->getMemberDecl()); field && field->getParent()->isUnion())
          return true; // bits of something else
      }
    }
    return llvm::any_of(statement->children(), [&](const Stmt *child) { return makesInf(child); });
  }

  /// Whether a number in a constant that outlives calls is inf.
  bool constantHasInf(const VarDecl *variable) {
    if (!seen.insert(variable->getCanonicalDecl()).second)
      return false;
    const Expr *init = variable->getAnyInitializer();
    return !init || makesInf(init);
  }

  ASTContext &context;
  llvm::SmallPtrSet<const VarDecl *, 4> seen;
};

} // namespace

bool keepsFinite(const FunctionDecl *function, const EffectProof &proof, ASTContext &context) {
  FiniteProof finite(context);
  return llvm::none_of(proof.needed(function), [&](const FunctionDecl *each) { return finite.makesInf(each); });
}

} // namespace gcompile::foreign
