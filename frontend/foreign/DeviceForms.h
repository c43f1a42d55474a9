// How functions that a header writes for CPUs get a form for GPUs: they are declared again, before the header is read.
#pragma once

#include "frontend/foreign/Effects.h"

#include "clang/Lex/HeaderSearch.h"

#include <string>
#include <vector>

namespace gcompile::foreign {

/// Whether CUDA has this function of the C library for a GPU, under its own name and in namespace std.
bool isDeviceMath(const clang::FunctionDecl *function, const clang::ASTContext &context);

/// Lines of C++ that, before the header, make CUDA's compiler compile its functions for the host and for the device.
/// A function is declared `__host__ __device__`, after the types that its declaration names.
class DeviceForms {
public:
  DeviceForms(const clang::ASTContext &context, const clang::HeaderSearch &search) : context(context), search(search) {}

  /// Adds the lines for a function; or says why it cannot be declared again.
  std::optional<Refusal> add(const clang::FunctionDecl *function);

  const std::vector<std::string> &lines() const { return declarations; }

private:
  /// Adds what the type names; false: that cannot be done.
  bool addType(clang::QualType type);
  bool addTag(const clang::TagDecl *tag);
  bool addTemplate(const clang::TemplateDecl *declared);
  bool addArguments(llvm::ArrayRef<clang::TemplateArgument> arguments);
  /// "template <class T, int n> ", without defaults; nothing where a parameter is of another kind.
  std::optional<std::string> headOf(const clang::TemplateDecl *declared);
  /// Adds an `#include` if the declaration is of a header of the system; nothing if it is not.
  std::optional<bool> addInclude(const clang::Decl *declaration);
  /// Adds a declaration in the namespaces of `of`; false: it is in something else.
  bool addInside(const clang::Decl *of, std::string declaration);
  void addLine(std::string line);

  const clang::ASTContext &context;
  const clang::HeaderSearch &search;
  std::vector<std::string> declarations;
};

} // namespace gcompile::foreign
