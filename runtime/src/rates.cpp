#include <gcompile/core/error.h>
#include <gcompile/hybrid/rates.h>

#include "report.h"
#include "runtime/tool_support/cache_folder.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <utility>

namespace gc::hybrid {

namespace {

constexpr std::pair<const char *, double Rates::*> named[] = {
    {"gpu_start", &Rates::gpu_start}, {"copy_start", &Rates::copy_start}, {"moved_byte", &Rates::moved_byte},
    {"cpu_arc", &Rates::cpu_arc},     {"gpu_arc", &Rates::gpu_arc},       {"cpu_pair", &Rates::cpu_pair},
    {"gpu_pair", &Rates::gpu_pair}};

/// Machines may share a home folder: each has a file of its own.
std::filesystem::path rates_file() {
  char host[256] = "machine";
  gethostname(host, sizeof host - 1);
  return detail::cache_folder() / (std::string("rates-") + host + ".json");
}

} // namespace

Rates kept_rates() {
  Rates rates;
  const std::filesystem::path path = rates_file();
  std::ifstream file(path);
  if (!file)
    return rates;
  const auto kept = nlohmann::json::parse(file, nullptr, false);
  for (const auto &[name, rate] : named) {
    const bool good = kept.is_object() && kept.contains(name) && kept[name].is_number() && kept[name] > 0;
    if (!good)
      throw Error(ErrorKind::argument, path.string() + ": no '" + std::string(name) +
                                           "' above 0 is in it; remove the file, or measure again with --calibrate");
    rates.*rate = kept[name];
  }
  return rates;
}

std::string keep_rates(const Rates &rates) {
  const std::filesystem::path path = rates_file();
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error); // writing says what is wrong
  nlohmann::ordered_json kept;
  for (const auto &[name, rate] : named)
    kept[name] = rates.*rate;
  detail::write_json(path.string(), kept);
  return path.string();
}

} // namespace gc::hybrid
