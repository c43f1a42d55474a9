#include "kept_blocks.h"

#include "generate.h"

namespace gc::detail {

KeptBlocks::KeptBlocks(std::size_t blocks, std::size_t room, std::size_t line)
    : queue_(blocks), drawn_(blocks, false), line_(line) {
  kept_.reserve(blocks);
  set_room(room);
}

void KeptBlocks::arrived(Block block) {
  queue_[(first_ + waiting_) % queue_.size()] = block;
  ++waiting_;
}

KeptBlocks::Block KeptBlocks::take_first() {
  const Block block = queue_[first_];
  first_ = (first_ + 1) % queue_.size();
  --waiting_;
  return block;
}

std::size_t KeptBlocks::draw(std::size_t below) { return splitmix(state_++) % below; }

KeptBlocks::Block KeptBlocks::take_out() {
  while (kept_.size() <= most_kept_ && waiting_ > 0) {
    const Block block = take_first();
    const bool fresh = !drawn_[block];
    if (fresh) {
      drawn_[block] = true;
      ++num_drawn_;
    }
    if (kept_.size() < most_kept_) {
      kept_.push_back(block);
      continue;
    }
    if (!fresh || most_kept_ == 0)
      return block;
    const std::size_t place = draw(num_drawn_);
    if (place >= kept_.size())
      return block;
    const Block leaves = kept_[place];
    kept_[place] = block;
    return leaves;
  }
  const Block block = kept_.back();
  kept_.pop_back();
  return block;
}

} // namespace gc::detail
