// A program with a form for the CPU and one for the GPU: it chooses one when it starts, or goes over while it runs.
#ifndef GCOMPILE_HYBRID_PROGRAM_H
#define GCOMPILE_HYBRID_PROGRAM_H

#include <gcompile/core/hand_over.h>
#include <gcompile/cuda/device/device.h>
#include <gcompile/hybrid/calibrate.h>
#include <gcompile/hybrid/moves.h>
#include <gcompile/hybrid/stages.h>
#include <gcompile/omp/threads/threads.h>
#include <gcompile/program/main.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc {
namespace hybrid {

/// What a program of two forms takes, gives and needs: what either of them does.
inline ProgramInfo info_of(const ProgramInfo &cpu, const ProgramInfo &gpu, const Sides &sides) {
  ProgramInfo info = cpu;
  info.needs_in_edges |= gpu.needs_in_edges;
  info.needs_in_edge_ids |= gpu.needs_in_edge_ids;
  info.sides = sides;
  return info;
}

/// Why no GPU can be used; empty: one can. It takes a while to ask.
inline std::string why_no_device() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  return status != cudaSuccess ? cudaGetErrorString(status) : count == 0 ? "the machine has none" : "";
}

/// What a GPU gets of a graph.
template <class V> double bytes_of(const Graph<V> &graph, const ProgramInfo &info) {
  const double n = static_cast<double>(graph.num_vertices()), arcs = static_cast<double>(graph.num_arcs());
  const bool both = graph.in_offsets && graph.in_offsets != graph.out_offsets;
  return (both ? 2 : 1) * (n * sizeof(ArcId) + arcs * sizeof(V)) + (graph.in_edges ? arcs * sizeof(ArcId) : 0) +
         8 * arcs * static_cast<double>(info.edge_columns.size());
}

/// The graph and the machine, as far as they matter for where a program runs.
template <class V> Task task_of(const Graph<V> &graph, const ProgramInfo &info, const Wish &wish) {
  Task task;
  task.vertices = static_cast<double>(graph.num_vertices());
  task.arcs = static_cast<double>(graph.num_arcs());
  task.bytes = bytes_of(graph, info);
  task.runs = static_cast<double>(wish.runs);
  task.threads = omp_get_max_threads();
  task.rates = kept_rates();
  return task;
}

/// Where the user wants a program.
inline Placement place_as_wished(const Sides &sides, const Stages &stages, const Wish &wish) {
  const std::string reason = "as --run-on says";
  if (wish.on == Side::migrate && !sides.goes_over)
    throw Error(ErrorKind::argument,
                "--run-on=migrate: no statement of this program can go over from the CPU to the GPU");
  if (wish.on != Side::mixed)
    return {wish.on, reason};
  if (wish.stages.size() != stages.list.size())
    throw Error(ErrorKind::argument,
                "--run-on: " + std::to_string(wish.stages.size()) + " sides are given, and this program has " +
                    (stages.list.empty() ? "no stages" : std::to_string(stages.list.size()) + " stages"));
  const bool all = std::equal(wish.stages.begin() + 1, wish.stages.end(), wish.stages.begin());
  for (std::size_t k = 0; k < wish.stages.size(); ++k)
    if (!all && stages.list[k].inside > 0 && wish.stages[k] != Side::cpu)
      throw Error(ErrorKind::argument, "--run-on: stage " + std::to_string(k + 1) +
                                           (stages.list[k].turns ? " is a loop whose turns the CPU counts"
                                                                 : " is a choice that the CPU makes") +
                                           "; only stages in it can be on the GPU");
  return all ? Placement{wish.stages.front(), reason} : Placement{Side::mixed, reason, wish.stages};
}

/// Whether the schedule has a word for where the program, or a stage of it, runs.
inline bool schedule_says(const Sides &sides, const Stages &stages) {
  const auto says = [](const auto &each) { return each.on != Side::automatic && !each.by_one_list; };
  return says(sides) || std::any_of(stages.list.begin(), stages.list.end(), says);
}

/// Where a program runs of which neither the user nor the schedule says that it goes over.
inline Placement choose_place(const Sides &sides, const Stages &stages, const Task &task) {
  Stages all = stages;
  if (all.list.empty()) // then it is one stage
    all.list.push_back({sides.on, sides.work, 0, 0});
  const std::vector<Side> chosen = choose_sides(all, task);
  const bool mixed =
      std::count(chosen.begin(), chosen.end(), chosen.front()) != static_cast<std::ptrdiff_t>(chosen.size());
  Placement placement;
  placement.on = mixed ? Side::mixed : chosen.front();
  placement.reason = schedule_says(sides, stages) ? "as the schedule says"
                     : sides.by_one_list ? "each turn of a loop goes along one list, which gives a GPU little to do"
                     : placement.on == Side::cpu ? "the graph is too small for a GPU to be worth its start"
                     : placement.on == Side::gpu ? "the graph is large"
                                                 : "each stage where it takes less time";
  if (mixed)
    placement.stages = chosen;
  return placement;
}

