// "did you mean" for misspelt names.
#ifndef GCOMPILE_SRC_SUGGEST_H
#define GCOMPILE_SRC_SUGGEST_H

#include <string>
#include <vector>

namespace gc::detail {

/// "; did you mean 'NAME'?" for the closest of the names if one is close, else nothing.
std::string suggestion(const std::string &word, const std::vector<std::string> &names);

} // namespace gc::detail

#endif
