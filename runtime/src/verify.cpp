// Comparison of a parallel execution's outputs with those of the serial one.
#include "output.h"

#include <cmath>
#include <cstdio>
#include <cstring>

namespace gc::detail {

namespace {

constexpr double double_tolerance = 1e-6, float_tolerance = 1e-4, absolute_tolerance = 1e-12;
constexpr int shown_differences = 5;

template <class T> T load_as(const void *data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

bool close(double a, double b, double tolerance) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return true;
  if (!std::isfinite(a) || !std::isfinite(b))
    return false;
  return std::abs(a - b) <= absolute_tolerance + tolerance * std::max(std::abs(a), std::abs(b));
}

bool same_element(ElementRef a, ElementRef b) {
  switch (a.storage) {
  case Storage::float32:
    return close(load_as<float>(a.data), load_as<float>(b.data), float_tolerance);
  case Storage::float64:
    return close(load_as<double>(a.data), load_as<double>(b.data), double_tolerance);
  case Storage::uint8:
    return load_as<std::uint8_t>(a.data) == load_as<std::uint8_t>(b.data);
  case Storage::int32:
  case Storage::uint32:
    return load_as<std::uint32_t>(a.data) == load_as<std::uint32_t>(b.data);
  case Storage::int64:
  case Storage::uint64:
    return load_as<std::uint64_t>(a.data) == load_as<std::uint64_t>(b.data);
  case Storage::tuple:
    break;
  }
  return false;
}

bool same_value(const Output &a, const Output &b, std::size_t i) {
  const void *left = static_cast<const char *>(a.view.data) + i * a.view.stride;
  const void *right = static_cast<const char *>(b.view.data) + i * b.view.stride;
  if (a.view.storage != Storage::tuple)
    return same_element({left, a.view.storage}, {right, b.view.storage});
  for (std::size_t k = 0; k < a.info.elements.size(); ++k)
    if (!same_element(a.view.element(left, k), b.view.element(right, k)))
      return false;
  return true;
}

void print_difference(const Output &a, const Output &b, std::size_t i) {
  std::string line = "  " + a.info.name;
  const std::string index = index_name(a, i);
  if (!index.empty())
    line += "[" + index + "]";
  line += ": ";
  append_value(a, i, line);
  line += " in parallel, ";
  append_value(b, i, line);
  line += " serially";
  std::fprintf(stderr, "%s\n", line.c_str());
}

} // namespace

bool verify(const std::vector<Output> &parallel, const std::vector<Output> &serial, bool quiet) {
  int agreeing = 0, different = 0;
  bool floats = false;
  std::string skipped;
  for (const Output &a : parallel)
    for (const Output &b : serial) {
      if (a.info.name != b.info.name)
        continue;
      if (a.info.unordered_claim) {
        skipped += (skipped.empty() ? "" : ", ") + a.info.name;
        continue;
      }
      floats |= a.view.storage == Storage::float32 || a.view.storage == Storage::float64;
      std::size_t differences = a.view.count == b.view.count ? 0 : 1;
      for (std::size_t i = 0; i < std::min(a.view.count, b.view.count); ++i) {
        if (same_value(a, b, i))
          continue;
        if (differences == 0)
          std::fprintf(stderr, "error: output %s differs from the serial execution\n", a.info.name.c_str());
        if (++differences <= shown_differences)
          print_difference(a, b, i);
      }
      if (a.view.count != b.view.count)
        std::fprintf(stderr, "error: output %s has %zu values, the serial execution %zu\n", a.info.name.c_str(),
                     a.view.count, b.view.count);
      if (differences > shown_differences)
        std::fprintf(stderr, "  and %zu more\n", differences - shown_differences);
      ++(differences ? different : agreeing);
    }
  if (different == 0 && !quiet) {
    std::printf("verified: %d output%s agree%s with the serial execution%s\n", agreeing, agreeing == 1 ? "" : "s",
                agreeing == 1 ? "s" : "", floats ? " (floats within 1e-6, single precision 1e-4)" : "");
    if (!skipped.empty())
      std::printf("not compared: %s (any legal winner is right)\n", skipped.c_str());
  }
  return different == 0;
}

} // namespace gc::detail
