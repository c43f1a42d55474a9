#include "ir/Errors.h"
#include "ir/analysis/Legality.h"
#include "ir/analysis/VertexNumbers.h"
#include "ir/exec/ExecDialect.h"
#include "ir/exec/passes/gpu/Culling.h"
#include "ir/schedule/Passes.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_APPLYSCHEDULE
#include "ir/schedule/Passes.h.inc"

namespace {

bool isEdgeStatement(Operation *op) {
  if (isa<graph::PropagateOp>(op))
    return true;
  auto loop = dyn_cast<graph::ForOp>(op);
  return loop && !loop.getSequential() && graph::rangesOverEdges(loop.getDomain());
}

/// Whether a statement runs over vertices and, unless it is named in the schedule, reduces over the edges into each.
bool isGathering(Operation *op, bool named) {
  auto loop = dyn_cast<graph::ForOp>(op);
  if (!loop || loop.getSequential() || (loop.getDomain() != graph::Domain::Vertices && !named))
    return false;
  return named || gathersInto(loop);
}

/// Whether `loop` can be said of a statement.
bool hasRounds(Operation *op) { return isa<graph::PropagateOp, graph::WhileOp, graph::RepeatOp>(op); }

struct ApplySchedule : impl::ApplyScheduleBase<ApplySchedule> {
  using ApplyScheduleBase::ApplyScheduleBase;

  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      std::optional<DictionaryAttr> schedule = algorithm.getSchedule();
      if (!schedule)
        continue;
      for (NamedAttribute part : *schedule) {
        bool layout = part.getName() == "layout";
        bool known = layout || part.getName() == "cpu" || part.getName() == "cuda";
        if (known && !layout && part.getName() != section)
          continue;
        if (!known) {
          auto first = cast<DictionaryAttr>(cast<ArrayAttr>(part.getValue())[0]);
          report(cast<LocationAttr>(first.get("place")), diag::unknown_schedule, "target", part.getName().str());
          signalPassFailure();
          continue;
        }
        given.clear();
        SmallVector<DictionaryAttr> entries;
        for (Attribute attribute : cast<ArrayAttr>(part.getValue())) {
          auto entry = cast<DictionaryAttr>(attribute);
          auto [first, isNew] = given.try_emplace(decisionOf(entry), entry);
          if (isNew) {
            entries.push_back(entry);
          } else {
            reportSecond(entry, first->second);
            signalPassFailure();
          }
        }
        for (DictionaryAttr entry : entries)
          if (failed(apply(algorithm, entry, layout)))
            signalPassFailure();
      }
    }
  }

  /// The label that a directive speaks of, and what it decides there: `asynchronous` is an order as well.
  using Decision = std::pair<StringRef, StringRef>;
  static Decision decisionOf(DictionaryAttr entry) {
    StringRef directive = entry.getAs<StringAttr>("directive").getValue();
    return {entry.getAs<StringAttr>("label").getValue(), directive == "asynchronous" ? "ordered" : directive};
  }
  llvm::DenseMap<Decision, DictionaryAttr> given; // of the section

  static void reportSecond(DictionaryAttr entry, DictionaryAttr first) {
    Location place = cast<LocationAttr>(entry.get("place")), before = cast<LocationAttr>(first.get("place"));
    StringRef label = entry.getAs<StringAttr>("label").getValue();
    StringRef directive = entry.getAs<StringAttr>("directive").getValue();
    if (directive == first.getAs<StringAttr>("directive").getValue())
      report(place, diag::repeated_directive, directive.str(),
             label.empty() ? "" : " for the statement labelled '" + label.str() + "'")
              .attachNote(before)
          << "the first one is here";
    else
      report(place, diag::illegal_schedule, directive == "ordered" ? "have an order of its own" : "run asynchronously",
             directive == "ordered" ? "it is asynchronous" : "its order is chosen")
              .attachNote(before)
          << "this says so";
  }

  LogicalResult apply(graph::AlgorithmOp algorithm, DictionaryAttr entry, bool layout) {
    StringRef directive = entry.getAs<StringAttr>("directive").getValue();
    StringRef label = entry.getAs<StringAttr>("label").getValue();
    Location place = cast<LocationAttr>(entry.get("place"));
    auto values = entry.getAs<ArrayAttr>("values");
    if (layout && directive == "vertices" && label.empty())
      return vertices(algorithm, values, place);
    if (layout && directive == "neighbors" && label.empty())
      return neighbors(algorithm, values, place);
    bool asynchronous = directive == "asynchronous";
    bool known = directive == "direction" || directive == "ordered" || asynchronous || directive == "segments" ||
                 (section == "cpu" && directive == "frontier") ||
                 (section == "cuda" &&
                  (directive == "gather" || directive == "loop" || directive == "status" || directive == "cull"));
    if (layout || !known)
      return report(place, diag::unknown_schedule, layout ? "layout" : "schedule", directive.str());
    bool culls = directive == "cull", gathers = directive == "gather";
    if (culls || gathers ? values.empty() : values.size() != (asynchronous ? 0 : 1))
      return report(place, diag::bad_schedule_value, directive.str(),
                    culls          ? "warp, history or warp + history"
                    : gathers      ? gatherForms
                    : asynchronous ? "no value"
                                   : "one value",
                    values.size());
    auto value = asynchronous ? DictionaryAttr() : cast<DictionaryAttr>(values[0]);
    StringRef choice = asynchronous ? "" : value.getAs<StringAttr>("name").getValue();
    if (section == "cuda" && (asynchronous || choice == "obim"))
      return report(place, diag::not_on_device, "an asynchronous schedule");

    SmallVector<Operation *> statements;
    algorithm.walk([&](Operation *op) {
      auto own = op->getAttrOfType<StringAttr>("label");
      bool meant = directive == "segments" ? isGathering(op, !label.empty())
                                           : isEdgeStatement(op) || (directive == "loop" && hasRounds(op));
      if (meant && (label.empty() || (own && own.getValue() == label)))
        statements.push_back(op);
    });
    if (statements.empty())
      return report(place, diag::no_such_statement, algorithm.getSymName().str(),
                    directive == "segments" ? "loop that computes over the edges into a vertex"
                    : directive == "loop"   ? "edge statement or loop"
                                            : "edge statement",
                    label.empty() ? "" : " labelled '" + label.str() + "'");
    // What only a propagate has is meant for those alone, unless a label says otherwise.
    bool forAnyLoop = directive == "segments" || (directive == "direction" && (choice == "push" || choice == "pull"));
    auto meant = [&](Operation *op) { return directive == "loop" ? hasRounds(op) : isa<graph::PropagateOp>(op); };
    if (!forAnyLoop && label.empty() && llvm::any_of(statements, meant))
      llvm::erase_if(statements, [&](Operation *op) { return !meant(op); });
    // What is said of one statement counts more than what is said of all.
    llvm::erase_if(statements, [&](Operation *op) {
      auto own = op->getAttrOfType<StringAttr>("label");
      return label.empty() && own && given.contains({own.getValue(), decisionOf(entry).second});
    });
    for (Operation *statement : statements) {
      LogicalResult done = directive == "direction"  ? direction(statement, choice, place)
                           : directive == "segments" ? segments(statement, choice, place)
                           : directive == "frontier" ? frontier(statement, choice, place)
                           : gathers                 ? gather(statement, values, place)
                           : directive == "loop"     ? rounds(statement, choice, place, !label.empty())
                           : directive == "status"   ? status(statement, choice, place)
                           : culls                   ? cull(statement, values, place)
                                                     : order(statement, asynchronous, choice, place);
      if (failed(done))
        return failure();
      statement->setAttr("schedule_place", place);
      if (!value || culls || (gathers && values.size() > 1))
        continue;
      std::string of = directive == "direction"  ? "direction"
                       : directive == "segments" ? "segments"
                       : directive == "frontier" ? "frontier " + choice.str()
                       : directive == "gather" || directive == "loop" || directive == "status" ? directive.str()
                                                                                               : choice.str();
      for (NamedAttribute option : value.getAs<DictionaryAttr>("options"))
        if (section == "cuda" && option.getName() == "fusion")
          return report(place, diag::not_on_device, "the fusion of buckets");
        else if (failed(number(statement, of, option, place)))
          return failure();
    }
    return success();
  }

  LogicalResult direction(Operation *statement, StringRef choice, Location place) {
    bool growth = choice == "growth" && section == "cpu";
    if (choice != "push" && choice != "pull" && choice != "hybrid" && !growth)
      return report(place, diag::bad_schedule_value, "direction",
                    section == "cpu" ? "push, pull, hybrid or growth" : "push, pull or hybrid",
                    "'" + choice.str() + "'");
    if (growth)
      statement->setAttr("by_growth", UnitAttr::get(statement->getContext()));
    statement->setAttr("direction", StringAttr::get(statement->getContext(), growth ? "hybrid" : choice));
    return success();
  }

  /// `segments sources(KiB = N)` or `segments none`.
  static LogicalResult segments(Operation *statement, StringRef choice, Location place) {
    if (choice != "sources" && choice != "none")
      return report(place, diag::bad_schedule_value, "segments", "sources or none", "'" + choice.str() + "'");
    if (choice == "none") {
      statement->setAttr("whole_lists", UnitAttr::get(statement->getContext()));
      return success();
    }
    statement->setAttr("KiB", Builder(statement->getContext()).getI64IntegerAttr(1024));
    return success();
  }

  static LogicalResult frontier(Operation *statement, StringRef choice, Location place) {
    std::optional<exec::FrontierKind> kind = exec::symbolizeFrontierKind(choice);
    if (!kind)
      return report(place, diag::bad_schedule_value, "frontier", "serial, queue, read or hybrid",
                    "'" + choice.str() + "'");
    auto propagate = dyn_cast<graph::PropagateOp>(statement);
    const char *reason = !propagate                           ? "only a 'propagate' has one"
                         : propagate.getOrdered()             ? "it runs in the order of a priority"
                         : propagate->hasAttr("asynchronous") ? "it runs without rounds"
                                                              : nullptr;
    if (reason) {
      auto error = report(place, diag::illegal_schedule, "choose the form of its frontier", reason);
      error.attachNote(statement->getLoc()) << "the statement is here";
      return error;
    }
    statement->setAttr("frontier", exec::FrontierKindAttr::get(statement->getContext(), *kind));
    return success();
  }

  static constexpr const char *gatherForms = "serial, warp, cta, scan or scan + warp + cta";

  /// `gather serial`, `warp`, `cta`, `scan` or `scan + warp + cta`, in any order: who walks the lists of active
  /// vertices on a GPU. SplitEdges checks that the edges of a vertex can be shared.
  static LogicalResult gather(Operation *statement, ArrayAttr values, Location place) {
    SmallVector<StringRef> names;
    bool options = false;
    for (Attribute value : values) {
      names.push_back(cast<DictionaryAttr>(value).getAs<StringAttr>("name").getValue());
      options |= !cast<DictionaryAttr>(value).getAs<DictionaryAttr>("options").empty();
    }
    std::string given = llvm::join(names, " + ");
    llvm::sort(names);
    bool hybrid = names == ArrayRef<StringRef>{"cta", "scan", "warp"} && !options;
    StringRef choice = hybrid ? "scan_warp_cta" : names.front();
    if (!hybrid && (names.size() > 1 || !llvm::is_contained({"serial", "warp", "cta", "scan"}, choice)))
      return report(place, diag::bad_schedule_value, "gather", gatherForms, "'" + given + "'");
    auto propagate = dyn_cast<graph::PropagateOp>(statement);
    const char *reason = !propagate               ? "only a 'propagate' has a frontier"
                         : propagate.getOrdered() ? "it runs in the order of a priority"
                                                  : nullptr;
    if (reason) {
      auto error = report(place, diag::illegal_schedule, "choose how lists are gathered", reason);
      error.attachNote(statement->getLoc()) << "the statement is here";
      return error;
    }
    statement->setAttr("gather", StringAttr::get(statement->getContext(), choice));
    statement->setAttr("gather_place", place);
    return success();
  }

  /// `status exact` or `status bitmap`: what a push on a GPU asks of a vertex that it may claim. Where the statement is
  /// lowered it is known whether it claims any.
  static LogicalResult status(Operation *statement, StringRef choice, Location place) {
    if (choice != "exact" && choice != "bitmap")
      return report(place, diag::bad_schedule_value, "status", "exact or bitmap", "'" + choice.str() + "'");
    auto propagate = dyn_cast<graph::PropagateOp>(statement);
    if (choice == "bitmap" && (!propagate || propagate.getOrdered())) {
      auto error = report(place, diag::illegal_schedule, "keep a bitmap of what is claimed",
                          propagate ? "it runs in the order of a priority" : "only a 'propagate' claims in rounds");
      error.attachNote(statement->getLoc()) << "the statement is here";
      return error;
    }
    if (choice == "bitmap")
      statement->setAttr("status_place", place);
    else
      statement->removeAttr("status_place");
    return success();
  }

  /// `cull warp(size = W) + history(size = H)`, in any order, or one of them: a push on a GPU claims without atomic
  /// operations, and keeps copies of vertices out of the next frontier. Where the statement is lowered it is known
  /// whether several winners do harm.
  static LogicalResult cull(Operation *statement, ArrayAttr values, Location place) {
    auto propagate = dyn_cast<graph::PropagateOp>(statement);
    if (!propagate || propagate.getOrdered()) {
      auto error = report(place, diag::illegal_schedule, "claim without atomic operations and cull copies",
                          propagate ? "it runs in the order of a priority" : "only a 'propagate' claims in rounds");
      error.attachNote(statement->getLoc()) << "the statement is here";
      return error;
    }
    Builder b(statement->getContext());
    for (StringRef name : {cullWarpAttr, cullHistoryAttr})
      statement->setAttr(name, b.getI64IntegerAttr(0));
    for (Attribute attribute : values) {
      auto value = cast<DictionaryAttr>(attribute);
      StringRef choice = value.getAs<StringAttr>("name").getValue();
      bool warp = choice == "warp";
      StringRef name = warp ? cullWarpAttr : cullHistoryAttr;
      if ((!warp && choice != "history") || statement->getAttrOfType<IntegerAttr>(name).getInt() != 0)
        return report(place, diag::bad_schedule_value, "cull", "warp, history or warp + history",
                      "'" + choice.str() + "'" + (warp || choice == "history" ? " twice" : ""));
      statement->setAttr(name, b.getI64IntegerAttr(warp ? defaultCullWarp : defaultCullHistory));
      for (NamedAttribute option : value.getAs<DictionaryAttr>("options")) {
        if (failed(number(statement, "cull " + choice.str(), option, place)))
          return failure();
        auto size = cast<IntegerAttr>(statement->getAttr("cull_size"));
        if (!llvm::isPowerOf2_64(static_cast<std::uint64_t>(size.getInt())))
          return report(place, diag::bad_schedule_value, "size", "a power of two",
                        "'" + std::to_string(size.getInt()) + "'");
        statement->setAttr(name, size);
        statement->removeAttr("cull_size");
      }
    }
    statement->setAttr("cull_place", place);
    return success();
  }

  /// `loop device` or `loop host`: who starts the rounds on a GPU, or goes from one turn of a loop to the next.
  static LogicalResult rounds(Operation *statement, StringRef choice, Location place, bool named) {
    if (choice != "device" && choice != "host")
      return report(place, diag::bad_schedule_value, "loop", "device or host", "'" + choice.str() + "'");
    auto propagate = dyn_cast<graph::PropagateOp>(statement);
    bool device = choice == "device";
    if (isa<graph::WhileOp, graph::RepeatOp>(statement)) { // exec-run-loops knows whether the device can
      statement->setAttr("loop", StringAttr::get(statement->getContext(), choice));
      if (named)
        statement->setAttr("loop_named", UnitAttr::get(statement->getContext()));
      return success();
    }
    const char *reason = !propagate                          ? "only a 'propagate', 'repeat' or 'while' has rounds"
                         : !device && propagate.getOrdered() ? "its lists are split on the device"
                         : device && !propagate.getUntil().empty() ? "the host evaluates 'until' after each"
                                                                   : nullptr;
    if (reason) {
      auto error = report(place, diag::illegal_schedule,
                          device ? "run all its rounds on the device" : "start its rounds on the host", reason);
      error.attachNote(statement->getLoc()) << "the statement is here";
      return error;
    }
    statement->setAttr("loop", StringAttr::get(statement->getContext(), choice));
    return success();
  }

  /// `asynchronous`, `ordered obim` or `ordered buckets`.
  static LogicalResult order(Operation *statement, bool asynchronous, StringRef choice, Location place) {
    if (!asynchronous && choice != "buckets" && choice != "obim")
      return report(place, diag::unknown_schedule, "order", choice.str());
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
    if (statement->hasAttr("frontier"))
      return report(place, diag::illegal_schedule, "run without rounds", "the form of its frontier is chosen");
    if (choice != "buckets")
      statement->setAttr("asynchronous", UnitAttr::get(statement->getContext()));
    return success();
  }

  /// Whether what follows `vertices` or `neighbors` is `by degree`.
  static bool isByDegree(ArrayAttr values) {
    auto value = values.size() == 1 ? cast<DictionaryAttr>(values[0]) : DictionaryAttr();
    return value && value.getAs<StringAttr>("name").getValue() == "degree" &&
           value.getAs<DictionaryAttr>("options").empty();
  }

  /// `neighbors by degree`: legal where nothing in the program needs the lists of neighbours in ascending order.
  static LogicalResult neighbors(graph::AlgorithmOp algorithm, ArrayAttr values, Location place) {
    if (!isByDegree(values))
      return report(place, diag::bad_schedule_value, "neighbors", "by degree", "this");
    if (Operation *op = findUseOfNeighborOrder(algorithm)) {
      auto error = report(place, diag::illegal_schedule, "order neighbours by degree",
                          "it needs them in ascending order, or shows the order of the edges");
      error.attachNote(op->getLoc()) << "a set of neighbours, or the order of edges, is used here";
      return error;
    }
    algorithm->setAttr("neighbors_by_degree", UnitAttr::get(algorithm.getContext()));
    return success();
  }

  /// `vertices by degree`: legal where nothing in the program tells how the vertices are numbered.
  static LogicalResult vertices(graph::AlgorithmOp algorithm, ArrayAttr values, Location place) {
    if (!isByDegree(values))
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
  static constexpr double positive = std::numeric_limits<double>::min(), any = 1e18;

  /// An option of `direction`, of an order, or of a form of the frontier: "frontier hybrid".
  static LogicalResult number(Operation *statement, StringRef of, NamedAttribute given, Location place) {
    static const Option options[] = {{"direction", "alpha", "a positive number", false, positive, any},
                                     {"direction", "beta", "a positive number", false, positive, any},
                                     {"buckets", "delta", "a positive whole number", true, 1, any},
                                     {"buckets", "fusion", "a whole number from 0 on", true, 0, any},
                                     {"obim", "chunk", "a whole number from 8 to 64", true, 8, 64},
                                     {"obim", "shift", "a whole number from 0 to 60", true, 0, 60},
                                     {"cull warp", "size", "a power of two up to 128", true, 1, mostCullWarp},
                                     {"cull history", "size", "a power of two up to 2048", true, 1, mostCullHistory},
                                     {"segments", "KiB", "a positive whole number", true, 1, 1 << 30},
                                     {"frontier queue", "T1", "zero or a positive number", false, 0, any},
                                     {"frontier hybrid", "T1", "zero or a positive number", false, 0, any},
                                     {"frontier hybrid", "T2", "a positive number", false, positive, any},
                                     {"frontier hybrid", "T3", "a positive number", false, positive, any},
                                     {"frontier hybrid", "alpha", "a positive number", false, positive, any},
                                     {"frontier hybrid", "beta", "a positive number", false, positive, any}};
    StringRef name = given.getName().getValue();
    const Option *option =
        llvm::find_if(options, [&](const Option &candidate) { return candidate.of == of && candidate.name == name; });
    if (option == std::end(options)) {
      SmallVector<StringRef> names;
      for (const Option &candidate : options)
        if (candidate.of == of)
          names.push_back(candidate.name);
      std::string expected =
          names.empty() ? "no options"
          : names.size() == 1
              ? "the option " + names[0].str()
              : "the options " + llvm::join(llvm::ArrayRef(names).drop_back(), ", ") + " and " + names.back().str();
      return report(place, diag::bad_schedule_value, of.str(), expected, "'" + name.str() + "'");
    }
    StringRef text = cast<StringAttr>(given.getValue()).getValue();
    long long integer = 0;
    double number = 0;
    bool valid = option->whole ? !text.getAsInteger(10, integer) : !text.getAsDouble(number);
    if (option->whole)
      number = static_cast<double>(integer);
    if (!valid || !(number >= option->least && number <= option->greatest))
      return report(place, diag::bad_schedule_value, name.str(), option->expected, "'" + text.str() + "'");
    Builder b(statement->getContext());
    std::string attribute = of.starts_with("frontier") ? "frontier_" + name.str()
                            : of.starts_with("cull")   ? "cull_" + name.str()
                                                       : name.str();
    statement->setAttr(attribute,
                       option->whole ? Attribute(b.getI64IntegerAttr(integer)) : Attribute(b.getF64FloatAttr(number)));
    return success();
  }
};

} // namespace
} // namespace gcompile
