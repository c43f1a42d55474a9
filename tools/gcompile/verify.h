// `gcompile run ... --verify`: the outputs of an executable against those of the interpreter.
#pragma once

#include "ir/interpreter/ForeignCode.h"

#include <string>
#include <vector>

namespace gcompile {

/// What the command line of a program asks for.
struct Verification {
  bool asked = false;  // --verify
  bool always = false; // --verify=interpreter: on a graph of any size
  bool once = false;   // a graph that can be read only once: standard input, or a pipe
  bool each = false;   // --each: the runs are compared with the serial form alone
};

/// Takes `--verify=interpreter` out of `arguments`, where `--verify` stays.
Verification takeVerification(std::vector<std::string> &arguments);

/// The names of an algorithm's results.
std::vector<std::string> outputNames(graph::AlgorithmOp algorithm);

/// Interprets the algorithm and compares its results with those that an executable with the command line `arguments`
/// has written to FOLDER/NAME. Returns the exit status that --verify has. Throws gc::Error.
int verifyByInterpreter(graph::AlgorithmOp algorithm, const interpreter::ForeignCode &foreign,
                        std::vector<std::string> arguments, const std::string &folder, bool always);

} // namespace gcompile
