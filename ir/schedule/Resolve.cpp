#include "ir/schedule/Resolve.h"
#include "ir/Errors.h"
#include "ir/analysis/Legality.h"

using namespace mlir;

namespace gcompile::schedule {
namespace {

bool hasRounds(Operation *op) { return isa<graph::PropagateOp, graph::WhileOp, graph::RepeatOp>(op); }

bool isEdgeStatement(Operation *op) {
  auto loop = dyn_cast<graph::ForOp>(op);
  return isa<graph::PropagateOp>(op) || (loop && !loop.getSequential() && graph::rangesOverEdges(loop.getDomain()));
}

/// A loop over vertices that reduces over the edges into each. A label may name any loop: an error tells what it lacks.
bool isGatheringLoop(Operation *op, bool labelled) {
  auto loop = dyn_cast<graph::ForOp>(op);
  if (!loop || loop.getSequential())
    return false;
  return labelled || (loop.getDomain() == graph::Domain::Vertices && gathersInto(loop));
}

/// A sequential loop over vertices that goes over pairs, be it in two loops. A label may name any loop.
bool isClosingLoop(Operation *op, bool labelled) {
  auto loop = dyn_cast<graph::ForOp>(op);
  if (!loop || !loop.getSequential() || labelled)
    return loop && labelled;
  WalkResult found = loop.getBody().walk([](graph::ForOp inner) {
    bool nested = inner.getDomain() == graph::Domain::Vertices && inner->getParentOfType<graph::ForOp>() &&
                  !inner->getParentOfType<graph::ForOp>().getSequential();
    return inner.getDomain() == graph::Domain::Pairs || nested ? WalkResult::interrupt() : WalkResult::advance();
  });
  return loop.getDomain() == graph::Domain::Vertices && found.wasInterrupted();
}

/// Whether a directive for `subject` can be said of a statement, be it in vain.
bool isMeant(Subject subject, Operation *op, bool labelled) {
  switch (subject) {
  case Subject::EdgeStatement:
  case Subject::Propagate:
    return isEdgeStatement(op);
  case Subject::Rounds:
    return isEdgeStatement(op) || hasRounds(op);
  case Subject::GatheringLoop:
    return isGatheringLoop(op, labelled);
  case Subject::ClosingLoop:
    return isClosingLoop(op, labelled);
  case Subject::Algorithm:
    return isa<graph::AlgorithmOp>(op);
  case Subject::Stage: // without a label the whole algorithm
    return labelled ? bool(graph::labelOf(op)) : isa<graph::AlgorithmOp>(op);
  }
  llvm_unreachable("every subject is listed");
}

/// Whether a label names one statement. "" is for all statements of the algorithm, `bfs.` for all of the algorithm
/// `bfs` that it calls.
bool namesOne(StringRef label) { return !label.empty() && !label.ends_with("."); }

/// Whether a statement that is labelled `own` is meant by `label`. Nobody speaks for the statements of an algorithm
/// that is called by its statements.
bool covers(StringRef label, StringRef own) {
  return namesOne(label) ? own == label : own.starts_with(label) && !own.drop_front(label.size()).contains('.');
}

/// What a directive speaks of: its first value says it.
Subject subjectOf(graph::DirectiveAttr directive) {
  return row(directive).values[directive.getValues().front()].subject;
}

/// One section of an algorithm's schedule.
class SectionOf {
public:
  SectionOf(graph::AlgorithmOp algorithm, StringRef name) : algorithm(algorithm) {
    if (ArrayAttr all = algorithm.getDirectivesAttr())
      for (auto directive : all.getAsRange<graph::DirectiveAttr>())
        if (directive.getSection().getValue() == name)
          add(directive);
  }

  LogicalResult resolve(SmallVectorImpl<Resolved> &result) {
    for (graph::DirectiveAttr directive : directives)
      result.push_back({directive, statements(directive)});
    return success(!failed);
  }

private:
  /// A label, or "" for all statements, and what is decided of it.
  using Decision = std::pair<StringRef, StringRef>;

  void add(graph::DirectiveAttr directive) {
    Decision decision{directive.getLabel().getValue(), row(directive).decision};
    auto [first, isNew] = decided.try_emplace(decision, directive);
    if (isNew)
      directives.push_back(directive);
    else
      reportSecond(directive, first->second);
  }

  void reportSecond(graph::DirectiveAttr second, graph::DirectiveAttr first) {
    failed = true;
    Location place = second.getPlace();
    if (second.getDirective() == first.getDirective()) {
      StringRef label = second.getLabel().getValue();
      report(place, diag::repeated_directive, row(second).name,
             label.empty() ? "" : " for the statement labelled '" + label.str() + "'")
              .attachNote(first.getPlace())
          << "the first one is here";
    } else {
      report(place, diag::illegal_schedule, "this statement", row(second).would, row(first).is)
              .attachNote(first.getPlace())
          << "this says so";
    }
  }

  /// The statements that a directive is said of; reports if the program has none.
  SmallVector<Operation *> statements(graph::DirectiveAttr directive) {
    StringRef label = directive.getLabel().getValue();
    Subject subject = subjectOf(directive);
    SmallVector<Operation *> result;
    algorithm->walk<WalkOrder::PreOrder>([&](Operation *op) {
      StringAttr own = graph::labelOf(op);
      if (isMeant(subject, op, namesOne(label)) && covers(label, own ? own.getValue() : ""))
        result.push_back(op);
    });
    if (result.empty()) {
      report(directive.getPlace(), diag::no_such_statement, algorithm.getSymName().str(), missingWords(subject),
             label.empty() ? "" : " labelled '" + label.str() + "'");
      failed = true;
    }
    if (namesOne(label))
      return result;
    // What only statements with rounds have is said of those alone, where there are any.
    bool forRounds = subject == Subject::Propagate || subject == Subject::Rounds;
    if (forRounds && llvm::any_of(result, hasRounds))
      llvm::erase_if(result, [](Operation *op) { return !hasRounds(op); });
    // What is said of one statement counts more than what is said of all.
    llvm::erase_if(result, [&](Operation *op) {
      StringAttr own = graph::labelOf(op);
      return own && own.getValue() != label && decided.contains({own.getValue(), row(directive).decision});
    });
    return result;
  }

  graph::AlgorithmOp algorithm;
  llvm::DenseMap<Decision, graph::DirectiveAttr> decided;
  SmallVector<graph::DirectiveAttr> directives;
  bool failed = false;
};

} // namespace

LogicalResult resolve(graph::AlgorithmOp algorithm, StringRef section, SmallVectorImpl<Resolved> &result) {
  return SectionOf(algorithm, section).resolve(result);
}

} // namespace gcompile::schedule
