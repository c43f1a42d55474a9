#include "ir/Errors.h"
#include "ir/analysis/VertexNumbers.h"
#include "ir/passes/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_APPLYSCHEDULE
#include "ir/passes/Passes.h.inc"

namespace {

bool isEdgeStatement(Operation *op) {
  if (isa<graph::PropagateOp>(op))
    return true;
  auto loop = dyn_cast<graph::ForOp>(op);
  return loop && !loop.getSequential() &&
         (loop.getDomain() == graph::Domain::Edges || loop.getDomain() == graph::Domain::EdgesBoth);
}

struct ApplySchedule : impl::ApplyScheduleBase<ApplySchedule> {
  using ApplyScheduleBase::ApplyScheduleBase;

  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      std::optional<DictionaryAttr> schedule = algorithm.getSchedule();
      if (!schedule)
        continue;
      for (NamedAttribute section : *schedule) {
        bool layout = section.getName() == "layout";
        bool known = layout || section.getName() == "cpu" || section.getName() == "cuda";
        if (known && !layout && section.getName() != target)
          continue;
        if (!known) {
          auto first = cast<DictionaryAttr>(cast<ArrayAttr>(section.getValue())[0]);
          report(cast<LocationAttr>(first.get("place")), diag::unknown_schedule, "target", section.getName().str());
          signalPassFailure();
          continue;
        }
        for (Attribute attribute : cast<ArrayAttr>(section.getValue()))
          if (failed(apply(algorithm, cast<DictionaryAttr>(attribute), layout)))
            signalPassFailure();
      }
    }
  }

  static LogicalResult apply(graph::AlgorithmOp algorithm, DictionaryAttr entry, bool layout) {
    StringRef directive = entry.getAs<StringAttr>("directive").getValue();
    StringRef label = entry.getAs<StringAttr>("label").getValue();
    Location place = cast<LocationAttr>(entry.get("place"));
    auto values = entry.getAs<ArrayAttr>("values");
    if (layout && directive == "vertices" && label.empty())
      return vertices(algorithm, values, place);
    if (layout || (directive != "direction" && directive != "ordered"))
      return report(place, diag::unknown_schedule, layout ? "layout" : "schedule", directive.str());
    if (values.size() != 1)
      return report(place, diag::bad_schedule_value, directive.str(), "one value", values.size());
    auto value = cast<DictionaryAttr>(values[0]);
    StringRef choice = value.getAs<StringAttr>("name").getValue();

    SmallVector<Operation *> statements;
    algorithm.walk([&](Operation *op) {
      auto own = op->getAttrOfType<StringAttr>("label");
      if (isEdgeStatement(op) && (label.empty() || (own && own.getValue() == label)))
        statements.push_back(op);
    });
    if (statements.empty())
      return report(place, diag::no_such_statement, algorithm.getSymName().str(),
                    label.empty() ? "" : " labelled '" + label.str() + "'");
    for (Operation *statement : statements) {
      if (directive == "direction") {
        if (choice != "push" && choice != "pull" && choice != "hybrid")
          return report(place, diag::bad_schedule_value, "direction", "push, pull or hybrid", "'" + choice.str() + "'");
        statement->setAttr("direction", StringAttr::get(statement->getContext(), choice));
      } else if (choice != "buckets") {
        return report(place, diag::unknown_schedule, "order", choice.str());
      } else if (!isa<graph::PropagateOp>(statement) || !cast<graph::PropagateOp>(statement).getOrdered()) {
        auto error = report(place, diag::illegal_schedule, "run in buckets", "it is no 'propagate ... ordered by'");
        error.attachNote(statement->getLoc()) << "the statement is here";
        return failure();
      }
      statement->setAttr("schedule_place", cast<LocationAttr>(entry.get("place")));
      for (NamedAttribute option : value.getAs<DictionaryAttr>("options"))
        if (failed(number(statement, directive, option, place)))
          return failure();
    }
    return success();
  }

  /// `vertices by degree`: legal where nothing in the program tells how the vertices are numbered.
  static LogicalResult vertices(graph::AlgorithmOp algorithm, ArrayAttr values, Location place) {
    auto value = values.size() == 1 ? cast<DictionaryAttr>(values[0]) : DictionaryAttr();
    if (!value || value.getAs<StringAttr>("name").getValue() != "degree" ||
        !value.getAs<DictionaryAttr>("options").empty())
      return report(place, diag::bad_schedule_value, "vertices", "by degree", "this");
    if (Operation *op = findUseOfNumbers(algorithm)) {
      auto error = report(place, diag::illegal_schedule, "number its vertices by degree",
                          "the result would depend on their numbers");
      error.attachNote(op->getLoc()) << "vertices or edges are compared, hashed, numbered or visited in order here";
      return error;
    }
    algorithm->setAttr("vertices_by_degree", UnitAttr::get(algorithm.getContext()));
    return success();
  }

  /// An option of a directive: a positive number.
  static LogicalResult number(Operation *statement, StringRef directive, NamedAttribute option, Location place) {
    StringRef name = option.getName().getValue();
    bool known = directive == "direction" ? name == "alpha" || name == "beta" : name == "delta";
    if (!known)
      return report(place, diag::bad_schedule_value, directive.str(),
                    directive == "direction" ? "the options alpha and beta" : "the option delta",
                    "'" + name.str() + "'");
    double number = 0;
    bool whole = directive == "ordered";
    StringRef text = cast<StringAttr>(option.getValue()).getValue();
    long long integer = 0;
    bool valid = whole ? !text.getAsInteger(10, integer) && integer > 0 : !text.getAsDouble(number) && number > 0;
    if (!valid)
      return report(place, diag::bad_schedule_value, name.str(),
                    whole ? "a positive whole number" : "a positive number", "'" + text.str() + "'");
    Builder b(statement->getContext());
    statement->setAttr(name, whole ? Attribute(b.getI64IntegerAttr(integer)) : Attribute(b.getF64FloatAttr(number)));
    return success();
  }
};

} // namespace
} // namespace gcompile
