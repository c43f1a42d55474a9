// Errors of the runtime.
#include <gcompile/core/error.h>
#include <gcompile/core/property.h>

#include <cstddef>
#include <mutex>
#include <string>

namespace gc {

namespace {

std::string printable(std::string text) {
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 127)
      c = '?';
  return text;
}

} // namespace

Error::Error(ErrorKind kind, const std::string &message) : std::runtime_error(printable(message)), kind(kind) {}

namespace detail {

void begin_to_end() {
  static auto *ending = new std::mutex; // others may still wait for it when the process ends
  ending->lock();
}

void fail_allocation(std::size_t bytes) {
  throw Error(ErrorKind::resource, "out of memory: cannot allocate " + std::to_string(bytes) + " bytes");
}

} // namespace detail

} // namespace gc
