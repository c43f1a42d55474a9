// How updates are made safe where iterations meet.
#include "ir/analysis/Legality.h"

using namespace mlir;

namespace gcompile {

exec::Sync syncOf(const EffectTable &table, const Write &write, std::optional<unsigned> outer) {
  if (write.rule == WriteRule::Owned)
    return exec::Sync::Plain;
  if (write.indices.empty())
    return write.rule == WriteRule::Reduction ? exec::Sync::Private : exec::Sync::Relaxed;
  if (table.isOwnedBy(write, outer))
    return exec::Sync::Plain;
  // The winner of a claim is the only one to write there.
  if (write.rule == WriteRule::UnderClaim)
    return exec::Sync::Plain;
  return write.rule == WriteRule::SameValue ? exec::Sync::Relaxed : exec::Sync::Atomic;
}

} // namespace gcompile
