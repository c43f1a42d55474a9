#include "ir/Errors.h"
#include "ir/schedule/Passes.h"
#include "ir/schedule/Refusals.h"
#include "ir/schedule/Resolve.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_APPLYSCHEDULE
#include "ir/schedule/Passes.h.inc"

namespace {

struct ApplySchedule : impl::ApplyScheduleBase<ApplySchedule> {
  using ApplyScheduleBase::ApplyScheduleBase;

  void runOnOperation() override {
    if (!section.empty() && !schedule::section(section)) { // that of a target
      getOperation().emitError() << "the table of directives has no section '" << section << "'";
      return signalPassFailure();
    }
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      for (StringRef part : {StringRef(section), StringRef("layout")}) {
        if (part == "layout" && !layout)
          continue;
        SmallVector<schedule::Resolved> said;
        if (failed(schedule::resolve(algorithm, part, said)))
          signalPassFailure();
        for (const schedule::Resolved &resolved : said)
          if (failed(apply(resolved)))
            signalPassFailure();
      }
  }

  /// Adds a directive to the schedules of its statements.
  static LogicalResult apply(const schedule::Resolved &resolved) {
    for (Operation *op : resolved.statements) {
      if (auto refused = schedule::refusal(op, resolved.directive)) {
        auto algorithm = dyn_cast<graph::AlgorithmOp>(op);
        return refuse(resolved.directive.getPlace(), refused->what, refused->reason, refused->at->getLoc(),
                      refused->note, algorithm ? "algorithm '" + algorithm.getSymName().str() + "'" : "this statement");
      }
      graph::ScheduleAttr before = graph::scheduleOf(op);
      SmallVector<graph::DirectiveAttr> directives(before ? before.getDirectives() : ArrayRef<graph::DirectiveAttr>());
      directives.push_back(resolved.directive);
      graph::setSchedule(op, graph::ScheduleAttr::get(op->getContext(), directives));
    }
    return success();
  }
};

} // namespace
} // namespace gcompile
