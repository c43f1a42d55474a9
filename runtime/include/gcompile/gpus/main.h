// Main of a program that several GPUs of a machine run.
#ifndef GCOMPILE_GPUS_MAIN_H
#define GCOMPILE_GPUS_MAIN_H

#include <gcompile/gpus/team.h>
#include <gcompile/program/main.h>

#include <memory>
#include <vector>

namespace gc {
namespace gpus {

/// An algorithm on several devices: each has an object, which its thread makes, runs and destroys. Results are with the
/// first one.
template <class Algorithm> class InstanceOf final : public gc::detail::Instance {
public:
  template <class... Given>
  explicit InstanceOf(const Given &...given) : team_(chosen_gpus()), parts_(static_cast<std::size_t>(team_.size())) {
    try {
      team_.run([&](int r) { part(r) = std::make_unique<Algorithm>(given...); });
    } catch (...) {
      clear();
      throw;
    }
  }
  ~InstanceOf() override { clear(); }

  const Algorithm &first() const { return *parts_[0]; }
  int gpus() const override { return team_.size(); }
  void run() override {
    team_.run([&](int r) { part(r)->run(); });
  }
  void set_arguments([[maybe_unused]] const Arguments &arguments) override {
    if constexpr (gc::detail::TakesArguments<Algorithm>::value)
      team_.run([&](int r) { part(r)->set_arguments(arguments); });
  }
  std::vector<gc::detail::OutputView> outputs() const override {
    std::vector<gc::detail::OutputView> views;
    first().outputs(gc::detail::CollectOutputs{views});
    return views;
  }

private:
  std::unique_ptr<Algorithm> &part(int r) { return parts_[static_cast<std::size_t>(r)]; }
  void clear() {
    try {
      team_.run([&](int r) { part(r).reset(); });
    } catch (...) { // that with which the team has ended
    }
  }

  Team team_;
  std::vector<std::unique_ptr<Algorithm>> parts_;
};

namespace detail {

template <template <class> class Parallel, template <class> class Serial, class V>
gc::detail::Factories<V> factories() {
  using gc::detail::Instance;
  gc::detail::Factories<V> result;
  result.start_device = gc::detail::prepare_failure_record;
  result.several_gpus = true;
  if constexpr (gc::detail::holds_width<V>())
    result.parallel = [](const Graph<V> &g, const Arguments &args) -> std::unique_ptr<Instance> {
      return std::make_unique<InstanceOf<Parallel<V>>>(g, args);
    };
  if constexpr (gc::detail::holds_width<V>() && gc::detail::holds_serial_form())
    result.serial = [](const Graph<V> &g, const Arguments &args, const Instance &witness) -> std::unique_ptr<Instance> {
      return std::make_unique<gc::detail::InstanceOf<Serial<V>>>(
          g, args, &static_cast<const InstanceOf<Parallel<V>> &>(witness).first());
    };
  return result;
}

} // namespace detail

/// As gc::program_main.
template <template <class> class Parallel, template <class> class Serial>
int program_main(int argc, char **argv, const ProgramInfo &info) {
  return gc::detail::run_program(argc, argv, info, detail::factories<Parallel, Serial, std::uint32_t>(),
                                 detail::factories<Parallel, Serial, std::uint64_t>());
}

} // namespace gpus
} // namespace gc

#endif
