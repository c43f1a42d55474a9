// Formatting of generated code.
#pragma once

#include <string>

namespace gcompile::cpp {

/// The same C++ code, laid out in one fixed style of 110 columns that no configuration file changes.
std::string format(const std::string &code);

} // namespace gcompile::cpp
