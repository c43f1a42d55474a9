// Main of a generated program: an algorithm is bound to a graph and to arguments, and runs.
#ifndef GCOMPILE_PROGRAM_MAIN_H
#define GCOMPILE_PROGRAM_MAIN_H

#include <gcompile/core/device.h>
#include <gcompile/core/graph.h>
#include <gcompile/program/arguments.h>
#include <gcompile/program/info.h>
#include <gcompile/program/outputs.h>
#include <gcompile/program/placement.h>
#include <gcompile/program/process_group.h>
#include <gcompile/program/profile.h>
#include <gcompile/program/replay.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc {

namespace detail {

/// By the name of an output. The library makes and reads it: programs are compiled in less time so.
using OverdueClaims = std::map<std::string, std::vector<OverdueClaim>>;
void add_overdue(OverdueClaims &claims, const char *output, const std::vector<OverdueClaim> &of_output);

/// An algorithm bound to a graph and arguments.
struct Instance {
  virtual ~Instance() = default;
  virtual void run() = 0;
  virtual void set_arguments(const Arguments &) {} ///< of the next run, where there are parameters; of no serial form
  virtual std::vector<OutputView> outputs() const = 0;
  virtual void place(const Wish &) {} ///< of a program with two forms: chooses where it runs
  virtual const Placement *placement() const { return nullptr; }
  virtual int gpus() const { return 0; }                     ///< of a program for several: on how many it runs
  virtual const Profile *profile() const { return nullptr; } ///< of a profiled program
  virtual double layout_seconds() const { return 0; }        ///< spent on layouts of its own
  virtual std::size_t segment_bytes() const { return 0; }    ///< that its segments take, on the host
  /// Of one that replays the claims of another: adds what that one should have claimed earlier, or with another value.
  virtual void overdue(OverdueClaims &) const {}
};

template <class Algorithm, class = void> struct IsProfiled : std::false_type {};
template <class Algorithm>
struct IsProfiled<Algorithm, std::void_t<decltype(std::declval<const Algorithm &>().profile())>> : std::true_type {};

template <class Algorithm, class = void> struct HasLayout : std::false_type {};
template <class Algorithm>
struct HasLayout<Algorithm, std::void_t<decltype(std::declval<const Algorithm &>().layout_seconds())>>
    : std::true_type {};

template <class Algorithm, class = void> struct HasSegments : std::false_type {};
template <class Algorithm>
struct HasSegments<Algorithm, std::void_t<decltype(std::declval<const Algorithm &>().segment_bytes())>>
    : std::true_type {};

template <class Algorithm, class = void> struct HasSides : std::false_type {};
template <class Algorithm>
struct HasSides<Algorithm, std::void_t<decltype(std::declval<const Algorithm &>().placement())>> : std::true_type {};

template <class Algorithm, class = void> struct TakesArguments : std::false_type {};
template <class Algorithm>
struct TakesArguments<
    Algorithm, std::void_t<decltype(std::declval<Algorithm &>().set_arguments(std::declval<const Arguments &>()))>>
    : std::true_type {};

struct CollectOverdue {
  OverdueClaims &claims;

