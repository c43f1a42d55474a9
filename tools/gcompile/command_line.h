// Reading the words of a command line by the options that a command declares.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gcompile {

/// "; did you mean 'X'?" for the candidate nearest to the word, or nothing.
std::string didYouMean(const std::string &word, const std::vector<std::string> &candidates);

/// Prints the text, and ends with success.
[[noreturn]] void printAndExit(const std::string &text);

/// Parses `arguments` into what the options of `app` are bound to. Prints help or the version and ends where asked to;
/// throws Failure, of one line, for whatever is wrong.
void parse(CLI::App &app, std::vector<std::string> arguments);

} // namespace gcompile
