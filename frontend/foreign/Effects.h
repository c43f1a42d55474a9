// What a C++ function does besides giving a value.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gcompile::foreign {

/// Why a function cannot be called, and where that is seen.
struct Refusal {
  std::string reason;
  clang::SourceLocation place;
};

/// Proves of functions that they have no effects: their value depends on their arguments and on constants alone, and
/// nothing but their own variables changes. The proof follows every call whose body is visible; a function whose body
/// is not has to be declared `const` or `pure`, which is believed. What the proof does not know it refuses.
class EffectProof {
public:
  explicit EffectProof(clang::ASTContext &context) : context(context) {}

  /// Nothing if the function has no effects.
  std::optional<Refusal> refuse(const clang::FunctionDecl *function);

  /// Why a GPU cannot run a function that refuse() accepts: the body of it, or of one that it calls, is not visible, or
  /// reads the host's memory.
  std::optional<Refusal> hostOnly(const clang::FunctionDecl *function) const;
  /// Those of the function and all that it calls that are neither constexpr nor `__device__`: they need a device form.
  std::vector<const clang::FunctionDecl *> withoutDeviceForm(const clang::FunctionDecl *function) const;
  /// A reason of hostOnly(), or of one of withoutDeviceForm(), for the function that a program calls.
  static Refusal neededBy(const clang::FunctionDecl *function, const clang::FunctionDecl *needed, Refusal reason);
  /// How a header that is read for GPUs marks the functions that run there.
  static constexpr const char *deviceMark = "gcompile_device";

  /// The functions without a visible body that this one needs, by name.
  std::set<std::string> believed(const clang::FunctionDecl *function) const;

  /// The function and all that it calls, by others too.
  std::vector<const clang::FunctionDecl *> needed(const clang::FunctionDecl *function) const;

private:
  struct Known {
    std::optional<Refusal> refusal;
    std::string hostOnly;   // why it is itself not for a GPU; empty: it may be
    bool needsForm = false; // it is neither constexpr nor `__device__`
    std::set<const clang::FunctionDecl *> calls;
    bool opaque = false; // its body is not visible
  };

  std::optional<Refusal> prove(const clang::FunctionDecl *function, Known &known);
  std::optional<Refusal> statement(const clang::Stmt *statement, Known &known);
  std::optional<Refusal> expression(const clang::Expr *e, Known &known);
  std::optional<Refusal> children(const clang::Stmt *statement, Known &known);
  std::optional<Refusal> variable(const clang::VarDecl *declared, Known &known);
  std::optional<Refusal> reference(const clang::DeclRefExpr *e, Known &known);
  /// The use of what may be a variable that outlives calls.
  std::optional<Refusal> shared(const clang::ValueDecl *declared, clang::NonOdrUseReason use, const clang::Expr *at,
                                Known &known);
  /// A call, also of a constructor; `object`: of a method, or null.
  std::optional<Refusal> call(const clang::FunctionDecl *callee, const clang::Expr *object, const clang::Expr *at,
                              Known &known);
  /// Whether what the expression denotes is the function's own, so that it may change.
  std::optional<Refusal> change(const clang::Expr *target);

  clang::ASTContext &context;
  std::map<const clang::FunctionDecl *, Known> functions; // those being proved are taken to have no effects
  unsigned depth = 0;                                     // of functions being proved
};

/// A function's name with its namespaces.
std::string nameOf(const clang::NamedDecl *declaration);

} // namespace gcompile::foreign
