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
        if (section.getName() != target && !layout)
          continue;
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
      return emitError(place) << "[E0503] this version has no schedule '" << directive << "'"
                              << (layout ? " for layouts" : "");
    if (values.size() != 1)
      return emitError(place) << "[E0504] '" << directive << "' takes one value";
    auto value = cast<DictionaryAttr>(values[0]);
    StringRef choice = value.getAs<StringAttr>("name").getValue();

    SmallVector<Operation *> statements;
    algorithm.walk([&](Operation *op) {
      auto own = op->getAttrOfType<StringAttr>("label");
      if (isEdgeStatement(op) && (label.empty() || (own && own.getValue() == label)))
        statements.push_back(op);
    });
    if (statements.empty())
      return emitError(place) << "[E0505] '" << algorithm.getSymName() << "' has no edge statement"
                              << (label.empty() ? "" : " labelled '") << label << (label.empty() ? "" : "'");
    for (Operation *statement : statements) {
      if (directive == "direction") {
        if (choice != "push" && choice != "pull" && choice != "hybrid")
          return emitError(place) << "[E0504] a direction is push, pull or hybrid, not '" << choice << "'";
        statement->setAttr("direction", StringAttr::get(statement->getContext(), choice));
      } else if (choice != "buckets") {
        return emitError(place) << "[E0503] this version has no order '" << choice << "'";
      } else if (!isa<graph::PropagateOp>(statement) || !cast<graph::PropagateOp>(statement).getOrdered()) {
        auto error = emitError(place) << "[E0502] 'ordered' needs a propagate that is 'ordered by' a property";
        error.attachNote(statement->getLoc()) << "this statement is not";
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
      return emitError(place) << "[E0504] 'vertices' takes 'by degree'";
    if (Operation *op = findUseOfNumbers(algorithm)) {
      auto error = emitError(place)
                   << "[E0502] the vertices cannot be numbered by degree: the result would depend on their numbers";
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
      return emitError(place) << "[E0504] '" << directive << "' has no option '" << name << "'";
    double number = 0;
    bool whole = directive == "ordered";
    StringRef text = cast<StringAttr>(option.getValue()).getValue();
    long long integer = 0;
    bool valid = whole ? !text.getAsInteger(10, integer) && integer > 0 : !text.getAsDouble(number) && number > 0;
    if (!valid)
      return emitError(place) << "[E0504] '" << name << "' must be a positive " << (whole ? "whole " : "")
                              << "number, not '" << text << "'";
    Builder b(statement->getContext());
    statement->setAttr(name, whole ? Attribute(b.getI64IntegerAttr(integer)) : Attribute(b.getF64FloatAttr(number)));
    return success();
  }
};

} // namespace
} // namespace gcompile
