#include "ir/explain/Words.h"

#include "llvm/Support/FormatVariadic.h"

#include <fmt/format.h>

using namespace mlir;

namespace gcompile::words {

std::string element(graph::Element element, graph::Domain domain) {
  switch (element) {
  case graph::Element::Variable:
    return "a variable of the algorithm";
  case graph::Element::Fixed:
    return "one for all iterations";
  case graph::Element::Vertex:
    return "the vertex's own";
  case graph::Element::RowOrColumn:
    return "in the vertex's own row or column";
  case graph::Element::FirstVertex:
    return "the first vertex's";
  case graph::Element::SecondVertex:
    return "the second vertex's";
  case graph::Element::Pair:
    return "the pair's own";
  case graph::Element::OtherPair:
    return "another pair's";
  case graph::Element::AnyPair:
    return "that of a pair of vertices";
  case graph::Element::ActiveEnd:
    return std::string("the ") + graph::activeEnd(domain) + "'s";
  case graph::Element::OtherEnd:
    return std::string("the ") + (graph::rangesOverEdges(domain) ? graph::otherEnd(domain) : "other end") + "'s";
  case graph::Element::Edge:
    return "the edge's own";
  case graph::Element::Inner:
    return "that of a vertex or edge which an inner pattern binds";
  case graph::Element::Computed:
    return "that of a computed index";
  }
  llvm_unreachable("every element is listed");
}

static const char *reduction(Operation *write) {
  auto update = dyn_cast<graph::UpdateOp>(write);
  graph::UpdateKind kind = update ? update.getKind() : cast<graph::UpdateTupleOp>(write).getKind();
  if (!graph::traits(kind).monotone)
    return "a reduction: every iteration counts, in any order";
  if (!update || !update.getValue().getType().isInteger(1))
    return "a reduction that only moves the value one way: applying it twice changes nothing";
  return graph::traits(kind).neutral() == Neutral::Zero ? "a reduction: once true, it stays true"
                                                        : "a reduction: once false, it stays false";
}

const char *rule(graph::WriteRule rule, Operation *write) {
  switch (rule) {
  case graph::WriteRule::Owned:
    return "owned: no other iteration writes it";
  case graph::WriteRule::Reduction:
    return reduction(write);
  case graph::WriteRule::Claim:
    return "a claim: the first writer wins, and its guard is false from then on";
  case graph::WriteRule::UnderClaim:
    return "the winner's alone: it follows the claim";
  case graph::WriteRule::SameValue:
    return "the same value from every iteration that writes it";
  case graph::WriteRule::Illegal:
    return "not legal";
  }
  llvm_unreachable("every rule is listed");
}

const char *safety(graph::Safety safety) {
  switch (safety) {
  case graph::Safety::Owned:
    return "plain";
  case graph::Safety::Winner:
    return "plain: only the winner of the claim writes it";
  case graph::Safety::OneThread:
    return "plain: one thread handles all edges of that vertex";
  case graph::Safety::Serial:
    return "plain: one thread runs it";
  case graph::Safety::CompareAndSet:
    return "compare-and-set: several iterations may meet at the element";
  case graph::Safety::Atomic:
    return "atomic: several iterations may meet at the element";
  case graph::Safety::Private:
    return "one copy for each thread, combined at the end";
  case graph::Safety::AtomicInRounds:
    return "atomic: one kernel runs many rounds, which leaves no place for a copy for each thread";
  case graph::Safety::Relaxed:
    return "a relaxed store: there is one writer, or all write the same";
  case graph::Safety::Runtime:
    return "by the runtime's algorithm for components";
  }
  llvm_unreachable("every safety is listed");
}

const char *snapshot(graph::Snapshot snapshot, graph::WriteRule rule) {
  switch (snapshot) {
  case graph::Snapshot::None:
    return rule == graph::WriteRule::Claim        ? "only the guard reads it, and the claim tests it once more"
           : rule == graph::WriteRule::UnderClaim ? "only the winner of the claim reads and writes it"
                                                  : "every iteration reads only what it writes itself";
  case graph::Snapshot::Invariant:
    return "active vertices are read and are never written: they fail the guard";
  case graph::Snapshot::Levels:
    return "what is read is in another level than what is written";
  case graph::Snapshot::Monotone:
    return "seeing a value early cannot change where the rounds end";
  case graph::Snapshot::Commit:
    return "the round's value is written when the round ends";
  case graph::Snapshot::Slices:
    return "iterations read what others write, but only in one row and one column, which are copied";
  case graph::Snapshot::Copy:
    return "iterations read what others write, and must see what was there before";
  case graph::Snapshot::Taken:
    return "whatever of the sum is there is taken, once: a part that comes later is taken later";
  }
  llvm_unreachable("every snapshot is listed");
}

const char *way(graph::Way way) {
  switch (way) {
  case graph::Way::Parallel:
    return "in parallel";
  case graph::Way::OneThread:
    return "one thread";
  case graph::Way::Push:
    return "push";
  case graph::Way::Pull:
    return "pull";
  case graph::Way::Hybrid:
    return "hybrid";
  case graph::Way::Priority:
    return "by priority";
  case graph::Way::Asynchronous:
    return "asynchronous";
  case graph::Way::Components:
    return "components";
  case graph::Way::Triangles:
    return "triangles";
  case graph::Way::Blocks:
    return "in blocks";
  case graph::Way::Index:
    return "by a kept index";
  }
  llvm_unreachable("every way is listed");
}

std::string whyByDefault(graph::Way way, Operation *statement, bool canPull) {
  auto loop = dyn_cast<graph::ForOp>(statement);
  auto propagate = dyn_cast<graph::PropagateOp>(statement);
  const std::string end = graph::otherEnd(loop        ? loop.getDomain()
                                          : propagate ? propagate.getDomain()
                                                      : graph::Domain::Vertices);
  switch (way) {
  case graph::Way::Parallel:
    return !loop            ? "it writes nothing"
           : loop.getTerm() ? "all edges of a vertex would compute the same"
                            : "every iteration runs once";
  case graph::Way::OneThread:
    return "it ranges over the edges of one vertex";
  case graph::Way::Push:
    return canPull ? "it writes more than the " + end + ", so pulling would save no synchronisation" : "it cannot pull";
  case graph::Way::Pull:
    return "each " + end + " is one thread's, so no update needs synchronisation";
  case graph::Way::Hybrid:
    return "pushing is cheaper for few active edges, pulling for many";
  case graph::Way::Components:
    return "the least value spreads through each connected component, whatever the way";
  case graph::Way::Triangles:
    return "each triangle counts once in any order of the vertices, also in that by degree";
  case graph::Way::Priority:
  case graph::Way::Asynchronous:
  case graph::Way::Blocks:
  case graph::Way::Index:
    return "";
  }
  llvm_unreachable("every way is listed");
}

std::string whyInBlocks(exec::ClosePairsOp closure, bool onDevice) {
  std::optional<exec::Closing> closing = closure.getClosing();
  std::string why = "row k and column k are kept as they were, so that each pair has the operands of the plain loop";
  if (!closing)
    return why;
  switch (*closing) {
  case exec::Closing::ShortestPaths:
    if (isa<FloatType>(closure.getState().getType().getElement()))
      return onDevice ? why + "; where no entry is negative or NaN, numbers are compared as their bits" : why;
    if (onDevice)
      return why + "; where no entry is negative, sums are made without a test of inf";
    return why + "; where no entry is negative, sums are tried in 16 bits, and otherwise made without a test of inf; "
                 "negative entries are shifted until one leaves their range";
  case exec::Closing::TransitiveClosure:
    return why + "; flags share words";
  case exec::Closing::WidestPaths:
    return why;
  case exec::Closing::PathsByFirst:
  case exec::Closing::PathsByLast:
    return onDevice ? why
                    : why + "; where no number is negative and ids have 32 bits, a number and its vertex share a word";
  }
  llvm_unreachable("everything known of a step is listed");
}

std::string whyByIndex(exec::KeepIndexOp index) {
  bool notes = llvm::any_of(index->getUsers(), [](Operation *user) { return isa<exec::NoteChangeOp>(user); });
  return std::string("the loop changes few keys in a turn, and the index follows each change") +
         (notes ? "; statements note which vertices they change, and where these are many the index is made anew" : "");
}

const char *freedom(graph::Freedom freedom) {
  switch (freedom) {
  case graph::Freedom::Segments:
    return "cache segments";
  case graph::Freedom::EarlyExit:
    return "early exit when pulling";
  case graph::Freedom::ActivatesOnce:
    return "no deduplication needed";
  case graph::Freedom::Duplicates:
    return "duplicates are harmless";
  case graph::Freedom::Asynchronous:
    return "asynchronous";
  case graph::Freedom::Priority:
    return "priority order";
  }
  llvm_unreachable("every freedom is listed");
}

std::string vertexOrder(StringRef order) {
  return order == "by_bfs" ? "the vertices, breadth first from the one with the most outgoing edges"
                           : "the vertices, those with more outgoing edges first";
}

std::string packedLists() { return "the neighbours of each vertex packed, without the bits that they do not need"; }
std::string alignedLists(double part) {
  return fmt::format("the k-th neighbours of 32 vertices side by side, for {:g} % of the vertices", 100 * part);
}
std::string neighborOrder() { return "the neighbours of each vertex, those with more outgoing edges first"; }

std::string side(exec::Side on, bool byOneList) {
  switch (on) {
  case exec::Side::Chosen:
    return "the CPU or the GPU: chosen when it starts, by the work that is known then";
  case exec::Side::Cpu:
    return byOneList ? "the CPU: each turn of a loop goes along one list, which gives a GPU little to do"
                     : "the CPU: the schedule says so";
  case exec::Side::Gpu:
    return "the GPU: the schedule says so";
  }
  llvm_unreachable("every side is listed");
}

std::string stage(unsigned number, unsigned line, exec::StageOp stage) {
  std::string where = stage.getOn() == exec::Side::Chosen ? "either side, chosen when it starts"
                                                          : side(stage.getOn(), stage.getByOneList());
  if (stage.getInside() > 0)
    where = std::string("the CPU, which ") + (stage.getTurns() ? "counts the turns" : "chooses") + "; stages up to " +
            std::to_string(number + stage.getInside()) + " stand in it";
  return "stage " + std::to_string(number) + ", from line " + std::to_string(line) + " on: " + where;
}

std::string handOver(unsigned line, Attribute above, Attribute growth, StringRef states) {
  auto number = [](Attribute value) { return llvm::formatv("{0}", cast<FloatAttr>(value).getValueAsDouble()).str(); };
  auto plain = [&](Attribute value) {
    std::string text = number(value);
    return text.substr(0, text.find(".00"));
  };
  return "line " + std::to_string(line) + " can go over from the CPU to the GPU, above " + plain(above) +
         " vertices that are more than " + plain(growth) + " times those before: " + states.str() +
         " of the vertices that were active are moved";
}

std::string removal(graph::Removal removal, StringRef state) {
  const std::string name = "'" + state.str() + "'";
  switch (removal) {
  case graph::Removal::State:
    return name + " is never read: it is neither kept nor written";
  case graph::Removal::Write:
    return "what is written to " + name + " is overwritten before it is read: it is not written";
  case graph::Removal::Init:
    return "what " + name + " begins with is never read: it is not written";
  }
  llvm_unreachable("every removal is listed");
}

} // namespace gcompile::words
