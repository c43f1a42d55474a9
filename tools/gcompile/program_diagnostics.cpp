#include "tools/gcompile/program_diagnostics.h"

#include "ir/graph/Places.h"
#include "mlir/IR/Location.h"

#include <cctype>

namespace gcompile {

ProgramDiagnosticHandler::ProgramDiagnosticHandler(mlir::MLIRContext &context, Diagnostics &diagnostics,
                                                   const std::string &source)
    : diagnostics(diagnostics), handler(&context, [this](mlir::Diagnostic &diagnostic) { handle(diagnostic); }) {
  std::string_view rest = source;
  while (!rest.empty()) {
    std::size_t end = rest.find('\n');
    lines.push_back(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
}

Range ProgramDiagnosticHandler::rangeOf(mlir::Location location) const {
  const graph::Place place = graph::placeOf(location);
  if (place.line == 0)
    return {};
  Range range{place.line, std::max(1u, place.column), place.endLine, std::max(1u, place.endColumn)};
  // Only the start is known: take the word that begins there.
  if (range.endLine == range.line && range.endColumn == range.column) {
    range.endColumn = range.column + 1;
    if (range.line <= lines.size()) {
      std::string_view line = lines[range.line - 1];
      std::size_t end = range.column - 1;
      while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_'))
        ++end;
      range.endColumn = std::max(range.endColumn, static_cast<unsigned>(end) + 1);
    }
  }
  return range;
}

Range ProgramDiagnosticHandler::assignmentOperator(Range statement) const {
  if (statement.line == 0 || statement.line > lines.size())
    return {};
  std::string_view line = lines[statement.line - 1];
  int depth = 0;
  for (std::size_t i = statement.column - 1; i < line.size(); ++i) {
    depth += (line[i] == '[' || line[i] == '(') - (line[i] == ']' || line[i] == ')');
    if (depth == 0 && line[i] == '=') {
      statement.column = static_cast<unsigned>(i) + 1;
      statement.endLine = statement.line;
      statement.endColumn = statement.column + 1;
      return statement;
    }
  }
  return {};
}

void ProgramDiagnosticHandler::handle(mlir::Diagnostic &diagnostic) {
  std::string message = diagnostic.str();
  unsigned index = diag::count;
  if (std::size_t end = message.find("] "); message.rfind("[", 0) == 0 && end != std::string::npos) {
    index = diag::find(std::string_view(message).substr(1, end - 1));
    if (index != diag::count)
      message.erase(0, end + 2);
  }
  if (index == diag::count) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      bugText += "  " + message + "\n";
    return;
  }
  auto builder = diagnostics.reportFormatted(index, rangeOf(diagnostic.getLocation()), message);
  for (mlir::Diagnostic &note : diagnostic.getNotes()) {
    auto name = llvm::dyn_cast<mlir::NameLoc>(static_cast<mlir::LocationAttr>(note.getLocation()));
    llvm::StringRef replacement = name ? name.getName().getValue() : "";
    if (!replacement.consume_front("operator ")) {
      builder.note(rangeOf(note.getLocation()), note.str());
      continue;
    }
    builder.note({}, note.str());
    if (Range place = assignmentOperator(rangeOf(name.getChildLoc())); place.line)
      builder.fix(place, replacement.str());
  }
}

} // namespace gcompile
