#include "ir/Errors.h"
#include "ir/ExecDialect.h"
#include "ir/analysis/VertexNumbers.h"
#include "ir/passes/Passes.h"
#include "llvm/ADT/StringExtras.h"

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

  LogicalResult apply(graph::AlgorithmOp algorithm, DictionaryAttr entry, bool layout) {
    StringRef directive = entry.getAs<StringAttr>("directive").getValue();
    StringRef label = entry.getAs<StringAttr>("label").getValue();
    Location place = cast<LocationAttr>(entry.get("place"));
    auto values = entry.getAs<ArrayAttr>("values");
    if (layout && directive == "vertices" && label.empty())
      return vertices(algorithm, values, place);
    bool known = directive == "direction" || directive == "ordered" || (directive == "frontier" && target == "cpu");
    if (layout || !known)
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
    // What only a propagate has is meant for those alone, unless a label says otherwise.
    if (directive == "frontier" && label.empty() && llvm::any_of(statements, llvm::IsaPred<graph::PropagateOp>))
      llvm::erase_if(statements, [](Operation *op) { return !isa<graph::PropagateOp>(op); });
    for (Operation *statement : statements) {
      LogicalResult known = directive == "direction"  ? direction(statement, choice, place)
                            : directive == "frontier" ? frontier(statement, choice, place)
                                                      : ordered(statement, choice, place);
      if (failed(known))
        return failure();
      statement->setAttr("schedule_place", cast<LocationAttr>(entry.get("place")));
      for (NamedAttribute option : value.getAs<DictionaryAttr>("options"))
        if (failed(number(statement, directive, choice, option, place)))
          return failure();
    }
    return success();
  }

  LogicalResult direction(Operation *statement, StringRef choice, Location place) {
    bool growth = choice == "growth" && target == "cpu";
    if (choice != "push" && choice != "pull" && choice != "hybrid" && !growth)
      return report(place, diag::bad_schedule_value, "direction",
                    target == "cpu" ? "push, pull, hybrid or growth" : "push, pull or hybrid",
                    "'" + choice.str() + "'");
    if (growth)
      statement->setAttr("by_growth", UnitAttr::get(statement->getContext()));
    statement->setAttr("direction", StringAttr::get(statement->getContext(), growth ? "hybrid" : choice));
    return success();
  }

  static LogicalResult frontier(Operation *statement, StringRef choice, Location place) {
    std::optional<exec::FrontierKind> kind = exec::symbolizeFrontierKind(choice);
    if (!kind)
      return report(place, diag::bad_schedule_value, "frontier", "serial, queue, read or hybrid",
                    "'" + choice.str() + "'");
    auto propagate = dyn_cast<graph::PropagateOp>(statement);
    auto wanted = statement->getAttrOfType<StringAttr>("direction");
    const char *reason = !propagate                              ? "only a 'propagate' has one"
                         : propagate.getOrdered()                ? "it runs in the order of a priority"
                         : wanted && wanted.getValue() == "pull" ? "all its rounds pull"
                                                                 : nullptr;
    if (reason) {
      auto error = report(place, diag::illegal_schedule, "choose the form of its frontier", reason);
      error.attachNote(statement->getLoc()) << "the statement is here";
      return error;
    }
    statement->setAttr("frontier", exec::FrontierKindAttr::get(statement->getContext(), *kind));
    return success();
  }

  static LogicalResult ordered(Operation *statement, StringRef choice, Location place) {
    if (choice != "buckets")
      return report(place, diag::unknown_schedule, "order", choice.str());
    if (!isa<graph::PropagateOp>(statement) || !cast<graph::PropagateOp>(statement).getOrdered()) {
      auto error = report(place, diag::illegal_schedule, "run in buckets", "it is no 'propagate ... ordered by'");
      error.attachNote(statement->getLoc()) << "the statement is here";
      return error;
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
  static LogicalResult number(Operation *statement, StringRef directive, StringRef choice, NamedAttribute option,
                              Location place) {
    StringRef name = option.getName().getValue();
    SmallVector<StringRef> known;
    if (directive == "ordered")
      known = {"delta"};
    else if (directive == "direction")
      known = {"alpha", "beta"};
    else if (choice == "hybrid")
      known = {"T1", "T2", "T3", "alpha", "beta"};
    else if (choice == "queue")
      known = {"T1"};
    if (!llvm::is_contained(known, name))
      return report(place, diag::bad_schedule_value, directive.str(),
                    known.empty() ? "no options with '" + choice.str() + "'"
                                  : (known.size() > 1 ? "the options " : "the option ") + llvm::join(known, ", "),
                    "'" + name.str() + "'");
    double number = 0;
    bool whole = directive == "ordered", zero = name == "T1";
    StringRef text = cast<StringAttr>(option.getValue()).getValue();
    long long integer = 0;
    bool valid = whole ? !text.getAsInteger(10, integer) && integer > 0
                       : !text.getAsDouble(number) && (zero ? number >= 0 : number > 0);
    if (!valid)
      return report(place, diag::bad_schedule_value, name.str(),
                    whole  ? "a positive whole number"
                    : zero ? "zero or a positive number"
                           : "a positive number",
                    "'" + text.str() + "'");
    Builder b(statement->getContext());
    std::string attribute = directive == "frontier" ? "frontier_" + name.str() : name.str();
    statement->setAttr(attribute,
                       whole ? Attribute(b.getI64IntegerAttr(integer)) : Attribute(b.getF64FloatAttr(number)));
    return success();
  }
};

} // namespace
} // namespace gcompile