/// Where a program runs. The device is not asked, and so not started, where it would not be worth it.
template <class V>
Placement place(const Graph<V> &graph, const ProgramInfo &info, const Stages &stages, const Wish &wish) {
  const Sides &sides = *info.sides;
  if (wish.on != Side::automatic)
    return place_as_wished(sides, stages, wish);
  const Placement wanted = sides.on == Side::migrate ? Placement{Side::migrate, "as the schedule says"}
                                                     : choose_place(sides, stages, task_of(graph, info, wish));
  if (wanted.on == Side::cpu)
    return wanted;
  const std::string missing = why_no_device();
  return missing.empty() ? wanted : Placement{Side::cpu, "no GPU can be used: " + missing};
}

template <class Form, class = void> struct HandsOver : std::false_type {};
template <class Form>
struct HandsOver<Form, std::void_t<decltype(std::declval<Form &>().hand_over())>> : std::true_type {};
template <class Form, class = void> struct HasStages : std::false_type {};
template <class Form> struct HasStages<Form, std::void_t<decltype(Form::num_stages)>> : std::true_type {};

/// An algorithm: `Cpu` and `Gpu` are its forms, which are made when they are needed.
template <class V, class Cpu, class Gpu> class Program {
public:
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  /// Where it runs from now on; without this, where it seems best.
  void place(const Wish &wish) {
    placement_ = hybrid::place(graph_, info_, stages_, wish);
    if (placement_->on == Side::cpu)
      return;
    // What was chosen for it may turn out to be too large for the device.
    const bool forced = wish.on != Side::automatic || schedule_says(*info_.sides, stages_);
    try {
      gpu();
    } catch (const Error &error) {
      if (forced || error.kind != ErrorKind::resource)
        throw;
      placement_ = Placement{Side::cpu, error.what()};
    }
  }
  const Placement &placement() const { return *placement_; }

  /// Measures this machine, for all programs of two forms. Gives the file that keeps what it has found.
  static std::string calibrate() {
    if (const std::string missing = why_no_device(); !missing.empty())
      throw Error(ErrorKind::resource, "--calibrate: no GPU can be used: " + missing);
    return keep_rates(measure());
  }

  /// Runs the algorithm from its beginning.
  void run() {
    if (!placement_)
      place({});
    const Side on = placement_->on;
    placement_->moved_bytes = 0;
    placement_->ended = on == Side::gpu ? Side::gpu : Side::cpu;
    if (on == Side::gpu)
      gpu().run();
    else if (on == Side::cpu)
      cpu().run();
    else if (on == Side::mixed)
      run_stages(cpu(), gpu());
    else
      migrate(cpu());
  }

  /// Gives the next run other arguments.
  template <class Form = Cpu, class... Given>
  auto set_arguments(const Given &...given) -> decltype(std::declval<Form &>().set_arguments(given...)) {
    for_both([&](auto &form) { form.set_arguments(given...); });
    keep(given...);
  }

  /// Calls visit(name, values) for every result.
  template <class Visit> void outputs(Visit &&visit) const {
    ended([&](const auto &form) -> void { form.outputs(visit); });
  }
  /// What the last run has done on both sides.
  template <class Form = Cpu> auto profile() const -> decltype(std::declval<const Form &>().profile()) {
    const bool both = placement_->on == Side::mixed || placement_->ended == Side::gpu;
    if ((placement_->on != Side::migrate && placement_->on != Side::mixed) || !both)
      return ended([&](const auto &form) -> decltype(auto) { return form.profile(); });
    profile_ = Profile();
    profile_.append(cpu_->profile(), "cpu", 0);
    if (placement_->on == Side::mixed)
      profile_.merge(gpu_->profile(), "gpu");
    else
      profile_.append(gpu_->profile(), "gpu", placement_->moved_bytes);
    return profile_;
  }
  double layout_seconds() const {
    double seconds = 0;
    if constexpr (gc::detail::HasLayout<Cpu>::value)
      seconds += cpu_ ? cpu_->layout_seconds() : 0;
    if constexpr (gc::detail::HasLayout<Gpu>::value)
      seconds += gpu_ ? gpu_->layout_seconds() : 0;
    return seconds;
  }

  std::size_t segment_bytes() const {
    if constexpr (gc::detail::HasSegments<Cpu>::value)
      return cpu_ ? cpu_->segment_bytes() : 0;
    return 0;
  }

  /// Calls use(form) with the one where the last run has ended, whose results count.
  template <class Use> decltype(auto) ended(Use &&use) const {
    return placement_->ended == Side::gpu ? use(std::as_const(*gpu_)) : use(std::as_const(*cpu_));
  }
  const Cpu *cpu_form() const { return cpu_.get(); }
  const Gpu *gpu_form() const { return gpu_.get(); }

protected:
  template <class... Given>
  Program(const Graph<V> &graph, const ProgramInfo &info, const Stages &stages, const Given &...given)
      : graph_(graph), info_(info), stages_(stages), mirrors_(stages.states.size()) {
    keep(given...);
  }

private:
  template <class... Given> void keep(const Given &...given) {
    make_cpu_ = [this, given...] { cpu_ = std::make_unique<Cpu>(graph_, given...); };
    make_gpu_ = [this, given...] { gpu_ = std::make_unique<Gpu>(graph_, given...); };
  }
  Cpu &cpu() {
    if (!cpu_)
      make_cpu_();
    return *cpu_;
  }
  Gpu &gpu() {
    if (!gpu_) {
      // What keeps one from being used is said as such.
      if (const std::string missing = why_no_device(); !missing.empty())
        throw Error(ErrorKind::resource, "no GPU can be used: " + missing);
      make_gpu_();
    }
    return *gpu_;
  }
  template <class Use> void for_both(Use &&use) {
    if (cpu_)
      use(*cpu_);
    if (gpu_)
      use(*gpu_);
  }

  template <class Form> void migrate(Form &form) {
    if constexpr (HandsOver<Form>::value) { // hybrid::place() refuses others
      form.hand_over().begin();
      form.run();
      form.hand_over().end();
      if (!form.hand_over().went())
        return;
      gpu().run_from(&form);
      placement_->ended = Side::gpu;
      placement_->moved_bytes = form.hand_over().moved();
    }
  }

  template <class Form> void run_stages([[maybe_unused]] Form &cpu, [[maybe_unused]] Gpu &gpu) {
    if constexpr (HasStages<Form>::value) { // hybrid::place() refuses others
      for_both([](auto &form) {
        if constexpr (Records<std::decay_t<decltype(form)>>::value)
          form.recorder().start();
      });
      placement_->moved_bytes =
          MixedRun<Form, Gpu, V>(cpu, gpu, graph_.num_vertices(), stages_, placement_->stages, mirrors_).run();
      for_both([](auto &form) {
        if constexpr (Records<std::decay_t<decltype(form)>>::value)
          form.recorder().finish();
      });
    }
  }

  const Graph<V> graph_;
  const ProgramInfo info_;
  const Stages stages_;
  std::optional<Placement> placement_;
  std::function<void()> make_cpu_, make_gpu_;
  std::unique_ptr<Cpu> cpu_;
  std::unique_ptr<Gpu> gpu_;
  std::vector<Mirror> mirrors_; // of the states that stages hand on
  mutable Profile profile_;     // of both
};

/// The serial form that checks a program where it has run.
template <class V, class Cpu, class Gpu, class Parallel> class Serial {
public:
  Serial(const Graph<V> &graph, const Arguments &arguments, const Parallel *witness) {
    if (witness->placement().ended == Side::gpu)
      gpu_ = std::make_unique<Gpu>(graph, arguments, witness->gpu_form());
    else
      cpu_ = std::make_unique<Cpu>(graph, arguments, witness->cpu_form());
  }
  void run() {
    if (gpu_)
      gpu_->run();
    else
      cpu_->run();
  }
  template <class Visit> void outputs(Visit &&visit) const {
    if (gpu_)
      gpu_->outputs(visit);
    else
      cpu_->outputs(visit);
  }
  template <class Visit, class Form = Cpu>
  auto replays(Visit &&visit) const -> decltype(std::declval<const Form &>().replays(visit)) {
    if (gpu_)
      gpu_->replays(visit);
    else
      cpu_->replays(visit);
  }

private:
  std::unique_ptr<Cpu> cpu_;
  std::unique_ptr<Gpu> gpu_;
};

} // namespace hybrid
} // namespace gc

#endif
