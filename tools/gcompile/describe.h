// What shells and `man` are told of gcompile's options.
#pragma once

#include <string>

namespace gcompile {

/// The manual page ("man"), or the completions for a shell: "bash", "zsh" or "fish". Throws Failure for another form.
std::string describeOptions(const std::string &form);

} // namespace gcompile
