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

  LogicalResult apply(graph::AlgorithmOp algorithm, DictionaryAttr entry, bool layout) {
    StringRef directive = entry.getAs<StringAttr>("directive").getValue();
    StringRef label = entry.getAs<StringAttr>("label").getValue();
    Location place = cast<LocationAttr>(entry.get("place"));
    auto values = entry.getAs<ArrayAttr>("values");
    if (layout && directive == "vertices" && label.empty())
      return vertices(algorithm, values, place);
    bool asynchronous = directive == "asynchronous";
    if (layout || (directive != "direction" && directive != "ordered" && !asynchronous))
      return report(place, diag::unknown_schedule, layout ? "layout" : "schedule", directive.str());
    if (values.size() != (asynchronous ? 0 : 1))
      return report(place, diag::bad_schedule_value, directive.str(), asynchronous ? "no value" : "one value",
                    values.size());
    auto value = asynchronous ? DictionaryAttr() : cast<DictionaryAttr>(values[0]);
    StringRef choice = asynchronous ? "" : value.getAs<StringAttr>("name").getValue();
    if (target == "cuda" && (asynchronous || choice == "obim"))
      return report(place, diag::not_on_device, "an asynchronous schedule");

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
      } else if (!asynchronous && choice != "buckets" && choice != "obim") {
        return report(place, diag::unknown_schedule, "order", choice.str());
      } else if (failed(order(statement, asynchronous, choice, place))) {
        return failure();
      }
      statement->setAttr("schedule_place", place);
      if (!value)
        continue;
      for (NamedAttribute option : value.getAs<DictionaryAttr>("options"))
        if (target == "cuda" && option.getName() == "fusion")
          return report(place, diag::not_on_device, "the fusion of buckets");
        else if (failed(number(statement, directive == "direction" ? directive : choice, option, place)))
          return failure();
    }
    return success();
  }

  /// `asynchronous`, `ordered obim` or `ordered buckets`.
  static LogicalResult order(Operation *statement, bool asynchronous, StringRef choice, Location place) {
    auto propagate = dyn_cast<graph::PropagateOp>(statement);
    if (!propagate || (!asynchronous && !propagate.getOrdered())) {
      auto error = report(place, diag::illegal_schedule,
                          asynchronous       ? "run asynchronously"
                          : choice == "obim" ? "run by soft priorities"
                                             : "run in buckets",
                          asynchronous ? "it is no 'propagate'" : "it is no 'propagate ... ordered by'");
      error.attachNote(statement->getLoc()) << "the statement is here";
      return failure();
    }
    if (choice != "buckets")
      statement->setAttr("asynchronous", UnitAttr::get(statement->getContext()));
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

  struct Option {
    StringRef of, name;
    const char *expected; // of the value
    bool whole;
    double least, greatest;
  };
  static constexpr double any = 1e18;

  /// An option of `direction`, `buckets` or `obim`.
  static LogicalResult number(Operation *statement, StringRef of, NamedAttribute given, Location place) {
    static const Option options[] = {{"direction", "alpha", "a positive number", false, 0, any},
                                     {"direction", "beta", "a positive number", false, 0, any},
                                     {"buckets", "delta", "a positive whole number", true, 1, any},
                                     {"buckets", "fusion", "a whole number from 0 on", true, 0, any},
                                     {"obim", "chunk", "a whole number from 8 to 64", true, 8, 64},
                                     {"obim", "shift", "a whole number from 0 to 60", true, 0, 60}};
    StringRef name = given.getName().getValue();
    const Option *option =
        llvm::find_if(options, [&](const Option &candidate) { return candidate.of == of && candidate.name == name; });
    if (option == std::end(options))
      return report(place, diag::bad_schedule_value, of.str(),
                    of == "direction" ? "the options alpha and beta"
                    : of == "obim"    ? "the options chunk and shift"
                                      : "the options delta and fusion",
                    "'" + name.str() + "'");
    StringRef text = cast<StringAttr>(given.getValue()).getValue();
    long long integer = 0;
    double number = 0;
    bool valid = option->whole ? !text.getAsInteger(10, integer) : !text.getAsDouble(number) && number > 0;
    if (option->whole)
      number = static_cast<double>(integer);
    if (!valid || number < option->least || number > option->greatest)
      return report(place, diag::bad_schedule_value, name.str(), option->expected, "'" + text.str() + "'");
    Builder b(statement->getContext());
    statement->setAttr(name,
                       option->whole ? Attribute(b.getI64IntegerAttr(integer)) : Attribute(b.getF64FloatAttr(number)));
    return success();
  }
};

} // namespace
} // namespace gcompile
