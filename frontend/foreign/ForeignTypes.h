// What the types of C++ are to a program.
#pragma once

#include "frontend/Ast.h"
#include "frontend/foreign/Effects.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class Sema;
}

namespace gcompile::foreign {

/// Finds the language's types for those of C++: its own, and classes whose values may be copied byte by byte, by any
/// thread and to any machine. See docs/language.md, "Types of C++".
class ForeignTypes {
public:
  ForeignTypes(clang::Sema &sema, EffectProof &proof) : sema(sema), proof(proof) {}

  /// The type of a value, or of what a constant reference leads to; or why there is none.
  ast::Type typeOf(clang::QualType type, std::optional<Refusal> &refusal);
  /// All classes that typeOf has accepted.
  std::vector<clang::QualType> classes() const;
  /// The numbers in a value of the type, in the order of its bytes.
  std::vector<ast::ForeignField> fieldsOf(clang::QualType type) const;
  /// The comparisons `a == b` of all classes that typeOf has accepted, with what refuses them, and the function of
  /// each.
  std::vector<std::pair<ast::ForeignFunction, const clang::FunctionDecl *>>
  comparisons(llvm::function_ref<std::string(clang::SourceLocation)> placeOf);
  /// What gives the members of each such class that is an aggregate as a tuple, and the class from that tuple.
  std::vector<ast::ForeignFunction> restatements();

private:
  /// What the language itself has for a class: a tuple, a vertex or an edge.
  std::optional<ast::Type> ownType(const clang::CXXRecordDecl *record);
  std::optional<Refusal> refuse(const clang::CXXRecordDecl *record);
  /// Why not every value of the class can be made and copied.
  std::optional<Refusal> refuseOperations(clang::CXXRecordDecl *record);
  void addFields(clang::QualType type, const std::string &name, unsigned offset,
                 std::vector<ast::ForeignField> &fields) const;
  /// The function that `==` of two values of the type calls; null: there is none.
  const clang::FunctionDecl *comparisonOf(clang::QualType type);

  clang::Sema &sema;
  EffectProof &proof;
  std::map<const clang::CXXRecordDecl *, std::optional<Refusal>> records;
};

} // namespace gcompile::foreign
