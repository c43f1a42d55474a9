#include "protocol.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <dlfcn.h>

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

/// Reads the joules that a GPU has taken so far, by NVML's interface; nothing where there is no NVML or no such
/// counter. The library is loaded when it is asked for: programs run where there is none.
std::function<std::optional<double>()> energy_of_gpu(const std::string &bus_id, const std::string &library) {
  void *const nvml = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!nvml)
    return {};
  using Device = void *; // nvmlDevice_t; all functions give 0 for success
  const auto init = reinterpret_cast<int (*)()>(dlsym(nvml, "nvmlInit_v2"));
  const auto find = reinterpret_cast<int (*)(const char *, Device *)>(dlsym(nvml, "nvmlDeviceGetHandleByPciBusId_v2"));
  const auto energy =
      reinterpret_cast<int (*)(Device, unsigned long long *)>(dlsym(nvml, "nvmlDeviceGetTotalEnergyConsumption"));
  Device device = nullptr;
  if (!init || !find || !energy || init() != 0 || find(bus_id.c_str(), &device) != 0)
    return {};
  const auto read = [energy, device]() -> std::optional<double> {
    unsigned long long millijoules = 0;
    return energy(device, &millijoules) == 0 ? std::optional(1e-3 * static_cast<double>(millijoules)) : std::nullopt;
  };
  return read() ? std::function<std::optional<double>()>(read) : nullptr;
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

EnergyMeter::EnergyMeter(const std::string &gpu, const std::string &folder, const std::string &library) {
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    // "intel-rapl:0" is a package, "intel-rapl:0:1" a part of it.
    if (name.rfind("intel-rapl:", 0) != 0 || std::count(name.begin(), name.end(), ':') != 1)
      continue;
    const std::string file = entry.path() / "energy_uj";
    const std::optional<double> range = number_in(entry.path() / "max_energy_range_uj");
    if (range && number_in(file))
      counters_.push_back({file, *range, 0});
  }
  if (!gpu.empty())
    gpu_ = energy_of_gpu(gpu, library);
}

void EnergyMeter::start() {
  for (Counter &counter : counters_)
    counter.first = number_in(counter.file).value_or(0);
  if (gpu_)
    gpu_first_ = gpu_();
}

Joules EnergyMeter::stop() const {
  Joules joules;
  if (!counters_.empty())
    joules.processors = 0;
  for (const Counter &counter : counters_) {
    const double last = number_in(counter.file).value_or(counter.first);
    *joules.processors += 1e-6 * (last < counter.first ? last + counter.range - counter.first : last - counter.first);
  }
  if (const std::optional<double> last = gpu_ ? gpu_() : std::nullopt; last && gpu_first_)
    joules.gpu = *last - *gpu_first_;
  return joules;
}

} // namespace graph500
