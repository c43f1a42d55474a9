// An algorithm of the `graph` dialect in the place of its compiled form: the same description, parameters and outputs,
// run by the interpreter.
#pragma once

#include "ir/interpreter/Interpreter.h"

#include <gcompile/program.h>

#include <memory>

namespace gcompile {

/// What the compiled program would say about itself, but for what it needs of the graph to run: the interpreter has its
/// own copy.
gc::ProgramInfo describeProgram(graph::AlgorithmOp algorithm);

/// The algorithm bound to a graph and arguments. Its run() throws gc::Error where the program fails. `outcome`: what
/// another execution left in its outputs, and `foreign`: the functions of C++, as in the interpreter.
template <class V>
std::unique_ptr<gc::detail::Instance>
interpretedProgram(graph::AlgorithmOp algorithm, const gc::Graph<V> &graph, const gc::Arguments &arguments,
                   interpreter::Order order = interpreter::Order::Forward,
                   const interpreter::Outcome *outcome = nullptr, const interpreter::ForeignCode *foreign = nullptr);

/// What a program of interpretedProgram<V> has left in its outputs.
template <class V> interpreter::Outcome outcomeOf(const gc::detail::Instance &program);

/// Marks the outputs that may hold something else after another run, though that heeds the first one's outcome.
void markUndetermined(graph::AlgorithmOp algorithm, gc::ProgramInfo &info);

/// An output as a compiled program shows it.
template <class V> gc::detail::OutputView viewOf(const interpreter::Output &output);

extern template interpreter::Outcome outcomeOf<std::uint32_t>(const gc::detail::Instance &);
extern template interpreter::Outcome outcomeOf<std::uint64_t>(const gc::detail::Instance &);
extern template gc::detail::OutputView viewOf<std::uint32_t>(const interpreter::Output &);
extern template gc::detail::OutputView viewOf<std::uint64_t>(const interpreter::Output &);
extern template std::unique_ptr<gc::detail::Instance>
interpretedProgram(graph::AlgorithmOp, const gc::Graph<std::uint32_t> &, const gc::Arguments &, interpreter::Order,
                   const interpreter::Outcome *, const interpreter::ForeignCode *);
extern template std::unique_ptr<gc::detail::Instance>
interpretedProgram(graph::AlgorithmOp, const gc::Graph<std::uint64_t> &, const gc::Arguments &, interpreter::Order,
                   const interpreter::Outcome *, const interpreter::ForeignCode *);

} // namespace gcompile
