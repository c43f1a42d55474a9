#include "protocol.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace graph500 {

namespace {

/// The value at a part of the way through sorted values, which are at 1/(n+1), 2/(n+1) and so on.
double quantile(const std::vector<double> &sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() + 1);
  const double below = std::floor(place);
  const auto at = [&](double i) {
    return sorted[static_cast<std::size_t>(std::clamp(i, 1.0, static_cast<double>(sorted.size()))) - 1];
  };
  return at(below) + (place - below) * (at(below + 1) - at(below));
}

std::optional<double> number_in(const std::string &file) {
  std::ifstream in(file);
  double value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

} // namespace

Statistics statistics_of(std::vector<double> values, bool harmonic) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  Statistics result;
  result.minimum = values.front();
  result.first_quartile = quantile(values, 0.25);
  result.median = quantile(values, 0.5);
  result.third_quartile = quantile(values, 0.75);
  result.maximum = values.back();
  double sum = 0, squares = 0;
  for (const double value : values)
    sum += harmonic ? 1 / value : value;
  const double mean = sum / n;
  for (const double value : values)
    squares += std::pow((harmonic ? 1 / value : value) - mean, 2);
  result.mean = harmonic ? 1 / mean : mean;
  if (n > 1)
    result.deviation =
        harmonic ? std::sqrt(squares) / (n - 1) * result.mean * result.mean : std::sqrt(squares / (n - 1));
  return result;
}

EnergyMeter::EnergyMeter() {
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator("/sys/class/powercap", error)) {
    const std::string name = entry.path().filename();
    // "intel-rapl:0" is a package, "intel-rapl:0:1" a part of it.
    if (name.rfind("intel-rapl:", 0) != 0 || std::count(name.begin(), name.end(), ':') != 1)
      continue;
    const std::string file = entry.path() / "energy_uj";
    const std::optional<double> range = number_in(entry.path() / "max_energy_range_uj");
    if (range && number_in(file))
      counters_.push_back({file, *range, 0});
  }
}

void EnergyMeter::start() {
  for (Counter &counter : counters_)
    counter.first = number_in(counter.file).value_or(0);
}

double EnergyMeter::stop() const {
  double joules = 0;
  for (const Counter &counter : counters_) {
    const double last = number_in(counter.file).value_or(counter.first);
    joules += 1e-6 * (last < counter.first ? last + counter.range - counter.first : last - counter.first);
  }
  return joules;
}

} // namespace graph500
