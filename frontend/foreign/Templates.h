// Function templates of a header, as functions of the types that a program has.
#pragma once

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Type.h"

#include <vector>

namespace clang {
class Sema;
}

namespace gcompile::foreign {

/// The functions that C++ makes of a template for arguments of the given types, each once, with their bodies. What does
/// not compile is left out. None where the template takes more than three arguments, or the types are too many.
std::vector<const clang::FunctionDecl *> instancesOf(clang::Sema &sema, clang::FunctionTemplateDecl *declared,
                                                     const std::vector<clang::QualType> &types);

} // namespace gcompile::foreign
