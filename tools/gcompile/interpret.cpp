#include "tools/gcompile/interpreted_program.h"
#include "tools/gcompile/run.h"

#include <cstdlib>

namespace gcompile {

namespace {

// The factories of a program are plain functions.
graph::AlgorithmOp interpreted;
const interpreter::ForeignCode *called = nullptr;
interpreter::Outcome outcome; // of the first run

template <class V> gc::detail::Factories<V> factories() {
  return {[](const gc::Graph<V> &graph, const gc::Arguments &arguments) {
            return interpretedProgram<V>(interpreted, graph, arguments, interpreter::Order::Forward, nullptr, called);
          },
          // --verify: the other order of iterations must not make a difference, but for who wins a claim.
          [](const gc::Graph<V> &graph, const gc::Arguments &arguments, const gc::detail::Instance &first) {
            outcome = outcomeOf<V>(first);
            return interpretedProgram<V>(interpreted, graph, arguments, interpreter::Order::Backward, &outcome, called);
          }};
}

} // namespace

void runInterpreted(graph::AlgorithmOp algorithm, const interpreter::ForeignCode &foreign,
                    const std::vector<std::string> &arguments) {
  interpreted = algorithm;
  called = &foreign;
  std::string name = "gcompile interpret " + algorithm.getSource().str();
  std::vector<char *> argv{name.data()};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  gc::ProgramInfo info = describeProgram(algorithm);
  markUndetermined(algorithm, info);
  std::exit(gc::detail::run_program(static_cast<int>(argv.size()) - 1, argv.data(), info, factories<std::uint32_t>(),
                                    factories<std::uint64_t>()));
}

} // namespace gcompile
