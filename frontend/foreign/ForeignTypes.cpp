#include "frontend/foreign/ForeignTypes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace gcompile::foreign {

/// As a program's C++ can write it anywhere.
static std::string nameOf(QualType type, ASTContext &context) {
  PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressTagKeyword = true;
  policy.FullyQualifiedName = true;
  return type.getCanonicalType().getUnqualifiedType().getAsString(policy);
}

/// The member through which a value leads to memory outside of it, or changes where it is constant; null: none.
static const FieldDecl *leadingMember(const CXXRecordDecl *record) {
  for (const CXXBaseSpecifier &base : record->bases())
    if (const CXXRecordDecl *parent = base.getType()->getAsCXXRecordDecl())
      if (const FieldDecl *found = leadingMember(parent))
        return found;
  for (const FieldDecl *field : record->fields()) {
    QualType type = field->getType().getCanonicalType();
    while (auto *array = type->getAsArrayTypeUnsafe())
      type = array->getElementType().getCanonicalType();
    if (field->isMutable() || type.isVolatileQualified())
      return field;
    if (const CXXRecordDecl *inner = type->getAsCXXRecordDecl()) {
      if (const FieldDecl *found = leadingMember(inner))
        return found;
    } else if (!type->isArithmeticType() && !type->isEnumeralType()) {
      return field;
    }
  }
  return nullptr;
}

