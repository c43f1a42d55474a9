#include "frontend/foreign/Effects.h"

#include "frontend/foreign/DeviceForms.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"

#include <utility>

using namespace clang;

namespace gcompile::foreign {

std::string nameOf(const NamedDecl *declaration) { return declaration->getQualifiedNameAsString(); }

static Refusal because(std::string reason, SourceLocation place) { return {std::move(reason), place}; }

static std::string quoted(const NamedDecl *declaration) { return "'" + nameOf(declaration) + "'"; }

/// Whether a value of the type leads to memory outside of it.
static bool leadsElsewhere(QualType type) {
  type = type.getCanonicalType();
  if (auto *array = type->getAsArrayTypeUnsafe())
    return leadsElsewhere(array->getElementType());
  if (const CXXRecordDecl *record = type->getAsCXXRecordDecl()) {
    if (!record->hasDefinition())
      return true;
    for (const CXXBaseSpecifier &base : record->bases())
      if (leadsElsewhere(base.getType()))
        return true;
    for (const FieldDecl *field : record->fields())
      if (field->isMutable() || leadsElsewhere(field->getType()))
        return true;
    return false;
  }
  return !type->isArithmeticType() && !type->isEnumeralType();
}

/// Whether a value of the type has elements, which are found by an index.
static bool hasElements(QualType type) {
  if (type->isArrayType())
    return true;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() &&
         (llvm::any_of(record->bases(), [](const CXXBaseSpecifier &base) { return hasElements(base.getType()); }) ||
          llvm::any_of(record->fields(), [](const FieldDecl *field) { return hasElements(field->getType()); }));
}

/// Whether a variable that outlives calls has one value for ever, known before any code runs.
static bool isConstant(const VarDecl *variable, ASTContext &context) {
  if (variable->getTLSKind() != VarDecl::TLS_None || variable->getType().isVolatileQualified() ||
      leadsElsewhere(variable->getType()))
    return false;
  if (variable->isConstexpr() || variable->isUsableInConstantExpressions(context))
    return true;
  if (!variable->getType().isConstant(context))
    return false;
  const VarDecl *definition = variable->getDefinition();
  return definition && definition->hasInit() && definition->hasConstantInitialization();
}

std::optional<Refusal> EffectProof::refuse(const FunctionDecl *function) {
  function = function->getCanonicalDecl();
  auto [found, isNew] = functions.try_emplace(function);
  if (!isNew)
    return found->second.refusal;
  Known &known = found->second;
  ++depth;
  std::optional<Refusal> refusal = prove(function, known);
  known.refusal = refusal;
  // A refusal ends the proof at once. What was accepted on the way may have relied on what is refused now.
  if (--depth == 0 && refusal)
    for (auto other = functions.begin(); other != functions.end();)
      other = other->second.refusal ? std::next(other) : functions.erase(other);
  return refusal;
}

std::vector<const FunctionDecl *> EffectProof::needed(const FunctionDecl *function) const {
  std::vector<const FunctionDecl *> found = {function->getCanonicalDecl()};
  std::set<const FunctionDecl *> seen(found.begin(), found.end());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (auto known = functions.find(found[i]); known != functions.end())
      for (const FunctionDecl *callee : known->second.calls)
        if (seen.insert(callee).second)
          found.push_back(callee);
  return found;
}

std::optional<Refusal> EffectProof::hostOnly(const FunctionDecl *function) const {
  for (const FunctionDecl *each : needed(function)) {
    auto known = functions.find(each);
    if (known == functions.end() || known->second.hostOnly.empty())
      continue;
    return neededBy(function, each, because(known->second.hostOnly, each->getLocation()));
  }
  return std::nullopt;
}

std::vector<const FunctionDecl *> EffectProof::withoutDeviceForm(const FunctionDecl *function) const {
  std::vector<const FunctionDecl *> found = needed(function);
  llvm::erase_if(found, [&](const FunctionDecl *each) {
    auto known = functions.find(each);
    return known == functions.end() || !known->second.needsForm;
  });
  return found;
}

Refusal EffectProof::neededBy(const FunctionDecl *function, const FunctionDecl *needed, Refusal reason) {
  if (needed->getCanonicalDecl() != function->getCanonicalDecl())
    reason.reason = "it needs " + quoted(needed) + ": " + reason.reason;
  return reason;
}

std::set<std::string> EffectProof::believed(const FunctionDecl *function) const {
  std::set<std::string> names;
  for (const FunctionDecl *each : needed(function))
    if (auto known = functions.find(each); known != functions.end() && known->second.opaque)
      names.insert(nameOf(each));
  return names;
}

/// Whether a declaration says `__device__`.
static bool isForDevice(const FunctionDecl *function) {
  return llvm::any_of(function->redecls(), [](const FunctionDecl *declared) {
    return llvm::any_of(declared->specific_attrs<AnnotateAttr>(),
                        [](const AnnotateAttr *mark) { return mark->getAnnotation() == EffectProof::deviceMark; });
  });
}

std::optional<Refusal> EffectProof::prove(const FunctionDecl *function, Known &known) {
  switch (function->getBuiltinID()) { // Clang knows these without their bodies: they give what they take
  case Builtin::BI__builtin_is_constant_evaluated:
  case Builtin::BI__builtin_unreachable: // where it stands is never reached
  case Builtin::BIaddressof:
  case Builtin::BI__addressof:
  case Builtin::BIas_const:
  case Builtin::BIforward:
  case Builtin::BImove:
  case Builtin::BImove_if_noexcept:
    return std::nullopt;
  default:
    break;
  }
  if (auto *method = dyn_cast<CXXMethodDecl>(function); method && method->isVirtual())
    return because("it is a virtual function", function->getLocation());
  const FunctionDecl *definition = nullptr;
  if (!function->hasBody(definition)) {
    if (auto *method = dyn_cast<CXXMethodDecl>(function); method && function->isDefaulted() && method->isTrivial())
      return std::nullopt;
    known.opaque = true;
    if (!function->hasAttr<ConstAttr>() && !function->hasAttr<PureAttr>())
      return because("its body is not visible, and it is not declared [[gnu::const]] or [[gnu::pure]]",
                     function->getLocation());
    if (function->getReturnType()->isAnyPointerType() || function->getReturnType()->isReferenceType())
      return because("its body is not visible, and it gives a pointer or a reference", function->getLocation());
    if (!isDeviceMath(function, context) && !isForDevice(function))
      known.hostOnly = function->getBuiltinID() ? "CUDA's compiler does not have it" : "its body is not visible";
    return std::nullopt;
  }
  // CUDA's compiler has what the compiler itself writes where all that it calls is there.
  auto *written = dyn_cast<CXXMethodDecl>(function);
  known.needsForm = !function->isConstexpr() && !isForDevice(function) && !isDeviceMath(function, context) &&
                    (!written || !written->isDefaulted() || written->isUserProvided());
  if (function->isVariadic())
    return because("it takes any number of arguments", function->getLocation());
  if (auto *constructor = dyn_cast<CXXConstructorDecl>(definition))
    for (const CXXCtorInitializer *initializer : constructor->inits())
      if (auto refusal = expression(initializer->getInit(), known))
        return refusal;
  return statement(definition->getBody(), known);
}

std::optional<Refusal> EffectProof::children(const Stmt *parent, Known &known) {
  for (const Stmt *child : parent->children())
    if (child)
      if (auto refusal = statement(child, known))
        return refusal;
  return std::nullopt;
}

std::optional<Refusal> EffectProof::statement(const Stmt *s, Known &known) {
  if (auto *e = dyn_cast<Expr>(s))
    return expression(e, known);
  switch (s->getStmtClass()) {
  case Stmt::DeclStmtClass:
    for (const Decl *declaration : cast<DeclStmt>(s)->decls()) {
      if (auto *declared = dyn_cast<VarDecl>(declaration)) {
        if (auto refusal = variable(declared, known))
          return refusal;
      } else if (!isa<TypedefNameDecl, StaticAssertDecl, UsingDecl, UsingDirectiveDecl, RecordDecl, EnumDecl>(
                     declaration)) {
        return because("it declares what the compiler cannot follow", declaration->getLocation());
      }
    }
    return std::nullopt;
  case Stmt::CXXForRangeStmtClass: { // its children are the statements that it stands for
    return children(s, known);
  }
  case Stmt::CompoundStmtClass:
  case Stmt::IfStmtClass:
  case Stmt::ForStmtClass:
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
  case Stmt::SwitchStmtClass:
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
  case Stmt::BreakStmtClass:
  case Stmt::ContinueStmtClass:
  case Stmt::ReturnStmtClass:
  case Stmt::NullStmtClass:
  case Stmt::AttributedStmtClass:
    return children(s, known);
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
    return because("it contains assembly", s->getBeginLoc());
  case Stmt::CXXTryStmtClass:
    return because("it catches exceptions", s->getBeginLoc());
  default:
    return because(std::string("it contains a ") + s->getStmtClassName() + ", which the compiler cannot follow",
                   s->getBeginLoc());
  }
}

std::optional<Refusal> EffectProof::variable(const VarDecl *declared, Known &known) {
  if (declared->getTLSKind() != VarDecl::TLS_None)
    return because("it has the thread-local variable " + quoted(declared), declared->getLocation());
  if (!declared->hasLocalStorage() && !isConstant(declared, context))
    return because("it keeps " + quoted(declared) + " from call to call", declared->getLocation());
  if (declared->getType().isVolatileQualified())
    return because(quoted(declared) + " is volatile", declared->getLocation());
  if (declared->needsDestruction(context) != QualType::DK_none)
    return because(quoted(declared) + " has a destructor that does something", declared->getLocation());
  return declared->getInit() ? expression(declared->getInit(), known) : std::nullopt;
}

std::optional<Refusal> EffectProof::reference(const DeclRefExpr *e, Known &known) {
  if (e->getType().isVolatileQualified())
    return because(quoted(e->getDecl()) + " is volatile", e->getLocation());
  return shared(e->getDecl(), e->isNonOdrUse(), e, known);
}

std::optional<Refusal> EffectProof::shared(const ValueDecl *declared, NonOdrUseReason use, const Expr *at,
                                           Known &known) {
  auto *variable = dyn_cast<VarDecl>(declared);
  if (!variable || variable->hasLocalStorage())
    return std::nullopt;
  if (!isConstant(variable, context))
    return because("it uses " + quoted(variable) + ", which other code may change", at->getBeginLoc());
  // CUDA's compiler knows the values of constants of the host, but takes what reads their memory for an error at run
  // time, and says nothing.
  if ((use == NOUR_None || hasElements(variable->getType())) && !variable->isStaticLocal() && known.hostOnly.empty())
    known.hostOnly = "it reads " + quoted(variable) +
                     " where that is in the host's memory; a constexpr variable inside " +
                     "of the function, or a value instead of a reference, is on the GPU too";
  return std::nullopt;
}

std::optional<Refusal> EffectProof::call(const FunctionDecl *callee, const Expr *object, const Expr *at, Known &known) {
  if (!callee)
    return because("it calls a function through a pointer", at->getBeginLoc());
  if (auto *method = dyn_cast<CXXMethodDecl>(callee);
      method && object && method->isInstance() && !method->isConst() && !isa<CXXConstructorDecl>(method))
    if (auto refusal = change(object))
      return refusal;
  if (llvm::StringRef(nameOf(callee)).starts_with("gdsl::detail::"))
    return because("it makes a vertex or an edge of a number", at->getBeginLoc());
  known.calls.insert(callee->getCanonicalDecl());
  if (auto refusal = refuse(callee)) {
    // Where it is seen is inside of the callee, unless there is nothing to be seen.
    std::string name = quoted(callee);
    if (refusal->place == callee->getCanonicalDecl()->getLocation())
      return because("it calls " + name + ": " + refusal->reason, at->getBeginLoc());
    return because(refusal->reason.rfind("it calls ", 0) == 0 ? refusal->reason
                                                              : "it calls " + name + ": " + refusal->reason,
                   refusal->place);
  }
  return std::nullopt;
}

std::optional<Refusal> EffectProof::change(const Expr *target) {
  const Expr *e = target->IgnoreParenImpCasts();
  if (auto *name = dyn_cast<DeclRefExpr>(e)) {
    auto *variable = dyn_cast<VarDecl>(name->getDecl());
    if (variable && variable->hasLocalStorage() && !variable->getType()->isReferenceType())
      return std::nullopt;
    return because("it changes " + quoted(name->getDecl()) +
                       (variable && variable->hasLocalStorage() ? ", a reference" : ", which outlives the call"),
                   e->getBeginLoc());
  }
  if (auto *member = dyn_cast<MemberExpr>(e)) {
    auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    if (!field || field->getType()->isReferenceType() || field->isMutable())
      return because("it changes " + quoted(member->getMemberDecl()), e->getBeginLoc());
    if (!member->isArrow())
      return change(member->getBase());
    if (isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))
      return std::nullopt; // who calls a method that is not const vouches for the object
  } else if (auto *element = dyn_cast<ArraySubscriptExpr>(e)) {
    const Expr *base = element->getBase();
    if (auto *cast = dyn_cast<ImplicitCastExpr>(base); cast && cast->getCastKind() == CK_ArrayToPointerDecay)
      return change(cast->getSubExpr());
  } else if (isa<CXXThisExpr>(e) || isa<MaterializeTemporaryExpr>(e)) {
    return std::nullopt;
  } else if (auto *dereference = dyn_cast<UnaryOperator>(e);
             dereference && dereference->getOpcode() == UO_Deref &&
             isa<CXXThisExpr>(dereference->getSubExpr()->IgnoreParenImpCasts())) {
    return std::nullopt;
  } else if (e->isPRValue() && e->getType()->isRecordType()) {
    return std::nullopt; // a new object
  } else if (auto *operation = dyn_cast<UnaryOperator>(e); operation && operation->isIncrementDecrementOp()) {
    return change(operation->getSubExpr());
  } else if (auto *assignment = dyn_cast<BinaryOperator>(e); assignment && assignment->isAssignmentOp()) {
    return change(assignment->getLHS());
  }
  return because("it writes through a pointer or a reference", e->getBeginLoc());
}

