#include "ir/explain/Source.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <sstream>
#include <utility>

using namespace mlir;

namespace gcompile {

namespace {
/// The first and the last place of a location.
std::pair<FileLineColLoc, FileLineColLoc> ends(Location location) {
  std::pair<FileLineColLoc, FileLineColLoc> result;
  location->walk([&](Location part) {
    if (auto place = dyn_cast<FileLineColLoc>(LocationAttr(part))) {
      if (!result.first)
        result.first = place;
      result.second = place;
    }
    return WalkResult::advance();
  });
  return result;
}
} // namespace

SourceText::SourceText(const std::string &source) {
  std::istringstream stream(source);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
}

unsigned SourceText::line(Location location) const {
  auto [begin, end] = ends(location);
  return begin ? begin.getLine() : 0;
}

std::string SourceText::text(Location location) const {
  auto [begin, end] = ends(location);
  if (!begin || begin.getLine() == 0 || end.getLine() > lines.size() || end.getLine() < begin.getLine())
    return "";
  std::string result;
  for (unsigned number = begin.getLine(); number <= end.getLine(); ++number) {
    llvm::StringRef line = lines[number - 1];
    if (number == end.getLine())
      line = line.take_front(end.getColumn() - 1);
    if (number == begin.getLine())
      line = line.drop_front(std::min<std::size_t>(line.size(), begin.getColumn() - 1));
    llvm::SmallVector<llvm::StringRef> words; // single blanks
    line.split("//").first.split(words, ' ', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef word : words)
      result += (result.empty() ? "" : " ") + word.str();
  }
  return llvm::StringRef(result).rtrim("; ").str();
}

std::string SourceText::head(Location location) const {
  std::string all = text(location);
  // The block is the first brace that holds a statement; `{root}` and `{v in S where C}` are sets.
  for (std::size_t open = all.find('{'); open != std::string::npos; open = all.find('{', open + 1)) {
    int depth = 0;
    std::size_t close = open;
    for (; close < all.size(); ++close) {
      depth += (all[close] == '{') - (all[close] == '}');
      if (depth == 0)
        break;
    }
    llvm::StringRef inside = llvm::StringRef(all).slice(open + 1, close);
    if (inside.contains(';') || inside.trim().empty())
      return llvm::StringRef(all).take_front(open).rtrim().str();
    open = close;
  }
  return all;
}

} // namespace gcompile
