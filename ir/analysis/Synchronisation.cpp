// How updates are made safe where iterations meet.
#include "ir/analysis/Legality.h"

using namespace mlir;

namespace gcompile {

exec::Sync syncOf(const EffectTable &table, const Write &write, std::optional<unsigned> outer) {
  if (write.rule == WriteRule::Owned)
    return exec::Sync::Plain;
  if (write.indices.empty())
    return write.rule != WriteRule::Reduction ? exec::Sync::Relaxed
           : write.part >= 0                  ? exec::Sync::Atomic // a tuple may have several kinds of update
                                              : exec::Sync::Private;
  if (table.isOwnedBy(write, outer))
    return exec::Sync::Plain;
  // The winner of a claim is the only one to write there.
  if (write.rule == WriteRule::UnderClaim)
    return exec::Sync::Plain;
  return write.rule == WriteRule::SameValue ? exec::Sync::Relaxed : exec::Sync::Atomic;
}

graph::Safety safetyOf(const EffectTable &table, const Write &write, std::optional<unsigned> outer) {
  switch (syncOf(table, write, outer)) {
  case exec::Sync::Plain:
    return write.rule == WriteRule::Owned        ? graph::Safety::Owned
           : write.rule == WriteRule::UnderClaim ? graph::Safety::Winner
                                                 : graph::Safety::OneThread;
  case exec::Sync::Atomic:
    return write.rule == WriteRule::Claim ? graph::Safety::CompareAndSet : graph::Safety::Atomic;
  case exec::Sync::Private:
    return graph::Safety::Private;
  case exec::Sync::Relaxed:
    return graph::Safety::Relaxed;
  }
  llvm_unreachable("every synchronisation is listed");
}

} // namespace gcompile
