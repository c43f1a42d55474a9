#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/exec/passes/gpu/Sweep.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_FUSEKERNELS
#include "ir/exec/Passes.h.inc"

namespace {

/// What kernels that run one after the other at each vertex do to the states that outlive them.
struct Accesses {
  // shared, scattered: touched, written not only at the kernel's own vertex
  llvm::SmallDenseSet<Value> written, touched, shared, scattered;
  bool known = true;

  explicit Accesses(exec::ParallelOp kernel) {
    Value v = kernel.getBody().getArgument(0);
    auto note = [&](Value state, ValueRange indices, bool writes) {
      if (isLocal(state, kernel.getBody()))
        return;
      touched.insert(state);
      if (writes)
        written.insert(state);
      if (indices.size() != 1 || indices[0] != v) {
        shared.insert(state);
        if (writes)
          scattered.insert(state);
      }
    };
    kernel.walk([&](Operation *op) {
      if (auto read = dyn_cast<graph::ReadOp>(op))
        note(read.getState(), read.getIndices(), false);
      else if (auto update = dyn_cast<exec::UpdateOp>(op))
        note(update.getState(), update.getIndices(), true);
      else if (auto claim = dyn_cast<exec::ClaimOp>(op))
        note(claim.getState(), claim.getIndices(), true);
      else if (isa<exec::UpdateTupleOp>(op))
        known = false;
    });
  }

  /// Adds those of another kernel, at the cost of the smaller of both.
  void merge(Accesses other) {
    mergeSets(written, other.written);
    mergeSets(touched, other.touched);
    mergeSets(shared, other.shared);
    mergeSets(scattered, other.scattered);
    known &= other.known;
  }

private:
  static void mergeSets(llvm::SmallDenseSet<Value> &into, llvm::SmallDenseSet<Value> &from) {
    if (into.size() < from.size())
      std::swap(into, from);
    into.insert(from.begin(), from.end());
  }
};

/// The kernel that runs right after a kernel.
using Followers = llvm::DenseMap<Operation *, exec::ParallelOp>;

/// Kernels that become one: each vertex runs the bodies from `first` to `last`, each of which follows the one before.
struct Group {
  exec::ParallelOp first, last;
  Accesses accesses;

