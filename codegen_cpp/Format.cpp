#include "codegen_cpp/Format.h"

#include "clang/Format/Format.h"
#include "clang/Tooling/Core/Replacement.h"

namespace gcompile::cpp {

std::string format(const std::string &code) {
  clang::format::FormatStyle style = clang::format::getLLVMStyle();
  style.ColumnLimit = 110;
  style.SortIncludes = clang::format::FormatStyle::SI_Never;
  style.BreakTemplateDeclarations = clang::format::FormatStyle::BTDS_Yes;
  style.AllowShortFunctionsOnASingleLine = clang::format::FormatStyle::SFS_All;
  style.MaxEmptyLinesToKeep = 1;
  clang::tooling::Range whole(0, code.size());
  auto formatted = clang::tooling::applyAllReplacements(code, clang::format::reformat(style, code, whole));
  return formatted ? *formatted : (llvm::consumeError(formatted.takeError()), code);
}

} // namespace gcompile::cpp
