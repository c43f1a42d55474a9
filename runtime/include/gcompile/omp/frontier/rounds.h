// What a frontier does once a round, or once a block of vertices.
#ifndef GCOMPILE_OMP_FRONTIER_ROUNDS_H
#define GCOMPILE_OMP_FRONTIER_ROUNDS_H

#include <gcompile/omp/frontier/directions.h>
#include <gcompile/omp/frontier/frontier.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace gc {

template <class V, class A> Frontier<V, A>::Frontier(const Graph<V, A> &graph) : graph_(graph) {}
template <class V, class A> Frontier<V, A>::~Frontier() = default;

template <class V, class A> void Frontier<V, A>::start(const VertexSet<V> &from) {
  reset();
  if (from.is_all()) {
    start_all();
    return;
  }
  list_.resize_discard(graph_.num_vertices());
  for (V v : from)
    list_[size_++] = v;
  form_ = Form::list;
}

template <class V, class A> void Frontier<V, A>::start(std::initializer_list<V> from) {
  if (from.size() != 1 || *from.begin() >= graph_.num_vertices()) {
    start(VertexSet<V>::of(graph_.num_vertices(), from));
    return;
  }
  reset();
  list_.resize_discard(graph_.num_vertices());
  list_[size_++] = *from.begin();
  form_ = Form::list;
}

template <class V, class A> void Frontier<V, A>::start_all() {
  reset();
  size_ = graph_.num_vertices();
  form_ = Form::all;
}

template <class V, class A> void Frontier<V, A>::begin_push() {
  state_ = rule_.next(state_, previous_size_, size_, graph_.num_vertices());
  const bool few = state_ == PushState::serial && rule_.kind == PushRule::Kind::queue;
  // A few hubs can have much to do.
  if (few && (counting_ ? arcs_ : form_ == Form::list ? arcs_of_list() : 0) > most_arcs_alone) {
    state_ = PushState::queue;
  } else if (few && size_ >= pace_.fewest && rule_.paced && omp_get_max_threads() > 1) {
    if (pace_.shares(size_))
      state_ = PushState::queue;
    else
      pace_.begin();
  }
  wide_ = state_ != PushState::serial;
  collect(state_ == PushState::read ? Form::bytes : Form::list);
  chunks_.restart();
  const bool in_order = wide_ && next_form_ == Form::list && size_ < most_in_order * in_order_.threads();
  const bool all_short = counting_ && (!has_long_ || arcs_ <= CutLists<V>::longest);
  cutting_ = sharing_ && wide_ && !all_short && omp_get_max_threads() > 1;
  cut_early_ = cutting_ && (few || in_order) && form_ == Form::list;
  // A thread that comes while a list is being cut would still find a part of it.
  in_order_.restart(in_order && cut_early_ == cutting_);
  if (cut_early_)
    for (std::size_t i = 0; i < size_; ++i)
      if (graph_.out_end(list_[i]) - graph_.out_begin(list_[i]) > CutLists<V>::longest)
        cut_lists_.cut(graph_, list_[i]);
}

template <class V, class A> void Frontier<V, A>::use_list() {
  if (form_ != Form::list) {
    list_.resize_discard(graph_.num_vertices());
    copy_to(list_.data());
    form_ = Form::list;
  }
  collect(Form::list);
}

template <class V, class A> void Frontier<V, A>::begin_pull() {
  to_bits();
  collect(Form::bits);
  receiving_ = receivers_.of(graph_);
  wide_ = true;
  knows_claimed_ = false;
}

template <class V, class A> std::size_t Frontier<V, A>::blocks() const {
  return (slots() + block_size() - 1) / block_size();
}

template <class V, class A> Chunks::Way Frontier<V, A>::way(std::size_t blocks) {
  return wide_ ? Chunks::Way(chunks_, static_cast<std::size_t>(omp_get_thread_num()), blocks) : Chunks::Way(blocks);
}

template <class V, class A> std::size_t Frontier<V, A>::block_size() const {
  if (form_ != Form::list)
    return sparse_block;
  const std::size_t share = size_ / (8 * static_cast<std::size_t>(omp_get_max_threads()));
  return share > 64 || !wide_ ? 64 : share < 1 ? 1 : share;
}

template <class V, class A> void Frontier<V, A>::advance() {
  ++round_;
  pace_.end(size_);
  previous_size_ = size_;
  previous_arcs_ = arcs_;
  size_ = next_size_;
  arcs_ = next_arcs_;
  has_long_ = next_has_long_;
  wide_ = size_ >= vertices_worth_sharing;
  form_ = next_form_;
  if (form_ == Form::bits) {
    std::swap(bits_, next_bits_);
  } else if (form_ == Form::bytes) {
    std::swap(bytes_, next_bytes_);
  } else {
    std::swap(list_, next_list_);
    if (once_ && size_ > queued_.words() / 2) {
      queued_.clear();
    } else if (once_) {
      parallel_for(size_ > 16384, size_, [this](std::size_t i) { queued_.reset_word(list_[i]); });
    }
  }
}