  explicit Group(exec::ParallelOp kernel) : first(kernel), last(kernel), accesses(kernel) {}
  /// Whether another vertex may read or write what a vertex touches of `state`.
  bool shares(Value state) {
    // What a kernel reads elsewhere of what it writes is in another level, of which no kernel over this level knows.
    bool apart = first.getLevelsApart() && accesses.written.contains(state) && !accesses.scattered.contains(state);
    return accesses.shared.contains(state) && !apart;
  }
};

/// Whether the kernel is nothing but writes to elements of its vertex, under conditions, which one lane can make.
bool isOneLanes(exec::ParallelOp kernel) {
  Value v = kernel.getBody().getArgument(0);
  return !kernel.getBody()
              .walk([&](Operation *op) {
                auto update = dyn_cast<exec::UpdateOp>(op);
                auto choice = dyn_cast<graph::IfOp>(op);
                auto read = dyn_cast<graph::ReadOp>(op);
                bool fine = update ? update.getSync() == exec::Sync::Plain && update.getChanged().use_empty() &&
                                         update.getIndices().size() == 1 && update.getIndices()[0] == v
                            : choice ? choice.getElseRegion().empty()
                            : read   ? !read.getRelaxed()
                                     : isPlainValue(op);
                return fine ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool isOneLanes(const Group &group, const Followers &next) {
  exec::ParallelOp kernel = group.first;
  for (; kernel != group.last; kernel = next.lookup(kernel))
    if (!isOneLanes(kernel))
      return false;
  return isOneLanes(kernel);
}

/// Whether each vertex can run the bodies of both one after the other: what one writes and the other touches is its
/// own.
bool canFuse(Group &before, Group &after, const Followers &next, bool keepSharing) {
  exec::ParallelOp first = before.first, second = after.first;
  auto plain = [](exec::ParallelOp kernel) {
    return kernel.getDomain() == graph::Domain::Vertices && !kernel.getSplit() && !kernel.getByLanes() &&
           !exec::goesBySegments(kernel);
  };
  // In a loop over levels the barrier between two kernels costs more than one lane that works for the others.
  auto loop = dyn_cast<graph::ForOp>(first->getParentOp());
  bool oneLanes = first.getByLanes() && loop && isSweep(loop) && isOneLanes(after, next);
  auto isAll = [](Value set) { return set && set.getDefiningOp<graph::AllVerticesOp>(); };
  bool same = first.getOver() == second.getOver() || (isAll(first.getOver()) && isAll(second.getOver()));
  if (!(plain(first) || oneLanes) || !plain(second) || !same || first.getOverPrevious() || second.getOverPrevious() ||
      first.getTurned() != second.getTurned())
    return false;
  // On CPUs equal work for each of all vertices stays with equally many vertices for each thread: it streams, its
  // memory is near. That of vertices in a list is anywhere.
  const bool serial = first.getSharing() == exec::Sharing::Serial || second.getSharing() == exec::Sharing::Serial;
  if (keepSharing && first.getSharing() != second.getSharing() &&
      (serial || !first.getOver() || isAll(first.getOver())))
    return false;
  Accesses &a = before.accesses, &b = after.accesses;
  // Only what both touch can meet.
  bool firstIsSmall = a.touched.size() <= b.touched.size();
  bool meet = llvm::any_of((firstIsSmall ? a : b).touched, [&](Value state) {
    if (!(firstIsSmall ? b : a).touched.contains(state))
      return false;
    return (a.written.contains(state) && (a.scattered.contains(state) || after.shares(state))) ||
           (b.written.contains(state) && (b.scattered.contains(state) || before.shares(state)));
  });
  return a.known && b.known && !meet;
}

struct FuseKernels : impl::FuseKernelsBase<FuseKernels> {
  using FuseKernelsBase::FuseKernelsBase;

  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (!runsOnDevice(algorithm))
        continue;
      SmallVector<exec::ParallelOp> kernels;
      graph::walkHolders(algorithm, [&](exec::ParallelOp kernel) { kernels.push_back(kernel); });
      Followers next = followers(kernels);
      for (const Group &group : groupsOf(kernels, next))
        fuse(group, next);
    }
  }

  /// The kernel that runs next after each, with nothing but values that do not depend on states between. These values
  /// move before the first kernel of such a row, as they must come before what uses them.
  static Followers followers(ArrayRef<exec::ParallelOp> kernels) {
    Followers next, rows; // rows: the first kernel of each row, at every kernel in it
    for (exec::ParallelOp kernel : kernels) {
      exec::ParallelOp first = rows.try_emplace(kernel, kernel).first->second;
      Operation *op = kernel->getNextNode();
      while (op && isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::AllVerticesOp, graph::StateOp>(op))
        op = op->getNextNode();
      auto follower = dyn_cast_or_null<exec::ParallelOp>(op);
      if (!follower || follower.getDomain() != graph::Domain::Vertices || kernel.getDomain() != graph::Domain::Vertices)
        continue;
      while (kernel->getNextNode() != follower)
        kernel->getNextNode()->moveBefore(first);
      next[kernel] = follower;
      rows[follower] = first;
    }
    return next;
  }

  /// The kernels in groups that can run together, found from the last kernel to the first.
  std::vector<Group> groupsOf(ArrayRef<exec::ParallelOp> kernels, const Followers &next) const {
    std::vector<Group> groups;
    llvm::DenseMap<Operation *, std::size_t> places; // of the group that a kernel begins
    llvm::DenseSet<Operation *> absorbed;
    for (exec::ParallelOp kernel : llvm::reverse(kernels)) {
      Group group(kernel);
      while (exec::ParallelOp after = next.lookup(group.last)) {
        Group &other = groups[places.lookup(after)];
        if (!canFuse(group, other, next, keepSharing))
          break;
        group.last = other.last;
        group.accesses.merge(std::move(other.accesses));
        absorbed.insert(after);
      }
      places[kernel] = groups.size();
      groups.push_back(std::move(group));
    }
    llvm::erase_if(groups, [&](const Group &group) { return absorbed.contains(group.first); });
    return groups;
  }

  void fuse(const Group &group, const Followers &next) const {
    exec::ParallelOp kernel = group.first;
    Block &body = kernel.getBody().front();
    for (exec::ParallelOp at = kernel, last = group.last; at != last;) {
      at = next.lookup(at);
      if (kernel.getByLanes())
        at.walk([&](exec::UpdateOp update) { update.setLeader(true); });
      if (at.getTransposed())
        kernel.setTransposed(true);
      if (keepSharing && at.getSharing() != kernel.getSharing())
        kernel.setSharing(exec::Sharing::Dynamic);
      at.getBody().getArgument(0).replaceAllUsesWith(kernel.getBody().getArgument(0));
      body.getOperations().splice(body.end(), at.getBody().front().getOperations());
    }
    for (exec::ParallelOp last = group.last; last != kernel;) { // their bodies are empty
      auto before = cast<exec::ParallelOp>(last->getPrevNode());
      last.erase();
      last = before;
    }
  }
};

} // namespace
} // namespace gcompile
