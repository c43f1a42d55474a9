// One run of a program of two forms, stage by stage, and what is moved between the sides.
#ifndef GCOMPILE_HYBRID_MOVES_H
#define GCOMPILE_HYBRID_MOVES_H

#include <gcompile/cuda/device/link.h>
#include <gcompile/cuda/sets/vertex_set.h>
#include <gcompile/hybrid/mirror.h>
#include <gcompile/hybrid/stages.h>
#include <gcompile/omp/sets/vertex_set.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc {
namespace hybrid {

// ---- Moving a state -------------------------------------------------------------------------------------------------
// Each begins to, and gives the bytes that are moved: Link::order() and Link::finish() see to the rest. `again`: it is
// going to come that way again.

template <class T, class Graph> std::size_t to_gpu(Mirror &, const T &from, T &to, bool, const Graph &) {
  to = from;
  return sizeof(T);
}
template <class T, class Graph>
std::size_t to_gpu(Mirror &mirror, const Array<T> &from, cuda::Property<T> &to, bool again, const Graph &) {
  if (to.size() != from.size())
    mirror.forget();
  to.resize_discard(from.size());
  return mirror.to_gpu(to.data(), from.data(), from.size() * sizeof(T), again);
}
template <class T, class Graph>
std::size_t to_gpu(Mirror &mirror, const Dense<T> &from, cuda::Dense<T> &to, bool again, const Graph &) {
  return mirror.to_gpu(to.view().values, from.data(), from.size() * from.size() * sizeof(T), again);
}
/// A set is moved as a list or as a bitmap, whichever has fewer bytes, and all vertices as nothing.
template <class V> struct SetBytes {
  std::size_t words, listed, of_words;
  SetBytes(V vertices, std::int64_t members)
      : words((static_cast<std::size_t>(vertices) + 31) / 32), listed(static_cast<std::size_t>(members) * sizeof(V)),
        of_words(words * sizeof(std::uint32_t)) {}
  bool lists() const { return listed <= of_words; }
};
template <class V, class Graph>
std::size_t to_gpu(Mirror &, const VertexSet<V> &from, cuda::VertexSet<V> &to, bool, const Graph &graph) {
  if (from.is_all() && from.size() > 0) {
    to = cuda::VertexSet<V>::all(graph);
    return 0;
  }
  const SetBytes<V> bytes(graph.num_vertices(), from.size());
  cuda::Link &link = cuda::Link::get();
  link.follow();
  if (bytes.lists()) {
    std::vector<V> members;
    members.reserve(static_cast<std::size_t>(from.size()));
    for (const V v : from)
      members.push_back(v);
    cuda::Buffer<V> items(members.size());
    link.upload(items.data(), members.data(), bytes.listed);
    link.order();
    to = cuda::VertexSet<V>::of_items(graph, items.data(), members.size());
    return bytes.listed;
  }
  std::vector<std::uint32_t> words(bytes.words);
  for (const V v : from)
    words[v / 32] |= std::uint32_t(1) << (v % 32);
  cuda::Buffer<std::uint32_t> there(bytes.words);
  link.upload(there.data(), words.data(), bytes.of_words);
  link.order();
  to = cuda::VertexSet<V>::of_words(graph, std::move(there), static_cast<std::size_t>(from.size()));
  return bytes.of_words;
}

template <class T, class V> std::size_t to_cpu(Mirror &, const T &from, T &to, V) {
  to = from;
  return sizeof(T);
}
template <class T, class V> std::size_t to_cpu(Mirror &mirror, const cuda::Property<T> &from, Array<T> &to, V) {
  if (to.size() != from.size())
    mirror.forget();
  to.resize_discard(from.size());
  return mirror.to_cpu(to.data(), from.data(), from.size() * sizeof(T));
}
template <class T, class V> std::size_t to_cpu(Mirror &mirror, const cuda::Dense<T> &from, Dense<T> &to, V) {
  if (to.size() != from.size())
    mirror.forget();
  to.resize_discard(from.size());
  return mirror.to_cpu(to.data(), from.view().values, from.size() * from.size() * sizeof(T));
}
template <class V> std::size_t to_cpu(Mirror &, const cuda::VertexSet<V> &from, VertexSet<V> &to, V vertices) {
  if (from.is_all() || from.size() == 0) {
    to = from.size() == 0 ? VertexSet<V>::of(vertices, {}) : VertexSet<V>::all(vertices);
    return 0;
  }
  const SetBytes<V> bytes(vertices, from.size());
  cuda::Link &link = cuda::Link::get();
  std::vector<V> members;
  if (bytes.lists()) {
    members.resize(static_cast<std::size_t>(from.size()));
    const V *const items = from.items();
    link.follow();
    link.download(members.data(), items, bytes.listed);
    link.finish();
    std::sort(members.begin(), members.end());
  } else {
    std::vector<std::uint32_t> words(bytes.words);
    link.follow();
    link.download(words.data(), from.view().words, bytes.of_words);
    link.finish();
    members.reserve(static_cast<std::size_t>(from.size()));
    for (std::size_t i = 0; i < words.size(); ++i)
      for (std::uint32_t rest = words[i]; rest; rest &= rest - 1)
        members.push_back(static_cast<V>(i * 32 + static_cast<unsigned>(__builtin_ctz(rest))));
  }
  to = VertexSet<V>::of(vertices, members);
  return std::min(bytes.listed, bytes.of_words);
}

/// Before the GPU changes what both sides have.
template <class T> void remember(Mirror &, const T &) {}
template <class T> void remember(Mirror &mirror, const cuda::Property<T> &on_device) {
  mirror.remember(on_device.data(), on_device.size() * sizeof(T));
}
template <class T> void remember(Mirror &mirror, const cuda::Dense<T> &on_device) {
  mirror.remember(on_device.view().values, on_device.size() * on_device.size() * sizeof(T));
}

// ---- A run ----------------------------------------------------------------------------------------------------------

template <class Form, class = void> struct Records : std::false_type {};
template <class Form>
struct Records<Form, std::void_t<decltype(std::declval<Form &>().recorder())>> : std::true_type {};

/// One run of a program of two forms, stage by stage.
template <class Cpu, class Gpu, class V> class MixedRun {
public:
  /// `mirrors` has one for each state.
  MixedRun(Cpu &cpu, Gpu &gpu, V vertices, const Stages &stages, const std::vector<Side> &sides,
           std::vector<Mirror> &mirrors)
      : cpu_(cpu), gpu_(gpu), vertices_(vertices), stages_(stages), sides_(sides), mirrors_(mirrors) {}
  MixedRun(const MixedRun &) = delete;
  MixedRun &operator=(const MixedRun &) = delete;
  ~MixedRun() { cuda::Link::get().abandon(); }

  /// Leaves all results on the CPU; gives the bytes that it has moved.
  std::uint64_t run() {
    for (Mirror &mirror : mirrors_)
      mirror.forget();
    if (stages_.begins_on_both) {
      cpu_.run(Nth<0>());
      gpu_.run(Nth<0>());
      same_ = stages_.initial;
    }
    for (std::size_t k = 0; k < sides_.size(); k += 1 + stages_.list[k].inside)
      stage(k);
    bring(sides_.size());
    return moved_;
  }

private:
  /// What a stage of the CPU's form calls for the loops and choices in it.
  struct TurnsOf {
    MixedRun &run_of;
    std::size_t around;

    bool next() const {
      run_of.prepare(around);
      return true;
    }
    int done() const { return 0; }
    template <unsigned number> bool run(Nth<number>) const {
      if (run_of.stage(number - run_of.first()))
        return true;
      next(); // for what stands behind the loop
      return false;
    }
  };

  /// The number of the first stage of the list in the forms.
  std::size_t first() const { return stages_.begins_on_both ? 1 : 0; }

  /// All that the k-th stage needs is there.
  void prepare(std::size_t k) {
    bring(k);
    move_ahead(k);
    if (sides_[k] == Side::gpu && (stages_.list[k].writes & to_cpu_) != 0)
      finish(); // what is still under way must not change
    remember(k);
    valid_.pass(stages_.list[k], sides_[k]);
  }
  /// Runs the k-th stage, with all that it conducts; whether the innermost loop that it stands in goes on.
  bool stage(std::size_t k) {
    prepare(k);
    return sides_[k] == Side::cpu ? run_stage(cpu_, k) : run_stage(gpu_, k);
  }
  /// Where a turn of the outermost loop begins, for a stage in a loop; else the k-th stage.
  std::size_t turn_of(std::size_t k) const {
    for (std::size_t loop = 0; loop < k && k < sides_.size(); ++loop)
      if (stages_.list[loop].turns && loop + stages_.list[loop].inside >= k)
        return loop;
    return k;
  }

  // The results are needed as by one more stage on the CPU.
  Side side(std::size_t k) const { return k < sides_.size() ? sides_[k] : Side::cpu; }
  States touches(std::size_t k) const { return k < sides_.size() ? stages_.list[k].touches : stages_.outputs; }

  /// Whether a stage from the k-th on needs a state on the other side than `here`.
  bool crosses(States state, std::size_t k, Side here) const {
    for (; k <= sides_.size(); ++k)
      if ((touches(k) & state) != 0 && side(k) != here)
        return true;
    return false;
  }
  /// Whether a stage from the k-th on needs, on the other side than `here`, what the state has now.
  bool is_awaited(States state, std::size_t k, Side here) const {
    for (; k <= sides_.size(); ++k) {
      if ((touches(k) & state) != 0 && side(k) != here)
        return true;
      if (k < sides_.size() && (stages_.list[k].writes & state) != 0)
        return false;
    }
    return false;
  }

  /// What the k-th stage needs is there for it.
  void bring(std::size_t k) {
    const Side here = side(k);
    const States needed = touches(k);
    move(needed & ~(here == Side::cpu ? valid_.cpu : valid_.gpu), here, k);
    if (here == Side::cpu && (needed & to_cpu_) != 0) {
      finish();
    } else if (here == Side::gpu && (needed & to_gpu_) != 0) {
      cuda::Link::get().order();
      to_gpu_ = 0;
    }
  }
  void finish() {
    cuda::Link::get().finish();
    to_cpu_ = to_gpu_ = 0;
  }
  /// What later stages need, and the stages until then do not change, comes beside the k-th stage.
  void move_ahead(std::size_t k) {
    for (const Side to : {Side::cpu, Side::gpu}) {
      const Side from = to == Side::cpu ? Side::gpu : Side::cpu;
      States awaited = 0;
      for (States rest = ~(to == Side::cpu ? valid_.cpu : valid_.gpu); rest != 0; rest &= rest - 1)
        if (const States state = rest & -rest; is_awaited(state, k, from))
          awaited |= state;
      move(awaited, to, k);
    }
  }
  /// If the k-th stage runs on the GPU and changes what both sides have, and the CPU needs that later.
  void remember(std::size_t k) {
    if (sides_[k] == Side::gpu)
      each(stages_.list[k].writes & valid_.cpu & valid_.gpu & same_, [&](auto number) {
        if (crosses(bit(number), turn_of(k), Side::gpu))
          hybrid::remember(mirrors_[number.value], std::as_const(gpu_).state(Nth<number.value>()));
      });
  }
  /// Begins to move states to a side, before the k-th stage.
  void move(States states, Side to, std::size_t k) {
    each(states, [&](auto number) {
      using State = Nth<number.value>;
      Mirror &mirror = mirrors_[number.value];
      if (to == Side::cpu) {
        note(cpu_, to_cpu(mirror, std::as_const(gpu_).state(State()), cpu_.state(State()), vertices_));
      } else {
        const bool again = comes_again(bit(number), k);
        note(gpu_, to_gpu(mirror, std::as_const(cpu_).state(State()), gpu_.state(State()), again, gpu_.device_graph()));
      }
    });
    valid_.cpu |= states;
    valid_.gpu |= states;
    same_ |= states;
    (to == Side::cpu ? to_cpu_ : to_gpu_) |= states;
  }
  /// So many bytes come to a form, for what it does next.
  template <class Form> void note(Form &form, std::uint64_t bytes) {
    moved_ += bytes;
    if constexpr (Records<Form>::value)
      form.recorder().note_moved(bytes);
  }
  /// Whether a state that goes to the GPU before the k-th stage is going to do so once more.
  bool comes_again(States state, std::size_t k) const {
    for (k = turn_of(k); k < sides_.size(); ++k)
      if (sides_[k] == Side::cpu && (stages_.list[k].writes & state) != 0)
        return crosses(state, turn_of(k), Side::cpu);
    return false;
  }

  template <class Form> bool run_stage(Form &form, std::size_t k) {
    bool goes_on = true;
    for_numbers(std::make_integer_sequence<unsigned, Form::num_stages>(), [&](auto number) {
      using Number = Nth<number.value>;
      if (first() + k != number.value)
        return;
      if constexpr (!Conducts<Form, number.value, TurnsOf>::value)
        goes_on = run_one(form, Number());
      else if constexpr (std::is_same_v<Form, Cpu>) // the schedule and place_as_wished() leave these to the CPU
        goes_on = run_one(form, Number(), TurnsOf{*this, k});
    });
    return goes_on;
  }
  /// Runs a stage, which takes `turns` if it conducts others; whether a loop that it stands in goes on.
  template <class Form, class Number, class... Turns> static bool run_one(Form &form, Number stage, Turns... turns) {
    if constexpr (std::is_same_v<decltype(form.run(stage, turns...)), bool>)
      return form.run(stage, turns...);
    else
      return form.run(stage, turns...), true;
  }
  template <unsigned number> static States bit(std::integral_constant<unsigned, number>) { return States(1) << number; }
  /// Calls use(number) for each of the states.
  template <class Use> static void each(States states, const Use &use) {
    for_numbers(std::make_integer_sequence<unsigned, Cpu::num_states>(), [&](auto number) {
      if ((states & bit(number)) != 0)
        use(number);
    });
  }
  template <class Use, unsigned... numbers>
  static void for_numbers(std::integer_sequence<unsigned, numbers...>, const Use &use) {
    (use(std::integral_constant<unsigned, numbers>()), ...);
  }

  Cpu &cpu_;
  Gpu &gpu_;
  const V vertices_;
  const Stages &stages_;
  const std::vector<Side> &sides_;
  std::vector<Mirror> &mirrors_;
  Valid valid_;
  States same_ = 0;                ///< where both are valid, they are known to be the same
  States to_cpu_ = 0, to_gpu_ = 0; ///< have begun to move there
  std::uint64_t moved_ = 0;
};

} // namespace hybrid
} // namespace gc

#endif