std::optional<Refusal> EffectProof::expression(const Expr *e, Known &known) {
  if (auto *ref = dyn_cast<DeclRefExpr>(e))
    return reference(ref, known);
  if (e->getType().isVolatileQualified())
    return because("it uses something volatile", e->getBeginLoc());

  if (auto *construction = dyn_cast<CXXConstructExpr>(e)) {
    const CXXConstructorDecl *constructor = construction->getConstructor();
    const bool trivial = constructor->isTrivial() || (constructor->isDefaulted() && !constructor->hasBody() &&
                                                      constructor->getParent()->isTriviallyCopyable());
    if (!trivial)
      if (auto refusal = call(constructor, nullptr, e, known))
        return refusal;
    return children(e, known);
  }
  if (auto *called = dyn_cast<CallExpr>(e)) {
    const FunctionDecl *callee = called->getDirectCallee();
    const Expr *object = nullptr;
    if (auto *member = dyn_cast<CXXMemberCallExpr>(e))
      object = member->getImplicitObjectArgument();
    else if (isa<CXXOperatorCallExpr>(e) && isa_and_nonnull<CXXMethodDecl>(callee) && called->getNumArgs() > 0)
      object = called->getArg(0);
    auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
    const bool trivial = method && method->isTrivial() && !method->isVirtual();
    if (trivial && object && !method->isConst()) {
      if (auto refusal = change(object)) // an assignment of the compiler's own
        return refusal;
    } else if (!trivial) {
      if (auto refusal = call(callee, object, e, known))
        return refusal;
    }
    // The callee's name is no value, but the object of a method is one.
    if (auto *member = dyn_cast<CXXMemberCallExpr>(e))
      if (auto refusal = expression(member->getImplicitObjectArgument(), known))
        return refusal;
    for (const Expr *argument : called->arguments())
      if (auto refusal = expression(argument, known))
        return refusal;
    return std::nullopt;
  }
  if (auto *operation = dyn_cast<BinaryOperator>(e)) { // also +=, ...
    if (operation->isAssignmentOp())
      if (auto refusal = change(operation->getLHS()))
        return refusal;
    if (operation->isPtrMemOp())
      return because("it uses a pointer to a member", e->getBeginLoc());
    return children(e, known);
  }
  if (auto *operation = dyn_cast<UnaryOperator>(e)) {
    if (operation->isIncrementDecrementOp())
      if (auto refusal = change(operation->getSubExpr()))
        return refusal;
    return children(e, known);
  }
  if (auto *cast = dyn_cast<CastExpr>(e)) {
    switch (cast->getCastKind()) {
    case CK_IntegralToPointer:
    case CK_PointerToIntegral:
    case CK_LValueBitCast:
    case CK_LValueToRValueBitCast:
    case CK_ReinterpretMemberPointer:
    case CK_Dynamic:
      return because("it casts what the compiler cannot follow", e->getBeginLoc());
    case CK_BitCast:
      if (e->getType()->isPointerType())
        return because("it casts a pointer", e->getBeginLoc());
      break;
    default:
      break;
    }
    return children(e, known);
  }
  if (auto *given = dyn_cast<CXXDefaultArgExpr>(e))
    return expression(given->getExpr(), known);
  if (auto *given = dyn_cast<CXXDefaultInitExpr>(e))
    return expression(given->getExpr(), known);
  if (auto *list = dyn_cast<InitListExpr>(e)) {
    for (const Expr *init : list->inits())
      if (init)
        if (auto refusal = expression(init, known))
          return refusal;
    return std::nullopt;
  }
  if (auto *member = dyn_cast<MemberExpr>(e))
    if (auto refusal = shared(member->getMemberDecl(), member->isNonOdrUse(), e, known))
      return refusal;
  switch (e->getStmtClass()) {
  case Stmt::IntegerLiteralClass:
  case Stmt::FloatingLiteralClass:
  case Stmt::CharacterLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::CXXNullPtrLiteralExprClass:
  case Stmt::StringLiteralClass:
  case Stmt::CXXThisExprClass:
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::CXXScalarValueInitExprClass:
  case Stmt::UnaryExprOrTypeTraitExprClass:
  case Stmt::TypeTraitExprClass:
  case Stmt::CXXNoexceptExprClass:
  case Stmt::SizeOfPackExprClass:
    return std::nullopt; // operands of sizeof and the like are not evaluated
  case Stmt::ParenExprClass:
  case Stmt::ConditionalOperatorClass:
  case Stmt::BinaryConditionalOperatorClass:
  case Stmt::OpaqueValueExprClass:
  case Stmt::ArraySubscriptExprClass:
  case Stmt::MemberExprClass:
  case Stmt::MaterializeTemporaryExprClass:
  case Stmt::ExprWithCleanupsClass:
  case Stmt::ConstantExprClass:
  case Stmt::SubstNonTypeTemplateParmExprClass:
  case Stmt::CXXStdInitializerListExprClass:
    return children(e, known);
  case Stmt::CXXThrowExprClass:
    return because("it throws", e->getBeginLoc());
  case Stmt::CXXNewExprClass:
  case Stmt::CXXDeleteExprClass:
    return because("it allocates memory", e->getBeginLoc());
  case Stmt::LambdaExprClass:
    return because("it contains a lambda, which the compiler does not follow yet", e->getBeginLoc());
  case Stmt::CXXBindTemporaryExprClass:
    return because("it makes an object whose destructor does something", e->getBeginLoc());
  default:
    return because(std::string("it contains a ") + e->getStmtClassName() + ", which the compiler cannot follow",
                   e->getBeginLoc());
  }
}

} // namespace gcompile::foreign
