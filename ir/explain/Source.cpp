#include "ir/explain/Source.h"

#include "ir/graph/GraphDialect.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <sstream>

using namespace mlir;

namespace gcompile {

SourceText::SourceText(const std::string &source) {
  std::istringstream stream(source);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
}

unsigned SourceText::line(Location location) const { return graph::placeOf(location).line; }

std::string SourceText::text(Location location) const {
  const graph::Place place = graph::placeOf(location);
  if (place.line == 0 || place.endLine > lines.size())
    return "";
  std::string result;
  for (unsigned number = place.line; number <= place.endLine; ++number) {
    llvm::StringRef line = lines[number - 1];
    if (number == place.endLine)
      line = line.take_front(place.endColumn - 1);
    if (number == place.line)
      line = line.drop_front(std::min<std::size_t>(line.size(), place.column - 1));
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