template <class V, class A> void Frontier<V, A>::copy_to(V *out) const {
  if (form_ == Form::bits) {
    bits_.list(out);
  } else if (form_ == Form::bytes) {
    for (std::size_t i = 0, n = graph_.num_vertices(); i < n; ++i)
      if (bytes_.contains(i))
        *out++ = static_cast<V>(i);
  } else {
    parallel_for(size_ > 65536, size_,
                 [this, out](std::size_t i) { out[i] = form_ == Form::all ? static_cast<V>(i) : list_[i]; });
  }
}

template <class V, class A> void Frontier<V, A>::reset() {
  if (form_ == Form::bytes && size_ > 0)
    bytes_.clear();
  round_ = 1;
  pull_work_.restart();
  size_ = previous_size_ = visited_ = 0;
  arcs_ = previous_arcs_ = 0;
  has_long_ = true;
  counting_ = pulling_ = once_ = sharing_ = knows_claimed_ = false;
  pace_.stop();
  state_ = PushState::serial;
  rule_ = PushRule();
}

template <class V, class A> void Frontier<V, A>::collect(Form form) {
  const V n = graph_.num_vertices();
  pulling_ = form == Form::bits;
  next_form_ = form;
  next_size_ = 0;
  next_arcs_ = 0;
  next_has_long_ = !counting_;
  in_order_.restart(false);
  if (form == Form::bits) {
    next_bits_.resize(n);
    next_bits_.clear();
  } else if (form == Form::bytes) {
    next_bytes_.resize(n);
  } else {
    next_list_.resize_discard(n);
    if (once_)
      queued_.resize(n);
  }
}

template <class V, class A> void Frontier<V, A>::to_bits() {
  if (form_ == Form::bits)
    return;
  bits_.resize(graph_.num_vertices());
  if (form_ == Form::all) {
    bits_.set_all();
  } else if (form_ == Form::bytes) {
    bytes_.take(bits_);
  } else {
    bits_.clear();
    bits_.set_all(list_.data(), size_);
  }
  form_ = Form::bits;
}

template <class V, class A>
Frontier<V, A>::Writer::Writer(Frontier &frontier)
    : frontier_(frontier), bytes_(frontier.next_form_ == Form::bytes ? frontier.next_bytes_.data() : nullptr),
      queued_(frontier.queued_.data()), claimed_(frontier.claimed_.data()), in_order_(frontier.in_order_.enter()),
      flush_(std::min(capacity, frontier.rule_.flush)) {}

template <class V, class A> void Frontier<V, A>::Writer::set_aside() {
  count_arcs();
  aside_.insert(aside_.end(), buffer_, buffer_ + count_);
  count_ = 0;
}

template <class V, class A>
Frontier<V, A>::Reader::Reader(Frontier &frontier)
    : frontier_(frontier), block_size_(frontier.block_size()), way_(frontier.way(frontier.blocks())) {}

template <class V, class A> typename Frontier<V, A>::Reader::Block Frontier<V, A>::Reader::next() {
  while (take()) {
    const Block found = block();
    if (found.count > 0)
      return found;
  }
  return {nullptr, 0, 0, 0};
}

template <class V, class A> Arcs Frontier<V, A>::Reader::long_list(V v) {
  if (!whole_)
    return part_.arcs;
  if (!frontier_.cut_early_)
    frontier_.cut_lists_.cut(frontier_.graph_, v);
  return {0, 0};
}

template <class V, class A> bool Frontier<V, A>::Reader::take() {
  whole_ = way_.take(block_);
  return whole_ || (frontier_.cutting_ && frontier_.cut_lists_.take(part_));
}

template <class V, class A> typename Frontier<V, A>::Reader::Block Frontier<V, A>::Reader::block() {
  Frontier &f = frontier_;
  if (!whole_)
    return {&part_.vertex, 1, 1, 0};
  const ArcId longest = f.cutting_ ? CutLists<V>::longest : ~ArcId(0);
  const std::size_t begin = block_ * block_size_;
  if (f.form_ == Form::list)
    return {f.list_.data() + begin, std::min(block_size_, f.size_ - begin), f.size_ - begin, longest};
  const std::size_t end = std::min<std::size_t>(begin + block_size_, f.graph_.num_vertices());
  std::size_t count = 0;
  if (f.form_ == Form::all) {
    for (std::size_t v = begin; v < end; ++v)
      found_[count++] = static_cast<V>(v);
  } else if (f.form_ == Form::bits) {
    for (std::size_t w = begin / 64; w * 64 < end; ++w)
      for (std::uint64_t word = f.bits_.data()[w]; word; word &= word - 1)
        found_[count++] = static_cast<V>(w * 64 + static_cast<std::size_t>(__builtin_ctzll(word)));
  } else {
    count = f.bytes_.take(begin, end, found_);
  }
  return {found_, count, count, longest};
}

} // namespace gc

#endif
