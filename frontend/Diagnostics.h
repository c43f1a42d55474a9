// Errors, warnings and notes about a `.gdsl` file: collected by every stage, rendered once at the end.
//
//   diags.report(diag::undeclared_name, range, name).note(declared, "declared here").fix(range, "depth");
//
// The kinds are listed in diagnostics/Registry.def. The number of arguments is checked at compile time.
#pragma once

#include "diagnostics/Registry.h"
#include "frontend/Ast.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace gcompile {

using ast::Range;

/// A reported diagnostic. `line` 0 in a range means "no place in the file".
struct Diagnostic {
  struct Note {
    Range range;
    std::string text;
  };
  struct Fix {
    Range range; // replaced by `replacement`; empty: an insertion
    std::string replacement;
  };
  unsigned index = 0; // into the registry
  Severity severity = Severity::Error;
  Range range;
  std::string message;
  std::string suggestion; // a name for "did you mean"; may be empty
  std::vector<Note> notes;
  std::vector<Fix> fixes;
};

/// The diagnostics of one file. Not thread-safe.
class Diagnostics {
public:
  /// Adds to a diagnostic just reported; does nothing where it was suppressed.
  class Builder {
  public:
    Builder &note(const Range &range, std::string text);
    Builder &fix(const Range &range, std::string replacement);
    /// Appends "did you mean 'name'?" and offers it as a fix; nothing for an empty name.
    Builder &suggest(const std::string &name);

  private:
    friend class Diagnostics;
    Builder(Diagnostics *owner, std::size_t position) : owner(owner), position(position) {}
    Diagnostics *owner; // null: suppressed
    std::size_t position;
  };

  /// Sets the file's name, as it appears in messages, and its text, from which lines are shown.
  void setSource(std::string fileName, std::string text);
  const std::string &fileName() const { return file; }

  /// Reports a diagnostic of the given kind at `range`; the arguments are formatted into its message.
  template <unsigned N, typename... Args> Builder report(diag::Kind<N> kind, const Range &range, const Args &...args) {
    return add(kind.index, range, diag::format(kind, args...));
  }
  /// Reports a diagnostic whose message has been formatted already.
  Builder reportFormatted(unsigned index, const Range &range, std::string message) {
    return add(index, range, std::move(message));
  }

  /// Turns a warning off (`unused-let`); false if there is no such warning.
  bool disableWarning(std::string_view name);
  void setWarningsAsErrors(bool value) { warningsAsErrors = value; }

  std::size_t errorCount() const { return errors; }
  bool hasErrors() const { return errors != 0; }
  bool empty() const { return reported.empty(); }

  /// The diagnostics, sorted by position.
  std::vector<Diagnostic> sorted() const;

  /// Text for people: each with its source line and a caret. At most `maxErrors` errors are shown.
  std::string render(bool colour = false) const;
  /// JSON objects, one on each line: file, line, column, endLine, endColumn, severity, code, name, message, suggestion,
  /// notes and fixes (docs/diagnostics/README.md).
  std::string renderJson() const;

  static constexpr std::size_t maxErrors = 20;

private:
  Builder add(unsigned index, const Range &range, std::string message);
  void renderSource(std::string &out, const Range &range, const std::vector<Diagnostic::Fix> &fixes, bool colour) const;
  std::string_view line(unsigned number) const;

  std::string file = "<input>";
  std::string source;
  std::vector<std::size_t> lineStarts;
  std::vector<Diagnostic> reported;
  std::set<std::tuple<unsigned, unsigned, unsigned, std::string>> known; // kind, line, column and message of each
  std::set<unsigned> disabled;
  std::size_t errors = 0;
  bool warningsAsErrors = false;
};

} // namespace gcompile
