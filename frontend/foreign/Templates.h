// Function templates of a header, as functions of the types that a program has.
#pragma once

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/TemplateBase.h"
#include "clang/AST/Type.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace clang {
class Sema;
}

namespace gcompile::foreign {

/// Reads what a program says for the parameters of a template, "double, 3, ::geo::point". False where `typeOf` gives no
/// type for the name of a class, or a number is too large.
bool readArguments(clang::Sema &sema, llvm::StringRef text, llvm::function_ref<clang::QualType(llvm::StringRef)> typeOf,
                   clang::TemplateArgumentListInfo &said);

/// The functions that C++ makes of a template for arguments of the given types, each once, with their bodies; `said`:
/// the first of the template's own arguments, or null. What does not compile is left out. None where types are to be
/// deduced and the template takes more than three arguments, or the types are too many.
std::vector<const clang::FunctionDecl *> instancesOf(clang::Sema &sema, clang::FunctionTemplateDecl *declared,
                                                     const std::vector<clang::QualType> &types,
                                                     clang::TemplateArgumentListInfo *said);

} // namespace gcompile::foreign
