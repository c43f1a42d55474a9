// What the schedule says of a statement, by directive. For each directive there is a class, from Directives.td:
//
//   if (schedule::Frontier frontier = schedule::said<schedule::Frontier>(op); frontier.is(schedule::Frontier::Queue))
//     ... *frontier.T1() ... frontier.place()
#pragma once

#include "ir/graph/GraphDialect.h"
#include "ir/schedule/Directives.h"

namespace gcompile::schedule {

/// One directive as it is said of a statement, or nothing: then it holds no value.
class Said {
public:
  Said() = default;
  explicit Said(graph::DirectiveAttr directive) : attribute(directive) {}

  explicit operator bool() const { return static_cast<bool>(attribute); }
  /// Where the program says it.
  mlir::Location place() const { return attribute.getPlace(); }
  /// Whether it is said of this statement alone, by its label.
  bool isLabelled() const { return !attribute.getLabel().empty(); }

protected:
  bool has(unsigned choice) const { return attribute && llvm::is_contained(attribute.getValues(), choice); }
  /// The value of a directive that has one value at a time.
  unsigned only() const { return attribute ? attribute.getValues().front() : 0; }
  /// What the program gives for an option of a value, otherwise the table's default; empty if there is neither.
  template <typename T> std::optional<T> option(unsigned choice, llvm::StringRef name) const;

private:
  graph::DirectiveAttr attribute;
};

#include "ir/schedule/views.inc"

/// The table's row for a directive.
const Directive &row(graph::DirectiveAttr directive);

/// The directive of that kind in a schedule, or nothing. The schedule may be null.
graph::DirectiveAttr find(graph::ScheduleAttr schedule, unsigned directive);

/// What a statement's schedule, or an algorithm's, says with the directive `D`.
template <typename D> D said(mlir::Operation *op) { return D(find(graph::scheduleOf(op), D::index)); }

/// Whether a statement runs without rounds, by either of two directives.
inline bool runsAsynchronously(mlir::Operation *op) {
  return said<Asynchronous>(op) || said<Ordered>(op).is(Ordered::Obim);
}

} // namespace gcompile::schedule