  template <class T> void operator()(const char *name, const Replay<T> &replay) {
    add_overdue(claims, name, replay.overdue());
  }
};

template <class Algorithm, class = void> struct IsReplay : std::false_type {};
template <class Algorithm>
struct IsReplay<Algorithm,
                std::void_t<decltype(std::declval<const Algorithm &>().replays(std::declval<CollectOverdue>()))>>
    : std::true_type {};

template <class Algorithm> struct InstanceOf final : Instance {
  Algorithm algorithm;

  template <class... Args> explicit InstanceOf(Args &&...args) : algorithm(std::forward<Args>(args)...) {}
  void run() override { algorithm.run(); }
  void set_arguments([[maybe_unused]] const Arguments &arguments) override {
    if constexpr (TakesArguments<Algorithm>::value)
      algorithm.set_arguments(arguments);
  }
  void place([[maybe_unused]] const Wish &wish) override {
    if constexpr (HasSides<Algorithm>::value)
      algorithm.place(wish);
  }
  const Placement *placement() const override {
    if constexpr (HasSides<Algorithm>::value)
      return &algorithm.placement();
    return nullptr;
  }
  std::vector<OutputView> outputs() const override {
    std::vector<OutputView> views;
    algorithm.outputs(CollectOutputs{views});
    return views;
  }
  const Profile *profile() const override {
    if constexpr (IsProfiled<Algorithm>::value)
      return &algorithm.profile();
    return nullptr;
  }
  double layout_seconds() const override {
    if constexpr (HasLayout<Algorithm>::value)
      return algorithm.layout_seconds();
    return 0;
  }
  std::size_t segment_bytes() const override {
    if constexpr (HasSegments<Algorithm>::value)
      return algorithm.segment_bytes();
    return 0;
  }
  void overdue([[maybe_unused]] OverdueClaims &claims) const override {
    if constexpr (IsReplay<Algorithm>::value)
      algorithm.replays(CollectOverdue{claims});
  }
};

/// Null: the program holds no such form.
template <class V> struct Factories {
  std::unique_ptr<Instance> (*parallel)(const Graph<V> &, const Arguments &) = nullptr;
  std::unique_ptr<Instance> (*serial)(const Graph<V> &, const Arguments &, const Instance &witness) = nullptr;
  std::string (*calibrate)() = nullptr; ///< of a program of two forms: measures the machine, and gives the file's name
  void (*start_device)() = nullptr;     ///< of a program that may run on a GPU: has that ready; on any thread
  bool several_gpus = false;            ///< or on several of one machine
};

/// The forms that a program holds: all of them unless its compiler is told to leave some out, as `gcompile run` does
/// with those that its command line does not need.
template <class V> constexpr bool holds_width() {
#ifdef GCOMPILE_VERTEX_BITS
  return sizeof(V) * 8 == GCOMPILE_VERTEX_BITS;
#else
  return true;
#endif
}
constexpr bool holds_serial_form() {
#ifdef GCOMPILE_WITHOUT_SERIAL
  return false;
#else
  return true;
#endif
}

template <template <class> class Parallel, template <class> class Serial, class V> Factories<V> factories() {
  Factories<V> result;
#if defined(__CUDACC__) || defined(GCOMPILE_CUDA_EMULATION)
  result.start_device = prepare_failure_record;
#endif
  if constexpr (HasSides<Parallel<V>>::value)
    result.calibrate = Parallel<V>::calibrate;
  if constexpr (holds_width<V>())
    result.parallel = [](const Graph<V> &g, const Arguments &args) -> std::unique_ptr<Instance> {
      return std::make_unique<InstanceOf<Parallel<V>>>(g, args);
    };
  if constexpr (holds_width<V>() && holds_serial_form())
    result.serial = [](const Graph<V> &g, const Arguments &args, const Instance &witness) -> std::unique_ptr<Instance> {
      return std::make_unique<InstanceOf<Serial<V>>>(g, args,
                                                     &static_cast<const InstanceOf<Parallel<V>> &>(witness).algorithm);
    };
  return result;
}

/// `group`: the processes that run the program together; null: there is one.
int run_program(int argc, char **argv, const ProgramInfo &info, const Factories<std::uint32_t> &narrow,
                const Factories<std::uint64_t> &wide, ProcessGroup *group = nullptr);

} // namespace detail

/// The whole of main: reads the command line, loads the graph, runs, verifies, reports and writes the outputs. Returns
/// the exit status. Parallel<V> is constructed from (graph, arguments); Serial<V> from (graph, arguments, const
/// Parallel<V> *).
template <template <class> class Parallel, template <class> class Serial>
int program_main(int argc, char **argv, const ProgramInfo &info) {
  return detail::run_program(argc, argv, info, detail::factories<Parallel, Serial, std::uint32_t>(),
                             detail::factories<Parallel, Serial, std::uint64_t>());
}

} // namespace gc

#endif
