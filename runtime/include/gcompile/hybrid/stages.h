// The stages of a program of two forms, and where each runs.
#ifndef GCOMPILE_HYBRID_STAGES_H
#define GCOMPILE_HYBRID_STAGES_H

#include <gcompile/hybrid/cost.h>
#include <gcompile/program/placement.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc {
namespace hybrid {

/// Names a stage, or a state that stages hand on, by its number.
template <unsigned number> struct Nth {};

/// Whether a stage of a form has loops or choices with stages in them, which it has run by an object of the type.
template <class Form, unsigned number, class Turns, class = void> struct Conducts : std::false_type {};
template <class Form, unsigned number, class Turns>
struct Conducts<Form, number, Turns,
                std::void_t<decltype(std::declval<Form &>().run(Nth<number>(), std::declval<Turns>()))>>
    : std::true_type {};

/// What a stage with loops or choices calls, for a form that runs alone.
template <class Form> struct Turns {
  Form &form;

  /// Before what the loop or choice itself looks at.
  bool next() const { return true; }
  /// The turns that have been made when the loop begins.
  int done() const { return 0; }
  /// Runs a stage in it; whether the innermost loop around that goes on.
  template <unsigned number> bool run(Nth<number> stage) const {
    if constexpr (Conducts<Form, number, Turns>::value)
      return form.run(stage, *this);
    else
      return form.run(stage);
  }
};
template <class Form> Turns<Form> turns_of(Form &form) { return {form}; }

/// The states that are handed on are numbered: a bit each.
using States = std::uint64_t;

struct Stage {
  Side on;                  ///< what the schedule says, or by_one_list; automatic: either side
  Work work;                ///< of one run
  States touches;           ///< what must be there
  States writes;            ///< what is there alone afterwards
  unsigned inside = 0;      ///< so many of the next stages stand in loops and choices of it, which the CPU conducts
  bool turns = false;       ///< in loops, so that they run several times
  bool by_one_list = false; ///< it is the CPU since each turn of a loop goes along one list
};

/// How many values a state has.
struct Extent {
  std::size_t bytes; ///< of one value
  enum Shape { once, each_vertex, each_edge, each_pair } shape;

  double total(const Task &task) const {
    const double n = task.vertices;
    return static_cast<double>(bytes) * (shape == once          ? 1
                                         : shape == each_vertex ? n
                                         : shape == each_edge   ? task.arcs
                                                                : n * n);
  }
};

/// What the compiler knows of the stages of a program.
struct Stages {
  std::vector<Extent> states;
  States outputs = 0;          ///< those that are results
  bool begins_on_both = false; ///< before the first stage stands what costs little, which each side runs for itself
  std::vector<Stage> list;     ///< the others; empty: the program has no stages
  States initial = 0;          ///< what is set before the first stage: both sides then have the same
};

/// Which states are there on either side.
struct Valid {
  States cpu = ~States(0), gpu = ~States(0);

  /// What a stage needs moved to its side.
  States missing(const Stage &stage, Side side) const { return stage.touches & ~(side == Side::cpu ? cpu : gpu); }
  /// After that, and after the stage.
  void pass(const Stage &stage, Side side) {
    States &here = side == Side::cpu ? cpu : gpu, &there = side == Side::cpu ? gpu : cpu;
    here |= stage.touches;
    there &= ~stage.writes;
  }
};

/// How often a loop turns of which that is not known; the work of its stages counts that already.
constexpr double turns_of_loop = 10;

/// What the copies before stages take, in order, as far as that can be estimated.
struct Copies {
  const Stages &stages;
  const std::vector<Side> &sides;
  const Task &task;
  Valid valid = {};
  double seconds = 0;

  /// Before the stages from `begin` up to `end`, without that, which run so many times in a row.
  void before(std::size_t begin, std::size_t end, double times) {
    for (std::size_t k = begin; k < end; k += 1 + stages.list[k].inside) {
      const std::size_t behind = k + 1 + stages.list[k].inside;
      before_one(k, times);
      before(k + 1, behind, times);
      if (!stages.list[k].turns)
        continue;
      const double others = times * (turns_of_loop - 1); // of which the second is as good as any
      before_one(k, others);
      before(k + 1, behind, others);
    }
  }

private:
  void before_one(std::size_t k, double times) {
    const Stage &stage = stages.list[k];
    for (States missing = valid.missing(stage, sides[k]); missing != 0; missing &= missing - 1)
      seconds +=
          times * copy_seconds(stages.states[static_cast<std::size_t>(__builtin_ctzll(missing))].total(task), task);
    valid.pass(stage, sides[k]);
  }
};

/// What so many runs take with each stage where `sides` puts it, as far as that can be estimated.
inline double seconds_of(const Stages &stages, const std::vector<Side> &sides, const Task &task) {
  Copies copies = {stages, sides, task};
  copies.before(0, sides.size(), 1);
  double run = copies.seconds, start = 0;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    run += sides[k] == Side::cpu ? cpu_seconds(stages.list[k].work, task) : gpu_seconds(stages.list[k].work, task);
    if (sides[k] == Side::gpu)
      start = start_of_gpu(task);
  }
  return start + task.runs * run;
}

/// The sides on which the stages take the least time: from all on one side, one stage after the other changes its side
/// as long as that helps. What the schedule says stays.
inline std::vector<Side> choose_sides(const Stages &stages, const Task &task) {
  std::vector<Side> best;
  double least = 0;
  for (const Side all : {Side::cpu, Side::gpu}) {
    std::vector<Side> sides;
    for (const Stage &stage : stages.list)
      sides.push_back(stage.on == Side::automatic ? all : stage.on);
    double seconds = seconds_of(stages, sides, task);
    for (bool better = true; better;) {
      better = false;
      for (std::size_t k = 0; k < sides.size(); ++k) {
        if (stages.list[k].on != Side::automatic)
          continue;
        std::vector<Side> other = sides;
        other[k] = sides[k] == Side::cpu ? Side::gpu : Side::cpu;
        if (const double then = seconds_of(stages, other, task); then < seconds) {
          sides = std::move(other);
          seconds = then;
          better = true;
        }
      }
    }
    if (best.empty() || seconds < least) {
      best = sides;
      least = seconds;
    }
  }
  return best;
}

} // namespace hybrid
} // namespace gc

#endif
