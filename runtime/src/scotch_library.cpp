#include "scotch_library.h"

#include <gcompile/core/error.h>

#include <cstdlib>
#include <new>
#include <string>

#include <dlfcn.h>

namespace gc::detail {

ScotchLibrary::ScotchLibrary(const std::vector<const char *> &names) {
  setenv("SCOTCH_PTHREAD_NUMBER", "1", /*replace=*/0); // several threads find other parts each time
  for (const char *name : names)
    if (!library_)
      library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

void *ScotchLibrary::find(const char *symbol) const { return library_ ? dlsym(library_, symbol) : nullptr; }

void *ScotchLibrary::require(const char *symbol) const {
  void *const found = find(symbol);
  if (!found)
    throw Error(ErrorKind::resource, std::string("--partition=scotch: the Scotch that is installed has no ") + symbol);
  return found;
}

ScotchLibrary::Object ScotchLibrary::make(const char *function_name) const {
  Object object(function<void *()>(function_name)(), function<void(void *)>("SCOTCH_memFree"));
  if (!object)
    throw std::bad_alloc();
  return object;
}

int ScotchLibrary::number_bits() const { return 8 * function<int()>("SCOTCH_numSizeof")(); }

} // namespace gc::detail