ast::Type ForeignTypes::typeOf(QualType type, std::optional<Refusal> &refusal) {
  if (auto *reference = type->getAs<LValueReferenceType>(); reference && reference->getPointeeType().isConstQualified())
    type = reference->getPointeeType();
  type = type.getCanonicalType();
  ast::Type result;
  if (type.isVolatileQualified())
    return result;
  if (CXXRecordDecl *record = type->getAsCXXRecordDecl()) {
    if (std::optional<ast::Type> own = ownType(record))
      return *own;
    auto [known, isNew] = records.try_emplace(record);
    if (isNew)
      known->second = refuse(record);
    refusal = known->second;
    if (refusal)
      return result;
    result.kind = ast::TypeKind::Foreign;
    result.name = nameOf(type, sema.Context);
    result.bytes = static_cast<unsigned>(sema.Context.getTypeSizeInChars(type).getQuantity());
    return result;
  }
  auto *builtin = type->getAs<BuiltinType>();
  switch (builtin ? builtin->getKind() : BuiltinType::Void) {
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

std::optional<ast::Type> ForeignTypes::ownType(const CXXRecordDecl *record) {
  ast::Type result;
  const std::string name = record->getQualifiedNameAsString();
  if (name == "gdsl::vertex" || name == "gdsl::edge") {
    result.kind = name == "gdsl::edge" ? ast::TypeKind::Edge : ast::TypeKind::Vertex;
    return result;
  }
  auto *special = dyn_cast<ClassTemplateSpecializationDecl>(record);
  if (!special || name != "std::tuple")
    return std::nullopt;
  for (const TemplateArgument &element : special->getTemplateArgs()[0].getPackAsArray()) {
    std::optional<Refusal> refusal;
    if (!element.getAsType()->isReferenceType())
      result.elements.push_back(typeOf(element.getAsType(), refusal));
    if (element.getAsType()->isReferenceType() || element.getAsType().hasQualifiers() ||
        result.elements.back().kind == ast::TypeKind::Error)
      return std::nullopt;
  }
  if (result.elements.size() < 2)
    return std::nullopt;
  result.kind = ast::TypeKind::Tuple;
  return result;
}

std::vector<QualType> ForeignTypes::classes() const {
  std::vector<QualType> result;
  for (const auto &[record, refusal] : records)
    if (!refusal)
      result.push_back(sema.Context.getTypeDeclType(record).getCanonicalType());
  return result;
}

std::vector<ast::ForeignFunction> ForeignTypes::restatements() {
  std::vector<ast::ForeignFunction> result;
  std::vector<const CXXRecordDecl *> accepted;
  for (const auto &[record, refusal] : records)
    if (!refusal)
      accepted.push_back(record->getDefinition());
  for (const CXXRecordDecl *record : accepted) {
    constexpr std::size_t most = 6; // gcompile/values.h takes them apart
    ast::Type tuple, type;
    std::optional<Refusal> refusal;
    bool restates = record->isAggregate() && record->getNumBases() == 0;
    for (const FieldDecl *field : record->fields()) {
      tuple.elements.push_back(typeOf(field->getType(), refusal));
      restates &= tuple.elements.back().kind != ast::TypeKind::Error && !field->isBitField() &&
                  !field->getType()->isReferenceType() && !field->getType().isConstQualified() &&
                  !field->isUnnamedBitField();
    }
    if (!restates || tuple.elements.size() < 2 || tuple.elements.size() > most)
      continue;
    tuple.kind = ast::TypeKind::Tuple;
    type = typeOf(sema.Context.getTypeDeclType(record), refusal);
    ast::ForeignFunction restatement;
    restatement.name = "operator as";
    restatement.parameters = {type};
    restatement.result = tuple;
    result.push_back(restatement);
    std::swap(restatement.parameters[0], restatement.result);
    result.push_back(std::move(restatement));
  }
  return result;
}

void ForeignTypes::addFields(QualType type, const std::string &name, unsigned offset,
                             std::vector<ast::ForeignField> &fields) const {
  ASTContext &context = sema.Context;
  auto bytesOf = [&](QualType of) { return static_cast<unsigned>(context.getTypeSizeInChars(of).getQuantity()); };
  type = type.getCanonicalType();
  if (auto *array = context.getAsConstantArrayType(type)) {
    QualType element = array->getElementType();
    for (unsigned i = 0; i < array->getSize().getZExtValue(); ++i)
      addFields(element, name + "[" + std::to_string(i) + "]", offset + i * bytesOf(element), fields);
  } else if (auto *record = type->getAsCXXRecordDecl()) {
    const ASTRecordLayout &layout = context.getASTRecordLayout(record);
    for (const CXXBaseSpecifier &base : record->bases())
      addFields(
          base.getType(), name,
          offset + static_cast<unsigned>(layout.getBaseClassOffset(base.getType()->getAsCXXRecordDecl()).getQuantity()),
          fields);
    for (const FieldDecl *field : record->fields())
      if (!field->isBitField())
        addFields(field->getType(), (name.empty() ? "" : name + ".") + field->getName().str(),
                  offset +
                      static_cast<unsigned>(
                          context.toCharUnitsFromBits(layout.getFieldOffset(field->getFieldIndex())).getQuantity()),
                  fields);
  } else if (auto *builtin = type->getAs<BuiltinType>()) {
    const bool real = builtin->isFloatingPoint();
    if (bytesOf(type) <= 8 && (!real || bytesOf(type) >= 4))
      fields.push_back({name, offset,
                        type->isBooleanType()         ? 'b'
                        : real                        ? 'f'
                        : type->isSignedIntegerType() ? 'i'
                                                      : 'u',
                        bytesOf(type)});
  }
}

std::vector<ast::ForeignField> ForeignTypes::fieldsOf(QualType type) const {
  std::vector<ast::ForeignField> fields;
  if (type->getAsCXXRecordDecl())
    addFields(type, "", 0, fields);
  return fields;
}

const FunctionDecl *ForeignTypes::comparisonOf(QualType type) {
  Sema::SFINAETrap quiet(sema, /*AccessCheckingSFINAE=*/true);
  OpaqueValueExpr a(SourceLocation(), type.withConst(), VK_LValue), b(SourceLocation(), type.withConst(), VK_LValue);
  ExprResult compared = sema.BuildBinOp(/*S=*/nullptr, SourceLocation(), BO_EQ, &a, &b);
  if (compared.isInvalid() || quiet.hasErrorOccurred())
    return nullptr;
  auto *call = dyn_cast<CXXOperatorCallExpr>(compared.get()->IgnoreImplicit());
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getReturnType()->isBooleanType() ? callee : nullptr;
}

std::vector<std::pair<ast::ForeignFunction, const FunctionDecl *>>
ForeignTypes::comparisons(llvm::function_ref<std::string(SourceLocation)> placeOf) {
  std::vector<std::pair<ast::ForeignFunction, const FunctionDecl *>> result;
  std::vector<const CXXRecordDecl *> accepted;
  for (const auto &[record, refusal] : records)
    if (!refusal)
      accepted.push_back(record);
  for (const CXXRecordDecl *record : accepted) {
    QualType type = sema.Context.getTypeDeclType(record);
    std::optional<Refusal> refusal;
    ast::ForeignFunction comparison;
    comparison.name = "operator==";
    comparison.parameters.assign(2, typeOf(type, refusal));
    comparison.result.kind = ast::TypeKind::Bool;
    const FunctionDecl *callee = comparisonOf(type);
    comparison.place = placeOf((callee ? static_cast<const Decl *>(callee) : record)->getLocation());
    if (!callee) {
      comparison.refusal = "the class defines no '==' that gives a bool";
    } else if ((refusal = proof.refuse(callee))) {
      comparison.refusal = refusal->reason;
      comparison.refusalPlace = placeOf(refusal->place);
    } else {
      for (const std::string &believed : proof.believed(callee))
        comparison.believed.push_back(believed);
    }
    result.emplace_back(std::move(comparison), callee);
  }
  return result;
}

std::optional<Refusal> ForeignTypes::refuse(const CXXRecordDecl *record) {
  QualType type = sema.Context.getTypeDeclType(record);
  auto because = [&](std::string reason, const Decl *at) {
    return Refusal{std::move(reason), (at ? at : record)->getLocation()};
  };
  if (!record->hasDefinition() && !sema.isCompleteType(record->getLocation(), type)) // which may make it of a template
    return because("it is declared, but not defined", nullptr);
  record = record->getDefinition();
  // "(anonymous namespace)::point", "(lambda at ...)"
  if (nameOf(type, sema.Context).find('(') != std::string::npos || record->getParentFunctionOrMethod())
    return because("it has no name that other code can use", nullptr);
  for (const DeclContext *scope = record; scope; scope = scope->getParent())
    if (auto *nested = dyn_cast<CXXRecordDecl>(scope);
        nested && (nested->getAccess() == AS_private || nested->getAccess() == AS_protected))
      return because("it is not public", nullptr);
  if (record->isUnion())
    return because("it is a union", nullptr);
  if (record->isPolymorphic())
    return because("it has virtual functions", nullptr);
  if (!record->isTriviallyCopyable())
    return because("it is not trivially copyable", nullptr);
  if (!record->isStandardLayout())
    return because("it has no standard layout: all members must be of one class and of one access", nullptr);
  if (const FieldDecl *member = leadingMember(record)) {
    std::string name = "'" + foreign::nameOf(member) + "'";
    return because(member->isMutable()                       ? "its member " + name + " is mutable"
                   : member->getType().isVolatileQualified() ? "its member " + name + " is volatile"
                                                             : "its member " + name + " leads to other memory",
                   member);
  }
  if (sema.Context.getTypeAlignInChars(type).getQuantity() > 16)
    return because("it is aligned to more than 16 bytes", nullptr);
  return refuseOperations(const_cast<CXXRecordDecl *>(record));
}

std::optional<Refusal> ForeignTypes::refuseOperations(CXXRecordDecl *record) {
  auto because = [&](std::string reason, const Decl *at) {
    return Refusal{std::move(reason), (at ? at : record)->getLocation()};
  };
  auto usable = [](const CXXMethodDecl *method) {
    return method && !method->isDeleted() && method->getAccess() == AS_public;
  };
  CXXConstructorDecl *made = sema.LookupDefaultConstructor(record);
  if (!usable(made))
    return because("it has no default constructor", made);
  if (!made->isTrivial()) {
    sema.MarkFunctionReferenced(record->getLocation(), made); // which gives it its body, if that is implied
    if (std::optional<Refusal> refusal = proof.refuse(made))
      return Refusal{"its default constructor cannot be called: " + refusal->reason, refusal->place};
    if (proof.hostOnly(made) || !proof.withoutDeviceForm(made).empty())
      return because("its default constructor is not constexpr", made);
  }
  for (const CXXMethodDecl *copying :
       {static_cast<CXXMethodDecl *>(sema.LookupCopyingConstructor(record, Qualifiers::Const)),
        static_cast<CXXMethodDecl *>(sema.LookupMovingConstructor(record, 0))})
    if (!usable(copying))
      return because("it cannot be copied", copying);
  for (const CXXMethodDecl *assigning : {sema.LookupCopyingAssignment(record, Qualifiers::Const, false, 0),
                                         sema.LookupMovingAssignment(record, 0, false, 0)})
    if (!usable(assigning))
      return because("it cannot be assigned", assigning);
  if (!usable(sema.LookupDestructor(record)))
    return because("it cannot be destroyed", nullptr);
  return std::nullopt;
}

} // namespace gcompile::foreign
