// The profile of a run as tables and as JSON.
#ifndef GCOMPILE_SRC_PROFILE_H
#define GCOMPILE_SRC_PROFILE_H

#include <gcompile/program/profile.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gc::detail {

/// Two tables: a line for each kernel, slowest first, and a line for each round of a propagate. Of very many rounds the
/// first and the last are shown.
std::string profile_text(const Profile &profile);

/// All calls, in order, with times in seconds.
nlohmann::ordered_json profile_json(const Profile &profile);

} // namespace gc::detail

#endif
