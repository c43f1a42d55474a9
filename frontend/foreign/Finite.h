// Whether a C++ function can give the greatest number of its type, which is the language's `inf`, by itself.
#pragma once

#include "frontend/foreign/Effects.h"

namespace gcompile::foreign {

/// Whether the function gives `inf` only where it is given one: no visible body of it, or of what it calls, has a
/// number near the greatest of its type, makes a whole number of a real one, or a narrower one of a wider one. As in
/// the language, what overflows counts as finite. Numbers in values of classes count as given. The function is one that
/// the proof accepts.
bool keepsFinite(const clang::FunctionDecl *function, const EffectProof &proof, clang::ASTContext &context);

} // namespace gcompile::foreign
